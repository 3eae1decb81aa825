"""Text laid out for a terminal: how wide it is, how it wraps, and the lines of a source with marks under them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

BLUE = "34"
_TAB = 4


class Look(NamedTuple):
    """How a text for people looks."""

    color: bool = False
    width: int = 80


def paint(text: str, style: str, look: Look) -> str:
    """The text in a style of ANSI's (`1;31`), where colour is wanted."""
    return f"\x1b[{style}m{text}\x1b[0m" if look.color and text else text


def width_of(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shown(text: str) -> str:
    """A line as a terminal may show it: tabs as blanks, and what would move the cursor or turn the text replaced."""
    return "".join(" " * _TAB if sign == "\t" else sign if sign.isprintable() else "�" for sign in text)


def window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """A line as it is shown, cut to `room` cells around what is marked, and the cells where that begins and ends."""
    clean = shown(line)
    shift = (_TAB - 1) * line.count("\t", 0, start)
    inner = (_TAB - 1) * line.count("\t", start, end)
    first, last = start + shift, end + shift + inner
    if width_of(clean) <= room:
        return clean, width_of(clean[:first]), width_of(clean[:last])
    begin = 0
    if width_of(clean[:last]) > room - 2 and (clean[:first].strip() or first > room // 3):
        # Some of what stands before the mark, as far as the mark still fits.
        begin = first
        while begin > 0 and first - begin < 20 and width_of(clean[begin - 1 : last]) <= room - 4:
            begin -= 1
        # Where all that follows fits, too, as much as there is room for.
        while begin > 0 and width_of(clean[begin - 1 :]) <= room - 1:
            begin -= 1
    head = "…" if begin else ""
    cut = head
    at = begin
    while at < len(clean) and width_of(cut) + _cells(clean[at]) <= room - (1 if at + 1 < len(clean) else 0):
        cut += clean[at]
        at += 1
    if at < len(clean):
        cut += "…"
    start_cell = width_of(head + clean[begin:first])
    end_cell = width_of(head + clean[begin : min(last, at)])
    return cut, min(start_cell, room - 1), min(max(end_cell, start_cell), room)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` cells, broken at spaces; a word that is longer stands alone."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width_of(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Stretch(NamedTuple):
    """A stretch of a file with the lines it stands in. Counts from 1; the end is not included."""

    line: int
    column: int
    end_line: int
    end_column: int
    lines: tuple[str, ...]


def marked(
    stretch: Stretch, message: str, mark: str, style: str, gutter: int, look: Look, *, skip: bool = False
) -> Iterator[str]:  # fmt: skip
    """The lines of a stretch with their numbers, `mark` under what is meant, and a message behind the last mark.

    `gutter` is the width of the numbers. `skip` leaves out the first line, which was shown just before.
    """
    room = max(20, look.width - gutter - 3)
    bar = paint(" " * gutter + " |", BLUE, look)
    for index, line in enumerate(stretch.lines):
        number = stretch.line + index
        start = stretch.column - 1 if index == 0 else len(line) - len(line.lstrip())
        whole = number < stretch.end_line
        end = len(line) if whole else min(len(line), stretch.end_column - 1)
        text, start_cell, end_cell = window(line, start, max(end, start), room)
        if not (skip and index == 0):
            yield f"{paint(f'{number:>{gutter}} |', BLUE, look)} {text}".rstrip()
        marks = " " * start_cell + mark * max(1, end_cell - start_cell)
        final = index == len(stretch.lines) - 1
        said = wrapped(message, max(20, room - end_cell - 1)) if final and message else []
        if said and (len(said) == 1 and end_cell + 1 + len(said[0]) <= room):
            yield f"{bar} {paint(f'{marks} {said[0]}', style, look)}"
            continue
        yield f"{bar} {paint(marks, style, look)}".rstrip()
        if final and message:
            for part in (
                wrapped(message, max(20, room - start_cell)) if start_cell < room // 2 else wrapped(message, room)
            ):
                indent = " " * (start_cell if start_cell < room // 2 else 0)
                yield f"{bar} {indent}{paint(part, style, look)}"
