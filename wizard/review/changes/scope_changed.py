"""Without an identity, `scope` says what a record stands for: the one call, or all calls of a session with the same
arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import moved_twice, not_moved
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import two_calls


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or any(one.operation.identity for one in both):
        return
    before, after = both
    old, new = (one.operation.scope or "call" for one in both)
    if old == new:
        return
    at = (InSkill("base", ("scope",)), InSkill("head", ("scope",)))
    if new == "call":
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            title="Equal arguments are no longer one write of a session: each call is its own.",
            effect=(
                "A repeat with the same arguments in another call is sent again and lands twice, also the repeat of a "
                f"write that was made before the change.{moved_twice(after.operation, before.operation)} Live records "
                "are carried over to their calls, and answer nothing else."
            ),
            remedy="Keep `scope: arguments`, or declare an identity.",
            before=old,
            after=new,
            example=two_calls(before, after, "The same request in two calls of a turn becomes two writes."),
            at=at,
        )
        return
    yield Found(
        grade=Grade.RISKY,
        harm=Harm.SWALLOWED,
        title="Equal arguments are one write of a session.",
        effect=(
            "A second call with the same arguments in one session is answered from the record of the first, and "
            f"nothing is sent.{not_moved(after.operation, before.operation)} Live records are carried over, but two "
            "calls of a session with the same arguments become the same write and hold the operation until somebody "
            "settles or releases them."
        ),
        remedy="Look whether the same arguments are ever meant twice in a session.",
        before=old,
        after=new,
        example=two_calls(before, after, "The same request in two calls of a turn becomes one write."),
        at=at,
    )


KIND = Kind(
    name="scope-changed",
    summary="without an identity, a record stands for something else",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
