"""The edits that take a sentence or a row out and put the host's sentence in its place."""

from __future__ import annotations

import re

from wizard.lint.model import Edit
from wizard.skill.prose import Block
from wizard.source import Source, Span

_MARKUP = re.compile(r"\*{1,3}|_{2}|`+")


def without_sentence(source: Source, block: Block, unit: Span, instead: str) -> tuple[Edit, ...] | None:
    """The edits that put `instead`, which may be empty, in a sentence's place; None where its markup would break."""
    span = _balanced(source.text, unit)
    if span is None:
        return None
    if instead:
        return (Edit(span, instead),)
    said = block.text.whole
    if unit.start <= said.start and said.end <= unit.end:
        return _lines_out(source, block.span)
    start, end = span.start, span.end
    while end < block.span.end and source.text[end] in " \t":
        end += 1
    if source.text[end : end + 1] in ("\r", "\n", ""):
        while start > block.span.start and source.text[start - 1] in " \t":
            start -= 1
    return (Edit(Span(start, end), ""),)


def without_row(source: Source, block: Block, instead: str) -> tuple[Edit, ...]:
    """The edits that take a row out; `instead` stands in a paragraph of its own behind the table."""
    first = source.line_starts[source.position(block.span.start).line - 1]
    last = source.position(max(block.span.start, block.span.end - 1)).line
    end = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
    edits = [Edit(Span(first, end), "")]
    if instead:
        stop = end
        marks = re.match(r"[ \t>]*", source.text[first:])
        prefix = (marks[0] if marks else "").rstrip()
        while stop < len(source.text) and _is_row(source.text[stop : _line_end(source.text, stop)]):
            stop = _line_end(source.text, stop)
        newline = "\r\n" if "\r\n" in source.text[first:end] else "\n"
        lead = "" if source.text[:stop].endswith(("\n", "\r")) else newline
        said = f"{lead}{prefix}{newline}{prefix}{' ' if prefix else ''}{instead}{newline}"
        if stop == end:
            edits = [Edit(Span(first, end), said)]
        else:
            edits.append(Edit(Span(stop, stop), said))
    return tuple(edits)


def _is_row(line: str) -> bool:
    return line.strip(" \t>\r\n").startswith("|")


def _line_end(text: str, start: int) -> int:
    found = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)").match(text, start)
    return found.end() if found else len(text)


def _balanced(text: str, span: Span) -> Span | None:
    """The stretch with the emphasis around it, so that every mark in it has its fellow."""
    for candidate in (
        span,
        _wider(text, span, before=True),
        _wider(text, span, after=True),
        _wider(text, span, before=True, after=True),
    ):
        inside = text[candidate.start : candidate.end]
        marks = [found[0] for found in _MARKUP.finditer(inside)]
        if all(marks.count(mark) % 2 == 0 for mark in set(marks)) and inside.count("[") == inside.count("]"):
            return candidate
    return None


def _wider(text: str, span: Span, *, before: bool = False, after: bool = False) -> Span:
    start, end = span.start, span.end
    while before and start > 0 and text[start - 1] in "*_`":
        start -= 1
    while after and end < len(text) and text[end] in "*_`":
        end += 1
    return Span(start, end)


def _lines_out(source: Source, span: Span) -> tuple[Edit, ...]:
    first = source.line_starts[source.position(span.start).line - 1]
    return (Edit(Span(first, span.end), ""),)
