"""The identity names fewer fields, or a part of a field where it named all of it.

Two requests that differ only in what left the identity were two writes and are one now: the second is answered from
the first one's record, nothing is sent, and the caller is told that it was done.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.changes import _identity as identity
from wizard.review.effects import not_moved, paths_shown, quoted, record_of_new_fields
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import two_requests


def check(pair: Pair) -> Iterator[Found]:
    both = identity.both(pair)
    if both is None:
        return
    before, after = both
    change = identity.change(pair)
    parts = tuple(path for path in change.added if any(old.covers(path) for old in change.removed))
    for path in change.removed:
        inside = [new for new in parts if path.covers(new)]
        if inside:
            title = (
                f"The identity goes by {quoted(one.name for one in inside)} only, no longer by all of `{path.name}`."
            )
            rest = f"what else `{path.name}` holds"
        else:
            title = f"The identity loses `{path.name}`."
            rest = f"`{path.name}`"
        records = record_of_new_fields(before, change.added, one=True)
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.SWALLOWED,
            subject=path.name,
            title=title,
            effect=(
                f"Two requests that differ only in {rest} were two writes and become one: the second is answered from "
                f"the record of the first and nothing is sent.{not_moved(after.operation, before.operation)} {records}."
            ),
            remedy=f"Keep `{path.name}` in it, unless two writes that differ only there are never both meant.",
            before=paths_shown(before.operation.identity),
            after=paths_shown(after.operation.identity),
            example=two_requests(
                before, after, _differing(path, inside), f"Two requests that differ only in {rest} become one write."
            ),
            at=(
                InSkill("base", identity.place(before, path)),
                InSkill("head", ("identity",)),
            ),
        )


def _differing(path: FieldPath, inside: list[FieldPath]) -> str:
    """The field that differs between the example's requests; of an object a member that is no part of the identity."""
    if not inside:
        return path.name
    return str(FieldPath(path.place, (*path.segments, *FieldPath.body("another").segments)))


KIND = Kind(
    name="identity-narrower",
    summary="the identity names fewer fields: two writes become one",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
