"""A write is declared that was not declared before."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Scope
from wizard.review.effects import key_shown, paths_shown
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or pair.before is not None or not after.operation.is_write:
        return
    operation = after.operation
    if not operation.confirmed:
        what = "It is only proposed, so each call is a write of its own"
    elif operation.record_scope is Scope.IDENTITY:
        what = f"Requests with equal {paths_shown(operation.identity)} are one write for {operation.kept_for}"
    elif operation.record_scope is Scope.ARGUMENTS:
        what = f"Calls of a session with the same arguments are one write for {operation.kept_for}"
    else:
        what = "It has no identity, so each call is a write of its own and a repeat in another call lands twice"
    key = operation.effective().key
    how = f"its key goes into the {key.place} `{key.name}`" if key is not None else "the recipient takes no key"
    if operation.effective().probe is not None:
        lost = "the probe asks after a lost answer"
    elif key is not None:
        lost = "a lost answer is asked for by sending it again"
    else:
        lost = "after a lost answer a person is asked"
    yield Found(
        grade=Grade.SAFE,
        harm=Harm.NONE,
        title=f"A new write is declared: {operation.level}.",
        effect=f"{what}; {how}, and {lost}.",
        after=key_shown(operation) or str(operation.level),
        at=(InSkill("head"),),
    )


KIND = Kind(
    name="operation-added",
    summary="a write is declared that was not",
    check=check,
    why=__doc__ or "",
)
