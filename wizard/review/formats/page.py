"""A review as one HTML page that needs no network: contents, filter, both sides beside each other, and the questions
that a reviewer asks. `templates/review.html.jinja` has its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wizard import assets
from wizard.layout import Look, shown
from wizard.review.escaping import one_line
from wizard.review.formatting import Format
from wizard.review.model import Change, Excerpt, Grade, OperationReview, Review
from wizard.review.wording import (
    approve_command,
    approved_by,
    grade_word,
    headline,
    key_table,
    levels,
    outcome,
    shown_excerpts,
    side_word,
    totals,
    value_lines,
    values_shown,
)

if TYPE_CHECKING:
    from markupsafe import Markup

TEMPLATE = "review.html.jinja"
_LINE = 500
"""Characters of a line that are shown."""
_TEXT = 2_000
"""Characters of a sentence that are shown."""
_VALUE = 40
"""Lines of a value that are shown."""
_CODE = re.compile(r"`([^`]+)`")


def render(review: Review, look: Look) -> str:
    """The whole page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(assets.folder("templates")),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["prose"] = _prose
    environment.filters["shown"] = _flat
    met = [one for one in review.operations if one.changes]
    return environment.get_template(TEMPLATE).render(
        base=review.base,
        head=review.head,
        worst=str(next((grade for grade in Grade if review.count(grade)), Grade.SAFE)),
        headline=headline(review),
        totals=totals(review),
        outcome=outcome(review),
        failed=review.failed,
        filters=[(str(grade), _count(review, grade)) for grade in Grade if _count(review, grade)],
        approved=sum(one.approved is not None for one in review.changes),
        operations=[_operation(number, one, review.asked) for number, one in enumerate(met, 1)],
        undeclared=sorted(review.undeclared, key=lambda one: not one.new),
        stale=review.stale_approvals,
        problems=review.problems,
        notes=tuple(review.notes.values()),
    )


def _count(review: Review, grade: Grade) -> int:
    return sum(one.grade is grade for one in review.changes)


def _flat(text: str) -> str:
    """A text in one line, bounded, with nothing in it that turns or hides what stands beside it."""
    return one_line(text, _TEXT)


def _prose(text: str) -> Markup:
    """A sentence with its names in backticks as code."""
    from markupsafe import Markup, escape

    told = Markup()
    at = 0
    flat = _flat(text)
    for found in _CODE.finditer(flat):
        told += escape(flat[at : found.start()]) + Markup("<code>{}</code>").format(found[1])
        at = found.end()
    return told + escape(flat[at:])


def _operation(number: int, operation: OperationReview, asked: str) -> dict[str, Any]:
    grades = sorted({str(one.grade) for one in operation.changes})
    return {
        "id": f"operation-{number}",
        "name": operation.name,
        "request": operation.request,
        "grade": str(operation.grade) if any(one.approved is None for one in operation.changes) else "approved",
        "grades": " ".join(grades),
        "levels": levels(operation, "→"),
        "money": operation.money,
        "moves": operation.moves,
        "changes": [
            _change(f"operation-{number}-{index}", one, asked) for index, one in enumerate(operation.changes, 1)
        ],
    }


def _change(name: str, change: Change, asked: str) -> dict[str, Any]:
    table = key_table(change.example) if change.example is not None else None
    value = not values_shown(change)
    return {
        "id": name,
        "kind": change.kind,
        "grade": str(change.grade),
        "word": grade_word(change),
        "title": change.title,
        "effect": change.effect,
        "remedy": change.remedy,
        "declared": tuple(map(_value, value_lines(change))) if value else None,
        "sides": list(_sides(change)),
        "says": change.example.says if change.example is not None else "",
        "table": table if table is not None and table.rows else None,
        "fingerprint": change.fingerprint,
        "approve": approve_command(change.fingerprint, asked),
        "approved": approved_by(change.approved) if change.approved is not None else "",
    }


def _value(lines: list[str]) -> list[str]:
    told = [_cut(shown(line)) for line in lines[:_VALUE]]
    return [*told, f"… {len(lines) - _VALUE:,} lines more"] if len(lines) > _VALUE else told


def _cut(line: str) -> str:
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"


def _sides(change: Change) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """The excerpts of skill and of document, each with both sides."""
    for where in ("skill", "document"):
        pair = tuple(
            [_excerpt(change, one) for one in shown_excerpts(change) if one.where == where and one.side == side]
            for side in ("base", "head")
        )
        if pair[0] or pair[1]:
            yield pair[0], pair[1]


def _excerpt(change: Change, excerpt: Excerpt) -> dict[str, Any]:
    lines = []
    for index, line in enumerate(excerpt.lines):
        number = excerpt.line + index
        start = excerpt.column - 1 if index == 0 else len(line) - len(line.lstrip())
        end = len(line) if number < excerpt.end_line else excerpt.end_column - 1
        end = max(start, min(end, len(line)))
        after = line[end:]
        lines.append((number, shown(line[:start][-_LINE:]), _cut(shown(line[start:end])), _cut(shown(after))))
    return {
        "path": excerpt.path,
        "line": excerpt.line,
        "side": side_word(change, excerpt),
        "where": excerpt.where,
        "lines": lines,
    }


FORMAT = Format("page", "text/html", render)
