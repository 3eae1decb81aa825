"""Requests that wait for somebody's yes."""

from __future__ import annotations

import inspect
import socket
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.host import approvals, state
from wizard.host.approvals import ApprovalError, Grant, Held, HeldState
from wizard.host.calls import Asking, Plain, Result
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.host import Host
from wizard.host.http import HttpTransport
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import Outcome, Request
from wizard.host.prepare import Arguments
from wizard.host.record import Call, State
from wizard.host.state import Telling
from wizard.host.store import Store, open_store
from wizard.host.wire import Fault
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation

TOKEN = "0123456789abcdef"
ADA = {"room_id": "r1", "guest_name": "Ada"}
ACME = ""
"""The workspace: one of its own for each test, since a database serves them all."""
AT = Call(ACME, "s1", "t1", 0)


@pytest.fixture(autouse=True)
def workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    space = f"acme-{uuid.uuid4().hex}"
    monkeypatch.setitem(globals(), "ACME", space)
    monkeypatch.setitem(globals(), "AT", Call(space, "s1", "t1", 0))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recipient() -> Iterator[FaultyRecipient]:
    with FaultyRecipient(identity=["room_id"], key_header="Idempotency-Key") as running:
        yield running


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = {"memory": "memory:", "sqlite": f"sqlite:{tmp_path / 'records.db'}"}.get(request.param)
    opened = open_store(url or request.getfixturevalue("postgres_url"))
    yield opened
    opened.close()


@pytest.fixture
def host(clock: Clock, store: Store) -> Host:
    return Host(
        store=store,
        transport=HttpTransport(clock=clock),
        clock=clock,
        secrets=Secrets(Secret("first", b"0123456789abcdef")),
        gate=lambda asking, at: asking.operation.method != "GET",
    )


def operation(url: str, **more: Any) -> Operation:
    found, problems = parse_operation({"method": "POST", "url": url, "body": ["room_id", "guest_name"], **more})
    assert found is not None
    assert not problems
    return found


def asked(url: str, **more: Any) -> Asking:
    return Asking("book", operation(url, **more), Arguments(body=ADA))


def call(host: Host, asking: Asking, at: Call | None = None) -> Result:
    at = at or AT
    lease = host.lease(at.workspace, f"turn:{at.turn}")
    try:
        return host.call(asking, at=at, lease=lease)
    finally:
        host.store.release(lease)


def held_of(host: Host) -> Held:
    (stored,) = host.store.documents(ACME, approvals.KIND)
    found = approvals.read(host.store, ACME, stored.id)
    assert found is not None
    return found


def approve(host: Host, by: str = "ben") -> Grant:
    return approvals.approve(host.store, ACME, held_of(host).id, by=by, token=TOKEN, now=host.clock())


def send(host: Host, grant: Grant) -> Result:
    lease = host.lease(ACME, "turn:next")
    try:
        return approvals.send_approved(host, grant, lease)
    finally:
        host.store.release(lease)


def resume(host: Host) -> Result:
    lease = host.lease(ACME, "turn:next")
    try:
        return approvals.resume_approved(host, ACME, held_of(host).id, lease)
    finally:
        host.store.release(lease)


@pytest.mark.requirement(100, 101)
def test_what_was_kept_is_what_goes_out(host: Host, recipient: FaultyRecipient) -> None:
    result = call(host, asked(recipient.url, key="header Idempotency-Key"))
    assert result.ending is Plain.WAITING
    assert not recipient.seen
    assert host.store.find(ACME, "") == ()
    held = held_of(host)
    assert (held.state, held.call, held.operation) == (HeldState.WAITING, AT, "book")
    sent = send(host, approve(host))
    assert sent.ending is Telling.DONE
    (seen,) = recipient.seen
    assert held.request.url == recipient.url
    assert held.request.body == seen.body
    assert all(seen.header(name) == value for name, value in held.request.headers)
    (record,) = host.store.find(ACME, "")
    assert record.request == held.request
    assert record.key == seen.header("Idempotency-Key")


@pytest.mark.requirement(101, 106)
def test_the_order_is_approve_mark_claim_send_settle_answer(host: Host, recipient: FaultyRecipient) -> None:
    seen: list[str] = []

    class Watching:
        def __init__(self, store: Store) -> None:
            self.store = store

        def __getattr__(self, name: str) -> Any:
            method = getattr(self.store, name)

            def watched(*args: Any, **more: Any) -> Any:
                if name == "write":
                    held = [one for one in args[0] if one.kind == approvals.KIND]
                    seen.extend(approvals._held(replace(one, version=1)).state for one in held)
                elif name in ("claim", "settle"):
                    seen.append(name)
                return method(*args, **more)

            return watched

    class Sending:
        def send(self, request: Request, deadline: Any) -> Outcome:
            seen.append("send")
            return host.transport.send(request, deadline)

    watched = replace(host, store=Watching(host.store), transport=Sending())
    call(watched, asked(recipient.url))
    send(watched, approve(watched))
    assert seen == ["waiting", "approved", "sending", "claim", "send", "settle", "answered"]


@pytest.mark.requirement(99)
def test_the_answer_stands_where_the_waiting_stood(host: Host, recipient: FaultyRecipient) -> None:
    waiting = call(host, asked(recipient.url))
    other = Call(ACME, "s1", "t1", 1)
    transcript = ((AT, waiting.text), (other, "something else"))
    send(host, approve(host))
    resumed = approvals.put_answer(transcript, held_of(host))
    assert resumed == ((AT, "Done: the recipient answered with status 201."), (other, "something else"))
    whole = " ".join(text for _, text in resumed).lower()
    assert "approv" not in whole
    assert "do not" not in whole


@pytest.mark.requirement(102)
def test_the_same_call_made_again_is_asked_about_again(host: Host, recipient: FaultyRecipient) -> None:
    call(host, asked(recipient.url))
    approve(host)
    again = call(host, asked(recipient.url), replace(AT, ordinal=1))
    assert again.ending is Plain.WAITING
    states = [held.state for held in map(approvals._held, host.store.documents(ACME, approvals.KIND))]
    assert sorted(states) == [HeldState.APPROVED, HeldState.WAITING]
    assert not recipient.seen


def test_another_request_in_the_same_place_is_asked_about_by_itself(host: Host, recipient: FaultyRecipient) -> None:
    """A turn is replayed after a crash, and the model says something else this time."""
    asking = asked(recipient.url, identity=["room_id"])
    call(host, asking)
    send(host, approve(host))
    other = replace(asking, arguments=Arguments(body={"room_id": "r2", "guest_name": "Ada"}))
    cancel = Asking("cancel", operation(f"{recipient.url}/1", method="DELETE", body=[]), Arguments())
    for asking in (other, cancel):
        result = call(host, asking)
        assert result.ending is Plain.WAITING, result
        assert not result.replayed
    assert len(approvals.pending(host.store, ACME)) == 2
    assert len(recipient.seen) == 1


def test_what_was_approved_and_may_have_gone_out_is_not_told_as_not_sent(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    asking = asked(recipient.url, key="header Idempotency-Key")
    call(host, asking)
    recipient.then(Fault(cut=0))
    assert send(host, approve(host)).ending is Telling.NOT_OBSERVED
    clock.advance(timedelta(minutes=1))
    again = call(host, asking)
    assert again.ending is Telling.NOT_OBSERVED
    assert "its outcome was not observed" in again.text
    # The worker was lost between the mark and its report.
    marked = replace(held_of(host), record="", text="")
    assert host.store.write([approvals.document(marked)])
    again = call(host, asking)
    assert again.ending is Telling.NOT_OBSERVED
    assert "was approved and is being sent" in again.text
    assert "not sent" not in again.text


def test_what_was_found_not_there_when_the_lease_ended_may_still_go_out(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    probe = {
        "url": f"{recipient.url}?room_id={{room_id}}", "items": "$.bookings[*]", "match": ["room_id"],
        "absent": "empty", "pages": "none",
    }  # fmt: skip
    call(host, asked(recipient.url, identity=["room_id"], probe=probe))
    recipient.then(Fault(status=503, commits=False))
    grant = approve(host)
    assert send(host, grant).ending is Telling.NOT_OBSERVED
    clock.advance(timedelta(minutes=10))

    class Slow:
        def send(self, request: Request, deadline: Any) -> Outcome:
            outcome = host.transport.send(request, deadline)
            clock.advance(timedelta(minutes=3))
            return outcome

    late = resume(replace(host, transport=Slow()))
    assert (late.ending, held_of(host).state) == (Telling.NOT_THERE, HeldState.APPROVED)
    assert send(host, grant).ending is Telling.DONE
    assert sum(recipient.commits.values()) == 1


def test_a_replayed_turn_asks_once(host: Host, recipient: FaultyRecipient) -> None:
    call(host, asked(recipient.url))
    call(host, asked(recipient.url))
    assert len(host.store.documents(ACME, approvals.KIND)) == 1
    send(host, approve(host))
    replayed = call(host, asked(recipient.url))
    assert (replayed.ending, replayed.replayed) == (Telling.ALREADY_DONE, True)
    assert len(recipient.seen) == 1


@pytest.mark.requirement(9, 102)
def test_what_was_done_already_needs_no_approval(host: Host, recipient: FaultyRecipient) -> None:
    identity = {"identity": ["room_id", "guest_name"]}
    call(replace(host, gate=lambda *_: False), asked(recipient.url, **identity))
    repeated = call(host, asked(recipient.url, **identity), replace(AT, turn="t2"))
    assert repeated.replayed
    assert host.store.documents(ACME, approvals.KIND) == ()


@pytest.mark.requirement(103)
def test_the_grant_is_used_once_and_no_model_sees_it(host: Host, recipient: FaultyRecipient) -> None:
    result = call(host, asked(recipient.url))
    grant = approve(host)
    stored = host.store.documents(ACME, approvals.KIND)[0].body
    assert TOKEN not in stored + result.text + repr(result) + repr(grant) + repr(held_of(host))
    assert TOKEN not in repr(inspect.signature(Host.call))
    with pytest.raises(ApprovalError, match="does not belong"):
        send(host, replace(grant, token="another token of its own"))
    sent = send(host, grant)
    assert TOKEN not in sent.text + str(recipient.seen[0])
    with pytest.raises(ApprovalError, match="used already"):
        send(host, grant)
    assert len(recipient.seen) == 1


@pytest.mark.requirement(104)
def test_what_never_left_is_sent_again_under_the_same_yes(host: Host, recipient: FaultyRecipient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    call(host, asked(f"http://127.0.0.1:{port}/bookings"))
    grant = approve(host)
    for _ in range(2):
        assert send(host, grant).ending is Telling.NOT_SENT
        assert held_of(host).state is HeldState.APPROVED


class Lost(BaseException):
    """The worker is gone."""


@pytest.mark.requirement(106, 105)
@pytest.mark.parametrize("when", ["before the claim", "before the send", "after the send"])
def test_a_worker_lost_on_the_way_leaves_it_to_its_record(
    host: Host, recipient: FaultyRecipient, clock: Clock, when: str
) -> None:
    class Store_:
        def __getattr__(self, name: str) -> Any:
            if name == "claim" and when == "before the claim":
                raise Lost
            return getattr(host.store, name)

    class Losing:
        def send(self, request: Request, deadline: Any) -> Outcome:
            if when == "after the send":
                host.transport.send(request, deadline)
            raise Lost

    call(host, asked(recipient.url))
    grant = approve(host)
    with pytest.raises(Lost):
        send(replace(host, store=Store_(), transport=Losing()), grant)
    assert held_of(host).state is HeldState.SENDING
    clock.advance(timedelta(minutes=5))
    result = resume(host)
    if when == "before the claim":
        assert result.ending is Telling.DONE
        assert len(recipient.seen) == 1
    else:
        assert (result.ending, result.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED)
        assert len(recipient.seen) == (1 if when == "after the send" else 0)


@pytest.mark.requirement(105, 106)
def test_an_operation_that_is_no_write_is_not_sent_twice_either(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    class Losing:
        def send(self, request: Request, deadline: Any) -> Outcome:
            host.transport.send(request, deadline)
            raise Lost

    call(host, asked(recipient.url, write=False))
    grant = approve(host)
    with pytest.raises(Lost):
        send(replace(host, transport=Losing()), grant)
    clock.advance(timedelta(minutes=5))
    assert resume(host).ending is Telling.NOT_OBSERVED
    assert len(recipient.seen) == 1


@pytest.mark.requirement(105)
def test_an_attempted_one_goes_out_again_where_the_recipient_takes_a_key(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    recipient.then(Fault(cut=0))
    call(host, asked(recipient.url, key="header Idempotency-Key"))
    assert send(host, approve(host)).ending is Telling.NOT_OBSERVED
    assert held_of(host).state is HeldState.SENDING
    assert resume(host).ending is Telling.DONE
    assert held_of(host).state is HeldState.ANSWERED
    assert sum(recipient.commits.values()) == 1
    assert len(recipient.seen) == 2


@pytest.mark.requirement(105)
def test_an_attempted_one_without_a_key_is_a_persons_to_settle(host: Host, recipient: FaultyRecipient) -> None:
    recipient.then(Fault(cut=0))
    call(host, asked(recipient.url))
    send(host, approve(host))
    for _ in range(10):
        assert resume(host).ending is Telling.NOT_OBSERVED
    (record,) = host.store.attempted(ACME)
    settled = state.settle_by_person(record, state.Decision.HAPPENED, "ben", "saw it", host.clock())
    assert host.store.settle(record, settled) is not None
    assert settled.by == "person:ben"
    assert resume(host).ending is Telling.ALREADY_DONE
    assert held_of(host).state is HeldState.ANSWERED
    assert len(recipient.seen) == 1


def test_a_no_is_told_in_the_place_of_the_waiting(host: Host, recipient: FaultyRecipient) -> None:
    call(host, asked(recipient.url))
    held = approvals.decline(host.store, ACME, held_of(host).id, by="ben", now=host.clock(), reason="too dear")
    assert held.text == "ben looked at this request and decided against it. It was not sent, and nothing has changed."
    assert call(host, asked(recipient.url)).ending is Plain.DECLINED
    with pytest.raises(ApprovalError, match="decided already: declined, by ben"):
        approve(host)


@pytest.mark.requirement(113)
def test_an_approval_needs_a_name_and_the_right_one(host: Host, recipient: FaultyRecipient) -> None:
    call(host, asked(recipient.url))
    with pytest.raises(ApprovalError, match="needs the name"):
        approve(host, by="  ")
    with pytest.raises(ApprovalError, match="`eve` is not among"):
        approvals.approve(host.store, ACME, held_of(host).id, by="eve", token=TOKEN, now=host.clock(), may=["ben"])
    with pytest.raises(ApprovalError, match="no held request"):
        approvals.approve(host.store, ACME, "h-nothing", by="ben", token=TOKEN, now=host.clock())
    assert [held.id for held in approvals.pending(host.store, ACME)] == [held_of(host).id]
    approve(host)
    assert approvals.pending(host.store, ACME) == ()


@pytest.mark.requirement(112)
def test_approving_and_settling_share_no_type_and_no_verb() -> None:
    approving = {approvals.approve, approvals.decline, approvals.send_approved, approvals.resume_approved}
    settling = {state.settle_by_person, state.release_by_person, state.settle_by_probe, state.settle}

    def named(functions: set[Any]) -> set[str]:
        return {
            str(parameter.annotation).split(".")[-1].split("|")[0].strip()
            for function in functions
            for parameter in inspect.signature(function).parameters.values()
        }

    assert not named(approving) & named(settling) & {"Held", "Grant", "Record", "Decision", "HeldState", "State"}
    assert not {function.__name__ for function in approving} & {function.__name__ for function in settling}
