"""The places of a sample where a key is filled in: headers, members of a body, flags, parameters, variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from wizard.lint.keyprose.lexicon import Lexicon
from wizard.lint.keyprose.names import NameClass, Names
from wizard.lint.keyprose.values import ValueKind, value_end, value_kind

MAX_SITES = 200
"""Places of one sample that are looked at. A block with more of them is no sample that anybody reads."""

SiteKind = Literal["header", "member", "flag", "parameter", "variable"]

_BEHIND = re.compile(r"\\?[\"'`]?\]?[ \t]{0,10}(?P<sep>=>|:=|:|=|,)[ \t]{0,10}")
_HEADER_FLAG = re.compile(r"(?:-h|--header)(?:[ \t]{0,4}|=)(?P<quote>\$?[\"']?)$")
_OPTION = re.compile(r"(?:^|[\s\[(\"'\\,])-{1,2}$")
_PARAMETER = re.compile(r"[?&]$|(?:-d|-f|--data(?:-urlencode|-raw)?|--form)[ \t]{0,4}[\"']?$")
_DECLARED = re.compile(
    r"(?:^|\n|[;&|(][ \t]{0,4})[ \t>]{0,40}"
    r"(?:export |const |let |var |val |local |readonly |set |\$env:|\$)?[ \t]{0,4}$"
)
_LINE_START = re.compile(r"(?:^|\n)[ \t>|#/*-]{0,40}(?:\d{1,2}\. )?$")
_VARIABLE_NAME = re.compile(r"\$?\{?(?P<name>[a-z_]\w{0,40})\}?")
_CALL = re.compile(r"[\w\])][ \t]{0,2}\([ \t]{0,4}[\"']$")


@dataclass(frozen=True, slots=True)
class Site:
    """A place that a sample fills. Offsets are of the sample's text."""

    kind: SiteKind
    name_class: NameClass
    name: tuple[int, int]
    value: tuple[int, int]
    value_kind: ValueKind
    whole: tuple[int, int]
    """Name, value and what binds them: the whole flag, member, header argument or line."""
    in_quotes: bool = False
    """Whether the name stands in quotes, as a member's does."""
    optional: bool = False
    """Whether it stands in the brackets of a synopsis."""


def sites(text: str, names: Names, lexicon: Lexicon) -> list[Site]:
    """The places of a sample, in lower case, that name a key and give it something: the first `MAX_SITES`."""
    return list(islice(_sites(text, names, lexicon), MAX_SITES))


def nameless(text: str, lexicon: Lexicon) -> list[Site]:
    """Places whose value alone says that it is a key, under a name that says nothing (`-i "unique-key-123"`)."""
    return [
        Site(
            "flag" if found["flag"] else "member", "key", found.span("name"), found.span("value"), "made", found.span()
        )
        for found in lexicon.code["nameless"].finditer(text)
    ]


def is_made_in(text: str, site: Site, lexicon: Lexicon) -> bool:
    """Whether the variable that a place is filled from is made on the spot in the same sample (`cid=$(uuidgen)`)."""
    found = _VARIABLE_NAME.fullmatch(text[slice(*site.value)].strip("\"' \t"))
    if found is None:
        return False
    name = re.escape(found["name"])
    given = re.compile(
        rf"(?:^|[\s$;({{]){name}[ \t]{{0,8}}:?=[ \t]{{0,8}}(?!=)(?P<value>[^\n;]{{1,200}})", re.MULTILINE
    )
    return any(
        lexicon.code["makers"].search(assigned["value"]) is not None for assigned in islice(given.finditer(text), 8)
    )


def _sites(text: str, names: Names, lexicon: Lexicon) -> Iterator[Site]:
    until = 0
    for name in names.find(text):
        if name.start < until or " " in text[name.start : name.end]:
            continue
        site = _site(text, name.start, name.end, name.kind, lexicon)
        if site is not None:
            yield site
            until = site.value[1]


def _site(text: str, start: int, end: int, name_class: NameClass, lexicon: Lexicon) -> Site | None:
    before = text[max(0, start - 60) : start]
    if before.endswith(("$", "${", "{{", "<")) and text[end : end + 1] in "}>\"' \n":
        return None
    header = _HEADER_FLAG.search(before)
    if header:
        return _header(text, start, end, name_class, start - (len(before) - header.start()), header["quote"], lexicon)
    if _OPTION.search(before):
        return _flag(text, start, end, name_class, lexicon)
    behind = _BEHIND.match(text, end)
    if behind is None:
        return None
    sep, at = behind["sep"], behind.end()
    quote = before[-1:] if before[-1:] in "\"'`" else ""
    quoted = bool(quote) and behind[0].lstrip("\\")[:1] == quote
    if sep == "," and not (quoted and _CALL.search(before)):
        return None
    if before.endswith(".") and sep == ":":
        return None
    kind: SiteKind
    stops = ",;"
    first = start - (1 if quoted else 0) - (1 if quoted and before[-2:-1] == "\\" else 0)
    if quoted:
        kind = "header" if sep == "," else "member"
    elif _PARAMETER.search(before):
        kind, stops = "parameter", "&\"' \\"
    elif sep == "=" and text[behind.start("sep") - 1] not in " \t" and text[at - 1] == "=":
        kind, stops = ("variable" if _DECLARED.search(before) else "parameter"), " ;&,"
    elif sep in ("=", ":="):
        kind, stops = "variable", ";"
    elif _LINE_START.search(before) and text[at - 1 : at] != ":":
        kind, stops = ("header" if "-" in text[start:end] else "member"), ",;" if "-" not in text[start:end] else ""
    elif quote and not quoted:
        # `"Idempotency-Key: value"` in one string, as clients with a list of headers write it.
        kind, stops = "header", quote
    elif text[at - 1] == ":":
        kind, stops = "header", " \\"
    else:
        kind = "member"
    stop = value_end(text, at, stops=stops)
    return _made(kind, text, (start, end), (at, stop), (first, stop), name_class, lexicon, in_quotes=quoted)


def _header(
    text: str, start: int, end: int, name_class: NameClass, first: int, quote: str, lexicon: Lexicon
) -> Site | None:  # fmt: skip
    behind = re.compile(r"[ \t]{0,4}:[ \t]{0,4}").match(text, end)
    if behind is None:
        return None
    closing = quote[-1:]
    stop = (
        value_end(text, behind.end(), stops=closing or " ")
        if text[behind.end() : behind.end() + 1] != closing
        else behind.end()
    )
    whole = stop + (1 if closing and text[stop : stop + 1] == closing else 0)
    return _made(
        "header", text, (start, end), (behind.end(), stop), (first, whole), name_class, lexicon, in_quotes=bool(closing)
    )


def _flag(text: str, start: int, end: int, name_class: NameClass, lexicon: Lexicon) -> Site | None:
    behind = re.compile(r"(?:[ \t]{0,4}\\\n[ \t]{0,20}|[ \t]{0,4}=[ \t]{0,4}|[ \t]{1,8})").match(text, end)
    first = start
    while first > 0 and text[first - 1] == "-":
        first -= 1
    if behind is None or text[behind.end() : behind.end() + 1] in ("-", "\\", "|", ")", "]", "\n", "`", ""):
        return None
    stop = value_end(text, behind.end(), stops=" \t\\|;`")
    optional = text[:first].rstrip(" ").endswith("[")
    return _made(
        "flag", text, (start, end), (behind.end(), stop), (first, stop), name_class, lexicon, optional=optional
    )


def _made(
    kind: SiteKind, text: str, name: tuple[int, int], value: tuple[int, int], whole: tuple[int, int],
    name_class: NameClass, lexicon: Lexicon, *, in_quotes: bool = False, optional: bool = False,
) -> Site | None:  # fmt: skip
    start, stop = value
    while stop > start and text[stop - 1] in " \t\r":
        stop -= 1
    if stop == start:
        return None
    kind_of_value = value_kind(text[start:stop], lexicon, bare_words=kind in ("header", "flag", "parameter"))
    around = (whole[0], max(whole[1], stop))
    return Site(kind, name_class, name, (start, stop), kind_of_value, around, in_quotes, optional)
