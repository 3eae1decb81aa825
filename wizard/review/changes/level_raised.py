"""The declaration protects the write more: a key, an identity, or that it is a write at all.

An identity makes one write of equal requests that were several: that is what it is for, and somebody has to say that
they are never all meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Scope
from wizard.review.effects import key_shown, not_moved, paths_shown, record_of_new_fields, unsettled
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import two_calls


def check(pair: Pair) -> Iterator[Found]:
    both = pair.both
    if both is None or not both[1].operation.is_write:
        return
    before, after = both
    if not before.operation.is_write:
        yield _write(before, after)
        return
    if after.operation.key is not None and before.operation.key is None:
        yield _key(before, after)
    if after.operation.identity and not before.operation.identity:
        yield _identity(before, after)


def _write(before: Declared, after: Declared) -> Found:
    return Found(
        grade=Grade.SAFE,
        harm=Harm.NONE,
        subject="write",
        title="It is declared a write: each call is recorded.",
        effect=(
            "From now on a call is claimed before it is sent. What was sent before the change is in no record: a "
            "repeat of it is sent once more, as it was until now."
        ),
        before="no write",
        after=str(after.operation.level),
        at=(InSkill("base", ("method",)), InSkill("head", ("write",))),
    )


def _key(before: Declared, after: Declared) -> Found:
    return Found(
        grade=Grade.SAFE,
        harm=Harm.NONE,
        subject="key",
        title="A key is declared: cached becomes keyed.",
        effect=(
            "A write whose answer was lost is sent again under its key. One that is attempted on the day of the change "
            f"was sent without it, and is not sent again: {unsettled(after.operation)}."
        ),
        before="",
        after=key_shown(after.operation),
        at=(InSkill("base"), InSkill("head", ("key",))),
    )


def _identity(before: Declared, after: Declared) -> Found:
    call = before.operation.record_scope is Scope.CALL
    which = "in two calls" if call else "in two sessions"
    records = record_of_new_fields(before, after.operation.identity, one=True)
    return Found(
        grade=Grade.RISKY,
        harm=Harm.SWALLOWED,
        subject="identity",
        title=f"An identity is declared: {paths_shown(after.operation.identity)}.",
        effect=(
            f"Equal requests {which} were two writes and become one for {after.operation.kept_for}: the second is "
            f"answered from the record of the first.{not_moved(after.operation, before.operation)} {records}."
        ),
        remedy="Look whether two writes with the same values are ever both meant.",
        before=f"scope: {before.operation.scope or 'call'}",
        after=paths_shown(after.operation.identity),
        example=two_calls(before, after, "The same request in two calls of a turn becomes one write.")
        if call
        else None,
        at=(InSkill("base", ("scope",)), InSkill("head", ("identity",))),
    )


KIND = Kind(
    name="level-raised",
    summary="the write is protected more: a key, an identity, or recorded at all",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
