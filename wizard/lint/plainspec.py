"""A declaration that is plain to see and that no rule has anything to say of, told without loading one.

A commit touches one skill, most of the time a sound one, and reading it with a YAML parser, the model of an operation
and fifty rules takes ten times as long as Python needs to start. What is looked at here is narrow: the members that
most writes have, in the forms that `emit` and people write them, names made of words that no list of the rules knows,
and prose that says nothing of repeating. Whatever lies outside is left to the rules: this says yes only where they say
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.signs import Signs
from wizard.lint.plainfront import plain_members
from wizard.lint.plainwords import FIELD, NO_AMOUNT, PATH, PLURAL, plain_words
from wizard.yamltext.plain_reading import plain_values

_OPERATION = re.compile(r"^operation:[ ]*\r?\n((?:[ ]+[^\r\n]*\r?\n)+)", re.MULTILINE)
_NAME = re.compile(r"[a-z]+(?:_[a-z]+)*")
_FIELD = re.compile(r"[a-z]\w*(?:\.[a-z]\w*)*", re.ASCII)
_PATH = r"((?:/(?:[a-z]+(?:[-_][a-z]+)*|v[0-9]|\{[a-z]+(?:_[a-z]+)*\}))+)"
_HOST = r"https?://[a-z][a-z0-9.-]*(?::[0-9]{2,5})?"
_URL = re.compile(rf"{_HOST}{_PATH}")
_VARIABLE = r"\{[a-z]\w*(?:\.[a-z]\w*)*\}"
_PROBE_URL = re.compile(
    rf"{_HOST}(?:/(?:[a-z0-9]+(?:[-_][a-z0-9]+)*|{_VARIABLE}))+(?:\?[a-z]\w*={_VARIABLE}(?:&[a-z]\w*={_VARIABLE})*)?",
    re.ASCII,
)
_NAMED = re.compile(r"\{([^{}]+)\}")
_ITEMS = re.compile(r"\$(?:\.[A-Za-z]\w*)*\[\*\]", re.ASCII)
_CANDIDATE = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)*", re.ASCII)
_PATH_WORD = re.compile(r"v[0-9]|[a-z]+")
_KEY_NAME = re.compile(r"(?:x-)?idempotency-key", re.IGNORECASE)
_FOR = re.compile(r"[0-9]{1,3}[mhd]|forever")
_CURRENCY = re.compile(r"[A-Z]{3}|[a-z]+(?:_[a-z]+)*")
_TEXT = re.compile(
    r"https?://[A-Za-z0-9_./:{}?=&-]*[A-Za-z0-9_/{}?=&-]|[a-z]+/[a-z-]+|\$[A-Za-z0-9_.]*\[\*\]|[0-9]{1,3}[mhd]|[0-9]{3}"
    r"|[A-Za-z][A-Za-z0-9_.-]*(?: [A-Za-z][A-Za-z0-9-]*)?|[a-z][a-z0-9_.]*\?"
)
_INSIDE = re.compile(r"[A-Za-z0-9_. -]+\??")
"""What may stand in a list."""

_METHODS = "GET|POST|PUT|PATCH|DELETE|HEAD"
_MARKUP = re.compile(
    rf"<[a-z/!]|\]\(|\\[!-/:-@\[-`{{-~]|[\x00-\x08\x0b-\x1f]|__|^[ \t>#*`-]*(?:{_METHODS})\b", re.MULTILINE
)
"""What a text may not hold: letters may stand apart there that are read as one word, or a call of its own."""
_LEAVE_OUT = re.compile(r" and fills in `[A-Za-z][\w.-]*`; leave it out\.$", re.ASCII | re.MULTILINE)
_CODE = re.compile(r"^[ \t>]*(?:```|~~~)|^[ \t>]*(?: {4}|\t)", re.MULTILINE)
_GAP = re.compile(r"\n[ \t>]*\n|\n(?=[ \t>]*[-*+] +[^ \n])")
"""What parts two texts: an empty line, or the beginning of an item."""
_BETWEEN = re.compile(r"[\s>]+")
_DROPPED = str.maketrans("", "", '"*`')
_NO_LETTER = re.compile(r"[^a-z0-9]")
_VERSIONS = frozenset(["api", "rest", "public", "internal"])

_WRITES = frozenset(["POST", "PATCH", "DELETE"])
_MEMBERS = frozenset(["method", "url", "content", "query", "body", "identity", "key", "money", "probe", "keep"])
_PROBE = frozenset(["url", "items", "match", "since", "absent", "pages", "after"])
_CONTENTS = frozenset(["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
_SHAPES = frozenset(["uuid", "uuid4", "hex32", "hex64"])


class Seen(NamedTuple):
    """What a look at a file that declares an operation can tell."""

    sound: bool = False
    """The rules have nothing to say of the declaration, an API document aside."""
    silent: bool = False
    """Neither have those that read the prose."""


def look(text: str, signs: Signs) -> Seen:
    """What can be told of an operation spec."""
    words = plain_words()
    found = _OPERATION.search(text)
    if words is None or found is None or text.count("operation:") != 1:
        return Seen()
    # The rest is read without the declaration, whose forms are wider in one way and narrower in another.
    members = plain_members(f"{text[: found.start()]}operation: here\n{text[found.end() :]}")
    if members is None or not _named(members):
        return Seen()
    operation = (plain_values("operation:\n" + found[1].replace("\r\n", "\n")) or {}).get("operation")
    if not isinstance(operation, dict):
        return Seen()
    return Seen(_sound(operation, words), _says_nothing(text, found, operation, signs, words))


def is_beyond_doubt(text: str, signs: Signs) -> bool:
    """Whether the rules have nothing to say of an operation spec, an API document aside."""
    return all(look(text, signs))


def _says_nothing(
    text: str, found: re.Match[str], operation: Mapping[str, Any], signs: Signs, words: Mapping[str, Any]
) -> bool:
    """Whether what stands around the declaration says nothing of it."""
    identity, own = operation.get("identity", []), _own_name(operation.get("key", ""))
    if own is None or "reference" in operation or not _is_list(identity):
        return False
    # What `emit` writes of each call: which it is, and that nobody but the host fills the key in.
    call = f"\n{operation.get('method')} `{operation.get('url')}`\n"
    around = (text[: found.start()] + text[found.end() :]).replace("\r\n", "\n").replace(call, "\n")
    around = _LEAVE_OUT.sub("", around)
    if own and own in _NO_LETTER.sub("", around.lower()):
        return False
    return _silent(around, signs, words) and not _left_out(around, identity, words)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _own_name(key: Any) -> str | None:
    """The letters of the declared key's name, empty where none is declared; None where it is not plain to see."""
    name = key.get("name") if isinstance(key, dict) else key.partition(" ")[2] if isinstance(key, str) else None
    if key == "":
        return ""
    return _NO_LETTER.sub("", name.lower()) or None if isinstance(name, str) and name.isascii() else None


def _named(members: Mapping[str, str | None]) -> bool:
    """`operation` stands at the top of the frontmatter and in nothing else, beside a name and a description."""
    return "operation" in members and all((members.get(name) or "").strip() for name in ("name", "description"))


def _is_usual(value: Any) -> bool:
    """Whether all names and texts of a value are of the usual kinds."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(one, str) and _INSIDE.fullmatch(one) and _is_usual(one) for one in value)
    if isinstance(value, dict):
        return bool(value) and all(_CANDIDATE.fullmatch(name) and _is_usual(one) for name, one in value.items())
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def _sound(operation: Mapping[str, Any], words: Mapping[str, Any]) -> bool:
    """Whether the rules of the declaration alone say nothing."""
    if not (operation.keys() <= _MEMBERS and _is_usual(operation) and operation.get("method") in _WRITES):
        return False
    body, identity = operation.get("body"), operation.get("identity")
    if not (
        isinstance(body, list) and isinstance(identity, list) and identity and isinstance(operation.get("url"), str)
    ):
        return False
    known: Mapping[str, int] = words["words"]
    fields = [name.removesuffix("?") for name in identity]
    named = all(map(_FIELD.fullmatch, body)) and _each_once(body) and _each_once(fields) and set(fields) <= set(body)
    if not (named and all(_is_plain(_last(name), known, words["never"]) for name in fields)):
        return False
    money = operation.get("money")
    if money is None:
        lasts = [_last(name) for name in body]
        if not all(_NAME.fullmatch(name) and _bits(name, known) & NO_AMOUNT for name in lasts):
            return False
    elif not _is_money(money):
        return False
    if not _usual(operation):
        return False
    key, probe = operation.get("key"), operation.get("probe")
    if key is None and probe is None:
        return False
    sound = (key is None or _is_key(key)) and (
        probe is None or _is_probe(probe, fields, _NAMED.findall(operation["url"]))
    )
    return sound and _is_path(operation.get("url"), known)


def _usual(operation: Mapping[str, Any]) -> bool:
    """Whether the members that hardly any rule asks for have a usual form."""
    query, keep = operation.get("query", ["a"]), operation.get("keep", "5m")
    listed = isinstance(query, list) and all(map(_CANDIDATE.fullmatch, query)) and _each_once(query)
    kept = isinstance(keep, str) and _FOR.fullmatch(keep) is not None
    return listed and kept and operation.get("content", "application/json") in _CONTENTS


def _each_once(names: list[str]) -> bool:
    return len(set(names)) == len(names)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _is_probe(probe: Any, fields: list[str], path: list[str]) -> bool:
    """A probe in usual forms that covers the identity."""
    if not (isinstance(probe, dict) and probe.keys() <= _PROBE):
        return False
    url, match = probe.get("url"), probe.get("match", [])
    if not (isinstance(url, str) and _PROBE_URL.fullmatch(url)):
        return False
    if not (isinstance(match, dict | list) and _each_once(list(match)) and all(map(_FIELD.fullmatch, match))):
        return False
    pairs = match if isinstance(match, dict) else dict(zip(match, match, strict=True))
    paths = [*pairs.values(), *([probe["since"]] if "since" in probe else [])]
    if not all(isinstance(path, str) and _CANDIDATE.fullmatch(path) for path in paths):
        return False
    items, absent = probe.get("items"), probe.get("absent")
    listed = items is not None and isinstance(items, str) and _ITEMS.fullmatch(items) is not None
    if (items is not None and not listed) or absent not in (None, "empty" if listed else "404"):
        return False
    after = probe.get("after", "5m")
    lasts = isinstance(after, str) and after != "forever" and _FOR.fullmatch(after) is not None
    if probe.get("pages", "none") not in ("none", "link") or not lasts:
        return False
    asked = set(_NAMED.findall(url))
    return set(pairs) <= set(fields) and asked <= {*fields, *path} and set(fields) <= {*pairs, *asked}


def _bits(name: str, known: Mapping[str, int]) -> int:
    """What holds of every word of a name; 0 where one is not known."""
    bits = FIELD | PATH | NO_AMOUNT
    for word in name.split("_"):
        bits &= known.get(word, 0)
    return bits


def _is_plain(name: str, known: Mapping[str, int], never: list[str]) -> bool:
    if not (_NAME.fullmatch(name) and _bits(name, known) & FIELD):
        return False
    joined = "_".join(word[:-1] if known[word] & PLURAL else word for word in name.split("_"))
    return not any(text in joined for text in never)


def _is_path(url: Any, known: Mapping[str, int]) -> bool:
    found = _URL.fullmatch(url) if isinstance(url, str) else None
    if found is None:
        return False
    said = [word for word in _PATH_WORD.findall(found[1]) if word not in _VERSIONS and not word[-1].isdigit()]
    return bool(said) and all(known.get(word, 0) & PATH for word in said)


def _is_key(key: Any) -> bool:
    """A header of the usual name, of which is said how long it is remembered."""
    if not (isinstance(key, dict) and key.keys() <= {"in", "name", "for", "shape"} and _all_texts(key)):
        return False
    named = key.get("in") == "header" and _KEY_NAME.fullmatch(key.get("name", "")) is not None
    return named and _FOR.fullmatch(key.get("for", "")) is not None and key.get("shape", "uuid") in _SHAPES


def _all_texts(mapping: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str) for value in mapping.values())


def _is_money(money: Any) -> bool:
    return (
        isinstance(money, dict)
        and money.keys() == {"amount", "currency"}
        and _all_texts(money)
        and _NAME.fullmatch(money["amount"]) is not None
        and _CURRENCY.fullmatch(money["currency"]) is not None
    )


def _left_out(text: str, identity: list[str], words: Mapping[str, Any]) -> bool:
    """Whether a line or what follows it may say of a field of the identity that it can be left out, or must not."""
    lines = [fold(line) for line in text.splitlines()]
    for at, line in enumerate(lines):
        end = next((stop for stop in range(at + 1, len(lines)) if _begins(lines[stop])), len(lines))
        near = " ".join(lines[at:end])
        for name in identity:
            field = name.removesuffix("?")
            if field in line and any(word in near for word in words["required" if field != name else "optional"]):
                return True
    return False


def _begins(line: str) -> bool:
    """Whether a line begins something new: an item, a row, a heading, a part behind an empty line."""
    return not line.strip() or line.lstrip()[:1] in "-*+|#>0123456789"


def _silent(text: str, signs: Signs, words: Mapping[str, Any]) -> bool:
    """Whether what stands around the declaration says nothing of keys, nor of repeating the write."""
    if _MARKUP.search(text) or ("http" in text and _CODE.search(text)) or signs.in_text(text.lower()):
        return False
    for part in _GAP.split(text):
        said = _BETWEEN.sub(" ", fold(part).translate(_DROPPED))
        if any(all(any(one in said for one in group) for group in groups) for groups in words["says"]):
            return False
    return True
