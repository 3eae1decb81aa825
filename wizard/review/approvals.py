"""Approvals: a reviewer's word on single changes, in `skill-wizard.approvals.yaml`."""

from __future__ import annotations

from wizard.review.model import Approval
from wizard.review.trees import Tree

NAME = "skill-wizard.approvals.yaml"


def approvals_of(tree: Tree, path: str | None = None) -> tuple[Approval, ...]:
    """The approvals that hold for a side."""
    return ()
