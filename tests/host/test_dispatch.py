"""Calls from one end to the other: rules, a store, real sockets."""

from __future__ import annotations

import asyncio
import gzip
import inspect
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.host import declarations, state
from wizard.host.calls import Asking, Plain, Result
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.host import Host, LeaseHeldError, Pace, Turn
from wizard.host.http import HttpTransport
from wizard.host.instruments import WatchedNetwork
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import Outcome, Request, Silence
from wizard.host.prepare import Arguments
from wizard.host.record import Call, EventKind, Lease, Record, State
from wizard.host.state import Telling
from wizard.host.store import Claim, ClaimResult, Store, StoreError
from wizard.host.stores.memory import MemoryStore
from wizard.host.wire import Fault
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation

SECRETS = Secrets(Secret("first", b"0123456789abcdef0123456789abcdef"))
ADA = {"room_id": "r1", "guest_name": "Ada", "arrival": "2026-03-01", "departure": "2026-03-04"}
IDENTITY = ["room_id", "guest_name", "arrival", "departure"]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
def recipient() -> Iterator[FaultyRecipient]:
    with FaultyRecipient() as running:
        yield running


@pytest.fixture
def keyed() -> Iterator[FaultyRecipient]:
    with FaultyRecipient(key_header="Idempotency-Key") as running:
        yield running


@pytest.fixture
def host(store: Store, clock: Clock) -> Host:
    return Host(store=store, transport=HttpTransport(clock=clock), clock=clock, secrets=SECRETS, worker="one")


def operation(url: str, **more: Any) -> Operation:
    mapping = {"method": "POST", "url": url, "body": [*IDENTITY, "phone"], **more}
    found, problems = parse_operation({name: value for name, value in mapping.items() if value is not None})
    assert found is not None
    assert not problems, problems
    return found


def booking(url: str, **more: Any) -> Operation:
    return operation(url, identity=IDENTITY, **more)


def charge(url: str, **more: Any) -> Operation:
    return booking(url, key="header Idempotency-Key", **more)


def probed(url: str, **more: Any) -> Operation:
    probe = {
        "url": f"{url}?room_id={{room_id}}",
        "items": "$.bookings[*]",
        "match": ["guest_name", "arrival", "departure"],
        "absent": "empty",
        "pages": "none",
    }
    return booking(url, probe=probe, **more)


def ask(host: Host, wanted: Operation, body: Any = ADA, **at: Any) -> Result:
    """One call in a turn of its own name."""
    where = {"workspace": "acme", "session": "s1", "turn": "t1", "ordinal": 0, **at}
    call = Call(**where)
    lease = host.lease(call.workspace, f"turn:{call.session}:{call.turn}")
    try:
        return host.call(Asking("book", wanted, Arguments(body=body)), at=call, lease=lease)
    finally:
        host.store.release(lease)


def only(store: Store, workspace: str = "acme") -> Record:
    (found,) = store.find(workspace, "")
    return found


def left_behind(host: Host, wanted: Operation, body: Any = ADA, **at: Any) -> Record:
    """A record whose sender was lost in the send."""

    class Lost(BaseException):
        pass

    class Losing:
        def send(self, request: Request, deadline: Any) -> Outcome:
            host.transport.send(request, deadline)
            raise Lost

    with pytest.raises(Lost):
        ask(replace(host, transport=Losing()), wanted, body, **at)
    return only(host.store)


# What is recorded, and what is not


@pytest.mark.requirement(2, 66, 70)
def test_the_claim_is_committed_before_the_first_byte(clock: Clock, store: Store) -> None:
    seen: list[State] = []

    def look(_: object) -> None:
        latest = max(store.find("acme", "", limit=1000), key=lambda record: record.events[-1].at)
        seen.append(latest.state)

    with FaultyRecipient(on_write=look) as recipient:
        host = Host(store=store, transport=HttpTransport(clock=clock), clock=clock, secrets=SECRETS)
        for ordinal in range(1000):
            ask(host, operation(recipient.url), ordinal=ordinal)
            clock.advance(timedelta(seconds=1))
        assert not recipient.failures
    assert seen == [State.ATTEMPTED] * 1000


@pytest.mark.requirement(5, 107)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT"])
def test_what_is_no_write_is_not_recorded(host: Host, recipient: FaultyRecipient, method: str) -> None:
    wanted, _ = parse_operation({"method": method, "url": recipient.url})
    assert wanted is not None
    for _ in range(2):
        result = ask(host, wanted, MISSING)
        assert result.ending is Plain.ANSWERED
        assert result.text in ("The recipient answered with status 200.", "The recipient answered with status 201.")
    assert len(recipient.seen) == 2
    assert host.store.find("acme", "") == ()


@pytest.mark.requirement(22)
def test_level_none_runs_again_each_time(host: Host, recipient: FaultyRecipient) -> None:
    wanted = operation(recipient.url, write=False)
    assert wanted.level == "none"
    for _ in range(2):
        assert ask(host, wanted).ending is Plain.ANSWERED
    assert sum(recipient.commits.values()) == 2
    assert host.store.find("acme", "") == ()


@pytest.mark.requirement(61)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize("said", [None, True, False])
def test_what_is_recorded_follows_the_method_unless_the_operation_says_otherwise(
    host: Host, recipient: FaultyRecipient, method: str, said: bool | None
) -> None:
    recorded = method in ("POST", "PATCH", "DELETE") if said is None else said
    ask(host, operation(recipient.url, method=method, write=said, body=None), MISSING)
    assert len(host.store.find("acme", "")) == recorded
    assert len(recipient.seen) == 1


@pytest.mark.requirement(62)
def test_what_is_only_proposed_makes_no_write_pass_for_none_and_no_answer_for_a_refusal(
    host: Host, recipient: FaultyRecipient
) -> None:
    wanted = operation(recipient.url, write=False, failed="$.id", keep="1s", status="proposed")
    assert ask(host, wanted).ending is Telling.DONE
    record = only(host.store)
    assert (record.state, record.keep) == (State.COMPLETED, 24 * 3600)
    assert ask(host, wanted).replayed
    assert len(recipient.seen) == 1


@pytest.mark.requirement(107)
def test_a_put_that_says_it_writes_is_recorded(host: Host, recipient: FaultyRecipient) -> None:
    ask(host, operation(recipient.url, method="PUT", write=True))
    assert only(host.store).state is State.COMPLETED


@pytest.mark.requirement(21)
def test_without_identity_and_key_the_bytes_are_those_of_today(host: Host, recipient: FaultyRecipient) -> None:
    ask(host, operation(recipient.url))
    seen = recipient.seen[0]
    assert seen.body == json.dumps(ADA, separators=(",", ":")).encode()
    assert [name for name, _ in seen.headers] == [
        "Host", "Connection", "Accept-Encoding", "User-Agent", "Content-Length", "Content-Type",
    ]  # fmt: skip


# Repeats


@pytest.mark.requirement(9, 23, 59, 71)
def test_a_repeat_is_the_first_answer_and_nothing_is_sent(host: Host, recipient: FaultyRecipient) -> None:
    first = ask(host, booking(recipient.url))
    second = ask(host, booking(recipient.url), session="s2")
    assert first.ending is Telling.DONE
    assert second.ending is Telling.ALREADY_DONE
    assert second.answer == first.answer
    assert (first.replayed, second.replayed) == (False, True)
    assert second.first_at == first.first_at
    assert second.text.startswith("Already done on 2026-03-01 at 12:00:00 UTC. Nothing was sent now")
    assert len(recipient.seen) == 1


def test_an_answers_secrets_and_codings_are_not_kept(host: Host, recipient: FaultyRecipient) -> None:
    headers = (("Set-Cookie", "session=s3cret"), ("Content-Encoding", "gzip"), ("Location", "/bookings/1"))
    recipient.then(Fault(body=gzip.compress(b"{}"), headers=headers))
    first = ask(host, booking(recipient.url))
    assert first.answer is not None
    assert first.answer.body == b"{}"
    assert first.answer.headers == (("Location", "/bookings/1"), ("Content-Type", "application/json"))
    assert only(host.store).answer == first.answer


@pytest.mark.requirement(47)
def test_a_model_that_books_twice_in_one_turn_is_given_its_first_booking(host: Host) -> None:
    with FaultyRecipient(unique="room_id") as recipient, host.turn("acme", session="s1", turn="t1") as turn:
        wanted = Asking("book", booking(recipient.url), Arguments(body=ADA))
        first, second = turn.dispatch([wanted]) + turn.dispatch([wanted])
        assert len(recipient.seen) == 1
    assert first.answer is not None
    assert second.answer == first.answer
    assert second.answer.status == 201
    assert second.replayed


@pytest.mark.requirement(48, 43, 41, 60)
def test_the_call_scope_takes_two_calls_for_two_writes(host: Host, recipient: FaultyRecipient) -> None:
    with host.turn("acme", session="s1", turn="t1") as turn:
        wanted = Asking("log", operation(recipient.url), Arguments(body=ADA))
        first, second = turn.dispatch([wanted, wanted])
    assert (first.ending, second.ending) == (Telling.DONE, Telling.DONE)
    assert sum(recipient.commits.values()) == 2


@pytest.mark.requirement(45)
def test_the_scope_of_arguments_is_one_write_a_session(host: Host, recipient: FaultyRecipient) -> None:
    wanted = operation(recipient.url, scope="arguments")
    ask(host, wanted)
    assert ask(host, wanted, turn="t2").replayed
    assert not ask(host, wanted, session="s2").replayed
    assert sum(recipient.commits.values()) == 2


@pytest.mark.requirement(68, 83)
def test_workspaces_share_nothing(host: Host, keyed: FaultyRecipient) -> None:
    for workspace in ("acme", "other"):
        assert ask(host, charge(keyed.url), workspace=workspace).ending is Telling.DONE
    assert sum(keyed.commits.values()) == 2
    first, second = (seen.header("Idempotency-Key") for seen in keyed.seen)
    assert first != second


@pytest.mark.requirement(69)
def test_after_its_time_the_next_claim_takes_the_next_generation(
    host: Host, keyed: FaultyRecipient, clock: Clock
) -> None:
    ask(host, charge(keyed.url))
    clock.advance(timedelta(hours=23))
    assert ask(host, charge(keyed.url), turn="t2").replayed
    clock.advance(timedelta(hours=2))
    assert ask(host, charge(keyed.url), turn="t3").ending is Telling.DONE
    assert only(host.store).generation == 1
    assert sum(keyed.commits.values()) == 2
    assert len({seen.header("Idempotency-Key") for seen in keyed.seen}) == 2


def test_another_body_is_answered_with_the_first_and_told_what_differs(host: Host, recipient: FaultyRecipient) -> None:
    ask(host, booking(recipient.url))
    result = ask(host, booking(recipient.url), {**ADA, "phone": "1"}, turn="t2")
    assert result.differing == ("phone",)
    assert "differs from the first request in `phone`. What differs was not sent." in result.text
    assert "a person has to release" in result.text
    assert len(recipient.seen) == 1


@pytest.mark.requirement(24, 57, 82)
def test_the_host_fills_in_the_key_and_says_so(host: Host, keyed: FaultyRecipient) -> None:
    wanted = charge(keyed.url, header=["Idempotency-Key", "X-Tenant"])
    asking = Asking("pay", wanted, Arguments(header={"idempotency-key": "mine", "X-Tenant": "t"}, body=ADA))
    result = host.call(asking, at=Call("acme", "s", "t", 0), lease=host.lease("acme", "l"))
    assert keyed.seen[0].header("Idempotency-Key") == only(host.store).key
    assert "mine" not in str(keyed.seen[0].headers)
    assert "The host fills in `header:Idempotency-Key` itself" in result.text


@pytest.mark.requirement(82)
def test_a_caller_cannot_pass_a_key_a_state_or_a_fence() -> None:
    named = {*inspect.signature(Host.call).parameters, *inspect.signature(Turn.dispatch).parameters}
    named |= set(Asking.__dataclass_fields__) | set(Arguments.__dataclass_fields__) | set(Call.__dataclass_fields__)
    assert not named & {"key", "state", "fence", "address", "generation", "record", "grant", "token"}


@pytest.mark.requirement(56)
def test_a_call_without_its_identity_claims_nothing(host: Host, recipient: FaultyRecipient) -> None:
    result = ask(host, booking(recipient.url), {"room_id": "r1"})
    assert result.ending is Plain.INVALID
    assert result.text.startswith("Nothing was sent: `guest_name` is part of what this write is")
    assert host.store.find("acme", "") == ()
    assert not recipient.seen


@pytest.mark.parametrize("number", ["1e99999999999999999999", "0e99999999999999999999", "1e400", "1e-400", "NaN"])
def test_a_number_without_a_plain_form_claims_nothing(host: Host, recipient: FaultyRecipient, number: str) -> None:
    wanted = operation(recipient.url, identity=["room_id"])
    result = ask(host, wanted, f'{{"room_id":{number}}}'.encode())
    assert result.ending is Plain.INVALID
    assert host.store.find("acme", "") == ()
    assert not recipient.seen


def test_a_body_without_a_place_for_the_key_claims_nothing(host: Host, recipient: FaultyRecipient) -> None:
    wanted = operation(recipient.url, scope="arguments", key={"in": "field", "name": "token"})
    result = ask(host, wanted, [1])
    assert result.ending is Plain.INVALID
    assert "the body has no object there" in result.text
    assert host.store.find("acme", "") == ()
    assert not recipient.seen


# First sends: what becomes of each answer


@pytest.mark.requirement(74)
@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 409, 410, 422, 425, 429, 451])
def test_a_refusal_releases_and_the_corrected_retry_goes_out(
    host: Host, recipient: FaultyRecipient, status: int
) -> None:
    recipient.then(Fault(status=status, commits=False))
    refused = ask(host, booking(recipient.url))
    assert (refused.ending, refused.state) == (Telling.REFUSED, State.ABSENT)
    assert refused.answer is not None
    assert refused.answer.status == status
    corrected = ask(host, booking(recipient.url), {**ADA, "phone": "1"})
    assert corrected.ending is Telling.DONE
    assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(74)
def test_the_same_refused_body_keeps_its_key_and_a_corrected_one_takes_another(
    host: Host, keyed: FaultyRecipient
) -> None:
    keyed.then(Fault(status=422, commits=False), Fault(status=422, commits=False))
    for body in (ADA, ADA, {**ADA, "phone": "1"}):
        ask(host, charge(keyed.url), body)
    first, second, third = (seen.header("Idempotency-Key") for seen in keyed.seen)
    assert first == second != third


@pytest.mark.requirement(76, 28)
@pytest.mark.parametrize("commits", [True, False])
def test_every_5xx_leaves_it_attempted_and_nothing_goes_out_again(
    host: Host, recipient: FaultyRecipient, clock: Clock, commits: bool
) -> None:
    for status in range(500, 600):
        body = {**ADA, "room_id": f"r{status}"}
        recipient.then(Fault(status=status, commits=commits))
        first = ask(host, booking(recipient.url), body)
        assert (first.ending, first.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED), status
        clock.advance(timedelta(days=1))
        again = ask(host, booking(recipient.url), body, turn="t2")
        assert again.ending is Telling.NOT_OBSERVED, status
    assert len(recipient.seen) == 100
    assert max(recipient.commits.values(), default=0) == (1 if commits else 0)


@pytest.mark.requirement(77, 78, 79, 81)
@pytest.mark.parametrize(
    "fault",
    [
        Fault(cut=0),
        Fault(cut=0, resets=True),
        Fault(cut=20),
        Fault(cut_body=5),
        Fault(cut_body=5, framing="chunked"),
        Fault(cut_body=5, framing="close"),
        Fault(status=404, commits=False, cut_body=5),
        Fault(after_bytes=40, resets=True),
        Fault(raw=b"HTTP/1.1 99 X\r\nContent-Length: 0\r\n\r\n"),
        Fault(raw=b"garbage\r\n\r\n"),
        Fault(status=301, headers=(("Location", "/x"),)),
        Fault(status=307, headers=(("Location", "/x"),)),
        Fault(status=408),
        Fault(status=499),
        Fault(status=507),
        Fault(status=508),
        Fault(body=b"x", headers=(("Content-Encoding", "br"),)),
    ],
    ids=repr,
)
def test_what_is_no_whole_answer_leaves_it_attempted(host: Host, recipient: FaultyRecipient, fault: Fault) -> None:
    recipient.then(fault)
    first = ask(host, booking(recipient.url))
    assert (first.ending, first.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED)
    again = ask(host, booking(recipient.url), turn="t2")
    assert again.ending is Telling.NOT_OBSERVED
    assert len(recipient.writes) <= 1


@pytest.mark.requirement(81)
def test_303_is_an_answer_and_202_and_207_say_what_they_are(host: Host, recipient: FaultyRecipient) -> None:
    recipient.then(Fault(status=303, headers=(("Location", "/b/1"),)), Fault(status=202), Fault(status=207))
    endings = [ask(host, operation(recipient.url), ordinal=ordinal).ending for ordinal in range(3)]
    assert endings == [Telling.DONE, Telling.ACCEPTED, Telling.IN_PARTS]
    assert all(record.state is State.COMPLETED for record in host.store.find("acme", ""))


def test_a_2xx_that_says_it_failed_is_a_refusal(host: Host, recipient: FaultyRecipient) -> None:
    wanted = booking(recipient.url, failed="$[?@.ok == false]")
    recipient.then(
        Fault(status=200, commits=False, body=b'{"result": {"ok": false}}'), Fault(status=200, body=b"<html>")
    )
    assert ask(host, wanted).ending is Telling.REFUSED
    assert ask(host, wanted).ending is Telling.NOT_OBSERVED


@pytest.mark.requirement(104)
def test_what_never_left_releases_and_goes_out_later(host: Host, recipient: FaultyRecipient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    result = ask(host, booking(f"http://127.0.0.1:{port}/bookings"))
    assert (result.ending, result.state) == (Telling.NOT_SENT, State.ABSENT)
    assert result.text.startswith("The request did not leave, so nothing has changed")


# After an attempt was left behind


@pytest.mark.requirement(3, 4, 20, 72, 96)
def test_without_key_and_probe_a_retry_is_refused_and_told(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    left_behind(host, booking(recipient.url))
    early = ask(host, booking(recipient.url))
    assert early.ending is Telling.IN_PROGRESS
    assert early.until == clock() + timedelta(seconds=40)
    clock.advance(timedelta(minutes=1))
    late = ask(host, booking(recipient.url))
    assert late.ending is Telling.NOT_OBSERVED
    assert "assume neither" in late.text
    assert len(recipient.seen) == 1
    assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(16, 19)
def test_with_a_key_the_same_bytes_go_out_again(host: Host, keyed: FaultyRecipient, clock: Clock) -> None:
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=1))
    result = ask(host, charge(keyed.url))
    assert (result.ending, result.state) == (Telling.DONE, State.COMPLETED)
    assert "sent again with the same key" in result.text
    first, second = keyed.seen
    assert (first.target, first.headers, first.body) == (second.target, second.headers, second.body)
    assert sum(keyed.commits.values()) == 1
    assert json.loads(result.answer.body if result.answer else b"")["id"] == "b_1"


def test_a_key_is_not_sent_past_what_the_recipient_remembers(host: Host, keyed: FaultyRecipient, clock: Clock) -> None:
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=26))
    assert ask(host, charge(keyed.url)).ending is Telling.NOT_OBSERVED
    assert len(keyed.seen) == 1


def test_another_body_never_goes_out_under_the_key(host: Host, keyed: FaultyRecipient, clock: Clock) -> None:
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=1))
    assert ask(host, charge(keyed.url), {**ADA, "phone": "1"}).ending is Telling.NOT_OBSERVED
    assert len(keyed.seen) == 1


@pytest.mark.requirement(108)
@pytest.mark.parametrize("status", [403, 409, 422])
def test_a_refusal_of_a_resend_settles_nothing(host: Host, keyed: FaultyRecipient, clock: Clock, status: int) -> None:
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=1))
    keyed.then(Fault(status=status, commits=False))
    keyed._by_key.clear()
    assert ask(host, charge(keyed.url)).ending is Telling.NOT_OBSERVED
    assert only(host.store).state is State.ATTEMPTED


@pytest.mark.requirement(36)
def test_a_resend_that_meets_our_own_write_is_found_by_the_probe(host: Host, clock: Clock) -> None:
    with FaultyRecipient(unique="room_id") as recipient:
        wanted = probed(recipient.url, key="header Idempotency-Key")
        left_behind(host, wanted)
        clock.advance(timedelta(minutes=1))
        result = ask(host, wanted)
        assert [seen.method for seen in recipient.seen] == ["POST", "POST", "GET"]
        assert sum(recipient.commits.values()) == 1
    assert (result.ending, result.state) == (Telling.FOUND, State.COMPLETED)
    assert "it was asked, and the write was carried out" in result.text
    assert "409" not in result.text


@pytest.mark.requirement(29, 30)
def test_a_probe_finds_what_landed(host: Host, recipient: FaultyRecipient, clock: Clock) -> None:
    left_behind(host, probed(recipient.url))
    clock.advance(timedelta(minutes=1))
    result = ask(host, probed(recipient.url))
    assert result.ending is Telling.FOUND
    assert json.loads(result.answer.body if result.answer else b"")["id"] == "b_1"
    assert [seen.method for seen in recipient.seen] == ["POST", "GET"]
    assert only(host.store).by == "probe"


def test_a_probe_that_proves_absence_lets_the_call_go_out(host: Host, clock: Clock) -> None:
    with FaultyRecipient([Fault(after_bytes=30, resets=True)]) as recipient:
        assert ask(host, probed(recipient.url)).ending is Telling.NOT_OBSERVED
        clock.advance(timedelta(minutes=1))
        assert ask(host, probed(recipient.url)).ending is Telling.NOT_OBSERVED, "asked too early to count"
        clock.advance(timedelta(minutes=6))
        assert ask(host, probed(recipient.url)).ending is Telling.DONE
        assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(33, 34)
@pytest.mark.parametrize(
    "page",
    [
        b"HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 403 X\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 404 X\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 429 X\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 302 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        b"HTTP/1.1 200 X\r\nContent-Length: 20\r\n\r\n{\"bookings\":",
        b"HTTP/1.1 200 X\r\nContent-Length: 12\r\n\r\n{\"bookings\":",
        b"HTTP/1.1 200 X\r\nContent-Length: 11\r\n\r\n{\"other\":1}",
        b"",
    ],
)  # fmt: skip
def test_a_probe_that_cannot_tell_changes_nothing(host: Host, clock: Clock, page: bytes) -> None:
    with FaultyRecipient(reads=Fault(raw=page)) as recipient:
        left_behind(host, probed(recipient.url))
        clock.advance(timedelta(days=3))
        assert ask(host, probed(recipient.url)).ending is Telling.NOT_OBSERVED
        assert [seen.method for seen in recipient.seen] == ["POST", "GET"]
    record = only(host.store)
    assert record.state is State.ATTEMPTED
    assert record.events[-1].kind is EventKind.PROBED
    assert record.events[-1].detail.startswith("cannot tell: ")


@pytest.mark.requirement(31)
def test_a_hundred_probes_change_nothing_but_the_events(host: Host, clock: Clock) -> None:
    with FaultyRecipient([Fault(after_bytes=30, resets=True)]) as recipient:
        wanted = probed(recipient.url)
        wanted = replace(wanted, probe=replace(wanted.probe, absent=None) if wanted.probe else None)
        ask(host, wanted)
        before = only(host.store)
        for _ in range(100):
            clock.advance(timedelta(hours=1))
            ask(host, wanted)
        after = only(host.store)
        assert replace(after, events=(), version=0) == replace(before, events=(), version=0)
        assert not recipient.writes
        assert not recipient.commits


@pytest.mark.requirement(13, 117)
def test_attempted_never_resolves_itself(host: Host, recipient: FaultyRecipient, clock: Clock) -> None:
    left_behind(host, booking(recipient.url))
    for _ in range(1000):
        clock.advance(timedelta(days=4))
        assert ask(host, booking(recipient.url)).ending is Telling.NOT_OBSERVED
        assert host.store.expired("acme", clock()) == ()
    assert only(host.store).state is State.ATTEMPTED
    assert len(recipient.seen) == 1


@pytest.mark.requirement(18, 3)
@pytest.mark.parametrize("lost", [asyncio.CancelledError, KeyboardInterrupt, SystemExit, TimeoutError])
def test_cancelled_inside_the_answer_no_byte_of_it_is_kept(
    host: Host, recipient: FaultyRecipient, clock: Clock, lost: type[BaseException]
) -> None:
    recipient.then(Fault(cut_body=10))
    reads = 0

    def at(point: str) -> None:
        nonlocal reads
        reads += point == "answer"
        if point == "answer":
            raise lost

    transport = HttpTransport(clock=clock, backend=WatchedNetwork(at))
    if issubclass(lost, Exception):
        assert ask(replace(host, transport=transport), booking(recipient.url)).ending is Telling.NOT_OBSERVED
    else:
        with pytest.raises(lost):
            ask(replace(host, transport=transport), booking(recipient.url))
    assert reads == 1
    record = only(host.store)
    assert (record.state, record.answer) == (State.ATTEMPTED, None)
    clock.advance(timedelta(minutes=1))
    assert ask(host, booking(recipient.url)).ending is Telling.NOT_OBSERVED
    assert len(recipient.seen) == 1


@pytest.mark.requirement(49)
def test_a_models_repeat_and_a_retry_after_a_crash_take_the_same_way(
    host: Host, keyed: FaultyRecipient, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in a call says which of the two it is; the one decision is made from the record."""
    decided: list[str] = []
    decide = state.decide

    def watching(*args: Any, **more: Any) -> Any:
        action = decide(*args, **more)
        decided.append(type(action).__name__)
        return action

    monkeypatch.setattr(state, "decide", watching)
    for wanted in (booking(keyed.url), charge(keyed.url)):
        name = "with a key" if wanted.key else "without"
        body = {**ADA, "guest_name": name}
        decided.clear()
        with host.turn("acme", session="s", turn=name) as turn:
            asking = Asking(name, wanted, Arguments(body=body))
            turn.dispatch([asking])
            turn.dispatch([asking])
        crash = Asking(name, wanted, Arguments(body=body))
        at = Call("acme", "s", name, 0)
        assert host.call(crash, at=at, lease=host.lease("acme", f"again {name}")).replayed
        assert decided == ["Send", "Repeat", "Repeat"]
    assert not set(Call.__dataclass_fields__) & {"retry", "attempt", "replay", "resumed"}


@pytest.mark.requirement(35)
def test_a_reference_that_the_recipient_keeps_is_filled_in_and_found_again(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    probe = {"url": f"{recipient.url}?reference={{reference}}", "items": "$.bookings[*]", "match": ["reference"]}
    wanted = booking(recipient.url, reference="field reference", probe=probe)
    recipient.then(Fault(cut=0))
    ask(host, wanted)
    reference = recipient.seen[0].value["reference"]
    assert len(reference) == 36
    assert reference == only(host.store).reference
    clock.advance(timedelta(minutes=1))
    assert ask(host, wanted).ending is Telling.FOUND
    assert recipient.seen[1].target == f"/bookings?reference={reference}"
    assert len(recipient.writes) == 1


@pytest.mark.requirement(42, 58, 95)
def test_level_and_scope_are_what_the_declaration_says(host: Host, recipient: FaultyRecipient) -> None:
    for number, (wanted, level, scope) in enumerate([
        (operation(recipient.url), "cached", "call"),
        (operation(recipient.url, scope="arguments"), "cached", "arguments"),
        (booking(recipient.url), "cached", "identity"),
        (charge(recipient.url), "keyed", "identity"),
        (operation(recipient.url, key="header Idempotency-Key"), "keyed", "call"),
        (charge(recipient.url, status="proposed"), "cached", "call"),
    ]):  # fmt: skip
        ask(host, wanted, workspace=f"w{number}")
        record = only(host.store, f"w{number}")
        assert (wanted.level, record.scope, bool(record.key)) == (level, scope, level == "keyed")
    _, problems = parse_operation({"method": "POST", "url": "http://h/", "identity": ["a"], "scope": "call"})
    assert [problem.rule for problem in problems] == ["scope-with-identity"]


# Leases


@pytest.mark.requirement(67)
def test_a_call_without_a_live_lease_is_refused(host: Host, recipient: FaultyRecipient, clock: Clock) -> None:
    asking, at = Asking("book", booking(recipient.url), Arguments(body=ADA)), Call("acme", "s", "t", 0)
    lease = host.lease("acme", "turn")
    clock.advance(timedelta(minutes=3))
    assert host.call(asking, at=at, lease=lease).ending is Plain.NO_LEASE
    other = replace(host, worker="two").lease("acme", "turn")
    stale = replace(lease, until=other.until)
    assert host.call(asking, at=at, lease=stale).ending is Plain.NO_LEASE
    made_up = Lease("acme", "no such turn", "me", 7, other.until)
    assert host.call(asking, at=at, lease=made_up).ending is Plain.NO_LEASE
    assert not recipient.seen
    assert host.store.find("acme", "") == ()


@pytest.mark.requirement(67)
def test_a_turn_is_one_workers(host: Host) -> None:
    with host.turn("acme", session="s1", turn="t1"):
        with pytest.raises(LeaseHeldError), host.turn("acme", session="s1", turn="t1"):
            pass
        with host.turn("acme", session="s1", turn="t2"):
            pass
    with host.turn("acme", session="s1", turn="t1"):
        pass


@pytest.mark.requirement(67)
def test_a_long_turn_holds_its_lease_on_and_a_lost_one_calls_nothing(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    asking = Asking("log", operation(recipient.url), Arguments(body=ADA))
    with host.turn("acme", session="s1", turn="t1") as turn:
        for _ in range(10):
            assert turn.dispatch([asking])[0].ending is Telling.DONE
            clock.advance(timedelta(seconds=90))
        clock.advance(timedelta(minutes=10))
        assert turn.dispatch([asking])[0].ending is Plain.NO_LEASE
    assert len(recipient.seen) == 10


@pytest.mark.requirement(145)
def test_a_stale_senders_answer_is_evidence_and_its_release_is_not(
    host: Host, keyed: FaultyRecipient, clock: Clock
) -> None:
    """The first sender is held up past its lease; a second worker takes over while the answer is on its way."""
    other = replace(host, worker="two")
    results: list[Result] = []

    class HeldUp:
        def __init__(self, outcome: Callable[[Outcome], Outcome]) -> None:
            self.outcome = outcome

        def send(self, request: Request, deadline: Any) -> Outcome:
            seen = host.transport.send(request, deadline)
            clock.advance(timedelta(minutes=1))
            results.append(ask(replace(other, transport=Blind()), charge(keyed.url), turn="t2"))
            return self.outcome(seen)

    class Blind:
        def send(self, request: Request, deadline: Any) -> Outcome:
            return Silence("nothing came")

    # A refusal under the old fence releases nothing.
    keyed.then(Fault(status=409, commits=False))
    late = ask(replace(host, transport=HeldUp(lambda seen: seen)), charge(keyed.url))
    assert results[-1].ending is Telling.NOT_OBSERVED
    assert late.late
    assert only(host.store).state is State.ATTEMPTED
    # An answer under an old fence completes what is still attempted.
    clock.advance(timedelta(minutes=1))
    late = ask(replace(host, transport=HeldUp(lambda seen: seen)), charge(keyed.url))
    assert (late.ending, late.state, late.late) == (Telling.DONE, State.COMPLETED, True)
    assert "another worker had taken the write over" in late.text


def test_a_call_that_sent_again_and_lost_its_lease_does_not_say_that_nothing_was_sent(
    host: Host, keyed: FaultyRecipient, clock: Clock
) -> None:
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=1))

    class Slow:
        def send(self, request: Request, deadline: Any) -> Outcome:
            clock.advance(timedelta(minutes=3))
            return Silence("no answer came in time")

    result = ask(replace(host, transport=Slow()), charge(keyed.url), turn="t2")
    assert (result.ending, result.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED)
    assert "Nothing was sent" not in result.text


@pytest.mark.requirement("T5")
def test_a_worker_halted_between_deciding_and_sending_resends_nothing_past_the_memory(
    host: Host, keyed: FaultyRecipient, clock: Clock
) -> None:
    """What was allowed then holds for a send that ends by the deadline of then; it is over when the worker goes on."""
    left_behind(host, charge(keyed.url))
    clock.advance(timedelta(minutes=24))

    class Halting:
        def __getattr__(self, name: str) -> Any:
            method = getattr(host.store, name)

            def halted(*args: Any, **more: Any) -> Any:
                found = method(*args, **more)
                if name == "read":
                    clock.advance(timedelta(seconds=50))
                return found

            return halted

    result = ask(replace(host, store=Halting()), charge(keyed.url), turn="t2")
    assert (result.ending, result.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED)
    assert len(keyed.seen) == 1


# Answers that are hard to read


@pytest.mark.requirement(79)
@pytest.mark.parametrize(
    "body",
    [b'{"ok":1e99999999999999999999}', b'{"ok":0e-99999999999999999999}', b'{"a":' * 150 + b"1" + b"}" * 150],
)
def test_an_answer_that_cannot_be_read_under_failed_is_not_observed(
    host: Host, recipient: FaultyRecipient, body: bytes
) -> None:
    recipient.then(Fault(body=body))
    result = ask(host, booking(recipient.url, failed="$..error"))
    assert (result.ending, result.state) == (Telling.NOT_OBSERVED, State.ATTEMPTED)


# The store is gone


class LosingStore:
    """Passes everything on, until it is told to be gone."""

    def __init__(self, store: Store, *gone: str) -> None:
        self.store = store
        self.gone = set(gone)

    def __getattr__(self, name: str) -> Any:
        if name in self.gone:

            def raise_it(*_: object, **__: object) -> Any:
                raise StoreError("the connection to the database is lost")

            return raise_it
        return getattr(self.store, name)


@pytest.mark.requirement(80)
def test_an_answer_that_cannot_be_written_down_reaches_the_caller_with_a_warning(
    host: Host, recipient: FaultyRecipient, clock: Clock
) -> None:
    result = ask(replace(host, store=LosingStore(host.store, "settle")), booking(recipient.url))
    assert result.ending is Telling.DONE
    assert result.answer is not None
    (warning,) = result.warnings
    assert warning in result.text
    assert "could not be written down (the connection to the database is lost)" in warning
    clock.advance(timedelta(minutes=1))
    assert ask(host, booking(recipient.url)).ending is Telling.NOT_OBSERVED
    assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(80)
def test_a_store_that_is_gone_before_the_claim_sends_nothing(host: Host, recipient: FaultyRecipient) -> None:
    with pytest.raises(StoreError):
        ask(replace(host, store=LosingStore(host.store, "claim")), booking(recipient.url))
    assert not recipient.seen


@pytest.mark.requirement(17)
def test_the_key_alone_holds_when_our_record_is_lost(host: Host, keyed: FaultyRecipient) -> None:
    for _ in range(2):
        fresh = replace(host, store=MemoryStore())
        assert ask(fresh, charge(keyed.url)).ending is Telling.DONE
    assert sum(keyed.commits.values()) == 1


@pytest.mark.requirement(17)
def test_without_a_key_a_lost_record_writes_twice(host: Host, recipient: FaultyRecipient) -> None:
    for _ in range(2):
        ask(replace(host, store=MemoryStore()), booking(recipient.url))
    assert sum(recipient.commits.values()) == 2


@pytest.mark.requirement(73)
def test_a_claim_that_meets_another_decides_again(host: Host, recipient: FaultyRecipient) -> None:
    class Racing(LosingStore):
        """Lets another worker make the whole call right before each first claim."""

        raced = False

        def claim(self, claim: Claim) -> ClaimResult:
            if not self.raced:
                self.raced = True
                ask(replace(host, worker="two"), booking(recipient.url), turn="t2")
            return self.store.claim(claim)

    result = ask(replace(host, store=Racing(host.store)), booking(recipient.url))
    assert result.replayed
    assert len(recipient.seen) == 1


# Rounds and ordinals


@pytest.mark.requirement(85, 86)
def test_a_round_that_was_cut_off_is_not_run(host: Host, recipient: FaultyRecipient) -> None:
    with host.turn("acme", session="s1", turn="t1") as turn:
        results = turn.dispatch([Asking("book", booking(recipient.url), Arguments(body=ADA))] * 3, finished=False)
    assert [result.ending for result in results] == [Plain.NOT_RUN] * 3
    assert all(result.text.startswith("Not run: ") for result in results)
    assert not recipient.seen
    assert host.store.find("acme", "") == ()


@pytest.mark.requirement(44)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abc"), max_size=4), max_size=5), st.integers(0, 5))
def test_a_replayed_turn_gives_each_call_its_ordinal(rounds: list[list[str]], cut: int) -> None:
    clock = Clock()
    sent: list[str] = []

    class Recording:
        def send(self, request: Request, deadline: Any) -> Outcome:
            from wizard.host.outcome import Reply

            sent.append((request.body or b"").decode())
            return Reply(201)

    host = Host(store=MemoryStore(), transport=Recording(), clock=clock, secrets=SECRETS)
    wanted, _ = parse_operation({"method": "POST", "url": "http://h/x"})
    assert wanted is not None

    def play(upto: int | None = None) -> list[Result]:
        with host.turn("acme", session="s", turn="t") as turn:
            return [
                result
                for round in rounds[:upto]
                for result in turn.dispatch([Asking("x", wanted, Arguments(body={"say": say})) for say in round])
            ]

    play(cut)
    before = len(sent)
    whole = play()
    said = [say for round in rounds for say in round]
    assert len(sent) == len(said)
    assert [result.replayed for result in whole] == [index < before for index in range(len(said))]
    assert not any(result.differing for result in whole)
    assert [json.loads(text)["say"] for text in sent] == said


# Rotation of secrets


def test_a_record_under_an_older_secret_answers(host: Host, keyed: FaultyRecipient, clock: Clock) -> None:
    ask(host, charge(keyed.url))
    newer = replace(host, secrets=Secrets(Secret("second", b"x" * 32), (SECRETS.current,)))
    assert ask(newer, charge(keyed.url), turn="t2").replayed
    assert len(keyed.seen) == 1


def test_pace_bounds_a_send(host: Host, recipient: FaultyRecipient, clock: Clock) -> None:
    hurried = replace(host, pace=Pace(send_for=timedelta(seconds=3), settle_for=timedelta(seconds=2)))
    record = left_behind(hurried, booking(recipient.url))
    assert record.deadline == clock() + timedelta(seconds=3)
    assert record.lease_until == clock() + timedelta(seconds=5)


# A changed declaration


def test_a_changed_declaration_forgets_nothing(host: Host, recipient: FaultyRecipient) -> None:
    ask(host, booking(recipient.url))
    changed = operation(recipient.url, identity=["room_id", "arrival"])
    assert ask(host, changed, turn="t2").replayed
    assert len(recipient.seen) == 1
    old = ask(host, booking(recipient.url), {**ADA, "room_id": "r2"}, turn="t3")
    assert old.ending is Plain.OLD_DECLARATION
    assert "is an old one; another has taken its place" in old.text
    assert len(recipient.seen) == 1


def test_what_cannot_be_brought_under_it_holds_the_operation(host: Host, recipient: FaultyRecipient) -> None:
    recipient.then(Fault(cut=0))
    ask(host, booking(recipient.url))
    changed = operation(recipient.url, identity=["room_id", "phone"])
    held = ask(host, changed, {**ADA, "phone": "1"}, turn="t2")
    assert held.ending is Plain.HELD_BACK
    assert only(host.store).id in held.text
    assert len(recipient.seen) == 1


@pytest.mark.requirement(145)
def test_an_answer_that_comes_when_its_record_has_moved_completes_it(host: Host, recipient: FaultyRecipient) -> None:
    changed = operation(recipient.url, identity=["room_id", "arrival"])

    class MovedMeanwhile:
        def send(self, request: Request, deadline: Any) -> Outcome:
            seen = host.transport.send(request, deadline)
            ask(host, changed, {**ADA, "room_id": "r2"}, turn="t2")
            return seen

    result = ask(replace(host, transport=MovedMeanwhile()), booking(recipient.url))
    assert (result.ending, result.warnings) == (Telling.DONE, ())
    assert ask(host, changed, turn="t3").replayed
    assert len(recipient.seen) == 2


def test_the_declaration_is_kept_for_those_who_come_later(host: Host, recipient: FaultyRecipient) -> None:
    wanted = probed(recipient.url)
    ask(host, wanted)
    assert declarations.recall(host.store, only(host.store)) == wanted
