"""Every cell of the rules' tables."""

from __future__ import annotations

import enum
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.host import state
from wizard.host.outcome import GatewayRefusal, NeverSent, Reply, Request, Silence
from wizard.host.record import Answer, Call, EventKind, Record, State
from wizard.host.state import (
    Ask,
    Asked,
    AskRecipient,
    Decision,
    Finding,
    Means,
    NewWrite,
    NotSettleable,
    ProbeAnswer,
    Refuse,
    Repeat,
    Resend,
    Seen,
    Send,
    Telling,
    Terms,
)  # fmt: skip
from wizard.operation.model import Scope
from wizard.operation.parsing import parse_operation

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
CALL = Call("w", "s", "t", 0)
OTHER = Call("w", "s", "t", 1)
UNKEYED = Terms()
KEYED = Terms(key_place="header K")
PROBED = Terms(probed=True)
BOTH = Terms(key_place="header K", probed=True)
GOOD = Reply(201, (("Content-Type", "application/json"),), b'{"id": 1}')


def attempted(
    terms: Terms = UNKEYED, *, at: datetime = NOW, keep: int | None = 3600, scope: Scope = Scope.IDENTITY
) -> Record:
    """A record that was just claimed: its send ends a minute later, and its lease with it."""
    new = NewWrite(
        workspace="w", address="a" * 64, operation="book", declaration="d", scope=scope, secret="s", call=CALL,
        generation=0, key="k" if terms.key_place else "", key_place=terms.key_place, reference="", fingerprint="body",
        request=Request("POST", "http://h/x", (), b"{}"), given="{}", keep=keep,
    )  # fmt: skip
    return state.claim(None, new, "worker", at + MINUTE, at + MINUTE, at)


def settled(record: Record, outcome: Any, at: datetime = NOW, failed: str | None = None) -> Record:
    return state.settle(record, state.classify(outcome, failed), at, fence=record.fence)[0]


def asked(call: Call = CALL, body: str = "body") -> Asked:
    return Asked(call.text, body, MINUTE)


# The states


@pytest.mark.requirement(8)
def test_there_are_three_states() -> None:
    assert {state.value for state in State} == {"absent", "attempted", "completed"}
    assert issubclass(State, enum.Enum)


@pytest.mark.requirement(1, 2, 11, 70)
def test_a_claim_is_attempted_from_the_beginning() -> None:
    record = attempted(KEYED)
    assert (record.state, record.first_send, record.last_send, record.deadline) == (
        State.ATTEMPTED,
        NOW,
        NOW,
        NOW + MINUTE,
    )
    assert record.request == Request("POST", "http://h/x", (), b"{}")
    assert (record.key, record.fence, record.sends, record.by) == ("k", 1, 1, None)
    assert [event.kind for event in record.events] == [EventKind.CLAIMED]


@pytest.mark.requirement(11)
def test_every_kind_of_event_says_what_was_done_or_seen() -> None:
    kinds = {kind.value for kind in EventKind}
    assert {"claimed", "sending", "sent", "answered", "probed", "decided"} <= kinds
    assert "unknown" not in kinds


# Deciding


@pytest.mark.requirement(70)
def test_nothing_known_is_sent() -> None:
    assert state.decide(None, KEYED, asked(), NOW) == Send(0, None)


@pytest.mark.requirement(9, 23, 47, 48, 49, 59, 71)
@pytest.mark.parametrize("call", [CALL, OTHER], ids=["the same call", "another call"])
@pytest.mark.parametrize("terms", [UNKEYED, KEYED, PROBED, BOTH])
def test_what_is_completed_answers(terms: Terms, call: Call) -> None:
    done = settled(attempted(terms), GOOD)
    assert state.decide(done, terms, asked(call), NOW) == Repeat(done, True, True)
    told = state.tell_action(Repeat(done, True, True))
    assert (told.telling, told.answer) == (Telling.ALREADY_DONE, Answer(201, GOOD.headers, GOOD.body))


def test_what_is_completed_answers_another_body_too() -> None:
    done = settled(attempted(KEYED), GOOD)
    assert state.decide(done, KEYED, asked(OTHER, "other body"), NOW) == Repeat(done, False, True)


@pytest.mark.requirement(73)
@pytest.mark.parametrize("terms", [UNKEYED, KEYED, PROBED, BOTH])
def test_while_its_lease_lives_it_is_in_progress(terms: Terms) -> None:
    record = attempted(terms)
    for at in (NOW, NOW + MINUTE - timedelta(microseconds=1)):
        assert state.decide(record, terms, asked(), at) == Refuse(record)
    assert state.decide(record, terms, asked(), NOW + MINUTE) != Refuse(record)
    assert state.tell_action(Refuse(record)).telling is Telling.IN_PROGRESS


ATTEMPTED_CELLS: tuple[tuple[str, Terms, frozenset[Means], str, type[Any]], ...] = (
    ("no key, no probe", UNKEYED, frozenset(), "body", Ask),
    ("a key", KEYED, frozenset(), "body", Resend),
    ("a key, another body", KEYED, frozenset(), "other", Ask),
    ("a key, resent in vain", KEYED, frozenset({Means.RESEND}), "body", Ask),
    ("a probe", PROBED, frozenset(), "body", AskRecipient),
    ("a probe, another body", PROBED, frozenset(), "other", AskRecipient),
    ("a probe, asked in vain", PROBED, frozenset({Means.PROBE}), "body", Ask),
    ("both", BOTH, frozenset(), "body", Resend),
    ("both, another body", BOTH, frozenset(), "other", AskRecipient),
    ("both, resent in vain", BOTH, frozenset({Means.RESEND}), "body", AskRecipient),
    ("both, both in vain", BOTH, frozenset(Means), "body", Ask),
)


@pytest.mark.requirement(19, 20, 34, 72, "T2", "T3", "T9")
@pytest.mark.parametrize(
    ("terms", "tried", "body", "action"),
    [cell[1:] for cell in ATTEMPTED_CELLS],
    ids=[cell[0] for cell in ATTEMPTED_CELLS],
)
def test_what_is_attempted_after_its_lease(terms: Terms, tried: frozenset[Means], body: str, action: type[Any]) -> None:
    record = attempted(terms)
    assert state.decide(record, terms, asked(OTHER, body), NOW + MINUTE, tried) == action(record)


@pytest.mark.requirement(20, 28, 116)
def test_what_nobody_can_settle_is_told_as_not_observed() -> None:
    record = attempted()
    assert state.tell_action(Ask(record)).telling is Telling.NOT_OBSERVED


@pytest.mark.requirement("T5")
def test_a_resend_ends_while_the_key_is_remembered() -> None:
    record = attempted(KEYED)
    last = NOW + timedelta(minutes=30) - KEYED.after - MINUTE
    assert isinstance(state.decide(record, KEYED, asked(), last), Resend)
    assert isinstance(state.decide(record, KEYED, asked(), last + timedelta(microseconds=1)), Ask)
    again = state.resend(record, "w2", last + MINUTE, last + MINUTE, last)
    assert isinstance(state.decide(again, KEYED, asked(), last + MINUTE), Ask), (
        "the first send counts, not the last one"
    )
    for_ever = replace(KEYED, memory=None)
    assert isinstance(state.decide(record, for_ever, asked(), NOW + timedelta(days=3650)), Resend)


@pytest.mark.requirement("T5")
def test_no_resend_after_a_5xx_to_one_that_keeps_successes() -> None:
    successes = replace(KEYED, remembers="success")
    failed = settled(attempted(KEYED), Reply(503))
    assert isinstance(state.decide(failed, KEYED, asked(), NOW), Resend)
    assert isinstance(state.decide(failed, successes, asked(), NOW), Ask)
    broken = settled(attempted(KEYED), Silence("reset"))
    assert isinstance(state.decide(broken, successes, asked(), NOW), Resend)
    cut = settled(attempted(KEYED), Reply(500, complete=False))
    assert isinstance(state.decide(cut, successes, asked(), NOW), Ask)


def test_no_resend_to_another_place_than_the_key_was_sent_to() -> None:
    record = attempted(UNKEYED)
    assert isinstance(state.decide(record, KEYED, asked(), NOW + MINUTE), Ask), "it was sent without a key"
    moved = replace(KEYED, key_place="header Other")
    assert isinstance(state.decide(attempted(KEYED), moved, asked(), NOW + MINUTE), Ask)


@pytest.mark.requirement(69, "T10")
def test_a_completed_record_answers_until_it_expires() -> None:
    done = settled(attempted(keep=3600), GOOD)
    before, at = NOW + timedelta(seconds=3599), NOW + timedelta(seconds=3600)
    assert isinstance(state.decide(done, UNKEYED, asked(OTHER), before), Repeat)
    assert state.decide(done, UNKEYED, asked(OTHER), at) == Send(1, done)
    line = state.expire(done, at)
    assert (line.state, line.request, line.answer, line.generation) == (State.ABSENT, None, None, 0)
    assert state.decide(line, UNKEYED, asked(OTHER), at) == Send(1, line)
    assert state.decide(line, UNKEYED, asked(OTHER, "other"), at) == Send(1, line)


@pytest.mark.requirement(69)
def test_a_call_that_was_answered_stays_answered() -> None:
    done = settled(attempted(keep=60), GOOD)
    later = NOW + timedelta(days=30)
    for record in (done, state.expire(done, later)):
        assert state.decide(record, UNKEYED, asked(CALL), later) == Repeat(record, True, False)
    noted = state.repeat(done, asked(OTHER), "w", NOW)
    for record in (noted, state.expire(noted, later)):
        assert state.decide(record, UNKEYED, asked(OTHER), later) == Repeat(record, True, False)
    assert state.tell_action(Repeat(done, True, False)).answer is None


@pytest.mark.parametrize("how", ["probe", "person"])
def test_the_call_of_what_was_found_stays_answered_too(how: str) -> None:
    record, later = attempted(PROBED, keep=60), NOW + timedelta(hours=1)
    if how == "probe":
        found = ProbeAnswer(Finding.THERE, NOW, record.fence)
        done = state.settle_by_probe(record, found, PROBED, NOW)[0]
    else:
        done = state.settle_by_person(record, Decision.HAPPENED, "Ada", "", NOW + MINUTE)
    line = state.expire(done, later)
    assert isinstance(state.decide(line, PROBED, asked(CALL), later), Repeat)


def test_a_later_generation_under_way_does_not_touch_an_answered_call() -> None:
    line = state.expire(settled(attempted(keep=60), GOOD), NOW + timedelta(hours=1))
    again = state.claim(line, replace(_new(line), generation=1, call=OTHER), "w2", NOW + MINUTE, NOW + MINUTE, NOW)
    assert again.fence == line.fence + 1
    assert state.decide(again, UNKEYED, asked(CALL), NOW + 2 * MINUTE) == Repeat(again, True, False)


def test_a_call_scope_that_a_person_released_may_run_again() -> None:
    done = settled(attempted(scope=Scope.CALL), GOOD)
    released = state.release_by_person(done, "Ada", "wrong room", NOW)
    assert state.decide(released, UNKEYED, asked(CALL), NOW) == Send(1, released)
    identity = state.release_by_person(settled(attempted(), GOOD), "Ada", "cancelled", NOW)
    assert isinstance(state.decide(identity, UNKEYED, asked(CALL), NOW), Repeat)
    assert state.decide(identity, UNKEYED, asked(OTHER), NOW) == Send(1, identity)


@pytest.mark.requirement(74)
def test_after_a_refusal_the_same_body_keeps_its_generation_and_a_corrected_one_takes_the_next() -> None:
    line = settled(attempted(KEYED), Reply(422))
    assert line.state is State.ABSENT
    assert state.decide(line, KEYED, asked(), NOW) == Send(0, line)
    assert state.decide(line, KEYED, asked(CALL, "corrected"), NOW) == Send(1, line)


def test_of_several_addresses_the_one_that_is_under_way_counts() -> None:
    under_way, done = attempted(), settled(attempted(), GOOD)
    line = replace(settled(attempted(), Reply(400)), generation=7)
    over = state.expire(settled(attempted(keep=0), GOOD), NOW)
    assert state.choose([line, done, under_way], NOW) is under_way
    assert state.choose([line, done], NOW) is done
    assert state.choose([replace(over, generation=3), line], NOW) is line
    assert state.choose([], NOW) is None


# Classes

SPECIFIED: dict[Seen, tuple[int, ...]] = {
    Seen.ANSWERED: (200, 201, 202, 203, 204, 206, 207, 226, 299, 303),
    Seen.REFUSED: (400, 401, 402, 403, 404, 405, 409, 410, 412, 413, 415, 422, 423, 425, 428, 429, 431, 451, 498),
    Seen.UNOBSERVED: (
        0,
        99,
        100,
        101,
        103,
        199,
        300,
        301,
        302,
        304,
        307,
        308,
        399,
        408,
        499,
        *range(500, 600),
        600,
        999,
    ),
}


@pytest.mark.requirement(74, 76, 81)
@pytest.mark.parametrize(
    ("status", "seen"), [(status, seen) for seen, statuses in SPECIFIED.items() for status in statuses]
)
def test_the_class_of_each_status(status: int, seen: Seen) -> None:
    assert state.classify(Reply(status)).seen is seen
    assert state.classify(Reply(status)).server_error is (500 <= status < 600)


@given(st.integers(-5, 1200))
def test_every_status_has_a_class(status: int) -> None:
    assert state.status_class(status) in Seen


@pytest.mark.requirement(75, 77, 78, 79, 81, 104)
@pytest.mark.parametrize(
    ("outcome", "failed", "seen"),
    [
        (NeverSent("connection refused"), None, Seen.NOT_SENT),
        (GatewayRefusal("not allowed"), None, Seen.REFUSED),
        (Silence("connection reset"), None, Seen.UNOBSERVED),
        (Reply(201, (), b"{", complete=False), None, Seen.UNOBSERVED),
        (Reply(422, (), b"{", complete=False), None, Seen.UNOBSERVED),
        (Reply(201, (), b"<html>"), None, Seen.ANSWERED),
        (Reply(204), None, Seen.ANSWERED),
        (Reply(200, (), b'{"ok": false}'), "$[?@ == false]", Seen.REFUSED),
        (Reply(200, (), b'{"ok": true}'), "$[?@ == false]", Seen.ANSWERED),
        (Reply(200, (), b'{"errors": []}'), "$.errors[*]", Seen.ANSWERED),
        (Reply(202, (), b'{"errors": [1]}'), "$.errors[*]", Seen.REFUSED),
        (Reply(207, (), b'{"errors": [1]}'), "$.errors[*]", Seen.ANSWERED),
        (Reply(200, (), b"<html>"), "$.errors[*]", Seen.UNOBSERVED),
        (Reply(204), "$.errors[*]", Seen.UNOBSERVED),
        (Reply(200, (), b'{"a": 1, "a": 2}'), "$.errors[*]", Seen.UNOBSERVED),
        (Reply(400, (), b"<html>"), "$.errors[*]", Seen.REFUSED),
        (Reply(503, (), b'{"errors": [1]}'), "$.errors[*]", Seen.UNOBSERVED),
        (Reply(200, (), b'{"errors": [1]}', complete=False), "$.errors[*]", Seen.UNOBSERVED),
    ],
)  # fmt: skip
def test_the_class_of_each_outcome(outcome: Any, failed: str | None, seen: Seen) -> None:
    assert state.classify(outcome, failed).seen is seen


# Settling

FIRST_SEND = (
    (GOOD, State.COMPLETED, Telling.DONE), (Reply(202), State.COMPLETED, Telling.ACCEPTED),
    (Reply(207), State.COMPLETED, Telling.IN_PARTS), (Reply(303), State.COMPLETED, Telling.DONE),
    (Reply(422), State.ABSENT, Telling.REFUSED), (NeverSent("refused"), State.ABSENT, Telling.NOT_SENT),
    (GatewayRefusal("no"), State.ABSENT, Telling.GATEWAY_REFUSED),
    (Reply(503), State.ATTEMPTED, Telling.NOT_OBSERVED), (Reply(408), State.ATTEMPTED, Telling.NOT_OBSERVED),
    (Reply(302), State.ATTEMPTED, Telling.NOT_OBSERVED), (Silence("reset"), State.ATTEMPTED, Telling.NOT_OBSERVED),
    (Reply(201, complete=False), State.ATTEMPTED, Telling.NOT_OBSERVED),
)  # fmt: skip


@pytest.mark.requirement(12, 15, 18, 74, 75, 76, 77, 78)
@pytest.mark.parametrize(("outcome", "ends", "telling"), FIRST_SEND)
def test_what_a_first_send_comes_to(outcome: Any, ends: State, telling: Telling) -> None:
    record = attempted()
    after, told = state.settle(record, state.classify(outcome), NOW, fence=record.fence)
    assert (after.state, told.telling, told.record) == (ends, telling, after)
    assert after.by == (None if ends is State.ATTEMPTED else "answer")
    assert (after.answer is not None) is (ends is State.COMPLETED)
    assert not after.lease_alive(NOW), "whoever reports is no longer at work on it"
    assert after.version == record.version + 1
    assert after.events[:-1] == record.events


@pytest.mark.requirement(19, 108, "T3")
@pytest.mark.parametrize("outcome", [Reply(409), Reply(422), Reply(401), NeverSent("refused"), GatewayRefusal("no"),
                                     Reply(503), Silence("reset"), Reply(201, complete=False)])  # fmt: skip
def test_on_a_resend_only_an_answer_settles(outcome: Any) -> None:
    again = state.resend(settled(attempted(KEYED), Silence("reset")), "w2", NOW + MINUTE, NOW + MINUTE, NOW)
    assert settled(again, outcome).state is State.ATTEMPTED
    assert settled(again, GOOD).state is State.COMPLETED
    refused = state.classify(Reply(200, (), b'{"ok": false}'), "$.ok")
    assert state.settle(again, refused, NOW, fence=again.fence)[0].state is State.ATTEMPTED


@pytest.mark.requirement(145)
@pytest.mark.parametrize("outcome", [Reply(422), NeverSent("x"), GatewayRefusal("x"), Silence("x"), Reply(503)])
def test_a_stale_release_changes_nothing(outcome: Any) -> None:
    first = attempted(PROBED)
    taken = state.resend(first, "w2", NOW + 2 * MINUTE, NOW + 2 * MINUTE, NOW + MINUTE)
    after, told = state.settle(taken, state.classify(outcome), NOW, fence=first.fence)
    assert replace(after, events=(), version=0) == replace(taken, events=(), version=0)
    assert after.events[-1].detail.endswith("under an old fence")
    assert (told.telling, told.late) == (Telling.NOT_OBSERVED, True)


@pytest.mark.requirement(145)
def test_a_stale_answer_is_evidence() -> None:
    first = attempted(KEYED)
    taken = state.resend(first, "w2", NOW + 2 * MINUTE, NOW + 2 * MINUTE, NOW + MINUTE)
    after, told = state.settle(taken, state.classify(GOOD), NOW, fence=first.fence)
    assert (after.state, after.by, told.telling, told.late) == (State.COMPLETED, "answer", Telling.DONE, True)
    done = settled(taken, Reply(200))
    noted, told = state.settle(done, state.classify(GOOD), NOW, fence=first.fence)
    assert (noted.state, noted.answer) == (State.COMPLETED, Answer(200)), "the first settling stands"
    assert (noted.events[-1].kind, told.telling) == (EventKind.ANSWERED, Telling.DONE)


def test_an_answer_to_an_older_claim_does_not_complete_a_newer_one() -> None:
    first = attempted(PROBED)
    late = NOW + timedelta(hours=1)
    absent = state.settle_by_probe(first, ProbeAnswer(Finding.NOT_THERE, late, first.fence), PROBED, late)[0]
    second = state.claim(absent, _new(first), "w2", late + MINUTE, late + MINUTE, late)
    after, _ = state.settle(second, state.classify(GOOD), late, fence=first.fence)
    assert after.state is State.ATTEMPTED
    assert after.events[-1].kind is EventKind.ANSWERED


# Probes


@pytest.mark.requirement(31, 33, 34, "T4")
def test_absence_counts_only_after_the_wait() -> None:
    record = settled(attempted(PROBED), Silence("reset"))
    counts = NOW + MINUTE + PROBED.after
    for at, ends in (
        (NOW, State.ATTEMPTED),
        (counts - timedelta(microseconds=1), State.ATTEMPTED),
        (counts, State.ABSENT),
    ):
        after, told = state.settle_by_probe(record, ProbeAnswer(Finding.NOT_THERE, at, record.fence), PROBED, at)
        assert after.state is ends
        assert told.telling is (Telling.NOT_THERE if ends is State.ABSENT else Telling.NOT_OBSERVED)
    assert after.by == "probe"
    assert state.decide(after, PROBED, asked(), counts) == Send(0, after)


@pytest.mark.requirement(31, 32, 33)
def test_what_cannot_be_told_changes_nothing_a_hundred_times() -> None:
    record = attempted(PROBED)
    late = NOW + timedelta(hours=1)
    for _ in range(100):
        after, told = state.settle_by_probe(record, ProbeAnswer(Finding.CANNOT_TELL, late, record.fence), PROBED, late)
        assert replace(after, events=(), version=0) == replace(record, events=(), version=0)
        assert told.telling is Telling.NOT_OBSERVED
        record = after
    assert [kind.value for kind in Finding] == ["there", "not there", "cannot tell"]


def test_what_was_found_completes_at_once() -> None:
    record = settled(attempted(PROBED), Silence("reset"))
    found = Answer(200, (), b'{"id": 7}')
    after, told = state.settle_by_probe(record, ProbeAnswer(Finding.THERE, NOW, record.fence, "", found), PROBED, NOW)
    assert (after.state, after.by, told.telling) == (State.COMPLETED, "probe", Telling.FOUND)
    assert after.answer == replace(found, found=True)


@pytest.mark.parametrize("finding", list(Finding))
def test_a_probe_that_was_asked_before_the_last_send_says_nothing(finding: Finding) -> None:
    record = attempted(BOTH)
    again = state.resend(record, "w2", NOW + MINUTE, NOW + MINUTE, NOW)
    late = NOW + timedelta(hours=9)
    after, told = state.settle_by_probe(again, ProbeAnswer(finding, late, record.fence), BOTH, late)
    assert after.state is State.ATTEMPTED
    assert told.late


# Persons


@pytest.mark.requirement(15, 112, 113, 114, 117)
def test_a_person_settles_with_a_name_and_nobody_else_does() -> None:
    record = settled(attempted(), Silence("reset"))
    done = state.settle_by_person(record, Decision.HAPPENED, "Ada", "seen in the list", NOW)
    assert (done.state, done.by, done.answer) == (State.COMPLETED, "person:Ada", Answer(0, found=True))
    absent = state.settle_by_person(record, Decision.DID_NOT, "Ada", "not in the list", NOW)
    assert (absent.state, absent.by) == (State.ABSENT, "person:Ada")
    assert state.decide(absent, UNKEYED, asked(), NOW) == Send(0, absent)
    again = state.settle_by_person(record, Decision.SEND_AGAIN, "Ada", "", NOW)
    assert (again.state, again.by, again.request) == (State.ATTEMPTED, None, record.request)
    for decided in (done, absent, again):
        assert (decided.events[-1].kind, decided.events[-1].by) == (EventKind.DECIDED, "person:Ada")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "\x00"])
def test_a_decision_needs_a_name(name: str) -> None:
    record = settled(attempted(), Silence("reset"))
    with pytest.raises(NotSettleable, match="needs the name"):
        state.settle_by_person(record, Decision.HAPPENED, name, "", NOW)


def test_a_person_settles_only_what_waits_for_one() -> None:
    record = attempted()
    with pytest.raises(NotSettleable, match="in progress"):
        state.settle_by_person(record, Decision.DID_NOT, "Ada", "", NOW)
    done = settled(record, GOOD)
    with pytest.raises(NotSettleable, match="is completed"):
        state.settle_by_person(done, Decision.DID_NOT, "Ada", "", NOW)
    with pytest.raises(NotSettleable, match="is attempted"):
        state.release_by_person(record, "Ada", "", NOW)
    with pytest.raises(NotSettleable, match="not kept"):
        state.settle_by_person(
            replace(settled(record, Silence("x")), request=None), Decision.SEND_AGAIN, "Ada", "", NOW
        )


@pytest.mark.requirement(38)
def test_a_person_is_asked_when_every_means_has_failed() -> None:
    over = NOW + timedelta(minutes=2)
    assert not state.needs_person(attempted(), UNKEYED, NOW), "somebody is at work on it"
    assert state.needs_person(attempted(), UNKEYED, over)
    keyed = attempted(KEYED)
    assert not state.needs_person(keyed, KEYED, over)
    assert state.needs_person(keyed, KEYED, NOW + timedelta(hours=1)), "the key is forgotten"
    resent = settled(state.resend(keyed, "w", over, over, over), Reply(409), over)
    assert state.needs_person(resent, KEYED, over)
    probed = attempted(PROBED)
    assert not state.needs_person(probed, PROBED, over)
    asked_once = state.settle_by_probe(probed, ProbeAnswer(Finding.CANNOT_TELL, over, 1), PROBED, over)[0]
    assert state.needs_person(asked_once, PROBED, over)
    assert not state.needs_person(settled(attempted(), GOOD), UNKEYED, over)


# What never happens


@pytest.mark.requirement(13, "T1")
def test_attempted_does_not_resolve_itself_in_ten_years() -> None:
    record = attempted(BOTH)
    later = NOW + timedelta(days=3650)
    assert not state.expired(record, later)
    with pytest.raises(AssertionError):
        state.expire(record, later)
    for _ in range(1000):
        action = state.decide(record, UNKEYED, asked(), later)
        assert action == Ask(record)


moments = st.integers(0, 600).map(lambda seconds: NOW + timedelta(seconds=seconds))
outcomes = st.sampled_from([GOOD, Reply(202), Reply(422), Reply(409), Reply(503), Reply(408), Reply(302), Silence("x"),
                            NeverSent("x"), GatewayRefusal("x"), Reply(201, complete=False)])  # fmt: skip


@pytest.mark.requirement(13, 15)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["settle", "stale", "probe", "resend", "expire"]),
            outcomes,
            st.sampled_from(Finding),
            moments,
        ),
        max_size=12,
    )
)
def test_whatever_happens_attempted_ends_by_evidence_only(steps: list[tuple[str, Any, Finding, datetime]]) -> None:
    record = attempted(BOTH)
    for kind, outcome, finding, at in steps:
        before = record
        if kind == "settle":
            record, _ = state.settle(record, state.classify(outcome), at, fence=record.fence)
        elif kind == "stale":
            record, _ = state.settle(record, state.classify(outcome), at, fence=record.fence - 1)
        elif kind == "probe":
            record, _ = state.settle_by_probe(record, ProbeAnswer(finding, at, record.fence), BOTH, at)
        elif kind == "resend" and record.state is State.ATTEMPTED:
            record = state.resend(record, "w", at + MINUTE, at + MINUTE, at)
        elif kind == "expire" and state.expired(record, at):
            record = state.expire(record, at)
        assert record.events[: len(before.events)] == before.events, "events are only ever added"
        if before.state is State.ATTEMPTED and record.state is not State.ATTEMPTED:
            assert record.by == ("probe" if kind == "probe" else "answer")
        assert (record.by is None) is (record.state is State.ATTEMPTED)
        assert (record.answer is not None) is (record.state is State.COMPLETED)


def test_terms_are_what_a_declaration_says() -> None:
    mapping = {
        "method": "POST", "url": "http://h/x", "identity": ["a"],
        "key": {"in": "header", "name": "K", "for": "24h", "remembers": "success"},
        "probe": {"url": "http://h/x?a={a}", "items": "$[*]", "match": ["a"], "after": "2m"},
    }  # fmt: skip
    operation, _ = parse_operation(mapping)
    assert operation is not None
    assert Terms.of(operation) == Terms(
        key_place="header K", memory=timedelta(hours=24), remembers="success", probed=True, after=2 * MINUTE
    )
    proposed, _ = parse_operation({**mapping, "status": "proposed"})
    assert proposed is not None
    assert Terms.of(proposed) == Terms()
    plain, _ = parse_operation({"method": "POST", "url": "http://h/x", "key": "field k"})
    assert plain is not None
    assert Terms.of(plain).memory == timedelta(minutes=30)


def _new(record: Record) -> NewWrite:
    return NewWrite(
        workspace=record.workspace, address=record.address, operation=record.operation, declaration=record.declaration,
        scope=record.scope, secret=record.secret, call=record.call, generation=record.generation, key=record.key,
        key_place=record.key_place, reference="", fingerprint="body", request=Request("POST", "http://h/x", (), b"{}"),
        given="{}", keep=record.keep,
    )  # fmt: skip
