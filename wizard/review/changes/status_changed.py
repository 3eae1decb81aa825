"""The declaration is confirmed, or no longer.

The host goes by none of a proposed declaration: call scope, no key, no probe. So a confirmation begins what is
declared, and taking it back ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wizard.operation.model import Scope
from wizard.review.effects import moved_twice, not_moved, record_of_new_fields
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import two_calls


def check(pair: Pair) -> Iterator[Found]:
    both = pair.both
    if both is None or both[0].operation.confirmed == both[1].operation.confirmed:
        return
    before, after = both
    if not (before.operation.is_write or after.operation.is_write):
        return
    yield _confirmed(before, after) if after.operation.confirmed else _proposed(before, after)


def _at() -> tuple[InSkill, InSkill]:
    return InSkill("base", ("status",)), InSkill("head", ("status",))


def _proposed(before: Declared, after: Declared) -> Found:
    lost = before.operation.record_scope is not Scope.CALL
    keyed = before.operation.key is not None
    repeat = (
        "a repeat in another call is sent again and lands twice, also the repeat of a write that was made before the "
        "change"
        if lost
        else "what is sent again after its record was lost lands twice, as no key goes with it"
        if keyed
        else "an attempted write is asked after by a person only"
    )
    twice = lost or keyed
    money = moved_twice(before.operation, after.operation) if twice else ""
    return Found(
        grade=Grade.BREAKS if twice else Grade.RISKY,
        harm=Harm.TWICE if twice else Harm.ASKED,
        title="The declaration is only proposed again: the host goes by none of it.",
        effect=(
            f"It has the call scope, no key and no probe: {repeat}.{money} Live records are carried over to their "
            f"calls."
        ),
        remedy="Take `status: proposed` out once a person has confirmed it.",
        before="confirmed",
        after="proposed",
        example=two_calls(before, after, "The same request in two calls of a turn becomes two writes.")
        if lost
        else None,
        at=_at(),
    )


def _confirmed(before: Declared, after: Declared) -> Found:
    operation = after.operation
    parts = ["its identity"] if operation.identity else []
    parts += ["its scope"] if operation.record_scope is Scope.ARGUMENTS else []
    parts += ["its key"] if operation.key is not None else []
    parts += ["its probe"] if operation.probe is not None else []
    merges = operation.record_scope is not Scope.CALL
    what = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts) or "the call scope"
    effect = f"The host goes by {what} now."
    if operation.identity:
        stored = replace(before, operation=replace(before.operation, identity=()))
        effect += (
            f" Equal requests in two calls were two writes and become one for {operation.kept_for}: the second is "
            f"answered from the record of the first.{not_moved(operation)} "
            f"{record_of_new_fields(stored, operation.identity, one=True)}."
        )
    return Found(
        grade=Grade.RISKY if merges else Grade.SAFE,
        harm=Harm.SWALLOWED if merges else Harm.NONE,
        title="The declaration is confirmed.",
        effect=effect,
        remedy="Look whether two writes with the same values are ever both meant." if merges else "",
        before="proposed",
        after="confirmed",
        example=two_calls(before, after, "The same request in two calls of a turn becomes one write.")
        if merges
        else None,
        at=_at(),
    )


KIND = Kind(
    name="status-changed",
    summary="the declaration is confirmed, or no longer",
    check=check,
    why=__doc__ or "",
)
