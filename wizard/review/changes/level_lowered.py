"""The declaration protects the write less: the key is gone, the identity is gone, or it is no longer called a write.

Without the key the recipient cannot tell a repeat from a second write. Without the identity a repeat that the model
makes in another call is sent again. What is no write is not recorded at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Scope
from wizard.review.effects import amount, key_required, key_shown, moved_twice, paths_shown, unsettled
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import one_request, two_calls


def check(pair: Pair) -> Iterator[Found]:
    both = pair.both
    if both is None or not both[0].operation.is_write:
        return
    before, after = both
    if not after.operation.is_write:
        yield _no_write(before, after)
        return
    if before.operation.key is not None and after.operation.key is None:
        yield _no_key(before, after)
    if before.operation.identity and not after.operation.identity:
        yield _no_identity(before, after)


def _no_write(before: Declared, after: Declared) -> Found:
    said = "`write: false`" if after.operation.write is False else f"{after.operation.method} without `write: true`"
    money = f" Each moves {amount(before.operation)}, past every spend cap." if before.operation.money else ""
    return Found(
        grade=Grade.BREAKS,
        harm=Harm.TWICE,
        subject="write",
        title="It is no longer declared a write: nothing is recorded.",
        effect=(
            "Each call is sent, a repeat too, and also the repeat of a write that was made before the change: it "
            f"lands twice.{money} Attempted records stay attempted until a person settles them; no call asks after "
            f"them."
        ),
        remedy="Call it no write only if sending it twice leaves what sending it once leaves.",
        before="a write",
        after=said,
        at=(InSkill("base", ("method",)), InSkill("head", ("write",))),
    )


def _no_key(before: Declared, after: Declared) -> Found:
    old = before.operation.key
    assert old is not None
    needed = (
        f" The document requires it in the {old.place} `{old.name}`: a recipient refuses every write without it."
        if key_required(after, old)
        else ""
    )
    return Found(
        grade=Grade.BREAKS,
        harm=Harm.TWICE,
        subject="key",
        title="The key is no longer declared: keyed becomes cached.",
        effect=(
            "No key is sent, so the recipient takes a repeat for a second write: whatever is sent again after its "
            f"record was lost lands twice.{moved_twice(after.operation, before.operation)} Attempted writes are no "
            f"longer sent again, those of before the change neither: {unsettled(after.operation)}.{needed}"
        ),
        remedy="Keep the key as long as the recipient takes one.",
        before=key_shown(before.operation),
        after="",
        example=one_request(
            before, after, "The request goes out without a key; what is derived is the record's address."
        ),
        at=(InSkill("base", ("key",)), InSkill("head")),
    )


def _no_identity(before: Declared, after: Declared) -> Found:
    call = after.operation.record_scope is Scope.CALL
    what = "each call is a write of its own" if call else "equal arguments are one write within a session only"
    where = "in another call" if call else "in another session, or with another note,"
    return Found(
        grade=Grade.BREAKS,
        harm=Harm.TWICE,
        subject="identity",
        title="The identity is no longer declared: "
        + ("the call scope is left." if call else "`scope: arguments` is left."),
        effect=(
            f"Without an identity {what}: a repeat {where} is sent again and lands twice, also the repeat of a write "
            f"that was made before the change.{moved_twice(after.operation, before.operation)} Live records are "
            f"carried over to {'their calls' if call else 'their session and arguments'}, and answer nothing else."
        ),
        remedy="Keep an identity, unless equal writes are each meant.",
        before=paths_shown(before.operation.identity),
        after=f"scope: {after.operation.scope or 'call'}",
        example=two_calls(before, after, "The same request in two calls of a turn becomes two writes.")
        if call
        else None,
        at=(InSkill("base", ("identity",)), InSkill("head", ("scope",))),
    )


KIND = Kind(
    name="level-lowered",
    summary="the write is protected less: no key, no identity, or no write",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
