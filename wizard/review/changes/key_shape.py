"""The key is written in another shape, or with quotes around it.

Records are found by their address, which has no shape: they answer repeats as before, and an attempted one is sent
again with the text that it was sent with.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import key_shown, moved_twice
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import one_request


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.key, after.operation.key
    if old is None or new is None or (old.shape, old.quoted) == (new.shape, new.quoted):
        return
    if old.shape != new.shape:
        title = f"Keys have the shape `{new.shape}`, no longer `{old.shape}`."
        example = one_request(before, after, "The same write has a key of another text.")
    else:
        title = "Keys go out in quotes." if new.quoted else "Keys go out without quotes."
        example = None
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.TWICE,
        subject="shape" if old.shape != new.shape else "quoted",
        title=title,
        effect=(
            "To the recipient the same write has another key. Live records answer repeats as before, and attempted "
            "ones are sent again with the text that they were sent with; a write of before whose record is lost lands "
            f"twice when it is sent anew.{moved_twice(after.operation, before.operation)}"
        ),
        remedy="Change it only where the recipient asks for it.",
        before=key_shown(before.operation),
        after=key_shown(after.operation),
        example=example,
        at=(InSkill("base", ("key",)), InSkill("head", ("key",))),
    )


KIND = Kind(
    name="key-shape",
    summary="keys are written in another shape",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
