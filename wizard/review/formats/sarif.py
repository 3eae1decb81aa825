"""SARIF 2.1.0: a result for each change, at its newer side; approved ones are marked as suppressed, with the reason."""

from __future__ import annotations

import posixpath
from typing import Any

from wizard.layout import Look
from wizard.lint.formats.sarif import location, log
from wizard.lint.located import Spot
from wizard.review.formatting import Format
from wizard.review.kind import load_kinds
from wizard.review.model import Change, Excerpt, Grade, Review
from wizard.review.wording import approved_by, side_word

LEVELS = {Grade.BREAKS: "error", Grade.RISKY: "warning", Grade.SAFE: "note"}


def render(review: Review, look: Look) -> str:
    """The log, with one run."""
    names = sorted({change.kind for change in review.changes})
    results = [_result(change, names.index(change.kind), review.within) for change in review.changes]
    return log(
        [_rule(name) for name in names], results, review.problems, automationDetails={"id": "skill-wizard/review/"}
    )


def _rule(name: str) -> dict[str, Any]:
    kind = load_kinds().get(name)
    if kind is None:
        return {"id": name}
    said = kind.summary[:1].upper() + kind.summary[1:].rstrip(".") + "."
    why = kind.why.strip()
    return {
        "id": name,
        "shortDescription": {"text": said},
        "fullDescription": {"text": said},
        "help": {"text": why, "markdown": why},
        "properties": {"tags": ["review"]},
    }


def _result(change: Change, index: int, within: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ruleId": change.kind,
        "ruleIndex": index,
        "level": LEVELS[change.grade],
        "message": {
            "text": " ".join(filter(None, (f"{change.operation}: {change.title}", change.effect, change.remedy)))
        },
        "properties": {"grade": str(change.grade), "harm": str(change.harm), "operation": change.operation},
    }
    if change.fingerprint:
        told["partialFingerprints"] = {"skillWizardReview/v1": change.fingerprint}
    main = main_excerpt(change)
    if main is not None:
        told["locations"] = [location(_spot(main, within), None)]
        related = [one for one in change.excerpts if one is not main]
        if related:
            told["relatedLocations"] = [
                {
                    "id": number,
                    **location(_spot(one, within), None),
                    "message": {"text": f"{side_word(change, one)}, in the {one.where}"},
                }
                for number, one in enumerate(related, 1)
            ]
    if change.approved is not None:
        told["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": approved_by(change.approved)}
        ]
    return told


def main_excerpt(change: Change) -> Excerpt | None:
    """The place where a reviewer looks first: the newer side's, in the skill where there is one."""
    return min(
        change.excerpts, key=lambda one: (one.side == "base", one.where == "document"), default=None
    )  # fmt: skip


def rooted(path: str, within: str) -> str:
    """A path of the reviewed folder as it stands below the repository's top."""
    if "://" in path or path.startswith("/"):
        return path
    return posixpath.normpath(posixpath.join(within, path))


def _spot(excerpt: Excerpt, within: str) -> Spot:
    return Spot(
        rooted(excerpt.path, within), excerpt.line, excerpt.column, excerpt.end_line, excerpt.end_column, excerpt.lines
    )  # fmt: skip


FORMAT = Format("sarif", "application/sarif+json", render)
