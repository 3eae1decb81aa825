"""The operation has another name.

Records are found by their address, in which the name has no part. But the store holds each declaration under its name,
and a change of the declaration carries over the records of that name only: renamed and changed at once, what was
remembered is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import moved_twice
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import both_values, key_of, one_request


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].name == both[1].name:
        return
    before, after = both
    values = both_values(before, after)
    same = all(
        key_of(before.operation, values, ordinal).address == key_of(after.operation, values, ordinal).address
        for ordinal in (0, 1)
    )
    if same:
        grade, harm, remedy, example = Grade.SAFE, Harm.NONE, "", None
        effect = (
            "Keys and addresses stay: the records of the old name answer repeats. A later change of its declaration "
            "carries over those of the new name only."
        )
    else:
        grade, harm = Grade.BREAKS, Harm.TWICE
        effect = (
            "Its declaration changes at the same time, and only records of the new name are carried over: those of "
            f"`{before.name}` are not found any more. A write made before the change and repeated after it lands twice."
            f"{moved_twice(after.operation, before.operation)}"
        )
        remedy = "Change the declaration under its old name first; rename it in a release of its own."
        example = one_request(before, after, "The same write has another key, and its old record is not found.")
    yield Found(
        grade=grade,
        harm=harm,
        title=f"`{before.name}` is called `{after.name}` now.",
        effect=effect,
        remedy=remedy,
        before=before.name,
        after=after.name,
        example=example,
        at=(InSkill("base"), InSkill("head")),
    )


KIND = Kind(
    name="skill-renamed",
    summary="the operation has another name",
    check=check,
    why=__doc__ or "",
)
