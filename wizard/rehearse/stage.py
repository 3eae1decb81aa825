"""Where a story is played: the host's own code on one side, a recipient on a real socket on the other, a clock between
them that stands until it is moved, and a trace of all that happens."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from types import TracebackType
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

from wizard.host.calls import Asking
from wizard.host.exactjson import InexactError, write_json
from wizard.host.faults import Clock
from wizard.host.filling import RequestError
from wizard.host.forks import SECRETS, Job
from wizard.host.host import Host, Pace
from wizard.host.http import HttpTransport
from wizard.host.instruments import RoutedTransport
from wizard.host.outcome import Request
from wizard.host.prepare import Arguments, prepare
from wizard.host.record import Call
from wizard.host.store import Store
from wizard.host.wire import HONEST, Answering, Fault, Seen, Wire
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.rehearse.schedule import Play
from wizard.rehearse.tracing import Trace, TracedTransport, traced_store

SESSION = "s1"
Headers = tuple[tuple[str, str], ...]
_OWN_FAULTS = (500, 503)
"""What a recipient itself breaks down with; other statuses are put in its answer's place on the way."""


class Taken(Protocol):
    """What came of one request at a recipient."""

    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def body(self) -> bytes: ...
    @property
    def landed(self) -> bool: ...


class Holding(Protocol):
    """A request that a recipient has begun to work on."""

    def take(self) -> Taken: ...


class Receiving(Protocol):
    """A recipient: simulated, or a real one behind us."""

    def take(
        self, method: str, target: str, headers: Headers, body: bytes | None, *, commit: bool = True, instead: int = 0
    ) -> Taken:
        """Takes a request. `commit` false: nothing is done. `instead`: the status that it breaks down with."""
        ...

    def hold(self, method: str, target: str, headers: Headers, body: bytes | None) -> Holding:
        """Begins to work on a request."""
        ...

    def what(self, method: str, target: str, headers: Headers, body: bytes | None) -> Hashable:
        """What tells this write apart from others."""
        ...


@dataclass(slots=True)
class Stage:
    """One story's world. Entered, its recipient listens; left, nothing of it goes on."""

    name: str
    operation: Operation
    """As it is told in this story, without `status: proposed`."""
    recipient: Receiving
    store: Store
    store_url: str
    workspace: str
    clock: Clock
    trace: Trace
    random: Random
    faults: list[Play] = field(default_factory=list)
    landed: Counter[Hashable] = field(default_factory=Counter)
    arrived: int = 0
    """Writes that were served."""
    in_transit: list[tuple[datetime, Seen, Holding]] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    wire: Wire = field(init=False)
    _dead: socket.socket = field(init=False)

    def __enter__(self) -> Stage:
        self._dead = socket.socket()
        # Bound and not listening: connecting there is refused by the system itself.
        self._dead.bind(("127.0.0.1", 0))
        self.wire = Wire(self._choose, self._serve).__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wire.__exit__()
        self._dead.close()

    # The recipient's side

    def _choose(self, reads: bool) -> Fault:
        if reads:
            return HONEST
        with self.lock:
            play = self.faults.pop(0) if self.faults else None
            if play is None:
                return HONEST
            return replace(play, cut_share=self.random.random()) if play.anywhere else play

    def _serve(self, seen: Seen, fault: Fault) -> Answering:
        with self.lock:
            play = fault if isinstance(fault, Play) else None
            if seen.reads:
                self.trace.say("host", "probe", _request_line(seen), "recipient")
            else:
                self.trace.say("host", "send", _request_line(seen), "recipient", detail=_shown(seen))
            if play is not None:
                self.trace.say("recipient", "fault", play.says, bad=True)
            if play is not None and play.late is not None:
                held = self.recipient.hold(seen.method, seen.target, seen.headers, seen.body or None)
                self.in_transit.append((self.clock() + play.late, seen, held))
                self.arrived += 1
                return Answering(202, (), b"")
            answers = play.answers or 0 if play is not None else 0
            instead = answers if answers in _OWN_FAULTS else 0
            taken = self._take(seen, commit=fault.commits, instead=instead)
            if play is not None and play.twice:
                self._take(seen)
            if not seen.reads:
                self.arrived += 1
            if play is not None and answers and not instead:
                return Answering(answers, (), write_json({"message": play.says}))
            return Answering(taken.status, taken.headers, taken.body)

    def _take(self, seen: Seen, *, commit: bool = True, instead: int = 0) -> Taken:
        taken = self.recipient.take(
            seen.method, seen.target, seen.headers, seen.body or None, commit=commit, instead=instead
        )
        self._count(seen, taken)
        return taken

    def _count(self, seen: Seen, taken: Taken) -> None:
        if taken.landed:
            what = self.recipient.what(seen.method, seen.target, seen.headers, seen.body or None)
            self.landed[what] += 1
            count = sum(self.landed.values())
            self.trace.say("recipient", "landed", f"landed: {count}", "ledger", bad=self.landed[what] > 1)

    # The host's side

    def host(self, *, patience: float = 0.0, lost: bool = False, gated: bool = False) -> Host:
        """The host as production has it, but for the clock and where its requests go."""
        send_for = timedelta(seconds=patience or 30)
        transport = RoutedTransport(HttpTransport(clock=self.clock), self._origin)
        return Host(
            store=traced_store(self.store, self.trace, lost=lost),
            transport=TracedTransport(transport, self.trace),
            clock=self.clock,
            secrets=SECRETS,
            pace=Pace(send_for=send_for),
            gate=lambda asking, at: gated,
            worker="rehearsal",
        )

    def _origin(self, request: Request) -> str:
        with self.lock:
            if request.method not in ("GET", "HEAD") and self.faults and self.faults[0].refuses:
                play = self.faults.pop(0)
                self.trace.say("recipient", "fault", play.says, bad=True)
                return f"http://127.0.0.1:{self._dead.getsockname()[1]}"
        return self.origin

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.wire.port}"

    def call(self, turn: str) -> Call:
        return Call(self.workspace, SESSION, turn, 0)

    def asking(self, arguments: Arguments) -> Asking:
        return Asking(self.name, self.operation, arguments)

    def what(self, arguments: Arguments) -> Hashable:
        """What tells the write of these arguments apart; None where they make no request."""
        request = request_of(self.name, self.operation, arguments)
        if request is None:
            return None
        return self.recipient.what(request.method, target_of(request), request.headers, request.body)

    def job(self, arguments: Arguments, turn: str, **more: Any) -> Job:
        """The same call for a process of its own."""
        body = arguments.body
        return Job(
            store=self.store_url,
            operation=print_operation(self.operation),
            name=self.name,
            body=None if body is MISSING else body,
            bodiless=body is MISSING,
            variables=dict(arguments.variables),
            query=dict(arguments.query),
            header=dict(arguments.header),
            origin=self.origin,
            call=(self.workspace, SESSION, turn, 0),
            # Some seconds behind: the recipient's clock stands while that process begins and goes on.
            offset=(self.clock() - datetime.now(self.clock().tzinfo)).total_seconds() - 10,
            **more,
        )

    # Time

    def pass_time(self, by: timedelta) -> None:
        """Moves the clock; what is on its way arrives when its time is there."""
        end = self.clock() + by
        self.trace.say("caller", "clock", f"+{said(by)}")
        while self.in_transit:
            with self.lock:
                self.in_transit.sort(key=lambda one: one[0])
                due, seen, held = self.in_transit[0]
                if due > end:
                    break
                self.in_transit.pop(0)
                self.clock.wait(due)
                self.trace.say("recipient", "note", "works on the late request")
                self._count(seen, held.take())
        self.clock.wait(end)

    def settle_wire(self, arrived: int, seconds: float = 20.0) -> None:
        """Waits until so many writes were served: a process that is gone cannot say whether its bytes were read."""
        end = time.monotonic() + seconds
        while self.arrived < arrived and time.monotonic() < end:
            time.sleep(0.001)


def request_of(name: str, operation: Operation, arguments: Arguments) -> Request | None:
    """The request as it goes out first; None where the arguments make none."""
    try:
        return prepare(name, operation, Call("rehearsal", SESSION, "t0", 0), arguments, SECRETS).request(0)
    except RequestError:
        return None


def target_of(request: Request) -> str:
    """What stands in the first line of a request: path and query."""
    parts = urlsplit(request.url)
    return urlunsplit(("", "", parts.path or "/", parts.query, ""))


def said(span: timedelta) -> str:
    """A span of time in a few characters: `1 min`, `10 min`, `25 h`."""
    seconds = span.total_seconds()
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size * (2 if unit == "d" else 1):
            count = round(seconds / size, 1)
            return f"{count:g} {unit}"
    return f"{seconds:g} s"


def _request_line(seen: Seen) -> str:
    return f"{seen.method} {seen.target.partition('?')[0]}"


def _shown(seen: Seen) -> str:
    try:
        return json.dumps(json.loads(seen.body), ensure_ascii=False) if seen.body else ""
    except (ValueError, InexactError):
        return seen.body.decode("utf-8", "replace")
