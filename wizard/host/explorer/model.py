"""The world in which the rules are explored: two workers, one write, a network, a recipient, a clock that ticks.

The workers run the real `decide`, `claim`, `resend`, `classify`, `settle` and `settle_by_probe`. Everything that may
happen next is a step: a worker goes on by one action or is killed and starts again, a request arrives or is lost, an
answer is good, bad, cut off or never seen, the store does not take a settling, a person looks, a completed record
expires, a tick passes.

Nothing is bounded: the workers call, crash and start again for ever, and time goes on for ever. The states are finite
all the same, because only what the rules can tell apart is kept: times count from now and stop counting when they are
too old to matter, and a fence is the current one, an earlier one of the same claim, or older. A tick is one unit of
time: a send has one until its deadline, and `after` is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from wizard.host import state
from wizard.host.explorer.world import RULES, TICK, TRUE, Declared, Rules, World
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Request, Silence
from wizard.host.record import Call, EventKind, Record, State
from wizard.host.state import (
    Asked,
    AskRecipient,
    Classified,
    Decision,
    Finding,
    Means,
    NewWrite,
    ProbeAnswer,
    Repeat,
    Resend,
    Send,
)  # fmt: skip
from wizard.operation.model import Scope

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CALL = Call("w", "s", "t", 0)
UNBOUNDED = 99
"""The ticks that a request is on its way where nothing bounds it."""

# Phases of a worker
IDLE, CLAIMED, SENT, SEEN, PROBING, PROBED, READ = range(7)
# What a worker's fence is to the record's
OLDER, EARLIER, CURRENT = range(3)
FENCES = {OLDER: 5, EARLIER: 9, CURRENT: 10}
"""A record's fence is 10 here, and the sends of its claim are 1 or 2: more are not told apart."""
RESENT, ASKED = 1, 2
TRIED: tuple[frozenset[Means], ...] = (
    frozenset(),
    frozenset({Means.RESEND}),
    frozenset({Means.PROBE}),
    frozenset(Means),
)
"""What a call has tried, by the sum of RESENT and ASKED."""

GOOD, REFUSED, ERROR = Reply(201, (), b"{}"), Reply(422), Reply(503)
TIMED_OUT, CUT = Reply(408), Reply(201, (), b"{", complete=False)
BROKEN, NO_CONNECTION, NOT_ALLOWED = Silence("reset"), NeverSent("no connection"), GatewayRefusal("not allowed")


class Worker(NamedTuple):
    """One worker."""

    phase: int = IDLE
    fence: int = 0
    """OLDER, EARLIER or CURRENT."""
    number: int = 0
    """CLAIMED: the ticks until its deadline. PROBING, PROBED: whether it asked late enough. READ: the generation."""
    seen: int = 0
    """SEEN: what was seen of its send. PROBED: what its probe found. Numbers of `Model.values`."""
    resending: bool = False
    tried: int = 0
    """An index of TRIED."""


class Flight(NamedTuple):
    """A request on its way."""

    left: int
    """Ticks in which it may still be processed."""
    owner: int
    """The worker that waits for its answer, or -1."""
    key: int


class Here(NamedTuple):
    """A state of the world."""

    record: int
    """The number of the stored record in `Model.values`; 0 for none."""
    a: Worker = Worker()
    b: Worker = Worker()
    flights: tuple[Flight, ...] = ()
    commits: int = 0
    known: tuple[tuple[int, int, bool], ...] = ()
    """The keys that the recipient knows, in how many ticks it may forget them, and whether it answered 5xx."""


class Step(NamedTuple):
    """Something that may happen, and what it leads to."""

    said: str
    who: int
    """The worker that `{}` in `said` stands for; -1 for none."""
    kind: str
    """`settle`, `probe` or `person` where it may move a record out of attempted."""
    there: Here


@dataclass(slots=True)
class Model:
    """The steps of one declaration under some rules in some world."""

    declared: Declared
    rules: Rules = RULES
    world: World = TRUE
    person: bool = True
    """Whether a person looks and settles."""
    values: list[Any] = field(default_factory=lambda: [None])
    """What the numbers of a state stand for."""
    _numbers: dict[Any, int] = field(default_factory=dict)
    _computed: dict[Any, Any] = field(default_factory=dict)

    def steps(self, here: Here) -> Iterator[Step]:
        """Everything that may happen next."""
        for who in (0, 1):
            yield from self._worker(here, who)
        for flight in dict.fromkeys(here.flights):
            yield from self._flight(here, flight)
        if self.person:
            yield from self._person(here)
        yield from self._housekeeping(here)
        yield Step("a tick passes", -1, "", self._tick(here))

    def record(self, here: Here) -> Record | None:
        """The stored record of a state."""
        found: Record | None = self.values[here.record]
        return found

    # Workers

    def _worker(self, here: Here, who: int) -> Iterator[Step]:
        worker = here[1 + who]
        assert isinstance(worker, Worker)
        phase = worker.phase
        if phase != IDLE:
            yield Step("{} is killed", who, "", self._leaves(here, who, Worker()))
        if phase == IDLE:
            yield from self._decide(here, who, 0)
        elif phase == READ:
            yield from self._claim(here, who, worker.number, worker.tried)
        elif phase == CLAIMED:
            yield from self._send(here, who, worker)
        elif phase == SENT:
            yield Step("{} sees its connection break", who, "", self._saw(here, who, BROKEN))
        elif phase == SEEN:
            yield from self._settle(here, who, worker)
            yield Step("the store does not take what {} settles", who, "", self._leaves(here, who, Worker()))
        elif phase == PROBING:
            yield from self._probe(here, who, worker)
        else:
            yield from self._settle_by_probe(here, who, worker)

    def _decide(self, here: Here, who: int, tried: int) -> Iterator[Step]:
        """A worker begins a call, or goes on with it."""
        action = self._once(("decide", here.record, tried), lambda: self.rules.decide(
            self.values[here.record], self.declared.terms, Asked(CALL.text, "body", TICK), NOW, TRIED[tried]
        ))  # fmt: skip
        match action:
            case Send(generation):
                if self.rules.atomic_claim:
                    yield from self._claim(here, who, generation, tried)
                else:
                    read = Worker(READ, number=generation, tried=tried)
                    yield Step("{} reads that it may send", who, "", self._leaves(here, who, read))
            case Resend(record):
                marked = self._once(("resend", here.record), lambda: self._number(self._canonical(
                    self.rules.resend(record, "", NOW + TICK, NOW + TICK, NOW)
                )))  # fmt: skip
                worker = Worker(CLAIMED, CURRENT, 1, 0, True, tried)
                there = self._leaves(self._others_fall_behind(here, EARLIER), who, worker)
                yield Step("{} marks it sending again", who, "", there._replace(record=marked))
            case AskRecipient(record):
                late = state.absence_counts(record, self.declared.terms.after, NOW)
                there = self._leaves(here, who, Worker(PROBING, CURRENT, int(late), 0, False, tried))
                yield Step("{} begins a probe", who, "", there)
            case Repeat():
                yield Step("{} is answered from the record", who, "", self._leaves(here, who, Worker()))
            case _:
                yield Step("{} is refused", who, "", self._leaves(here, who, Worker()))

    def _claim(self, here: Here, who: int, generation: int, tried: int) -> Iterator[Step]:
        record = self._once(("claim", here.record, generation), lambda: self._number(self._canonical(
            self.rules.claim(
                self.values[here.record], self._new_write(generation), "", NOW + TICK, NOW + TICK, NOW
            )
        )))  # fmt: skip
        claimed = Worker(CLAIMED, CURRENT, 1, 0, False, tried)
        there = self._leaves(self._others_fall_behind(here, OLDER), who, claimed)
        if self.rules.claims_first:
            yield Step("{} claims it", who, "", there._replace(record=record))
            return
        flight = self._flight_of(claimed, who, record)
        sent = _with(there._replace(flights=_flown(there.flights, flight)), who, claimed._replace(phase=SENT))
        yield Step("{} sends it before claiming it, and is killed", who, "", self._leaves(sent, who, Worker()))
        yield Step("{} sends it, then claims it", who, "", sent._replace(record=record))

    def _new_write(self, generation: int) -> NewWrite:
        keep = self.declared.keep
        return NewWrite(
            workspace="w", address="a", operation="o", declaration="d", scope=Scope.IDENTITY, secret="s",
            call=CALL, generation=min(generation, 1), key="", reference="", fingerprint="body",
            key_place=self.declared.terms.key_place, request=Request("POST", "u"), given="",
            keep=None if keep is None else int(keep * TICK.total_seconds()),
        )  # fmt: skip

    def _send(self, here: Here, who: int, worker: Worker) -> Iterator[Step]:
        in_time = worker.number > 0
        if in_time or not (self.rules.checks_deadline and self.world.checks_deadline):
            flights = _flown(here.flights, self._flight_of(worker, who, here.record))
            sent = _with(here._replace(flights=flights), who, worker._replace(phase=SENT, number=0))
            yield Step("{} sends" if in_time else "{} sends, after its own deadline", who, "", sent)
        why = "{} cannot connect" if in_time else "{} finds its deadline over and sends nothing"
        yield Step(why, who, "", self._saw(here, who, NO_CONNECTION))
        if in_time:
            yield Step("the gateway refuses what {} sends", who, "", self._saw(here, who, NOT_ALLOWED))

    def _flight_of(self, worker: Worker, who: int, record: int) -> Flight:
        generation = self.values[record].generation if record else 0
        key = generation if self.rules.keeps_key else 2 * generation + worker.resending
        bounded = self.rules.closes_at_deadline and self.world.processes_in_time
        return Flight(worker.number + 1 if bounded else UNBOUNDED, who, key)

    def _settle(self, here: Here, who: int, worker: Worker) -> Iterator[Step]:
        if not here.record:
            yield Step("{} settles what is no longer there", who, "settle", self._leaves(here, who, Worker()))
            return
        number, telling = self._once(
            ("settle", here.record, worker.seen, worker.fence), lambda: self._settled(here.record, worker)
        )
        there = here._replace(record=number)
        said = f"{{}} settles: {self.values[worker.seen].seen}"
        if worker.resending and telling is state.Telling.NOT_OBSERVED:
            there = self._leaves(there, who, Worker())
            yield Step(said, who, "settle", there)
            yield from self._goes_on(there, who, worker.tried | RESENT, said, "settle")
            return
        yield Step(said, who, "settle", self._leaves(there, who, Worker()))

    def _settled(self, record: int, worker: Worker) -> tuple[int, state.Telling]:
        after, told = self.rules.settle(self.values[record], self.values[worker.seen], NOW, fence=FENCES[worker.fence])
        return self._number(self._canonical(after)), told.telling

    def _goes_on(self, there: Here, who: int, tried: int, said: str, kind: str) -> Iterator[Step]:
        """What a worker does next in the same call, in one step with what it has just settled."""
        for step in self._decide(there, who, tried):
            then = step.said.replace("{} ", "", 1)
            yield Step(f"{said}, and {then}", who, kind, step.there)

    def _probe(self, here: Here, who: int, worker: Worker) -> Iterator[Step]:
        truth = Finding.THERE if here.commits else Finding.NOT_THERE
        findings = {truth: f"{{}}'s probe reads: {truth}"}
        if not self.world.reads_own_writes and here.commits:
            findings[Finding.NOT_THERE] = "{}'s probe reads an old copy: not there"
        findings.setdefault(self.rules.probe_error, "{}'s probe fails")
        findings.setdefault(Finding.CANNOT_TELL, "{}'s probe cannot tell")
        for finding, said in findings.items():
            found = worker._replace(phase=PROBED, seen=self._number(finding))
            yield Step(said, who, "", self._leaves(here, who, found))

    def _settle_by_probe(self, here: Here, who: int, worker: Worker) -> Iterator[Step]:
        if not here.record:
            yield Step("{} settles what is no longer there", who, "probe", self._leaves(here, who, Worker()))
            return
        number, ends = self._once(
            ("probe", here.record, worker.seen, worker.fence, worker.number), lambda: self._probed(here.record, worker)
        )
        there = self._leaves(here._replace(record=number), who, Worker())
        said = f"{{}} settles by its probe: {ends}"
        yield Step(said, who, "probe", there)
        if ends is not State.COMPLETED:
            tried = worker.tried if ends is State.ABSENT else worker.tried | ASKED
            yield from self._goes_on(there, who, tried, said, "probe")

    def _probed(self, number: int, worker: Worker) -> tuple[int, State]:
        record: Record = self.values[number]
        counts_from = (record.deadline or NOW) + self.declared.terms.after
        asked_at = counts_from if worker.number else counts_from - TICK
        answer = ProbeAnswer(self.values[worker.seen], asked_at, FENCES[worker.fence])
        after, _ = self.rules.settle_by_probe(record, answer, self.declared.terms, NOW)
        return self._number(self._canonical(after)), after.state

    # The network and the recipient

    def _flight(self, here: Here, flight: Flight) -> Iterator[Step]:
        left = list(here.flights)
        left.remove(flight)
        there, who = here._replace(flights=tuple(left)), flight.owner
        yield Step("a request is lost", -1, "", there)
        does = "commits and"
        if any(known[0] == flight.key for known in here.known):
            if self.world.keeps_keys:
                yield from self._answers(there, who, "knows the key and", (GOOD, REFUSED, ERROR))
                return
            does = "has forgotten the key, commits and"
        did = failed = there._replace(commits=here.commits + 1)
        if self.declared.memory:
            others = [known for known in here.known if known[0] != flight.key]
            entry = (flight.key, self.declared.memory)
            did = did._replace(known=tuple(sorted([*others, (*entry, False)])))
            errs = self.declared.terms.remembers == "success"
            failed = did._replace(known=tuple(sorted([*others, (*entry, errs)])))
        yield from self._answers(did, who, does, (GOOD, TIMED_OUT, CUT))
        yield from self._answers(failed, who, does, (ERROR,))
        if who >= 0:
            yield from self._answers(there, who, "changes nothing and", (REFUSED, ERROR))

    def _answers(self, there: Here, who: int, does: str, replies: tuple[Reply, ...]) -> Iterator[Step]:
        if who < 0:
            status = f" ({replies[0].status})" if self.declared.terms.remembers == "success" else ""
            yield Step(f"the recipient {does} answers nobody{status}", -1, "", there)
            return
        for reply in replies:
            cut = ", its body cut off" if not reply.complete else ""
            yield Step(f"the recipient {does} answers {{}} {reply.status}{cut}", who, "", self._saw(there, who, reply))

    # Others

    def _person(self, here: Here) -> Iterator[Step]:
        """A person who looks says what is so, and nothing while it may still change."""
        record = self.record(here)
        if record is None or record.state is not State.ATTEMPTED or record.lease_alive(NOW):
            return
        decision = Decision.HAPPENED if here.commits else Decision.DID_NOT
        if not here.commits and can_still(here):
            return
        after = self._once(("person", here.record, decision), lambda: self._number(self._canonical(
            state.settle_by_person(record, decision, "Ada", "looked", NOW)
        )))  # fmt: skip
        yield Step(f"a person looks and says: it {decision}", -1, "person", here._replace(record=after))

    def _housekeeping(self, here: Here) -> Iterator[Step]:
        record = self.record(here)
        if record is None:
            return
        if state.expired(record, NOW):
            after = self._once(("expire", here.record), lambda: self._number(
                self._canonical(state.expire(record, NOW))
            ))  # fmt: skip
            yield Step("the completed record expires", -1, "", here._replace(record=after))
        if self.rules.expires_attempted and record.state is State.ATTEMPTED and not record.lease_alive(NOW):
            yield Step("the attempted record expires", -1, "", here._replace(record=0))
        may_forget = not self.world.shows_errors or (record.saw_server_error and not here.flights)
        if may_forget and any(errs for _, _, errs in here.known):
            # It did the write and answered 5xx: it may not know the key when it is asked again.
            kept = tuple(known for known in here.known if not known[2])
            said = "the recipient forgets the key of what it answered 5xx"
            yield Step(said, -1, "", here._replace(known=kept))
        if not self.world.keeps_records:
            yield Step("the store loses the record", -1, "", here._replace(record=0))

    def _tick(self, here: Here) -> Here:
        record = self._once(("tick", here.record), lambda: self._number(self._later(self.values[here.record])))
        _, a, b, flights, commits, known = here
        if a.phase == CLAIMED:
            a = a._replace(number=0)
        if b.phase == CLAIMED:
            b = b._replace(number=0)
        if flights:
            flights = _sorted([
                flight if flight.left == UNBOUNDED else Flight(flight.left - 1, flight.owner, flight.key)
                for flight in flights if flight.left > 1
            ])  # fmt: skip
        if known:
            known = tuple((key, left - 1, errs) for key, left, errs in known if left > 1)
        return Here(record, a, b, flights, commits, known)

    # What is told apart

    def _later(self, record: Record | None) -> Record | None:
        """The record one tick later: its times lie further back."""
        if record is None:
            return None

        def back(instant: datetime | None) -> datetime | None:
            return None if instant is None else instant - TICK

        return self._canonical(replace(
            record, first_send=back(record.first_send), deadline=back(record.deadline),
            lease_until=back(record.lease_until), expires_at=back(record.expires_at),
        ))  # fmt: skip

    def _canonical(self, record: Record) -> Record:
        """What the rules read of a record, so that equal states are equal.

        Versions are left out: reading, deciding and storing are one step here, as the version makes them one in a
        store (it is a mutant that they are not).
        """
        calls = tuple(event for event in record.events if event.call and event.call in record.answered_calls)[-1:]
        settled = tuple(
            replace(event, kind=EventKind.ANSWERED, at=NOW, by="", detail="") for event in calls
            if record.answered_calls
        )  # fmt: skip
        plain = replace(record, version=0, holder="", settled_at=None, last_send=None, fence=10, events=settled)
        if record.state is not State.ATTEMPTED:
            return replace(
                plain, sends=1, first_send=None, deadline=None, lease_until=None, saw_server_error=False, answer=None,
                expires_at=_clipped(record.expires_at, 0), request=None,
            )  # fmt: skip
        # A send two ticks before the recipient may forget is the last one that may be repeated: it takes one, and
        # `after` is one.
        aged = _clipped(record.first_send, self.declared.memory - 1) if self.declared.memory else NOW
        return replace(
            plain, sends=min(record.sends, 2), first_send=aged, deadline=_clipped(record.deadline, 1),
            lease_until=_clipped(record.lease_until, 0),
            saw_server_error=record.saw_server_error and self.declared.terms.remembers == "success",
        )  # fmt: skip

    def _plain(self, classified: Classified) -> Classified:
        """What the rules read of what was seen: whose refusal it is they do not, but a mutant may."""
        gateway = classified.gateway and self.rules is not RULES
        answer = classified.answer if classified.seen is state.Seen.ANSWERED else None
        server_error = classified.server_error and self.declared.terms.remembers == "success"
        return replace(classified, detail="", gateway=gateway, answer=answer, server_error=server_error)

    def _number(self, value: Any) -> int:
        if value is None:
            return 0
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self.values)
            self.values.append(value)
        return number

    def _once(self, key: Any, compute: Callable[[], Any]) -> Any:
        """What was computed for this key before, or is now."""
        found = self._computed.get(key)
        if found is None:
            found = self._computed[key] = compute()
        return found

    def _saw(self, here: Here, who: int, outcome: Outcome) -> Here:
        """A worker knows what was seen of its send."""
        key = ("classify", id(outcome))
        seen = self._computed.get(key) or self._once(
            key, lambda: self._number(self._plain(self.rules.classify(outcome)))
        )
        _, fence, _, _, resending, tried = here.b if who else here.a
        return self._leaves(here, who, Worker(SEEN, fence, 0, seen, resending, tried))

    def _leaves(self, here: Here, who: int, worker: Worker) -> Here:
        """A worker goes on, and no longer waits for an answer."""
        record, a, b, flights, commits, known = here
        for flight in flights:
            if flight.owner == who:
                flights = _sorted([one._replace(owner=-1) if one.owner == who else one for one in flights])
                break
        return (
            Here(record, a, worker, flights, commits, known)
            if who
            else Here(record, worker, b, flights, commits, known)
        )

    def _others_fall_behind(self, here: Here, at_most: int) -> Here:
        """The record's fence rises: what was current is not any more."""
        workers = [worker if worker.fence <= at_most else worker._replace(fence=at_most) for worker in (here.a, here.b)]
        return here._replace(a=workers[0], b=workers[1])


def _with(here: Here, who: int, worker: Worker) -> Here:
    return here._replace(b=worker) if who else here._replace(a=worker)


def can_still(here: Here) -> bool:
    """Whether something of ours may still reach the recipient: a request on its way, or a worker about to send."""
    return bool(here.flights) or any(one.phase == CLAIMED and one.number > 0 for one in (here.a, here.b))


def swapped(here: Here) -> Here:
    """The same state, seen with the workers in the other order."""
    flights = here.flights
    if any(flight.owner >= 0 for flight in flights):
        flights = _sorted([one._replace(owner=1 - one.owner) if one.owner >= 0 else one for one in flights])
    return here._replace(a=here.b, b=here.a, flights=flights)


def _sorted(flights: list[Flight]) -> tuple[Flight, ...]:
    """The flights in one order. Of equal ones two are kept: a third could do nothing that the second does not do."""
    flights.sort()
    return tuple(one for index, one in enumerate(flights) if index < 2 or one != flights[index - 2])


def _flown(flights: tuple[Flight, ...], flight: Flight) -> tuple[Flight, ...]:
    return _sorted([*flights, flight])


def _clipped(instant: datetime | None, ticks: int) -> datetime | None:
    """An instant, or the one so many ticks ago where it lies further back."""
    return None if instant is None else max(instant, NOW - ticks * TICK)
