"""The only place where rules, store and transport meet.

It decides nothing itself: `state.decide` says what to do, `state.classify` what was seen, `state.settle` what becomes
of the record. Here it is done, in that order: claim, commit, send, settle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from wizard.host import calls, declarations, moving, probe, secretguard, state, texts
from wizard.host.calls import Plain, Result
from wizard.host.filling import RequestError
from wizard.host.outcome import Reply, Request
from wizard.host.prepare import Prepared
from wizard.host.record import Lease, Record, State
from wizard.host.state import Ask, Asked, AskRecipient, Means, Refuse, Repeat, Resend, Send, Telling, Terms, Told
from wizard.host.store import (
    Claim,
    Claimed,
    Document,
    DocumentConflict,
    Found,
    LeaseLost,
    OtherDeclaration,
    StoreError,
)  # fmt: skip
from wizard.operation.model import Operation

if TYPE_CHECKING:
    from wizard.host.host import Host

MOST_ROUNDS = 20
"""How often a call decides anew because the record changed under it."""

NOT_KEPT = frozenset({
    "connection", "keep-alive", "transfer-encoding", "trailer", "upgrade", "content-encoding", "content-length",
    "set-cookie", "www-authenticate", "authentication-info", "proxy-authenticate", "proxy-authentication-info",
})  # fmt: skip
"""Headers of an answer that are not kept: of the connection, of the body's coding (it is undone), and secrets."""


@dataclass(slots=True)
class Write:
    """One recorded write on its way."""

    host: Host
    prepared: Prepared
    lease: Lease
    tried: frozenset[Means] = frozenset()
    last: Result | None = None
    """What was learnt in this very call, where it did not settle the record."""

    @property
    def operation(self) -> Operation:
        return self.prepared.operation

    @property
    def terms(self) -> Terms:
        return Terms.of(self.operation)

    def run(self, also: Sequence[Document] = ()) -> Result:
        """Does what the rules say until the call has its result."""
        for _ in range(MOST_ROUNDS):
            if self.host.clock() >= self.lease.until:
                return self.stopped(Plain.NO_LEASE)
            decided_at = self.host.clock()
            records, asked, action = self.decide(decided_at)
            match action:
                case Ask() if self.last is not None:
                    done: Result | None = self.last
                case Repeat() | Refuse() | Ask():
                    done = self.tell(action, asked)
                case Send():
                    done = self.first(action, records, also)
                case Resend(record):
                    done = self.again(record, decided_at)
                case AskRecipient(record):
                    done = self.ask_recipient(record)
            if done is not None:
                return done
        return self.stopped(Plain.CONFLICT)

    def stopped(self, why: Plain, **values: str) -> Result:
        """The result where this call cannot go on. Where it sent or asked already, what it learnt is told: `why` says
        that nothing was sent."""
        return self.last or calls.plain(why, answer=None, **values)

    def look(self) -> Result | None:
        """The result, if nothing has to be sent or asked for it."""
        for _ in range(MOST_ROUNDS):
            _, asked, action = self.decide(self.host.clock())
            if isinstance(action, Send | Resend | AskRecipient):
                return None
            if (done := self.tell(action, asked)) is not None:
                return done
        return calls.plain(Plain.CONFLICT)

    def decide(self, now: datetime) -> tuple[tuple[Record, ...], Asked, state.Action]:
        records = self.host.store.read(self.prepared.call.workspace, self.prepared.addresses)
        record = state.choose(records, now)
        asked = self.prepared.asked(record, self.host.pace.send_for)
        return records, asked, state.decide(record, self.terms, asked, now, self.tried)

    def tell(self, action: Repeat | Refuse | Ask, asked: Asked) -> Result | None:
        """The result where nothing is sent; None where the record changed meanwhile."""
        told = state.tell_action(action)
        if isinstance(action, Repeat):
            if not action.same_body:
                told = replace(told, differing=self.prepared.differing(action.record))
            if asked.call not in action.record.answered_calls:
                noted = state.repeat(action.record, asked, self.host.worker, self.host.clock())
                if self.host.store.settle(action.record, noted) is None:
                    return None
        return self.result(told, replayed=isinstance(action, Repeat))

    def first(self, action: Send, records: Sequence[Record], also: Sequence[Document]) -> Result | None:
        """Claims, then sends; None where somebody else was faster."""
        host, now = self.host, self.host.clock()
        secretguard.check(host.store, self.prepared.call.workspace, self.prepared.secrets, host.declared)
        declarations.remember(host.store, self.prepared, host.declared)
        try:
            new = self.prepared.new_write(action.generation)
        except RequestError as error:
            # What the host fills in has no place in the body that was given.
            return self.stopped(Plain.INVALID, detail=str(error).rstrip("."))
        before = next((record for record in records if record.address == new.address), None)
        deadline, lease_until = _times(host, now)
        claimed = host.store.claim(
            Claim(
                after=state.claim(before, new, host.worker, deadline, lease_until, now),
                before=before,
                addresses=self.prepared.addresses,
                seen=tuple((record.address, record.version) for record in records),
                under=self.lease,
                now=now,
                also=tuple(also),
            )
        )
        match claimed:
            case Claimed(record):
                told, warnings = send(host, record, self.operation.failed)
                return self.result(told, warnings=warnings)
            case Found():
                return None
            case LeaseLost():
                return self.stopped(Plain.NO_LEASE)
            case OtherDeclaration():
                return self.move()
            case DocumentConflict():
                return self.stopped(Plain.CONFLICT)

    def move(self) -> Result | None:
        """Brings the operation under the declaration that this call comes with; None where that is done."""
        prepared, host = self.prepared, self.host
        workspace, name = prepared.call.workspace, prepared.name
        secrets = host.secrets_of(workspace)
        match moving.move(host.store, workspace, name, prepared.operation, secrets, host.clock()):
            case moving.Moved():
                return None
            case moving.Replaced():
                return self.stopped(Plain.OLD_DECLARATION, operation=name)
            case moving.HeldBack(stuck):
                records = texts.listed([record.id for record, _ in stuck])
                return self.stopped(Plain.HELD_BACK, operation=name, records=records)

    def again(self, record: Record, decided_at: datetime) -> Result | None:
        """Sends the stored request again; None where that settled nothing."""
        sent = send_again(self.host, record, self.operation.failed, self.lease, decided_at)
        if sent is None:
            return None
        told, warnings = sent
        self.tried |= {Means.RESEND}
        self.last = self.result(told, [texts.note("resent")], warnings=warnings)
        return None if told.telling is Telling.NOT_OBSERVED else self.last

    def ask_recipient(self, record: Record) -> Result | None:
        """Probes; None where that did not find the write, so that the rules say what is next."""
        told = ask_recipient(self.host, record, self.operation)
        if told is None:
            return None
        if told.record.state is State.ATTEMPTED:
            self.tried |= {Means.PROBE}
        self.last = self.result(told)
        return self.last if told.record.state is State.COMPLETED else None

    def result(
        self, told: Told, notes: Sequence[str] = (), *, warnings: Sequence[str] = (), replayed: bool = False
    ) -> Result:
        replaced = [texts.note("key_replaced", place=f"`{place}`") for place in self.prepared.replaced]
        return calls.of_told(told, (*replaced, *notes), warnings, replayed=replayed)


def send(host: Host, record: Record, failed: str | None) -> tuple[Told, tuple[str, ...]]:
    """Sends the request of a record that was just claimed or marked, and writes down what was seen. Gives what is told
    and the warnings."""
    assert record.request is not None
    assert record.deadline is not None
    outcome = host.transport.send(record.request, record.deadline)
    if isinstance(outcome, Reply):
        kept = tuple(pair for pair in outcome.headers if pair[0].lower() not in NOT_KEPT)
        outcome = replace(outcome, headers=kept)
    return _settle(host, record, state.classify(outcome, failed))


def send_again(
    host: Host, record: Record, failed: str | None, lease: Lease, decided_at: datetime | None = None
) -> tuple[Told, tuple[str, ...]] | None:
    """Marks a record sending and sends its stored request; None where it changed meanwhile or the lease is over.

    The deadline counts from `decided_at`, when the rules allowed it: whoever is halted in between sends nothing that
    the recipient could take after it has forgotten the key.
    """
    now = host.clock()
    deadline, lease_until = _times(host, decided_at or now)
    after = state.resend(record, host.worker, deadline, lease_until, now)
    marked = host.store.mark_sending(record, after, lease, now)
    return None if marked is None else send(host, marked, failed)


def ask_recipient(host: Host, record: Record, operation: Operation) -> Told | None:
    """Probes for an attempted record and writes down what was found; None where the record changed meanwhile."""
    asked_at, pages, gap = host.clock(), list[probe.Page](), ""
    try:
        request: Request | None = probe.first_request(operation, record)
        while request is not None:
            outcome = host.transport.send(request, host.clock() + host.pace.send_for)
            pages.append(probe.Page(request.url, outcome))
            request = probe.next_request(operation, pages)
    except probe.CannotAsk as error:
        gap = str(error)
    answered = probe.judge(operation, record, pages, asked_at, gap)
    after, told = state.settle_by_probe(record, answered, Terms.of(operation), host.clock())
    return told if host.store.settle(record, after) is not None else None


def _settle(host: Host, record: Record, seen: state.Classified) -> tuple[Told, tuple[str, ...]]:
    fence, current = record.fence, record
    for _ in range(MOST_ROUNDS):
        after, told = state.settle(current, seen, host.clock(), fence=fence)
        try:
            if host.store.settle(current, after) is not None:
                return told, ()
            found = host.store.read(record.workspace, [record.address])
        except StoreError as error:
            return told, _not_recorded(told, error.message)
        if not found:
            found = _moved(host, record)
        if not found:
            break
        current = found[0]
    # It is gone, or it changed faster than we read: the sender still learns what the recipient said.
    return told, _not_recorded(told, "the record was changed meanwhile")


def _moved(host: Host, record: Record) -> tuple[Record, ...]:
    """The record of this send at another address: its operation came under another declaration meanwhile."""
    live = host.store.live(record.workspace, record.operation, host.clock())
    return tuple(
        one for one in live
        if (one.call, one.first_send, one.given) == (record.call, record.first_send, record.given)
        and one.request == record.request
    )[:1]  # fmt: skip


def _not_recorded(told: Told, why: str) -> tuple[str, ...]:
    return (
        () if told.telling is Telling.NOT_OBSERVED else (texts.note("not_recorded", detail=why, record=told.record.id),)
    )


def _times(host: Host, now: datetime) -> tuple[datetime, datetime]:
    """When a send that begins now must be over, and until when its attempt counts as in somebody's hands."""
    deadline = now + host.pace.send_for
    return deadline, deadline + host.pace.settle_for
