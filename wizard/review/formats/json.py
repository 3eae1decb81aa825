"""JSON with a version; `schemas/review.json` describes it."""

from __future__ import annotations

import json
from typing import Any

from wizard.layout import Look
from wizard.review.formatting import Format
from wizard.review.model import Approval, Change, Example, Excerpt, Grade, OperationReview, Review
from wizard.review.wording import headline

VERSION = 1


def render(review: Review, look: Look) -> str:
    """The whole review."""
    told = {
        "version": VERSION,
        "base": review.base,
        "head": review.head,
        "headline": list(headline(review)),
        "fail_on": review.fail_on,
        "failed": review.failed,
        "counts": {
            **{str(grade): review.count(grade) for grade in Grade},
            "approved": sum(one.approved is not None for one in review.changes),
            "unchanged": review.unchanged,
        },
        "operations": [_operation(one) for one in review.operations],
        "undeclared": [{"operation": one.operation, "new": one.new} for one in review.undeclared],
        "stale_approvals": [_approval(one) for one in review.stale_approvals],
        "problems": list(review.problems),
        "lost": list(review.lost),
        "notes": dict(review.notes),
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _operation(operation: OperationReview) -> dict[str, Any]:
    return {
        "name": operation.name,
        "request": operation.request,
        "grade": str(operation.grade),
        "money": operation.money,
        "moves": operation.moves,
        "level_before": operation.level_before,
        "level_after": operation.level_after,
        "changes": [_change(one) for one in operation.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind,
        "grade": str(change.grade),
        "harm": str(change.harm),
        "subject": change.subject,
        "title": change.title,
        "effect": change.effect,
        "remedy": change.remedy,
        "before": change.before,
        "after": change.after,
        "example": _example(change.example) if change.example else None,
        "excerpts": [_excerpt(one) for one in change.excerpts],
        "fingerprint": change.fingerprint,
        "approved": _approval(change.approved) if change.approved else None,
    }


def _example(example: Example) -> dict[str, Any]:
    return {
        "says": example.says,
        "keys": [
            {"label": one.label, "request": one.request, "before": one.before, "after": one.after}
            for one in example.keys
        ],
    }


def _excerpt(excerpt: Excerpt) -> dict[str, Any]:
    return {
        "side": excerpt.side,
        "where": excerpt.where,
        "path": excerpt.path,
        "line": excerpt.line,
        "column": excerpt.column,
        "end_line": excerpt.end_line,
        "end_column": excerpt.end_column,
        "lines": list(excerpt.lines),
    }


def _approval(approval: Approval) -> dict[str, Any]:
    return {
        "fingerprint": approval.fingerprint,
        "who": approval.who,
        "why": approval.why,
        "when": approval.when,
    }


FORMAT = Format("json", "application/json", render)
