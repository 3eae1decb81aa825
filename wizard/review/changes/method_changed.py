"""The write is made with another method.

The method is part of every key and address. Live records are carried over; an attempted one is sent again as it was
stored, with the old method.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import unsettled
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import one_request


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].operation.method == both[1].operation.method:
        return
    before, after = both
    old, new = before.operation, after.operation
    resent = (
        f"An attempted write is sent again as it was stored, with {old.method}"
        if new.key is not None
        else f"For attempted writes {unsettled(new)}"
    )
    sense = ""
    if new.probe is not None and (old.method == "DELETE") != (new.method == "DELETE"):
        sense = " What the probe finds means the opposite now, also for attempted records of before the change."
    yield Found(
        grade=Grade.BREAKS if sense else Grade.RISKY,
        harm=Harm.TWICE if sense else Harm.ASKED,
        title=f"The write is a {new.method}, no longer a {old.method}.",
        effect=(
            "The method is part of every key, so the same write has another one. Live records are carried over and "
            f"answer repeats. {resent}.{sense}"
        ),
        remedy="Settle what is attempted before the change is live; `skill-wizard records list` shows it.",
        before=old.method,
        after=new.method,
        example=one_request(before, after, "The same write has another key."),
        at=(InSkill("base", ("method",)), InSkill("head", ("method",))),
    )


KIND = Kind(
    name="method-changed",
    summary="the write is made with another method",
    check=check,
    why=__doc__ or "",
)
