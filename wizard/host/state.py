"""Every rule of the host, as functions of values: no clock, no randomness, no input, no output.

The rules in words.

1.  A write is claimed before its first byte leaves: the record is attempted from the claim on.
2.  Attempted ends in three ways only: by an answer to one of our sends, by a conclusive probe, by a named person.
    Not by time, not by a retry, not by a guess.
3.  A completed record answers every repeat: nothing is sent, whoever asks and whatever else the request says. When
    its time is over a line with its generation stays, and the next claim takes the next generation; a call that was
    answered once stays answered even then.
4.  While the lease of an attempt lives, it is in progress and everybody else is refused.
5.  After it: where the recipient takes a key, the stored request goes out again, byte for byte, if its body is what is
    asked for, the recipient surely still remembers the key, and it has not answered 5xx while remembering successes
    only. Else the probe asks. Else a person is asked.
6.  A refusal (4xx, `failed`, the gateway's, a send that never left) releases the claim on the first send only. On a
    resend it may speak of our own first write, so it changes nothing.
7.  A 5xx, a broken connection, a body cut off, an answer that cannot be read: the write may have happened.
8.  Who settles names the fence that they sent under. With an old fence a release changes nothing; an answer to any
    send of the same claim is evidence and completes an attempted record all the same.
9.  A probe that does not find the write counts as absence only if it was asked `after` past the last send's deadline,
    and no send was begun since. Everything that is neither there nor surely not there leaves the record as it is.
10. Nothing leaves after the deadline that its claim names, so `after` bounds what can still happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from wizard.host.exactjson import InexactError
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Request, Silence
from wizard.host.record import Answer, Call, Event, EventKind, Record, State
from wizard.operation.model import DEFAULT_AFTER, Operation, Scope

# What is asked, and what a declaration says about it


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What of a declaration the rules read."""

    key_place: str = ""
    """Where the recipient takes a key (`header Idempotency-Key`), empty where it takes none."""
    memory: timedelta | None = timedelta(minutes=30)
    """How long the recipient remembers a key; None for ever."""
    remembers: Literal["all", "success"] = "all"
    probed: bool = False
    after: timedelta = timedelta(minutes=5)
    """How long after a send's deadline it may still be processed."""

    @classmethod
    def of(cls, operation: Operation) -> Terms:
        """The terms of a declaration; a proposed one has neither key nor probe."""
        operation = operation.effective()
        key, probe = operation.key, operation.probe
        after = (probe.wait if probe else DEFAULT_AFTER).delta
        assert after is not None
        if key is None:
            return cls(probed=probe is not None, after=after)
        return cls(
            key_place=f"{key.place} {key.name}",
            memory=key.memory.delta,
            remembers=key.remembers,
            probed=probe is not None,
            after=after,
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a call asks of a record."""

    call: str
    """`Call.text`."""
    fingerprint: str
    """Of the request, filled in as for the record's own secret and generation."""
    send_for: timedelta
    """How long from now a send would have: its deadline is now plus this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWrite:
    """Everything of a record that is known before it is claimed."""

    workspace: str
    address: str
    operation: str
    declaration: str
    scope: Scope
    secret: str
    call: Call
    generation: int
    key: str
    key_place: str
    reference: str
    fingerprint: str
    request: Request
    given: str
    keep: int | None


# What to do next


class Means(StrEnum):
    """How an attempted record may be settled without a person."""

    RESEND = "resend"
    PROBE = "probe"


@dataclass(frozen=True, slots=True)
class Send:
    """Claim it at this generation, then send."""

    generation: int
    before: Record | None
    """The line (or expired record) that the claim takes the place of."""


@dataclass(frozen=True, slots=True)
class Resend:
    """Mark it sending, then send its stored request again."""

    record: Record


@dataclass(frozen=True, slots=True)
class Repeat:
    """Answer from the record; nothing is sent."""

    record: Record
    same_body: bool
    kept: bool
    """False where the answer itself is no longer kept and only the fact is."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Somebody is at work on it: refuse, say so."""

    record: Record


@dataclass(frozen=True, slots=True)
class Ask:
    """Sent, outcome not observed: refuse, assume neither way, and list it for a person."""

    record: Record


@dataclass(frozen=True, slots=True)
class AskRecipient:
    """Probe."""

    record: Record


Action = Send | Resend | Repeat | Refuse | AskRecipient | Ask


def choose(records: Sequence[Record], now: datetime) -> Record | None:
    """The record that counts where an identity has several addresses (one for each secret): what is attempted, then
    what is completed and not expired, then the highest generation. None of none."""

    def weight(record: Record) -> tuple[int, int]:
        rank = {State.ATTEMPTED: 2, State.COMPLETED: 0 if expired(record, now) else 1, State.ABSENT: 0}
        return rank[record.state], record.generation

    return max(records, key=weight, default=None)


def decide(
    record: Record | None, terms: Terms, asked: Asked, now: datetime, tried: frozenset[Means] = frozenset()
) -> Action:
    """What a call does that finds this record. `tried` is what was tried for this very call already."""
    if record is None:
        return Send(0, None)
    over = record.state is State.ABSENT or expired(record, now)
    same_body = record.fingerprint == asked.fingerprint
    if asked.call in record.answered_calls and (over or record.state is State.ATTEMPTED):
        return Repeat(record, True, False)
    if over:
        same_generation = record.state is State.ABSENT and same_body
        return Send(record.generation if same_generation else record.generation + 1, record)
    if record.state is State.COMPLETED:
        return Repeat(record, same_body, True)
    if record.lease_alive(now):
        return Refuse(record)
    if Means.RESEND not in tried and same_body and may_resend(record, terms, now + asked.send_for):
        return Resend(record)
    if Means.PROBE not in tried and terms.probed:
        return AskRecipient(record)
    return Ask(record)


def expired(record: Record, now: datetime) -> bool:
    """Whether a completed record no longer answers repeats."""
    return record.state is State.COMPLETED and record.expires_at is not None and now >= record.expires_at


def may_resend(record: Record, terms: Terms, deadline: datetime) -> bool:
    """Whether a resend that ends by `deadline` surely meets a recipient that still knows the key."""
    if not terms.key_place or record.key_place != terms.key_place or record.first_send is None:
        return False
    if record.saw_server_error and terms.remembers == "success":
        return False
    return terms.memory is None or deadline + terms.after <= record.first_send + terms.memory


# Beginning a send


def claim(
    before: Record | None, new: NewWrite, holder: str, deadline: datetime, lease_until: datetime, now: datetime
) -> Record:
    """The record as the claim stores it: attempted, its first send about to begin.

    `before` is the line at the same address, where there is one: its fence and its events go on.
    """
    event = Event(EventKind.CLAIMED, now, holder, f"generation {new.generation}", new.call.text)
    known = {member.name: getattr(new, member.name) for member in fields(new)}
    return Record(
        **known, state=State.ATTEMPTED, holder=holder, lease_until=lease_until,
        version=before.version + 1 if before else 1, fence=before.fence + 1 if before else 1,
        first_send=now, last_send=now, deadline=deadline, sends=1,
        events=(*(before.events if before else ()), event),
    )  # fmt: skip


def resend(record: Record, holder: str, deadline: datetime, lease_until: datetime, now: datetime) -> Record:
    """The record as it is marked before a send after the first: the lease is the new holder's, under the next fence."""
    event = Event(EventKind.SENDING, now, holder, f"send {record.sends + 1}")
    return _changed(
        record, event, fence=record.fence + 1, holder=holder, lease_until=lease_until, last_send=now,
        deadline=deadline, sends=record.sends + 1,
    )  # fmt: skip


# Judging what was seen of a send


class Seen(StrEnum):
    """The four classes of what was seen of a send."""

    ANSWERED = "answered"
    REFUSED = "refused"
    NOT_SENT = "not sent"
    UNOBSERVED = "unobserved"


@dataclass(frozen=True, slots=True)
class Classified:
    """What was seen of a send, judged."""

    seen: Seen
    answer: Answer | None = None
    """The recipient's answer, where one arrived whole."""
    gateway: bool = False
    """The gateway refused it, not the recipient."""
    server_error: bool = False
    detail: str = ""
    """In words: `status 503`, `connection reset`."""


STATUS_CLASSES: tuple[tuple[range, Seen, str], ...] = (
    (range(100), Seen.UNOBSERVED, "no status that HTTP knows"),
    (range(100, 200), Seen.UNOBSERVED, "interim: the final answer did not come"),
    (range(200, 300), Seen.ANSWERED, "202 is told as accepted and not done yet, 207 part by part"),
    (range(300, 400), Seen.UNOBSERVED, "redirects are never followed"),
    (range(400, 500), Seen.REFUSED, "the recipient did nothing, on a first send"),
    (range(500, 600), Seen.UNOBSERVED, "often follows a write that was committed"),
    (range(600, 1000), Seen.UNOBSERVED, "no status that HTTP knows"),
    # Single statuses; later rows win.
    (range(303, 304), Seen.ANSWERED, "see other: the write was done, its result stands elsewhere"),
    (range(408, 409), Seen.UNOBSERVED, "request timeout: some of it arrived"),
    (range(499, 500), Seen.UNOBSERVED, "a proxy's word for a client that went away"),
)
"""Statuses of answers that arrived whole, with the reason; the last row that holds a status decides."""


def status_class(status: int) -> Seen:
    """The class of a status whose answer arrived whole."""
    found = [seen for statuses, seen, _ in STATUS_CLASSES if status in statuses]
    return found[-1] if found else Seen.UNOBSERVED


def classify(outcome: Outcome, failed: str | None = None) -> Classified:
    """Judges the facts of one send. `failed` is the declaration's JSONPath of a 2xx that is a refusal."""
    match outcome:
        case NeverSent(why):
            return Classified(Seen.NOT_SENT, detail=why)
        case GatewayRefusal(why):
            return Classified(Seen.REFUSED, gateway=True, detail=why)
        case Silence(why):
            return Classified(Seen.UNOBSERVED, detail=why)
        case Reply():
            return _classify_reply(outcome, failed)


def _classify_reply(reply: Reply, failed: str | None) -> Classified:
    said = f"status {reply.status}"
    server_error = 500 <= reply.status < 600
    if not reply.complete:
        detail = f"{said}, {reply.why or 'its body was cut off'}"
        return Classified(Seen.UNOBSERVED, server_error=server_error, detail=detail)
    answer = Answer(reply.status, reply.headers, reply.body)
    seen = status_class(reply.status)
    if failed is not None and 200 <= reply.status < 300 and reply.status != 207:
        try:
            refused = _selects(failed, reply.body)
        except InexactError as error:
            return Classified(Seen.UNOBSERVED, detail=f"{said}, its body cannot be read: {error}")
        if refused:
            return Classified(Seen.REFUSED, answer, detail=f"{said}, and the answer says that it failed")
    return Classified(seen, answer, server_error=server_error, detail=said)


def _selects(path: str, body: bytes) -> bool:
    from wizard.host.jsonpaths import select

    return bool(select(path, body))


# What the caller is told


class Telling(StrEnum):
    """What a caller is told of its write. The words stand in `texts`."""

    DONE = "done"
    ACCEPTED = "accepted"
    """202: accepted, not done yet."""
    IN_PARTS = "in parts"
    """207: each part has its own outcome."""
    ALREADY_DONE = "already done"
    FOUND = "found"
    """Its own answer was not seen; a probe found it at the recipient."""
    REFUSED = "refused"
    """The recipient refused it and did nothing."""
    GATEWAY_REFUSED = "gateway refused"
    NOT_SENT = "not sent"
    NOT_THERE = "not there"
    """A probe proved that it did not happen."""
    IN_PROGRESS = "in progress"
    NOT_OBSERVED = "not observed"
    """Sent, outcome not observed: assume neither way."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the caller is told, and out of what."""

    telling: Telling
    record: Record
    answer: Answer | None = None
    differing: tuple[str, ...] = ()
    """The fields in which the request that is answered differs from the one that was sent."""
    detail: str = ""
    late: bool = False
    """Seen under an old fence: others may have been told something else meanwhile."""


def _telling(answer: Answer) -> Telling:
    if answer.found:
        return Telling.FOUND
    return {202: Telling.ACCEPTED, 207: Telling.IN_PARTS}.get(answer.status, Telling.DONE)


def tell_action(action: Repeat | Refuse | Ask) -> Told:
    """What is told where nothing is sent. The caller adds the differing fields of a `Repeat` (`keys.differing`)."""
    match action:
        case Repeat(record, _, kept):
            return Told(Telling.ALREADY_DONE, record, record.answer if kept else None)
        case Refuse(record):
            return Told(Telling.IN_PROGRESS, record)
        case Ask(record):
            return Told(Telling.NOT_OBSERVED, record)


def repeat(record: Record, asked: Asked, by: str, now: datetime) -> Record:
    """The record with the note that this call was answered from it."""
    return _changed(record, Event(EventKind.REPEATED, now, by, call=asked.call))


# Settling


def settle(record: Record, classified: Classified, now: datetime, *, fence: int) -> tuple[Record, Told]:
    """What becomes of a record when its sender reports. `record` is the one that is stored now, `fence` the one that
    the sender sent under."""
    late = fence != record.fence
    of_this_claim = record.fence - record.sends < fence <= record.fence
    answer = classified.answer
    if record.state is State.ATTEMPTED and classified.seen is Seen.ANSWERED and of_this_claim:
        assert answer is not None
        event = Event(EventKind.ANSWERED, now, record.holder, _said(classified, late), record.call.text)
        done = _completed(record, event, answer, "answer", now)
        return done, Told(_telling(answer), done, answer, detail=classified.detail, late=late)
    if late or record.state is not State.ATTEMPTED:
        kind = {Seen.ANSWERED: EventKind.ANSWERED, Seen.REFUSED: EventKind.REFUSED, Seen.NOT_SENT: EventKind.NOT_SENT}
        # A late answer names no call: what this record's calls are told follows from the record alone.
        noted = _changed(record, Event(kind.get(classified.seen, EventKind.SENT), now, "", _said(classified, late)))
        told = _telling(answer) if classified.seen is Seen.ANSWERED and answer else _standing(record)
        return noted, Told(told, noted, answer or record.answer, detail=classified.detail, late=True)
    if classified.seen in (Seen.REFUSED, Seen.NOT_SENT) and releases(record):
        not_sent = classified.seen is Seen.NOT_SENT
        event = Event(
            EventKind.NOT_SENT if not_sent else EventKind.REFUSED, now, record.holder, classified.detail,
            record.call.text,
        )  # fmt: skip
        released = _absent(record, event, "answer", now)
        telling = Telling.NOT_SENT if not_sent else Telling.REFUSED
        return released, Told(
            Telling.GATEWAY_REFUSED if classified.gateway else telling, released, answer, detail=classified.detail
        )
    event = Event(EventKind.SENT, now, record.holder, classified.detail, record.call.text)
    kept = _changed(
        record, event, holder="", lease_until=None,
        saw_server_error=record.saw_server_error or classified.server_error,
    )  # fmt: skip
    return kept, Told(Telling.NOT_OBSERVED, kept, detail=classified.detail)


def releases(record: Record) -> bool:
    """Whether a refusal of the last send releases the claim: it was the first send of this claim."""
    return record.sends == 1


class Finding(StrEnum):
    """The three answers of a probe: three, never two."""

    THERE = "there"
    NOT_THERE = "not there"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """What a probe says of a write."""

    finding: Finding
    asked_at: datetime
    """When the first of its requests left."""
    fence: int
    """The record's when the probe was begun."""
    why: str = ""
    """In words, for the record and for a person."""
    found: Answer | None = None
    """What was found, for THERE."""


def absence_counts(record: Record, after: timedelta, asked_at: datetime) -> bool:
    """Whether a probe asked then cannot miss a send of ours that is still under way."""
    return record.deadline is not None and asked_at >= record.deadline + after


def settle_by_probe(record: Record, probed: ProbeAnswer, terms: Terms, now: datetime) -> tuple[Record, Told]:
    """What becomes of a record when a probe has answered. A probe that was begun before the last send says nothing."""
    finding, why = probed.finding, probed.why
    if record.state is not State.ATTEMPTED or probed.fence != record.fence:
        event = Event(EventKind.PROBED, now, "", f"{finding}, asked before something newer: {why}".rstrip(": "))
        noted = _changed(record, event)
        return noted, Told(_standing(record), noted, record.answer, detail=why, late=True)
    if finding is Finding.NOT_THERE and not absence_counts(record, terms.after, probed.asked_at):
        finding, why = Finding.CANNOT_TELL, f"not there, but asked too early to count: {why}".rstrip(": ")
    event = Event(EventKind.PROBED, now, "", f"{finding}: {why}".rstrip(": "))
    match finding:
        case Finding.THERE:
            answer = replace(probed.found or Answer(200), found=True)
            done = _completed(record, event, answer, "probe", now)
            return done, Told(Telling.FOUND, done, answer, detail=why)
        case Finding.NOT_THERE:
            absent = _absent(record, event, "probe", now)
            return absent, Told(Telling.NOT_THERE, absent, detail=why)
        case Finding.CANNOT_TELL:
            kept = _changed(record, event)
            return kept, Told(Telling.NOT_OBSERVED, kept, detail=why)


class Decision(StrEnum):
    """What a person says of an attempted write. There is no default."""

    HAPPENED = "happened"
    DID_NOT = "did not happen"
    SEND_AGAIN = "send again"


class NotSettleable(ValueError):
    """A person's decision that this record does not admit; the text says why."""


def settle_by_person(
    record: Record, decision: Decision, by: str, reason: str, now: datetime, answer: Answer | None = None
) -> Record:
    """What becomes of an attempted record when a named person decides.

    `SEND_AGAIN` leaves it attempted: the caller marks it with `resend` and sends its stored request; only an answer
    settles it then. `answer` is what the person saw of it, if they give any. Raises NotSettleable.
    """
    person = _person(by)
    if record.state is not State.ATTEMPTED:
        raise NotSettleable(f"the write {record.id} is {record.state}; only an attempted one waits for a person")
    if record.lease_alive(now):
        raise NotSettleable(f"the write {record.id} is in progress until {record.lease_until}; look again then")
    event = Event(EventKind.DECIDED, now, person, f"{decision}: {reason}".rstrip(": "))
    match decision:
        case Decision.HAPPENED:
            return _completed(record, event, answer or Answer(0, found=True), person, now)
        case Decision.DID_NOT:
            return _absent(record, event, person, now)
        case Decision.SEND_AGAIN:
            if record.request is None:
                raise NotSettleable(f"the request of the write {record.id} is not kept, so it cannot be sent again")
            return _changed(record, event)


def release_by_person(record: Record, by: str, reason: str, now: datetime) -> Record:
    """A completed record released: the next call makes the write anew, under the next generation. Raises
    NotSettleable."""
    person = _person(by)
    if record.state is not State.COMPLETED:
        raise NotSettleable(f"the write {record.id} is {record.state}; only a completed one can be released")
    event = Event(EventKind.RELEASED, now, person, reason)
    return _line(record, event, person, now)


def expire(record: Record, now: datetime) -> Record:
    """The line that stays of a completed record whose time is over."""
    assert expired(record, now), "only a completed record whose time is over expires"
    return _line(record, Event(EventKind.EXPIRED, now), record.by or "answer", now)


def needs_person(record: Record, terms: Terms, now: datetime) -> bool:
    """Whether an attempted record waits for a person: nobody is at work on it, and each means that its declaration
    gives is out of reach or was tried since the last send and failed."""
    if record.state is not State.ATTEMPTED or record.lease_alive(now):
        return False
    could_resend = may_resend(record, terms, now)
    if could_resend and record.sends == 1:
        return False
    if not terms.probed:
        return True
    since_send = [event for event in record.events if record.last_send is None or event.at >= record.last_send]
    return any(event.kind is EventKind.PROBED for event in since_send)


def _standing(record: Record) -> Telling:
    """What a record says to one who brings nothing new."""
    match record.state:
        case State.COMPLETED:
            return Telling.ALREADY_DONE
        case State.ATTEMPTED:
            return Telling.NOT_OBSERVED
        case State.ABSENT:
            return Telling.NOT_OBSERVED


def _said(classified: Classified, late: bool) -> str:
    return f"{classified.detail}, under an old fence" if late else classified.detail


def _person(by: str) -> str:
    name = by.strip()
    if not name or any(not character.isprintable() for character in name):
        raise NotSettleable("a decision needs the name of the person who makes it")
    return f"person:{name}"


def _changed(record: Record, event: Event, **values: object) -> Record:
    changes: dict[str, object] = {"version": record.version + 1, "events": (*record.events, event), **values}
    return replace(record, **changes)  # type: ignore[arg-type]


def _completed(record: Record, event: Event, answer: Answer, by: str, now: datetime) -> Record:
    """A record that is done. Its call has its answer in it, whoever asks next."""
    event = replace(event, call=record.call.text)
    expires = None if record.keep is None else now + timedelta(seconds=record.keep)
    return _changed(
        record, event, state=State.COMPLETED, answer=answer, by=by, settled_at=now, expires_at=expires, holder="",
        lease_until=None,
    )  # fmt: skip


def _absent(record: Record, event: Event, by: str, now: datetime) -> Record:
    """A line after a write that did not happen: the same body goes out under the same generation."""
    return _changed(
        record, event, state=State.ABSENT, request=None, answer=None, by=by, settled_at=now, expires_at=None,
        holder="", lease_until=None,
    )  # fmt: skip


def _line(record: Record, event: Event, by: str, now: datetime) -> Record:
    """A line after a write that happened: without its fingerprint every body takes the next generation."""
    return replace(_absent(record, event, by, now), fingerprint="", key="")
