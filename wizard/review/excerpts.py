"""The places of a change, with the lines that matter."""

from __future__ import annotations

from dataclasses import replace

from wizard.review.kind import At, Declared, InDocument, InProse, InSkill, Pair
from wizard.review.model import Excerpt, Side, Where
from wizard.review.sides import Side as Read
from wizard.source import Position, Source, Span

MAX_LINES = 6
MAX_LINE = 2_000


def excerpt(at: At, pair: Pair, base: Read, head: Read) -> Excerpt | None:
    """The excerpt of a place; None where it lies in nothing that can be shown."""
    declared, read = (pair.before, base) if at.side == "base" else (pair.after, head)
    if declared is None:
        return None
    match at:
        case InSkill(side, path):
            span = skill_span(declared, path)
            return None if span is None or declared.skill is None else _of_skill(side, declared, span)
        case InProse(side, start, end):
            return None if declared.skill is None else _of_skill(side, declared, Span(start, end))
        case InDocument(side, pointer):
            return _of_document(side, declared, pointer, read)


def skill_span(declared: Declared, path: tuple[str | int, ...]) -> Span | None:
    """The place of a part of a declaration; where it has none, of what holds it, and of the operation's key at last."""
    skill = declared.skill
    if skill is None:
        return None
    for length in range(len(path), 0, -1):
        value = skill.operation_span(*path[:length])
        key = skill.operation_key_span(*path[:length])
        # Of a member the key is shown with its value where both stand in one line.
        if value is not None and value.start != value.end:
            if key is not None and key.start < value.start and isinstance(path[length - 1], str):
                return Span(key.start, value.end)
            return value
        if key is not None:
            return key
    return skill.operation_key_span()


def _of_skill(side: Side, declared: Declared, span: Span) -> Excerpt:
    assert declared.skill is not None
    source = declared.skill.source
    text = source.text[span.start : span.end]
    kept = Span(span.start, span.start + max(1, len(text.rstrip())))
    return _excerpt(side, "skill", declared.path, source, source.position(kept.start), source.position(kept.end))


def _of_document(side: Side, declared: Declared, pointer: str, read: Read) -> Excerpt | None:
    document = declared.document
    if document is None:
        return None
    place = document.place(pointer)
    if place.position is None or read.loader is None:
        return None
    source = read.loader.source_of(place.name or document.source)
    line = source.line(place.position.line)
    # The whole line: a place is its value's, and its name says more.
    column = len(line) - len(line.lstrip()) + 1
    if len(line) > MAX_LINE:
        # A document in one line: there is nothing in it that a person could look at.
        after = Position(place.position.line, place.position.column + 1)
        return replace(_excerpt(side, "document", source.name, source, place.position, after), lines=())
    start = Position(place.position.line, min(column, place.position.column))
    end = Position(place.position.line, max(start.column + 1, len(line.rstrip()) + 1))
    return _excerpt(side, "document", source.name, source, start, end)


def _excerpt(side: Side, where: Where, path: str, source: Source, start: Position, end: Position) -> Excerpt:
    last = min(end.line, start.line + MAX_LINES - 1)
    lines = tuple(source.line(number)[:MAX_LINE] for number in range(start.line, last + 1))
    end_column = end.column if last == end.line else len(lines[-1]) + 1
    return Excerpt(
        side=side, where=where, path=path, line=start.line, column=start.column, end_line=last, end_column=end_column,
        lines=lines,
    )  # fmt: skip
