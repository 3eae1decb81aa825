"""Processes that make one call, or run one plan, and can be lost on the way: killed (SIGKILL) or halted (SIGSTOP).

    with Forks() as forks:
        lost = forks.start(Job(store="sqlite:records.db", operation={…}, body={…}, point="after send"))
        assert lost.wait().killed
        again = forks.start(Job(store="sqlite:records.db", operation={…}, body={…}, offset=3600)).wait()

A helper process imports everything once and forks for each job, so a job costs milliseconds and not the start of an
interpreter. The points are those of `instruments`. Only for tests and experiments, on systems that fork.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from wizard.host.calls import Asking
from wizard.host.host import Host, LeaseHeldError, Pace
from wizard.host.http import HttpTransport, Transport
from wizard.host.instruments import RoutedTransport, WatchedNetwork, instrumented
from wizard.host.keys import Secret, Secrets
from wizard.host.loop import Loop
from wizard.host.planfile import parse_plan
from wizard.host.prepare import Arguments
from wizard.host.record import Call
from wizard.host.store import open_store
from wizard.operation.field_path import MISSING
from wizard.operation.parsing import parse_operation
from wizard.source import Source

_JOBS: set[int] = set()
SECRETS = Secrets(Secret("forks", b"0123456789abcdef0123456789abcdef"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One call in a process of its own."""

    store: str
    """The store's URL."""
    operation: Mapping[str, Any] = field(default_factory=dict)
    """The declaration, as FORMAT has it."""
    name: str = "book"
    """The operation's name."""
    body: Any = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    header: Mapping[str, Any] = field(default_factory=dict)
    bodiless: bool = False
    """There is no body, whatever `body` is."""
    origin: str = ""
    """Where its requests go in place of the declared origin (`http://127.0.0.1:8080`); empty: there."""
    plan: str = ""
    """The text of a plan: it is run, under the call's session as the run's name, in place of the one call."""
    call: tuple[str, str, str, int] = ("acme", "s1", "t1", 0)
    """Workspace, session, turn and ordinal."""
    lease: str = ""
    """The name of the lease that it works under; empty: the call's turn."""
    point: str = ""
    """Where it is lost; empty: nowhere."""
    nth: int = 1
    """At which coming to that point; with the point `*`, at which point of all."""
    sign: int = int(signal.SIGKILL)
    """SIGKILL, or SIGSTOP until somebody lets it go on."""
    offset: float = 0.0
    """Seconds that its clock is ahead."""
    at: float = 0.0
    """The Unix time at which it begins, for races."""
    pace: tuple[float, float, float] = (30, 10, 120)
    """Seconds to send, to settle, and that a lease holds."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a job."""

    status: int
    """The exit status; minus the signal where one ended it."""
    ending: str = ""
    text: str = ""
    state: str = ""
    points: int = 0
    """How many points it came to."""

    @property
    def killed(self) -> bool:
        return self.status == -signal.SIGKILL


@dataclass(slots=True)
class Fork:
    """A job under way."""

    pid: int
    done: queue.SimpleQueue[Done] = field(default_factory=queue.SimpleQueue)

    def wait(self, seconds: float = 60) -> Done:
        """What became of it. Raises queue.Empty where it takes longer."""
        return self.done.get(timeout=seconds)

    def stopped(self, seconds: float = 60) -> bool:
        """Waits until it is halted (SIGSTOP); False where it ends first, or does neither."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                with open(f"/proc/{self.pid}/stat") as stat:
                    state = stat.read().rpartition(")")[2].split()[0]
            except OSError:
                return False
            if state in "TZ":
                return state == "T"
            time.sleep(0.002)
        return False

    def go_on(self) -> None:
        """Lets a halted one go on."""
        os.kill(self.pid, signal.SIGCONT)


class Forks:
    """The helper process and its jobs."""

    def __enter__(self) -> Forks:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "wizard.host.forks"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # A terminal's Ctrl-C is not for it: it ends when its input does.
            start_new_session=True,
        )
        self._forks: dict[int, Fork] = {}
        self._started: queue.SimpleQueue[Fork] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._reader.join(30)
        self._process.stdout.close()

    def start(self, job: Job) -> Fork:
        """Begins a job."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)) + "\n")
        self._process.stdin.flush()
        return self._started.get(timeout=60)

    def run(self, job: Job) -> Done:
        """Makes a job to its end."""
        return self.start(job).wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        told: dict[int, dict[str, Any]] = {}
        for line in self._process.stdout:
            said = json.loads(line)
            pid = said.pop("pid")
            match said.pop("what"):
                case "started":
                    self._forks[pid] = Fork(pid)
                    self._started.put(self._forks[pid])
                case "result":
                    told[pid] = said
                case "ended":
                    self._forks.pop(pid).done.put(Done(said["status"], **told.pop(pid, {})))


def main() -> None:
    """The helper: reads jobs from standard input, forks for each, says how each ended."""
    _warm()
    for line in _lines():
        pid = os.fork()
        if pid == 0:
            try:
                _work(Job(**json.loads(line)))
                code = 0
            except BrokenPipeError:
                code = 1
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
                code = 1
            os._exit(code)
        _JOBS.add(pid)
        _say(pid, "started")


def _warm() -> None:
    """Loads whatever a job needs, so that none of them loads it: makes a call that goes nowhere."""
    import httpx2  # noqa: F401
    import jsonpath  # noqa: F401

    from wizard.host.stores import sqlite  # noqa: F401

    with contextlib.suppress(ImportError):
        import psycopg  # noqa: F401
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
        _work(Job(store="memory:", operation={"method": "POST", "url": url, "body": ["a"]}, body={"a": 1}), _nobody)
    # What was loaded stays, and no job's collector looks at it.
    gc.collect()
    gc.freeze()


def _nobody(pid: int, what: str, **more: Any) -> None:
    """Hears what the first call came to."""


def _lines() -> Iterator[str]:
    """Lines of standard input; meanwhile the ends of jobs are told. With the input its jobs end, too: what they came to
    is nobody's any more, they may be halted, and their store may be taken away."""
    buffer, ended, alive = b"", False, True
    while not ended or alive:
        if ended:
            _end_jobs()
        readable = [] if ended else select.select([0], [], [], 0.002)[0]
        if readable:
            data = os.read(0, 65536)
            ended = not data
            buffer += data
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            yield line.decode()
        alive = _reap()
        if ended:
            time.sleep(0.002)


def _end_jobs() -> None:
    for pid in _JOBS:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _reap() -> bool:
    """Tells which jobs have ended; whether any is left."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        _JOBS.discard(pid)
        _say(pid, "ended", status=os.waitstatus_to_exitcode(status))


def _say(pid: int, what: str, **more: Any) -> None:
    # One write of less than a pipe takes at once, so that lines of several processes do not mix.
    os.write(1, (json.dumps({"pid": pid, "what": what, **more}) + "\n").encode())


def _work(job: Job, say: Callable[..., None] = _say) -> None:
    points = 0
    left = job.nth

    def at(point: str) -> None:
        nonlocal points, left
        points += 1
        if job.point in ("*", point):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), job.sign)

    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=job.offset)

    send_for, settle_for, lease_for = (timedelta(seconds=one) for one in job.pace)
    transport: Transport = HttpTransport(clock=clock, backend=WatchedNetwork(at))
    if job.origin:
        transport = RoutedTransport(transport, lambda _: job.origin)
    host = instrumented(
        Host(
            store=open_store(job.store),
            transport=transport,
            clock=clock,
            secrets=SECRETS,
            pace=Pace(send_for=send_for, settle_for=settle_for, lease_for=lease_for),
        ),
        at,
    )
    call = Call(*job.call)
    time.sleep(max(job.at - time.time(), 0))
    if job.plan:
        loop = Loop(host=host, wait=lambda until: None, tries=1)
        try:
            run = loop.run(parse_plan(Source("plan", job.plan)), call.session, workspace=call.workspace)
        except LeaseHeldError:
            say(os.getpid(), "result", ending="lease held", points=points)
            return
        say(os.getpid(), "result", ending=str(run.state), state=str(run.reason or ""), points=points)
        return
    operation, problems = parse_operation(job.operation)
    assert operation is not None, problems
    try:
        lease = host.lease(call.workspace, job.lease or f"turn:{call.session}:{call.turn}")
    except LeaseHeldError:
        say(os.getpid(), "result", ending="lease held", points=points)
        return
    body = MISSING if job.bodiless else job.body
    asking = Asking(job.name, operation, Arguments(job.variables, job.query, job.header, body))
    result = host.call(asking, at=call, lease=lease)
    host.store.release(lease)
    say(
        os.getpid(), "result", ending=str(result.ending), text=result.text[:500], state=str(result.state or ""),
        points=points,
    )  # fmt: skip


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        # Whoever asked is gone: nobody is left to be told.
        _end_jobs()
