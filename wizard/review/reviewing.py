"""A review from the words of a call: both sides read, compared, and what somebody approved marked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from wizard.errors import UsageError
from wizard.review.approvals import approvals_of
from wizard.review.comparing import compare
from wizard.review.model import Review
from wizard.review.sides import Parsed, Side, SideSpec, load, tree_of


class NoSkillError(UsageError):
    """Neither side has a skill."""


def review(
    base: SideSpec,
    head: SideSpec,
    *,
    ignored: Callable[[Path, bool], bool] | None = None,
    configured: Callable[[str], str | None] = lambda name: None,
    approvals: str | None = None,
) -> Review:
    """Reads both sides and says what changed from the one to the other.

    `ignored` leaves files of folders out as the linter does, `configured` gives the API document that the
    configuration names for a skill's file, both as absolute paths. `approvals` is the file of approvals; without it
    the one at the top of the newer side. Raises UsageError where a side is not there, NoSkillError where no side has a
    skill, DocumentError where a document that was given cannot be read, ConfigError where the approvals are broken.
    """
    old, new = sides(base, head, ignored=ignored, configured=configured)
    if not old.skills and not new.skills:
        where = old.label if old.label == new.label else f"{old.label} and {new.label}"
        raise NoSkillError(
            f"no skill under {where}: no SKILL.md, and no Markdown file with `operation:` in its frontmatter"
        )
    return compare(old, new, approvals_of(new.tree, approvals))


def sides(
    base: SideSpec,
    head: SideSpec,
    *,
    ignored: Callable[[Path, bool], bool] | None = None,
    configured: Callable[[str], str | None] = lambda name: None,
) -> tuple[Side, Side]:
    """Both sides, read. Raises what `review` raises for them."""
    trees = tree_of(base, ignored), tree_of(head, ignored)
    parsed: Parsed = {}
    old, new = (
        load(tree, spec.documents, configured, parsed, spec.start)
        for tree, spec in zip(trees, (base, head), strict=True)
    )
    return old, new


def approvals_path(head: SideSpec) -> str:
    """Where approvals of a side on the disk are written."""
    from wizard.lint.ignored import repository_root
    from wizard.review.approvals import NAME

    start = head.text if head.text is not None and os.path.exists(head.text) else head.start
    folder = os.path.abspath(start if os.path.isdir(start) else os.path.dirname(start) or ".")
    top = repository_root(folder) or folder
    return os.path.relpath(os.path.join(top, NAME))
