"""What a text says of the declared call itself: its method and URL, its key's name, which fields may be left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from wizard.lint.keyprose.drafts import calls_in
from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.found import blocks_of, hits_of, lowered, names_for, own_names
from wizard.lint.keyprose.lexicon import MARKS, Language, Lexicon, lexicon
from wizard.lint.keyprose.names import same_name
from wizard.lint.keyprose.reading import read
from wizard.lint.keyprose.sentences import is_away, is_wrong
from wizard.lint.model import Context
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation
from wizard.skill.prose import Block
from wizard.skill.prose_text import Text
from wizard.source import Span

_METHODS = "GET|HEAD|POST|PUT|PATCH|DELETE"
_CALL = re.compile(rf"\s*`?(?P<method>{_METHODS})`?[ \t]+`?(?P<url>(?:https?://|/)[^\s`]{{1,400}}?)`?\s*[.:]?\s*")
_VARIABLE = re.compile(r"\{[^{}/]*\}|<[^<>/]*>|(?<=/):[A-Za-z_]\w*|\$\{?\w+\}?")
_SPELLED = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+|[a-z0-9]+(?:[A-Z][a-z0-9]+)+")
_SENTENCE = re.compile(r"[.。;；\n]")
_FAR = 80
"""Characters behind a field's name in which the text says of it whether it may be left out."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A place that says something of the call."""

    span: Span
    said: str
    """The method and URL, or the name that is written there."""


def other_call(context: Context, operation: Operation) -> Claim | None:
    """The one call that the text puts down as its own (in a paragraph or heading of its own, or as the only one of its
    samples), where it is another than the declared one."""
    shown: list[tuple[str, str, Span]] = []
    for block in blocks_of(context):
        if is_away(block.headings, lexicon()):
            continue
        if block.kind in ("paragraph", "heading"):
            found = _CALL.fullmatch(block.text.text)
            if found:
                shown.append((found["method"], found["url"], block.text.span(found.start("method"), found.end("url"))))
        elif block.kind == "code" and not is_wrong(" ".join([*block.headings[-1:], block.lead[-80:]]), lexicon()):
            for call in calls_in(block.text.text):
                at = block.text.text.find(call.url)
                if at >= 0 and call.url.startswith("http"):
                    shown.append((call.method, call.url, block.text.span(at, at + len(call.url))))
    writes = [call for call in shown if call[0] not in ("GET", "HEAD")]
    calls = {(method, _path(url)) for method, url, _ in writes}
    if len(calls) != 1 or not _concerns(operation, writes[0][0], writes[0][1]):
        return None
    method, url, span = writes[0]
    return Claim(span, f"{method} {url}")


def _concerns(operation: Operation, method: str, url: str) -> bool:
    """Whether a call is meant to be the declared one and is not: of method and path one is the same, and so is the
    host where the text names one."""
    host = urlsplit(url).netloc
    if host and host.lower() != urlsplit(operation.url).netloc.lower() and _path(url) != _path(operation.url):
        return False
    same = (method == operation.method, _path(url) == _path(operation.url))
    return same in ((True, False), (False, True)) and bool(_path(url))


def _path(url: str) -> str:
    """The path of a URL, whatever its variables are called."""
    path = urlsplit(_VARIABLE.sub("{}", url)).path.rstrip("/")
    return path.replace("%7B%7D", "{}")


def other_names(context: Context, operation: Operation) -> Iterator[Claim]:
    """The names of keys that stand in sentences of which no other rule speaks, and are not the declared key's."""
    if operation.key is None:
        return
    own = own_names(operation)[0]
    words, names = lexicon(), names_for(context)
    if next(names.find(lowered(context)), None) is None:
        return
    taken = [hit.unit for hit in hits_of(context)]
    for block in blocks_of(context):
        if block.kind in ("heading", "code") or is_away(block.headings, words):
            continue
        for sentence in block.sentences():
            whole = sentence.whole
            if any(unit.start < whole.end and whole.start < unit.end for unit in taken):
                continue
            yield from _other_names(sentence, own, words, context)


def _other_names(sentence: Text, own: str, words: Lexicon, context: Context) -> Iterator[Claim]:
    folded = fold(sentence.text)
    found = [name for name in names_for(context).find(folded) if name.kind == "key"]
    written = [(name, sentence.text[name.start : name.end]) for name in found]
    if not written or any(same_name(own, text) for _, text in written):
        return
    reading = read(sentence, names_for(context), words)
    languages = [one for one in words.languages if one.written_in(reading.text)]
    if any(form.pattern.search(reading.text) for one in languages for form in one.hush):
        return
    if _IF_OTHER.search(folded) or MARKS["key"] not in reading.text:
        return
    for name, text in written:
        if _SPELLED.fullmatch(text):
            yield Claim(sentence.span(name.start, name.end), text)


_IF_OTHER = re.compile(
    r"\b(?:not|never|no|other|another|instead|unlike|older|legacy|formerly|renamed)\b|不|没有|其他|旧|ない|別の"
)


def optional_fields(context: Context, operation: Operation) -> Iterator[tuple[FieldPath, Claim]]:
    """The identity's fields of which a row or an item says otherwise whether they may be left out."""
    for block in blocks_of(context):
        if block.kind in ("heading", "code") or is_away(block.headings, lexicon()):
            continue
        named = _named(block)
        path = next((one for one in operation.identity if one.required().name == named[0]), None) if named else None
        # An element of a list may lack a field that others have; a field of something optional is required in it only.
        if path is None or named is None or path.in_array or (path.optional and len(path.segments) > 1):
            continue
        said = _said_of(block, named[1], path.optional)
        if said is not None:
            yield path, said


def _named(block: Block) -> tuple[str, int] | None:
    """The name that a row's first cell or an item's beginning is, and where it ends."""
    if block.kind == "row":
        return (block.cells[0].text.strip(" `*"), len(block.cells[0].text)) if block.cells else None
    found = re.match(r"[`*\"']{0,3}([A-Za-z_][\w.\[\]]{0,80})[`*\"']{0,3}\s?(?=[(（:：—–|-])", block.text.text)
    return (found[1], found.end()) if found else None


def _said_of(block: Block, at: int, optional: bool) -> Claim | None:
    """Where the text behind a name says that it may not be left out, or may, as `optional` has it the other way."""
    if block.kind == "row":
        for cell in block.cells[1:]:
            found = _said_in(cell.text[:_FAR], optional, alone=True)
            if found:
                return Claim(cell.span(*found), cell.text[slice(*found)])
        return None
    rest = block.text.text[at : at + _FAR]
    end = _SENTENCE.search(rest)
    found = _said_in(rest[: end.start()] if end else rest, optional, alone=False)
    if found is None:
        return None
    start, stop = (place + at for place in found)
    return Claim(block.text.span(start, stop), block.text.text[start:stop])


def _said_in(text: str, optional: bool, *, alone: bool) -> tuple[int, int] | None:
    """Where one kind of word stands in a text and the other does not; in a cell it stands at the beginning."""
    folded = fold(text)
    for language in lexicon().languages:
        if not language.written_in(folded):
            continue
        wanted, other = _both(language, optional)
        found = wanted.search(folded)
        if found and not other.search(folded) and (not alone or not folded[: found.start()].strip(" (（`*")):
            return found.span()
    return None


def _both(language: Language, optional: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (language.required, language.optional) if optional else (language.optional, language.required)
