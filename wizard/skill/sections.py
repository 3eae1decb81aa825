"""The parts of a Markdown text that nobody asks for, emptied, so that reading the rest costs little.

A long text is cut at its headings. Where a part holds nothing of what is looked for, its lines become empty ones: every
other line keeps its number, and every heading stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_HEADING = re.compile(r"^(#{1,6})(?=[ \t\r\n]|\Z)[^\r\n]*", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE)
_UNDERLINE = re.compile(r"^[ \t]{0,3}(?:=+|-+)[ \t]*\r?$", re.MULTILINE)
_LETTERS = re.compile(r"[^\r\n]+")
_HTML = re.compile(r"<(?:pre|script|style|textarea)(?=[\s>]|\Z)|<!--|<\?|<!\[cdata\[")
"""What may hold empty lines and still be one block of HTML, in lower case."""
_ENDS = {"<!--": "-->", "<?": "?>", "<![cdata[": "]]>"}

Stretch = tuple[int, int]


def quieted(text: str, start: int, wanted: Callable[[str], bool]) -> str:
    """The Markdown from `start` on, with the parts emptied that are not wanted.

    A part is asked for with its own text in lower case; it is kept, too, where one of the two headings right above it
    is wanted. All of it where it cannot be cut with certainty.
    """
    lowered = text.lower()
    html = _html(lowered, start) if len(lowered) == len(text) else None
    if html is None:
        return text[start:]
    pieces = []
    above: list[tuple[int, bool]] = []
    at = start
    for level, heading, end in _parts(text, start, html):
        while above and above[-1][0] >= level > 0:
            above.pop()
        title = lowered[at:heading]
        if level:
            above.append((level, wanted(title)))
        body = text[heading:end]
        keep = any(known for _, known in above[-2:]) or wanted(lowered[at:end]) or _UNDERLINE.search(body)
        pieces += [text[at:heading], body if keep else _LETTERS.sub("", body)]
        if keep:
            for depth, title in _titles(lowered[heading:end]):
                while above and above[-1][0] >= depth:
                    above.pop()
                above.append((depth, wanted(title)))
        at = end
    return "".join(pieces)


def _titles(body: str) -> Iterator[tuple[int, str]]:
    """The headings within a part, with their levels, or what may be one."""
    before = ""
    for line in body.split("\n"):
        found = _HEADING.match(line)
        if found:
            yield len(found[1]), line
        elif before.strip() and _UNDERLINE.match(line):
            yield 1 if "=" in line else 2, before
        before = line


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
