"""The rules, each broken once: every mutant must break an invariant, or the explorer does not see its rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from wizard.host import state
from wizard.host.explorer.model import Model
from wizard.host.explorer.walk import Broken, walk
from wizard.host.explorer.world import (
    EXPIRING,
    KEYED,
    PROBED,
    RULES,
    SUCCESS,
    UNKEYED,
    Declared,
    Rules,
)  # fmt: skip
from wizard.host.outcome import Outcome, Reply, Silence
from wizard.host.record import Record, State
from wizard.host.state import Asked, Classified, Finding, Means, ProbeAnswer, Repeat, Seen, Send, Terms, Told


@dataclass(frozen=True, slots=True)
class Mutant:
    """A core with one rule broken."""

    name: str
    rule: str
    """The rule that it breaks, in words."""
    rules: Rules
    declared: Declared
    patched: tuple[str, Any] | None = None
    """A function of `state` that stands in for another one, for rules deeper than those of `Rules`."""


def explore(mutant: Mutant) -> Broken | None:
    """The shortest way to a broken invariant; None where the mutant survives."""
    with _patched(mutant):
        return walk(Model(mutant.declared, mutant.rules, person=False)).broken


@contextmanager
def _patched(mutant: Mutant) -> Iterator[None]:
    if mutant.patched is None:
        yield
        return
    name, function = mutant.patched
    whole = getattr(state, name)
    setattr(state, name, function)
    try:
        yield
    finally:
        setattr(state, name, whole)


def _classifies(seen: Seen, *outcomes: object) -> Rules:
    """Rules under which these outcomes (statuses, or `cut`, or `silence`) are of another class."""

    def classify(outcome: Outcome, failed: str | None = None) -> Classified:
        judged = state.classify(outcome, failed)
        match outcome:
            case Reply(complete=False):
                what: object = "cut"
            case Reply(status):
                what = status
            case Silence():
                what = "silence"
            case _:
                what = None
        return replace(judged, seen=seen) if what in outcomes else judged

    return replace(RULES, classify=classify)


def _settles_without_fence(record: Record, seen: Classified, now: datetime, *, fence: int) -> tuple[Record, Told]:
    return state.settle(record, seen, now, fence=record.fence)


def _releases_a_resend(released: Seen) -> Rules:
    def settle(record: Record, seen: Classified, now: datetime, *, fence: int) -> tuple[Record, Told]:
        counts = seen.seen is released and not seen.gateway
        if counts and fence == record.fence and record.state is State.ATTEMPTED:
            return state.settle(replace(record, sends=1), seen, now, fence=fence)
        return state.settle(record, seen, now, fence=fence)

    return replace(RULES, settle=settle)


def _sends_when_the_lease_is_over(
    record: Record | None, terms: Terms, asked: Asked, now: datetime, tried: frozenset[Means] = frozenset()
) -> state.Action:
    if record is not None and record.state is State.ATTEMPTED and not record.lease_alive(now):
        return Send(record.generation, record)
    return state.decide(record, terms, asked, now, tried)


def _flags_the_run(
    record: Record | None, terms: Terms, asked: Asked, now: datetime, tried: frozenset[Means] = frozenset()
) -> state.Action:
    """A run that is started and not done goes on, and its step fires."""
    if record is not None and record.state is State.ATTEMPTED:
        return Send(record.generation, record)
    return state.decide(record, terms, asked, now, tried)


def _sends_a_repeat(
    record: Record | None, terms: Terms, asked: Asked, now: datetime, tried: frozenset[Means] = frozenset()
) -> state.Action:
    action = state.decide(record, terms, asked, now, tried)
    return Send(action.record.generation, action.record) if isinstance(action, Repeat) and action.kept else action


def _forgets_answered_calls(
    record: Record | None, terms: Terms, asked: Asked, now: datetime, tried: frozenset[Means] = frozenset()
) -> state.Action:
    return state.decide(record, terms, replace(asked, call="another call"), now, tried)


def _takes_a_probe_at_its_word(record: Record, probed: ProbeAnswer, terms: Terms, now: datetime) -> tuple[Record, Told]:
    there = probed.finding is Finding.CANNOT_TELL
    return state.settle_by_probe(record, replace(probed, finding=Finding.THERE) if there else probed, terms, now)


def _always(*_: object) -> bool:
    return True


def _remembers_for_ever(record: Record, terms: Terms, deadline: datetime) -> bool:
    return _may_resend(record, replace(terms, memory=None), deadline)


def _forgets_no_success(record: Record, terms: Terms, deadline: datetime) -> bool:
    return _may_resend(record, replace(terms, remembers="all"), deadline)


def _resends_without_a_key(record: Record, terms: Terms, deadline: datetime) -> bool:
    return record.first_send is not None


def _counts_from_the_deadline(record: Record, after: timedelta, asked_at: datetime) -> bool:
    return record.deadline is not None and asked_at >= record.deadline


_may_resend = state.may_resend

MUTANTS = (
    Mutant(
        "non-atomic claim", "nothing changes between what a claim has read and what it stores",
        replace(RULES, atomic_claim=False), UNKEYED,
    ),
    Mutant("5xx releases", "a 5xx leaves the write attempted", _classifies(Seen.REFUSED, 503), UNKEYED),
    Mutant(
        "broken connection releases", "a connection that broke leaves the write attempted",
        _classifies(Seen.NOT_SENT, "silence"), UNKEYED,
    ),
    Mutant(
        "cut body releases", "an answer cut off leaves the write attempted", _classifies(Seen.REFUSED, "cut"), UNKEYED,
    ),
    Mutant(
        "4xx on a resend releases", "on a resend only an answer settles", _releases_a_resend(Seen.REFUSED), KEYED,
    ),
    Mutant(
        "settle without fence", "who settles names the fence that they sent under",
        replace(RULES, settle=_settles_without_fence), PROBED,
    ),
    Mutant(
        "probe without waiting", "absence counts only `after` the last send's deadline", RULES, PROBED,
        ("absence_counts", _always),
    ),
    Mutant(
        "probe error is absence", "a probe that fails says nothing",
        replace(RULES, probe_error=Finding.NOT_THERE), PROBED,
    ),
    Mutant(
        "sending after the own deadline", "nothing leaves after the deadline that its claim names",
        replace(RULES, checks_deadline=False), PROBED,
    ),
    Mutant(
        "resend past the recipient's memory", "a resend ends while the recipient surely knows the key", RULES, KEYED,
        ("may_resend", _remembers_for_ever),
    ),
    Mutant(
        "no bound on requests in flight", "at its deadline a send is given up and its connection closed",
        replace(RULES, closes_at_deadline=False), PROBED,
    ),
    Mutant(
        "lease expiry sends again", "an attempt whose lease is over is not absent",
        replace(RULES, decide=_sends_when_the_lease_is_over), UNKEYED,
    ),
    Mutant(
        "run flag", "the key is the action's, not a flag of its run", replace(RULES, decide=_flags_the_run), UNKEYED,
    ),
    Mutant(
        "sending before claiming", "the claim is stored before the first byte leaves",
        replace(RULES, claims_first=False), UNKEYED,
    ),
    Mutant(
        "attempted expires", "an attempted record never resolves itself",
        replace(RULES, expires_attempted=True), UNKEYED,
    ),
    Mutant(
        "resend without a key", "only a key that the recipient dedupes on makes a resend safe", RULES, UNKEYED,
        ("may_resend", _resends_without_a_key),
    ),
    Mutant(
        "new key on a resend", "a resend carries the key of the first send", replace(RULES, keeps_key=False), KEYED,
    ),
    Mutant(
        "resend after a 5xx to one that keeps successes", "such a recipient may not know the key any more",
        RULES, SUCCESS, ("may_resend", _forgets_no_success),
    ),
    Mutant(
        "not sent on a resend releases", "a resend that never left says nothing of the first send",
        _releases_a_resend(Seen.NOT_SENT), KEYED,
    ),
    Mutant(
        "408 releases", "408 and 499 leave the write attempted", _classifies(Seen.REFUSED, 408), UNKEYED,
    ),
    Mutant(
        "waiting for the deadline only", "what left in time may be processed until `after` the deadline",
        RULES, PROBED, ("absence_counts", _counts_from_the_deadline),
    ),
    Mutant(
        "cannot tell is there", "a probe completes a record only with what it found",
        replace(RULES, settle_by_probe=_takes_a_probe_at_its_word), PROBED,
    ),
    Mutant("a repeat is sent", "a completed record answers", replace(RULES, decide=_sends_a_repeat), UNKEYED),
    Mutant(
        "a call forgets its answer", "a call that was answered once stays answered when its record expires",
        replace(RULES, decide=_forgets_answered_calls), EXPIRING,
    ),
)  # fmt: skip
"""One for each rule, the twelve of the design first."""
