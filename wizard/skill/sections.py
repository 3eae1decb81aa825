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
_BLOCKS = ("<pre", "<script", "<style", "<textarea", "<!--", "<?", "<![cdata[")
"""What may hold empty lines and still be one block of HTML."""


def quieted(text: str, start: int, wanted: Callable[[str], bool]) -> str:
    """The Markdown from `start` on, with the parts emptied that are not wanted.

    A part is asked for with its own text in lower case; it is kept, too, where a heading above it is wanted. All of it
    where it cannot be cut with certainty.
    """
    lowered = text.lower()
    if len(lowered) != len(text) or any(mark in lowered for mark in _BLOCKS):
        return text[start:]
    pieces = []
    above: list[tuple[int, bool]] = []
    at = start
    for level, heading, end in _parts(text, start):
        while above and above[-1][0] >= level > 0:
            above.pop()
        title = lowered[at:heading]
        if level:
            above.append((level, wanted(title)))
        body = text[heading:end]
        keep = any(known for _, known in above) or wanted(lowered[at:end]) or _UNDERLINE.search(body)
        pieces += [text[at:heading], body if keep else _LETTERS.sub("", body)]
        at = end
    return "".join(pieces)


def _parts(text: str, start: int) -> Iterator[tuple[int, int, int]]:
    """The level of each part's heading (0 for what stands before the first), where the heading's line ends, and where
    the part ends."""
    fenced = _fenced(text, start)
    level, heading = 0, start
    for found in _HEADING.finditer(text, start):
        # A heading right behind a text is one as well; behind an empty line it cannot be part of anything.
        if _in(fenced, found.start()) or not _after_blank(text, found.start(), start):
            continue
        yield level, heading, found.start()
        level, heading = len(found[1]), found.end()
    yield level, heading, len(text)


def _after_blank(text: str, at: int, start: int) -> bool:
    before = text[max(start, at - 200) : at].rstrip(" \t")
    return at == start or before.endswith(("\n\n", "\r\n\r\n")) or not before.strip()


def _fenced(text: str, start: int) -> list[tuple[int, int]]:
    """The stretches of code fences, as far as they could reach."""
    found: list[tuple[int, int]] = []
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


def _in(stretches: list[tuple[int, int]], at: int) -> bool:
    return any(begin <= at < end for begin, end in stretches)
