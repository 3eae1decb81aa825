"""An operation whose declaration changes: nothing that its records remember is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.host import state
from wizard.host.conformance import workspace
from wizard.host.keys import Secret, Secrets, declaration_digest
from wizard.host.moving import HeldBack, Moved, Replaced, move, plan_move
from wizard.host.outcome import Reply, Silence
from wizard.host.prepare import Arguments, Prepared, prepare
from wizard.host.record import Call, EventKind, Record, State
from wizard.host.state import Ask, Decision, Repeat, Resend, Send, Terms
from wizard.host.store import Claim, Claimed, OtherDeclaration, Store, open_store
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
FIRST, SECOND = Secret("first", b"1" * 32), Secret("second", b"2" * 32)
BODY = {"room": "r1", "guest": "Ada", "day": "2026-05-01"}


def declared(**changes: Any) -> Operation:
    mapping = {"method": "POST", "url": "http://h/{hotel}/bookings", "identity": ["room", "day"], **changes}
    operation, problems = parse_operation({name: value for name, value in mapping.items() if value is not None})
    assert operation is not None
    assert not problems
    return operation


def prepared(operation: Operation, body: Any = None, secrets: Secrets | None = None, space: str = "w") -> Prepared:
    arguments = Arguments(variables={"hotel": "x"}, body=BODY if body is None else body)
    return prepare("book", operation, Call(space, "s", "t", 0), arguments, secrets or Secrets(FIRST))


def made(store: Store, call: Prepared, outcome: Any = None) -> Record:
    """Claimed, and settled where an outcome is given."""
    lease = store.acquire(call.call.workspace, "turn", "worker", NOW + timedelta(days=9), NOW)
    assert lease is not None
    found = store.read(call.call.workspace, call.addresses)
    after = state.claim(None, call.new_write(0), "worker", NOW + MINUTE, NOW + MINUTE, NOW)
    result = store.claim(Claim(
        after=after, before=None, addresses=call.addresses, under=lease, now=NOW,
        seen=tuple((record.address, record.version) for record in found),
    ))  # fmt: skip
    assert isinstance(result, Claimed), result
    if outcome is None:
        return after
    settled = state.settle(after, state.classify(outcome), NOW, fence=after.fence)[0]
    assert store.settle(after, settled)
    return settled


def decision(store: Store, call: Prepared, at: datetime = NOW + 2 * MINUTE) -> Any:
    record = state.choose(store.read(call.call.workspace, call.addresses), at)
    return state.decide(record, Terms.of(call.operation), call.asked(record, MINUTE), at)


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = {"memory": "memory:", "sqlite": f"sqlite:{tmp_path / 'r.db'}"}.get(request.param)
    opened = open_store(url or request.getfixturevalue("postgres_url"))
    yield opened
    opened.close()


def test_a_repeat_is_known_after_the_identity_changed() -> None:
    store = open_store("memory:")
    old, new = declared(), declared(identity=["room", "day", "guest"])
    record = made(store, prepared(old), Reply(201, (), b'{"id": 1}'))
    assert isinstance(decision(store, prepared(new)), Send), "without a move it would be forgotten"
    lease = store.acquire("w", "turn", "worker", NOW + timedelta(days=9), NOW)
    assert lease is not None
    call = prepared(new)
    after = state.claim(None, call.new_write(0), "w", NOW, NOW, NOW)
    refused = store.claim(Claim(after=after, before=None, addresses=call.addresses, under=lease, now=NOW))
    assert isinstance(refused, OtherDeclaration), "and a claim under the new one is refused until then"
    moved = move(store, "w", "book", new, Secrets(FIRST), NOW)
    assert isinstance(moved, Moved)
    assert moved.count == 1
    found = store.read("w", call.addresses)
    assert [(one.answer, one.key, one.request, one.secret) for one in found] == [
        (record.answer, record.key, record.request, "first")
    ]
    assert found[0].events[-1].kind is EventKind.MOVED
    assert isinstance(decision(store, call), Repeat)
    assert store.read("w", prepared(old).addresses) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "https://new.example.com/v2/{hotel}/bookings"}, {"identity": ["guest"]}, {"identity": None},
        {"identity": None, "scope": "arguments"}, {"method": "PATCH"}, {"key": "header K"}, {"keep": "1h"},
    ],
)  # fmt: skip
def test_whatever_changes_an_attempted_write_is_found(store: Store, changes: dict[str, Any]) -> None:
    old, new, space = declared(), declared(**changes), workspace()
    made(store, prepared(old, space=space), Silence("reset"))
    assert isinstance(move(store, space, "book", new, Secrets(FIRST), NOW), Moved)
    action = decision(store, prepared(new, space=space))
    assert isinstance(action, Ask), "it is still attempted, and its bytes bear no key"
    assert action.record.state is State.ATTEMPTED
    held = store.declaration(space, "book")
    assert held is not None
    assert held.digest == declaration_digest(new)


def test_a_key_stays_what_it_was_and_is_resent_where_its_place_stays() -> None:
    store = open_store("memory:")
    old = declared(key="header K")
    record = made(store, prepared(old), Silence("reset"))
    new = declared(key="header K", identity=["room", "day", "guest"])
    assert isinstance(move(store, "w", "book", new, Secrets(FIRST), NOW), Moved)
    action = decision(store, prepared(new))
    assert isinstance(action, Resend)
    assert (action.record.key, action.record.request) == (record.key, record.request)
    elsewhere = declared(key="header Idempotency-Key", identity=["room", "day", "guest"])
    assert isinstance(move(store, "w", "book", elsewhere, Secrets(FIRST), NOW), Moved)
    assert isinstance(decision(store, prepared(elsewhere)), Ask), "the recipient would not see the stored key"


def test_a_record_that_cannot_be_derived_holds_the_operation() -> None:
    store = open_store("memory:")
    old, new = declared(), declared(identity=["room", "day", "agent"])
    record = made(store, prepared(old), Silence("reset"))
    held = move(store, "w", "book", new, Secrets(FIRST), NOW)
    assert isinstance(held, HeldBack)
    assert [(one.id, "agent" in why) for one, why in held.stuck] == [(record.id, True)]
    assert store.declaration("w", "book").digest == declaration_digest(old)  # type: ignore[union-attr]
    settled = state.settle_by_person(record, Decision.DID_NOT, "Ada", "looked", NOW)
    assert store.settle(record, settled)
    assert isinstance(move(store, "w", "book", new, Secrets(FIRST), NOW), Moved)


def test_what_else_holds_an_operation() -> None:
    store = open_store("memory:")
    old = declared(identity=["room", "day", "guest"])
    made(store, prepared(old), Reply(201))
    made(store, prepared(old, {**BODY, "guest": "Bob"}), Reply(201))
    narrower = move(store, "w", "book", declared(), Secrets(FIRST), NOW)
    assert isinstance(narrower, HeldBack)
    assert {why for _, why in narrower.stuck} == {"under the new declaration it is the same write as another one"}
    unknown = move(store, "w", "book", declared(url="http://h/{hotel}/b"), Secrets(SECOND), NOW)
    assert isinstance(unknown, HeldBack)
    assert all("secret `first`" in why for _, why in unknown.stuck)
    url = declared(url="http://h/{hotel}/{floor}/bookings")
    assert isinstance(move(store, "w", "book", url, Secrets(FIRST), NOW), HeldBack)


def test_a_live_record_of_another_operation_is_in_the_way() -> None:
    old = declared()
    standing = state.claim(None, prepared(declared(identity=["guest"])).new_write(0), "w", NOW, NOW, NOW)
    live = state.claim(None, prepared(old).new_write(0), "w", NOW, NOW, NOW)
    plan = plan_move([live], "book", declared(identity=["guest"]), Secrets(FIRST), NOW, [standing])
    assert [why for _, why in plan.stuck] == [
        f"under the new declaration it is the same write as {standing.id} of `book`"
    ]
    line = state.settle(standing, state.classify(Reply(400)), NOW, fence=standing.fence)[0]
    from dataclasses import replace

    plan = plan_move([live], "book", declared(identity=["guest"]), Secrets(FIRST), NOW, [replace(line, generation=4)])
    assert [new.generation for _, new in plan.moves] == [4], "the next claim must not take a generation that was used"
    ((_, moved),) = plan.moves
    after, told = state.settle(moved, state.classify(Reply(201)), NOW, fence=line.fence)
    assert (after.state, told.late) == (State.ATTEMPTED, True), "an old sender of the line settled what took its place"


def test_records_under_an_older_secret_move_under_it() -> None:
    store = open_store("memory:")
    both = Secrets(SECOND, (FIRST,))
    made(store, prepared(declared()), Reply(201))
    new = declared(identity=["guest"])
    assert isinstance(move(store, "w", "book", new, both, NOW), Moved)
    call = prepared(new, secrets=both)
    found = store.read("w", call.addresses)
    assert [one.secret for one in found] == ["first"]
    assert isinstance(decision(store, call), Repeat)


def test_who_works_from_an_old_file_is_told_so() -> None:
    store = open_store("memory:")
    old, new = declared(), declared(identity=["guest"])
    made(store, prepared(old), Reply(201))
    assert isinstance(move(store, "w", "book", new, Secrets(FIRST), NOW), Moved)
    assert isinstance(move(store, "w", "book", new, Secrets(FIRST), NOW), Moved)
    assert isinstance(move(store, "w", "book", old, Secrets(FIRST), NOW), Replaced)
    back = move(store, "w", "book", old, Secrets(FIRST), NOW, back=True)
    assert isinstance(back, Moved)
    assert back.declaration.replaced == (declaration_digest(new),)
    assert isinstance(decision(store, prepared(old)), Repeat)


def test_a_move_waits_for_records_that_change_meanwhile() -> None:
    store = open_store("memory:")
    record = made(store, prepared(declared()))
    reads = store.live
    changed = []

    def live(workspace: str, operation: str, now: datetime) -> Any:
        found = reads(workspace, operation, now)
        if not changed:
            changed.append(store.settle(record, state.settle(record, state.classify(Reply(503)), NOW, fence=1)[0]))
        return found

    store.live = live  # type: ignore[method-assign]
    new = declared(identity=["guest"])
    assert isinstance(move(store, "w", "book", new, Secrets(FIRST), NOW), Moved)
    found = store.read("w", prepared(new).addresses)[0]
    assert [event.kind for event in found.events] == [EventKind.CLAIMED, EventKind.SENT, EventKind.MOVED]


def test_the_digest_of_a_declaration_counts_what_the_host_goes_by() -> None:
    one = declared()
    assert declaration_digest(one) == declaration_digest(declared())
    assert declaration_digest(one) != declaration_digest(declared(keep="1h"))
    assert declaration_digest(one) == declaration_digest(declared(**{"x-note": "a"}))
    assert declaration_digest(declared(status="proposed")) == declaration_digest(declared(identity=None))
