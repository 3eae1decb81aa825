"""The identity names more fields, or all of a field where it named a part.

Two requests that differ only in what came into the identity were one write and are two now: both are sent, each with
a key of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.changes import _identity as identity
from wizard.review.effects import moved_twice, paths_shown, record_of_new_fields
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import two_requests


def check(pair: Pair) -> Iterator[Found]:
    both = identity.both(pair)
    if both is None:
        return
    before, after = both
    change = identity.change(pair)
    for path in change.added:
        if any(old.covers(path.required()) for old in change.removed):
            # A part of what it named before: that is narrower.
            continue
        own = "both are sent, each with its own key" if after.operation.key is not None else "both are sent"
        records = record_of_new_fields(before, change.added, one=bool(change.removed))
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=path.name,
            title=f"The identity gains `{path}`.",
            effect=(
                f"Two requests that differ only in `{path.name}` were one write and become two: {own}."
                f"{moved_twice(after.operation, before.operation)} {records}; a repeat with another `{path.name}` is a "
                "new write."
            ),
            remedy=f"Leave `{path.name}` out, unless two writes that differ only there are both meant.",
            before=paths_shown(before.operation.identity),
            after=paths_shown(after.operation.identity),
            example=two_requests(
                before, after, path.name, f"Two requests that differ only in `{path.name}` become two writes."
            ),
            at=(InSkill("base", ("identity",)), InSkill("head", identity.place(after, path))),
        )


KIND = Kind(
    name="identity-wider",
    summary="the identity names more fields: one write becomes two",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
