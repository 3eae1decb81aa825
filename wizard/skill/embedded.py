"""The YAML text inside a frontmatter's string: which offset of it is which offset of the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from wizard.source import Span
from wizard.yamltext.nodes import Node

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


def line_places(text: str, holder: Node, value: str) -> list[tuple[int, int]] | None:
    """For each line of a scalar's value, its offset in the value and in the file; None where they cannot be told.

    They can for a literal block (`|`) and for a text in one line without escapes.
    """
    raw = text[holder.span.start : holder.span.end]
    if holder.style in ("", "'", '"'):
        quotes = 1 if holder.style else 0
        inside = raw[quotes : len(raw) - quotes]
        return [(0, holder.span.start + quotes)] if inside == value else None
    if holder.style != "|":
        return None
    places: list[tuple[int, int]] = []
    at_value, lines = 0, _LINES.finditer(text, holder.span.start)
    next(lines)
    for line in value.split("\n"):
        found = next(lines, None)
        if found is None:
            return None
        content = found[0].rstrip("\r\n")
        if not line:
            places.append((at_value, found.start() + len(content)))
        elif content.endswith(line):
            places.append((at_value, found.start() + len(content) - len(line)))
        elif at_value == 0 or value[at_value:].strip("\n"):
            return None
        at_value += len(line) + 1
        if at_value > len(value):
            break
        if not value[at_value:]:
            # The value ends with a line's end; what follows in the file is not of it.
            places.append((at_value, min(found.end(), len(text))))
            break
    return places


def places_of(text: str, holder: Node, value: str) -> Callable[[Span], Span]:
    """A function from a span of the string's value to the file's; to the whole string where it cannot be told."""
    places = line_places(text, holder, value)
    if places is None:
        return lambda span: holder.span
    starts = [at for at, _ in places]

    def place(offset: int) -> int:
        line = bisect_right(starts, offset) - 1
        return places[line][1] + offset - places[line][0]

    return lambda span: Span(place(span.start), place(span.end))
