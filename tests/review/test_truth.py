"""What a review says of records on the day of the change, held against the host that moves them."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from wizard.host.keys import Secret, Secrets
from wizard.host.moving import Plan, plan_move
from wizard.host.prepare import prepare
from wizard.host.record import Call, Record
from wizard.host.state import Resend, Terms, claim, decide, resend
from wizard.operation.model import Operation
from wizard.review.comparing import compare
from wizard.review.examples import Value, arguments_of
from wizard.review.kind import Declared
from wizard.review.model import Change
from wizard.review.showing import both_values, changed, for_operation

sys.path.insert(0, str(Path(__file__).parent))
from change_cases import Case, cases, side

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECRETS = Secrets(Secret("example", b"an example, and no secret"))
KINDS = {
    "identity-narrower", "identity-wider", "identity-renamed", "identity-optional", "level-lowered", "level-raised",
    "scope-changed", "status-changed", "url-changed", "method-changed", "content-changed", "key-moved", "key-shape",
}  # fmt: skip


def declared(case: Case) -> tuple[Declared, Declared]:
    return side(case.before, "old").declared[0], side(case.after, "new").declared[0]


def _has_records(case: Case) -> bool:
    """Both are writes, and the host goes by one of them at least."""
    operations = [one.operation for one in declared(case)]
    return all(one.is_write for one in operations) and any(one.confirmed for one in operations)


FIRING = [case for case in cases() if case.kind in KINDS and case.expect and _has_records(case)]


def told(case: Case) -> Change:
    changes = compare(side(case.before, "old"), side(case.after, "new")).changes
    return next(one for one in changes if one.kind == case.kind)


def record(operation: Operation, values: tuple[Value, ...], ordinal: int = 0) -> Record:
    """The attempted record that the host has of a call."""
    prepared = prepare(
        "book-room", operation, Call("w", "s", "t", ordinal), arguments_of(for_operation(operation, values)), SECRETS
    )
    return claim(None, prepared.new_write(0), "me", NOW, NOW, NOW)


def without(values: tuple[Value, ...], name: str) -> tuple[Value, ...]:
    return tuple(replace(one, text="") if one.name == name else one for one in values)


def moved(records: list[Record], operation: Operation) -> Plan:
    return plan_move(records, "book-room", operation, SECRETS, NOW)


@pytest.mark.parametrize("case", FIRING, ids=lambda case: f"{case.kind}: {case.says}")
def test_what_is_said_of_live_records_is_what_the_host_does(case: Case) -> None:
    before, after = declared(case)
    change = told(case)
    values = both_values(before, after)
    mine = tuple(one for one in values if _given(before.operation, one))
    plan = moved([record(before.operation, mine)], after.operation)
    if "no live record can be carried over" in change.effect:
        assert len(plan.stuck) == 1
    elif "whose stored request lacks" in change.effect:
        name = change.effect.partition("lacks `")[2].partition("`")[0]
        if name in {path.name for path in before.operation.body}:
            assert moved([record(before.operation, without(mine, name))], after.operation).stuck
    elif "ive records are carried over" in change.effect or "ive records answer" in change.effect:
        assert not plan.stuck
    # Two records that differ in what left the identity, or in the call only.
    second = changed(mine, change.subject) if change.kind == "identity-narrower" else mine
    other = record(before.operation, second, 1)
    if "two that become the same write" in change.effect or "become the same write and hold" in change.effect:
        first = record(before.operation, mine)
        assert first.address != other.address
        assert len(moved([first, other], after.operation).stuck) == 2


def _given(operation: Operation, value: Value) -> bool:
    """Whether a call of the operation can have the value: the model fills it in, or the identity names it."""
    if ":" in value.name:
        return True
    named = {path.top for path in (*operation.body, *operation.identity)}
    return value.name.split(".")[0].partition("[")[0] in named


@pytest.mark.parametrize("case", FIRING, ids=lambda case: f"{case.kind}: {case.says}")
def test_what_is_said_of_attempted_writes_is_what_the_rules_decide(case: Case) -> None:
    before, after = declared(case)
    change = told(case)
    mine = tuple(one for one in both_values(before, after) if _given(before.operation, one))
    old = record(before.operation, mine)
    left = resend(old, "", NOW, NOW, NOW)
    prepared = prepare(
        "book-room", before.operation, old.call, arguments_of(for_operation(before.operation, mine)), SECRETS
    )  # fmt: skip
    action = decide(
        left, Terms.of(after.operation), prepared.asked(left, timedelta(seconds=1)), NOW + timedelta(minutes=1)
    )  # fmt: skip
    if "not sent again" in change.effect or "no longer sent again" in change.effect:
        assert not isinstance(action, Resend)
    if "is sent again as it was stored" in change.effect or "are sent again with the text" in change.effect:
        assert isinstance(action, Resend)
        assert action.record.request == old.request
    if "the probe is asked" in change.effect:
        assert Terms.of(after.operation).probed
    if "a person has to settle them" in change.effect:
        assert not Terms.of(after.operation).probed
