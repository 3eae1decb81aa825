"""A sentence as forms read it: lower case, single spaces, and a mark in the place of each thing that was recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from wizard.lint.keyprose.folding import fold
from wizard.lint.keyprose.lexicon import MARKS, Lexicon
from wizard.lint.keyprose.names import NameClass, Names
from wizard.skill.prose_text import CODE_SPAN, Text
from wizard.source import Span

MAX_LENGTH = 2000
"""Characters of a sentence that are read; nobody writes a longer one, and forms try a gap at each."""

_PLACE = (
    r"(?:<[a-z_\u4e00-\u9fff\u3040-\u30ff0-9][^<>\n]{0,60}>|\$?\{\{?[ a-z_\u4e00-\u9fff][^{}\n]{0,60}\}?\}"
    r"|\$\([^()\n]{1,80}\)|\$[a-z_]\w{0,40}|%[sd])"
)
_TEMPLATE = re.compile(rf"[a-z0-9_.:-]{{0,40}}(?:{_PLACE}[a-z0-9_.:/#-]{{0,40}}){{1,8}}")
_PLACE_ALONE = re.compile(rf"{_PLACE}")
_URL = re.compile(r"https?://[^\s`\"'<>()|]{1,500}|(?<![\w<])/[a-z0-9_{}:.-]{1,80}(?:/[a-z0-9_{}:.*-]{1,80}){0,12}/?")
_SPACE = re.compile(r"\s+")
_DROPPED = re.compile(r"[\"]|(?<![a-z0-9])'|'(?![a-z])")

PlaceKind = Literal["made", "template", "value"]
"""`made` says that the caller makes it up, `template` has words around its places, `value` is one bare place."""

KIND_MARK: dict[NameClass, str] = {
    "key": MARKS["key"],
    "token": MARKS["token"],
    "reference": MARKS["ref"],
    "request": MARKS["ask"],
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with marks. `text[i]` stands for the source's characters from `starts[i]` to `ends[i]`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    names: tuple[tuple[int, str], ...]
    """Where a name's mark stands in the text, and how the name was written."""

    def span(self, start: int, end: int) -> Span:
        """The stretch of the source that a stretch of the reading is, white space at its ends left out."""
        while start < end - 1 and self.text[start] == " ":
            start += 1
        while end > start + 1 and self.text[end - 1] == " ":
            end -= 1
        return Span(self.starts[start], self.ends[end - 1]) if end > start else Span(0, 0)

    def replaced(self, pattern: re.Pattern[str], mark: str) -> Reading:
        """The reading with a mark in the place of everything that a pattern finds."""
        chars: list[str] = []
        kept: list[tuple[int, int]] = []
        moved = dict(self.names)
        names: list[tuple[int, str]] = []
        at = 0
        for found in [*pattern.finditer(self.text), None]:
            until = len(self.text) if found is None else found.start()
            for index in range(at, until):
                if index in moved:
                    names.append((len(chars), moved[index]))
                chars.append(self.text[index])
                kept.append((self.starts[index], self.ends[index]))
            if found is not None and found.end() > found.start():
                written = next((moved[index] for index in range(*found.span()) if index in moved), None)
                if written is not None:
                    names.append((len(chars), written))
                chars.append(mark)
                kept.append((self.starts[found.start()], self.ends[found.end() - 1]))
                at = found.end()
        starts, ends = zip(*kept, strict=True) if kept else ((), ())
        return Reading("".join(chars), starts, ends, tuple(names))

    def name_in(self, start: int, end: int) -> str:
        """How the first name in a stretch was written; of the sentence where the stretch has none."""
        inside = [written for at, written in self.names if start <= at < end]
        return (inside or [written for _, written in self.names] or [""])[0]


class _Builder:
    def __init__(self, text: Text) -> None:
        self.source = text
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.names: list[tuple[int, str]] = []

    def put(self, written: str, start: int, end: int) -> None:
        span = self.source.span(start, end)
        self.chars.append(written)
        self.starts.append(span.start)
        self.ends.append(span.end)

    def words(self, folded: str, start: int, end: int) -> None:
        """Plain words, character by character."""
        for at in range(start, end):
            char = folded[at]
            if char == "\t" and self.chars and self.chars[-1] != "|":
                self.put("|", at, at + 1)  # columns that only a tab parts
            elif char.isspace():
                if self.chars and self.chars[-1] != " ":
                    self.put(" ", at, at + 1)
            elif char not in '"*`':
                self.put(char, at, at + 1)

    def mark(self, mark: str, start: int, end: int) -> None:
        self.put(mark, start, end)

    def done(self) -> Reading:
        return Reading("".join(self.chars), tuple(self.starts), tuple(self.ends), tuple(self.names))


def read(text: Text, names: Names, lexicon: Lexicon) -> Reading:
    """Reads a sentence."""
    if len(text.text) > MAX_LENGTH:
        text = text.part(0, MAX_LENGTH)
    folded = fold(text.text)
    built = _Builder(text)
    at = 0
    for found in CODE_SPAN.finditer(folded):
        _prose(built, folded, at, found.start(), names, lexicon)
        _code(built, folded, found.start(), found.end(), names, lexicon)
        at = found.end()
    _prose(built, folded, at, len(folded), names, lexicon)
    return built.done()


def _prose(built: _Builder, folded: str, start: int, end: int, names: Names, lexicon: Lexicon) -> None:
    """Words outside of code: names, URLs and templates get their marks."""
    marks = _marks(folded, start, end, names, lexicon)
    at = start
    for begin, stop, mark in marks:
        built.words(folded, at, begin)
        _mark(built, begin, stop, mark)
        at = stop
    built.words(folded, at, end)


def _code(built: _Builder, folded: str, start: int, end: int, names: Names, lexicon: Lexicon) -> None:
    """Code within a line: its names and values; the mark of code where it has neither."""
    marks = [found for found in _marks(folded, start, end, names, lexicon) if found[2] != MARKS["url"]]
    if not marks:
        if lexicon.code["other"].fullmatch(folded, start, end):
            built.words(folded, start, end)
            return
        named = lexicon.code["named"].fullmatch(folded, start, end)
        built.mark(MARKS["named" if named else "code"], start, end)
        return
    for index, (begin, stop, mark) in enumerate(marks):
        if index:
            built.put(" ", begin, begin)
        # The first and last marks take the code's own quotes with them.
        _mark(built, begin, stop, mark)


def _mark(built: _Builder, start: int, end: int, mark: str) -> None:
    if mark in KIND_MARK.values():
        built.names.append((len(built.chars), built.source.text[start:end]))
    built.mark(mark, start, end)


def _marks(folded: str, start: int, end: int, names: Names, lexicon: Lexicon) -> list[tuple[int, int, str]]:
    """What is recognised in a stretch, in order, none over another; names win."""
    found = []
    for name in names.find(folded, start, end):
        # A flag is a parameter of a call, whatever else its words may mean.
        flag = name.kind == "token" and folded.startswith("--", max(0, name.start - 2))
        found.append((name.start, name.end, MARKS["key"] if flag else KIND_MARK[name.kind]))
    taken = [(begin, stop) for begin, stop, _ in found]

    def free(begin: int, stop: int) -> bool:
        return all(stop <= other or begin >= until for other, until in taken)

    def take(begin: int, stop: int, mark: str) -> None:
        if free(begin, stop):
            found.append((begin, stop, mark))
            taken.append((begin, stop))

    for match in _URL.finditer(folded, start, end):
        take(match.start(), match.end(), MARKS["url"])
    for match in _TEMPLATE.finditer(folded, start, end):
        take(match.start(), match.end(), MARKS[_template_kind(match[0], lexicon)])
    for match in lexicon.code["makers"].finditer(folded, start, end):
        # In prose "UUID v4" is a word of the sentence; a call is a maker.
        if any(char in match[0] for char in "($.%/") or "`" in folded[max(0, match.start() - 40) : match.start()]:
            take(match.start(), match.end(), MARKS["made"])
    return sorted(found)


def place_kind(value: str, lexicon: Lexicon) -> PlaceKind | None:
    """The kind of a value with places to fill; None where it has none."""
    return _template_kind(value, lexicon) if _PLACE_ALONE.search(value) else None


def _template_kind(template: str, lexicon: Lexicon) -> PlaceKind:
    if lexicon.code["makers"].search(template) or lexicon.code["made_up"].search(template):
        return "made"
    found = _PLACE_ALONE.search(template)
    return "value" if found and found[0] == template else "template"
