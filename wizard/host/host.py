"""The library's face. A `Host` takes an operation, what the model filled in, and where the call stands; it says what
happened. The caller has no way to pass a key, a state or a fence.

    host = Host(store=store, transport=HttpTransport(clock=now), clock=now, secrets=Secrets(Secret("2026", secret)))
    with host.turn("acme", session="s1", turn="t1") as turn:
        for result in turn.dispatch([Asking("book_room", operation, Arguments(body={...}))]):
            print(result.text)

Everything that is not a value comes in: the store, the transport, the clock, the name of this worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from uuid import uuid4

from wizard.errors import WizardError
from wizard.host import approvals, calls
from wizard.host.calls import Asking, Plain, Result
from wizard.host.dispatch import Write
from wizard.host.filling import RequestError
from wizard.host.http import Transport
from wizard.host.keys import Secrets
from wizard.host.outcome import Reply
from wizard.host.prepare import Prepared, prepare
from wizard.host.record import Answer, Call, Lease
from wizard.host.store import Document, Store

_TAKINGS = count()


class LeaseHeldError(WizardError):
    """Another worker holds the lease of this turn or run."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long things may take."""

    send_for: timedelta = timedelta(seconds=30)
    """From a claim to the deadline of its send."""
    settle_for: timedelta = timedelta(seconds=10)
    """From that deadline on, the time to write down what was seen; after it the attempt counts as left behind."""
    lease_for: timedelta = timedelta(minutes=2)
    """How long a turn's lease holds when nobody renews it."""


def _no_gate(asking: Asking, at: Call) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """Sends writes so that each happens once, as far as its declaration allows, and says what happened.

    As thread-safe as its store and transport are.
    """

    store: Store
    transport: Transport
    clock: Callable[[], datetime]
    """The time, aware."""
    secrets: Secrets | Callable[[str], Secrets]
    """One set for all workspaces, or a function that gives a workspace's."""
    gate: Callable[[Asking, Call], bool] = _no_gate
    """Whether a call needs an approval before it is sent; it is then held (`approvals`)."""
    pace: Pace = Pace()
    worker: str = field(default_factory=lambda: uuid4().hex)
    """Names this worker in records and leases."""
    declared: set[tuple[str, str]] = field(default_factory=set, init=False, repr=False, compare=False)
    """Workspaces with what the store is known to hold: digests of declarations, proofs of secrets."""

    @contextmanager
    def turn(self, workspace: str, *, session: str, turn: str) -> Iterator[Turn]:
        """A turn, under its lease. Raises LeaseHeldError where another worker is at work on it."""
        lease = self.lease(workspace, f"turn:{len(session)}:{session}:{turn}")
        try:
            yield Turn(self, lease, session, turn)
        finally:
            self.store.release(lease)

    def lease(self, workspace: str, name: str) -> Lease:
        """The lease of that name, held for `pace.lease_for`. Raises LeaseHeldError."""
        now = self.clock()
        # Each taking has a holder of its own: two threads of one worker are two.
        holder = f"{self.worker}/{next(_TAKINGS)}"
        lease = self.store.acquire(workspace, name, holder, now + self.pace.lease_for, now)
        if lease is None:
            raise LeaseHeldError(
                f"another worker has `{name}`", remedy="It is free when that one ends or its lease is over."
            )
        return lease

    def call(self, asking: Asking, *, at: Call, lease: Lease) -> Result:
        """Makes one call under the lease of its turn. Never raises for what the recipient, the network or the model
        does; raises StoreError where the store cannot be reached before anything was sent."""
        prepared = self.prepared(asking, at)
        if isinstance(prepared, Result):
            return prepared
        if self.gate(asking, at):
            write = Write(self, prepared, lease) if prepared.operation.is_write else None
            return (write and write.look()) or approvals.hold(self.store, asking, prepared, self.clock())
        return self.send(prepared, lease)

    def send(self, prepared: Prepared, lease: Lease, also: Sequence[Document] = ()) -> Result:
        """Makes a call that needs no approval, or has it. `also` are documents that are stored in the claim's own
        transaction (money reserved for it)."""
        if not prepared.operation.is_write:
            return self._unrecorded(prepared)
        return Write(self, prepared, lease).run(also)

    def look(self, prepared: Prepared, lease: Lease) -> Result | None:
        """What a write comes to where nothing has to be sent for it: it was done already, it is under way, or its
        outcome was not observed and only a person can settle it. None: it would be sent, or asked after."""
        return Write(self, prepared, lease).look() if prepared.operation.is_write else None

    def prepared(self, asking: Asking, at: Call) -> Prepared | Result:
        """A call made ready, or what is wrong with it."""
        try:
            return prepare(asking.name, asking.operation, at, asking.arguments, self.secrets_of(at.workspace))
        except RequestError as error:
            return calls.plain(Plain.INVALID, detail=str(error).rstrip("."))

    def secrets_of(self, workspace: str) -> Secrets:
        return self.secrets if isinstance(self.secrets, Secrets) else self.secrets(workspace)

    def _unrecorded(self, prepared: Prepared) -> Result:
        outcome = self.transport.send(prepared.plain_request(), self.clock() + self.pace.send_for)
        if isinstance(outcome, Reply) and outcome.complete:
            answer = Answer(outcome.status, outcome.headers, outcome.body)
            return calls.plain(Plain.ANSWERED, answer=answer, status=str(outcome.status))
        return calls.plain(Plain.UNANSWERED, detail=outcome.why)


@dataclass(slots=True)
class Turn:
    """A turn of a session, under its lease. Counts its calls: an ordinal is a call's place among all calls of its
    turn, in the model's order, so a turn that is replayed gives each call the ordinal that it had."""

    host: Host
    lease: Lease
    session: str
    name: str
    calls: int = 0

    def dispatch(self, round: Sequence[Asking], *, finished: bool = True) -> tuple[Result, ...]:
        """Makes the calls of one round, in their order. A round that was cut off before it was finished is answered
        "not run", whole: its last call may be half of one."""
        first = self.calls
        self.calls += len(round)
        if not finished:
            return tuple(calls.plain(Plain.NOT_RUN) for _ in round)
        return tuple(
            self.host.call(asking, at=self.at(first + index), lease=self.held()) for index, asking in enumerate(round)
        )

    def held(self) -> Lease:
        """The turn's lease, held on where half of its time is over."""
        now, lease_for = self.host.clock(), self.host.pace.lease_for
        if now >= self.lease.until - lease_for / 2:
            # Where another worker has it by now, the call itself is refused.
            self.lease = self.host.store.renew(self.lease, now + lease_for, now) or self.lease
        return self.lease

    def at(self, ordinal: int) -> Call:
        """Where the call of that ordinal stands."""
        return Call(self.lease.workspace, self.session, self.name, ordinal)
