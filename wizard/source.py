"""Text with a name: offsets, lines and columns.

Offsets count code points from 0; lines and columns count from 1, columns in code points, as editors and the
GitHub annotations do. A line ends at LF, CRLF or CR, as YAML has it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text, `end` not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fact stands: the source's name, a JSON pointer where there is one, and line and column where known."""

    name: str
    pointer: str = ""
    position: Position | None = None

    def __str__(self) -> str:
        if self.position is not None:
            return f"{self.name}:{self.position.line}:{self.position.column}"
        return f"{self.name}{self.pointer}"


@dataclass(frozen=True)
class Source:
    """A text and the name that a person knows it by (a path, a URL, `-`)."""

    name: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in _LINE_END.finditer(self.text)))

    def position(self, offset: int) -> Position:
        """The line and column of an offset; one past the end is the place behind the last character."""
        line = bisect_right(self.line_starts, offset)
        return Position(line, offset - self.line_starts[line - 1] + 1)

    def offset(self, position: Position) -> int:
        """The offset of a line and column, cut to the text."""
        if position.line > len(self.line_starts):
            return len(self.text)
        return min(self.line_starts[position.line - 1] + position.column - 1, len(self.text))

    def line(self, number: int) -> str:
        """The text of line `number`, from 1, without its line end; empty where there is no such line."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def place(self, offset: int, pointer: str = "") -> Place:
        return Place(self.name, pointer, self.position(offset))
