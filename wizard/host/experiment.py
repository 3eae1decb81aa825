"""The experiment that twenty-eight other systems went through: eight stories in which a write is easily made twice,
each told to a real recipient on a socket that counts what landed. One commit in every row is the only right number.

    python -m wizard.host.experiment                                    memory and a fresh SQLite file
    python -m wizard.host.experiment --store postgresql://localhost/x   a database too

Each story is told under three declarations: an identity alone, with a key that the recipient takes, and with a probe.
The crash and the race are real processes and a real SIGKILL, but for the store in memory, which is one process's.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from wizard.host.calls import Asking, Result
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.forks import SECRETS, Forks, Job
from wizard.host.host import Host, LeaseHeldError
from wizard.host.http import HttpTransport
from wizard.host.instruments import WatchedStore, instrumented
from wizard.host.prepare import Arguments
from wizard.host.record import Call
from wizard.host.store import Store, StoreError, open_store
from wizard.host.wire import Fault
from wizard.operation.parsing import parse_operation

BODY = {"room_id": "r1", "guest_name": "Ada", "arrival": "2026-03-01", "departure": "2026-03-04"}
IDENTITY = list(BODY)
DECLARATIONS = ("identity", "key", "probe")


@dataclass(frozen=True, slots=True)
class Row:
    """How one story ended."""

    story: str
    store: str
    declared: str
    commits: int
    """The most that any identity was committed."""
    first: str
    """What the first call was told."""
    then: str
    """What the call after it was told."""
    state: str


class _Lost(BaseException):
    """The worker is gone."""


@dataclass(slots=True)
class _Stage:
    """A store, a recipient and a declaration for one story."""

    url: str
    store: Store
    forks: Forks
    workspace: str
    recipient: FaultyRecipient
    declaration: Mapping[str, Any]
    clock: Clock

    @property
    def host(self) -> Host:
        return Host(store=self.store, transport=HttpTransport(clock=self.clock), clock=self.clock, secrets=SECRETS)

    def call(self, turn: str, host: Host | None = None, **changes: str) -> Result:
        operation, _ = parse_operation(self.declaration)
        assert operation is not None
        using = host or self.host
        at = Call(self.workspace, "s1", turn, 0)
        lease = using.lease(self.workspace, f"turn:{turn}")
        try:
            return using.call(Asking("book", operation, Arguments(body={**BODY, **changes})), at=at, lease=lease)
        finally:
            self.store.release(lease)

    def again(self) -> Result:
        """The same write asked for again a minute later, when whoever was at work on it is surely gone."""
        self.clock.advance(timedelta(minutes=1))
        return self.call("t2")

    def job(self, turn: str, **more: Any) -> Job:
        return Job(
            store=self.url, operation=self.declaration, body=BODY, call=(self.workspace, "s1", turn, 0), **more
        )  # fmt: skip

    @property
    def one_process(self) -> bool:
        return self.url.startswith("memory:")


Told = tuple[str, Result]


def _crash(stage: _Stage) -> Told:
    if stage.one_process:

        def lose(point: str) -> None:
            if point == "after send":
                raise _Lost

        try:
            stage.call("t1", instrumented(stage.host, lose))
        except _Lost:
            return "lost", stage.again()
        raise AssertionError("the worker was not lost")
    done = stage.forks.run(stage.job("t1", point="answer"))
    assert done.killed, done
    return "killed", stage.again()


def _race(stage: _Stage) -> Told:
    if stage.one_process:
        told: list[str] = []

        def race(turn: str) -> None:
            try:
                told.append(str(stage.call(turn).ending))
            except LeaseHeldError:
                told.append("lease held")

        workers = [threading.Thread(target=race, args=(f"race{number}",)) for number in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return " / ".join(sorted(told)), stage.again()
    at = time.time() + 0.3
    racing = [stage.forks.start(stage.job(f"race{number}", at=at)) for number in range(2)]
    return " / ".join(sorted(fork.wait().ending for fork in racing)), stage.again()


def _faulty(*faults: Fault) -> Callable[[_Stage], Told]:
    def story(stage: _Stage) -> Told:
        stage.recipient.then(*faults)
        return str(stage.call("t1").ending), stage.again()

    return story


def _corrected(stage: _Stage) -> Told:
    stage.recipient.then(Fault(status=422, commits=False))
    first = stage.call("t1")
    return str(first.ending), stage.call("t1", phone="1")


def _store_lost(stage: _Stage) -> Told:
    def lose(point: str) -> None:
        if point == "before settle":
            raise StoreError("the store is gone")

    broken = replace(stage.host, store=cast(Store, WatchedStore(stage.store, lose)))
    first = stage.call("t1", broken)
    return f"{first.ending}, with a warning" if first.warnings else str(first.ending), stage.again()


def _other_body(stage: _Stage) -> Told:
    first = stage.call("t1")
    return str(first.ending), stage.call("t2", phone="1")


STORIES: dict[str, Callable[[_Stage], Told]] = {
    "crash after the send": _crash,
    "race of two": _race,
    "4xx, then the corrected retry": _corrected,
    "503 after the commit": _faulty(Fault(status=503)),
    "body cut off": _faulty(Fault(cut_body=5)),
    "reset after the commit": _faulty(Fault(cut=0, resets=True)),
    "store lost before the settle": _store_lost,
    "the same write, another body": _other_body,
}


def declaration(url: str, declared: str) -> dict[str, Any]:
    """The booking, declared in one of three ways."""
    mapping: dict[str, Any] = {"method": "POST", "url": url, "body": [*IDENTITY, "phone"], "identity": IDENTITY}
    if declared == "key":
        mapping["key"] = "header Idempotency-Key"
    if declared == "probe":
        mapping["probe"] = {
            "url": f"{url}?room_id={{room_id}}",
            "items": "$.bookings[*]",
            "match": ["guest_name", "arrival", "departure"],
            "absent": "empty",
            "pages": "none",
        }
    return mapping


def tell(story: str, url: str, declared: str, forks: Forks, workspace: str) -> Row:
    """Tells one story on one store under one declaration."""
    with FaultyRecipient(identity=IDENTITY, key_header="Idempotency-Key" if declared == "key" else "") as recipient:
        store = open_store(url)
        clock = Clock(datetime.now(UTC))
        try:
            stage = _Stage(url, store, forks, workspace, recipient, declaration(recipient.url, declared), clock)
            first, then = STORIES[story](stage)
        finally:
            store.close()
        return Row(
            story=story,
            store=url.partition(":")[0],
            declared=declared,
            commits=max(recipient.commits.values(), default=0),
            first=first,
            then=str(then.ending),
            state=str(then.state or ""),
        )


def experiment(urls: Sequence[str], fresh: Callable[[], str]) -> Iterator[Row]:
    """Every story on every store under every declaration. `fresh` gives a workspace that nobody used."""
    with Forks() as forks:
        for url in urls:
            for story in STORIES:
                for declared in DECLARATIONS:
                    yield tell(story, url, declared, forks, fresh())


def table(rows: Sequence[Row]) -> str:
    """The rows as a table, and a line that sums them up."""
    head = ("STORY", "STORE", "DECLARED", "COMMITS", "FIRST TOLD", "THEN TOLD", "RECORD")
    cells = [head]
    cells += [(row.story, row.store, row.declared, str(row.commits), row.first, row.then, row.state) for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    wrong = sum(row.commits != 1 for row in rows)
    verdict = f"{wrong} of {len(rows)} rows have not one commit" if wrong else f"one commit in each of {len(rows)} rows"
    return "\n".join([*lines, "", verdict]) + "\n"


def main(argv: Sequence[str]) -> int:
    """Runs the experiment, prints the table; 1 where a row has not exactly one commit."""
    import argparse
    import tempfile
    from uuid import uuid4

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", metavar="URL", action="append", default=[], help="another store to tell it on")
    args = parser.parse_args(argv)
    with _folder(tempfile.mkdtemp) as folder:
        urls = ["memory:", f"sqlite:{folder}/records.db", *args.store]
        rows = list(experiment(urls, lambda: f"experiment-{uuid4().hex[:12]}"))
    print(table(rows), end="")
    return 1 if any(row.commits != 1 for row in rows) else 0


@contextmanager
def _folder(make: Callable[[], str]) -> Iterator[str]:
    import shutil

    folder = make()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
