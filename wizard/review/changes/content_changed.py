"""The body goes out in another media type.

In a form every value is a text, so a number of the identity makes another key than in JSON.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import both_values, key_of, one_request


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].operation.content == both[1].operation.content:
        return
    before, after = both
    values = both_values(before, after)
    differs = key_of(before.operation, values).address != key_of(after.operation, values).address
    keys = (
        "The same write has another key, as a form has texts only. Live records are carried over and answer repeats."
        if differs
        else "Keys and records stay as they are."
    )
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.ASKED,
        title=f"The body goes out as `{after.operation.content}`, no longer as `{before.operation.content}`.",
        effect=f"{keys} An attempted write that is sent again goes out as it was stored.",
        before=before.operation.content,
        after=after.operation.content,
        example=one_request(before, after, "The same write has another key.") if differs else None,
        at=(InSkill("base", ("content",)), InSkill("head", ("content",))),
    )


KIND = Kind(
    name="content-changed",
    summary="the body goes out in another media type",
    check=check,
    why=__doc__ or "",
)
