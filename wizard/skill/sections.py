"""The parts of a Markdown text that nobody asks for, emptied, so that reading the rest costs little.

A long text is cut at its headings. Where a part holds nothing of what is looked for, its lines become empty ones: every
other line keeps its number, and every heading stays that others stand under.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_HEADING = re.compile(r"^(#{1,6})(?=[ \t\r\n]|\Z)[^\r\n]*", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE)
_UNDERLINE = re.compile(r"^[ \t]{0,3}(?:=+|-+)[ \t]*\r?$", re.MULTILINE)
_LETTERS = re.compile(r"[^\r\n]+")
_HTML = re.compile(r"<(?:pre|script|style|textarea)(?=[\s>]|\Z)|<!--|<\?|<!\[cdata\[")
"""What may hold empty lines and still be one block of HTML, in lower case."""
_ENDS = {"<!--": "-->", "<?": "?>", "<![cdata[": "]]>"}

Stretch = tuple[int, int]


@dataclass(slots=True)
class _Part:
    start: int
    heading: int
    """Where the heading's line ends."""
    end: int
    kept: bool
    named: bool
    """Whether its heading stays."""


def quieted(text: str, start: int, wanted: Sequence[Stretch]) -> str:
    """The Markdown from `start` on, with the parts emptied in which nothing lies that is wanted.

    A part is kept, too, where one of the two headings right above it is wanted, and so are the headings above a part
    that is kept. All of it where it cannot be cut with certainty. The stretches that are wanted are in their order.
    """
    lowered = text.lower()
    html = _html(lowered, start) if len(lowered) == len(text) else None
    if html is None:
        return text[start:]
    parts: list[_Part] = []
    above: list[tuple[int, bool, int]] = []
    inner: list[tuple[int, int]] = []
    at = start
    for index, (level, heading, end) in enumerate(_parts(text, start, html)):
        while above and above[-1][0] >= level > 0:
            above.pop()
        if level:
            above.append((level, touches(wanted, at, heading), index))
            inner = [one for one in inner if one[0] < level]
        keep = any(known for _, known, _ in above[-2:]) or touches(wanted, at, end)
        keep = keep or _UNDERLINE.search(text, heading, end) is not None
        parts.append(_Part(at, heading, end, keep, keep))
        if keep:
            for _, _, ancestor in above:
                parts[ancestor].named = True
            for _, holder in inner:
                parts[holder].named = parts[holder].kept = True
            for depth, first, last in _titles(text, heading, end):
                while above and above[-1][0] >= depth:
                    above.pop()
                above.append((depth, touches(wanted, first, last), index))
        else:
            # A heading right behind a text stands above what follows, too.
            inner += [(len(found[1]), index) for found in _HEADING.finditer(text, heading, end)]
        at = end
    pieces = []
    for part in parts:
        title, body = text[part.start : part.heading], text[part.heading : part.end]
        pieces += [title if part.named else _LETTERS.sub("", title), body if part.kept else _LETTERS.sub("", body)]
    return "".join(pieces)


def touches(stretches: Sequence[Stretch], start: int, end: int) -> bool:
    """Whether one of the stretches, which are in their order and apart, lies in part from `start` to `end`."""
    index = bisect_right(stretches, start, key=_end)
    return index < len(stretches) and stretches[index][0] < end


def _end(stretch: Stretch) -> int:
    return stretch[1]


def _titles(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The headings within a part, or what may be one: level and stretch."""
    before, at = (start, start), start
    for line in text[start:end].split("\n"):
        last = at + len(line)
        found = _HEADING.match(line)
        if found:
            yield len(found[1]), at, last
        elif text[slice(*before)].strip() and _UNDERLINE.match(line):
            yield 1 if "=" in line else 2, *before
        before, at = (at, last), last + 1


def _html(lowered: str, start: int) -> list[Stretch] | None:
    """The stretches of HTML that may hold empty lines; None where one is not closed, or may not be one."""
    found = []
    at = start
    while opened := _HTML.search(lowered, at):
        end = _ENDS.get(opened[0], f"</{opened[0][1:]}")
        closed = lowered.find(end, opened.end())
        inside = lowered[opened.start() : closed]
        if closed < 0 or "```" in inside or "~~~" in inside:
            return None
        at = closed + len(end)
        found.append((opened.start(), at))
    return found


def _parts(text: str, start: int, html: list[Stretch]) -> Iterator[tuple[int, int, int]]:
    """The level of each part's heading (0 for what stands before the first), where the heading's line ends, and where
    the part ends."""
    closed = [*_fenced(text, start), *html]
    level, heading = 0, start
    for found in _HEADING.finditer(text, start):
        # A heading right behind a text is one as well; behind an empty line it cannot be part of anything.
        if _in(closed, found.start()) or not _after_blank(text, found.start(), start):
            continue
        yield level, heading, found.start()
        level, heading = len(found[1]), found.end()
    yield level, heading, len(text)


def _after_blank(text: str, at: int, start: int) -> bool:
    before = text[max(start, at - 200) : at].rstrip(" \t")
    return at == start or before.endswith(("\n\n", "\r\n\r\n")) or not before.strip()


def _fenced(text: str, start: int) -> list[Stretch]:
    """The stretches of code fences, as far as they could reach."""
    found: list[Stretch] = []
    opened: re.Match[str] | None = None
    for mark in _FENCE.finditer(text, start):
        if opened is None:
            opened = mark
        elif mark[1][0] == opened[1][0] and len(mark[1]) >= len(opened[1]) and not mark[2].strip():
            found.append((opened.start(), mark.end()))
            opened = None
    if opened is not None:
        found.append((opened.start(), len(text)))
    return found


def _in(stretches: list[Stretch], at: int) -> bool:
    return any(begin <= at < end for begin, end in stretches)
