"""A completed record answers repeats for another time (`keep`).

Too short, and a late repeat makes a second write; too long, and a write that is meant again is answered from the old
record. Records keep the time that they were made with. Under the call scope it changes nothing: a call that was
answered once stays answered.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Scope
from wizard.review.effects import moved_twice, not_moved
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.kept_for, after.operation.kept_for
    if old == new or Scope.CALL in (before.operation.record_scope, after.operation.record_scope):
        return
    shorter = old.seconds is None or (new.seconds is not None and new.seconds < old.seconds)
    told = "for ever" if new.seconds is None else f"for {new}"
    was = "for ever" if old.seconds is None else f"for {old}"
    if shorter:
        later = f"after {new}" + (f" and before {old}" if old.seconds is not None else "")
        effect = (
            f"A repeat that comes {later} is a new write, under the next key, and lands twice if it was not meant."
            f"{moved_twice(after.operation, before.operation)}"
        )
    else:
        effect = (
            f"The same write meant again within that time is answered from the record, and nothing is sent."
            f"{not_moved(after.operation, before.operation)}"
        )
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.TWICE if shorter else Harm.SWALLOWED,
        title=f"A completed record answers repeats {told}, no longer {was}.",
        effect=f"{effect} Records of before the change keep the time that they were made with.",
        before=str(before.operation.keep or f"{old} (default)"),
        after=str(after.operation.keep or f"{new} (default)"),
        at=(InSkill("base", ("keep",)), InSkill("head", ("keep",))),
    )


KIND = Kind(
    name="keep-changed",
    summary="a completed record answers repeats for another time",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
