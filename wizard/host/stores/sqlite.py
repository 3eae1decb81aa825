"""The embedded store: one SQLite file, for the processes of one machine.

WAL, so that readers never wait; synchronous=FULL, so that what was acknowledged is on the disk; a lock file around
each writing transaction, and another one for the queue before it. SQLite lets waiting writers sleep and try again,
longer each time, while whoever comes fresh, or again, goes before them; with the queue none starves. A killed process
loses all its locks.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from fasteners import InterProcessLock

from wizard.errors import UsageError
from wizard.host.store import Claim, StoreBusyError, StoreError
from wizard.host.stores._filesystem import network_filesystem
from wizard.host.stores._sqlstore import Row, SqlStore, Transaction

SCHEMES = ("sqlite",)
SCHEMA_VERSION = 1
QUEUE_POLL, HEAD_POLL = 0.002, 0.0004
"""Seconds between two tries for a lock file: in the queue, and at its head, where one process is alone."""


@dataclass(slots=True)
class _Locks:
    """The locks of one file in this process: the operating system's are the process's, not a thread's."""

    queue: threading.Lock = field(default_factory=threading.Lock)
    inside: threading.Lock = field(default_factory=threading.Lock)


_locks: defaultdict[str, _Locks] = defaultdict(_Locks)


def open_url(url: str) -> SqliteStore:
    """The store of `sqlite:records.db`, `sqlite:/var/lib/records.db` or (as SQLAlchemy has it) `sqlite:///records.db`,
    `sqlite:////var/lib/records.db`. Raises UsageError, StoreError."""
    return SqliteStore(_path(url))


def missing(url: str) -> bool:
    """Whether there is no such file yet. Raises UsageError."""
    return not _path(url).exists()


def _path(url: str) -> Path:
    rest = unquote(url.removeprefix("sqlite:"))
    path = rest[3:] if rest.startswith("///") else rest
    if not path or path == ":memory:" or path.startswith("//"):
        raise UsageError(f"`{url}` names no file", remedy="Write `sqlite:PATH`; `memory:` is a store without a file.")
    return Path(path)


class SqliteStore(SqlStore):
    """A store in a file, which is made if it is not there. `wait` is how many seconds a write waits for others.

    Raises StoreError where the file cannot be used: a network file system, no SQLite file, a newer release's.
    """

    def __init__(self, path: Path, *, wait: float = 10.0) -> None:
        self.path = path.absolute()
        self._wait = wait
        self._idle: list[sqlite3.Connection] = []
        self._pool = threading.Lock()
        self._owner = os.getpid()
        shared = network_filesystem(self.path.parent)
        if shared:
            raise StoreError(
                f"the file lies on a network file system ({shared}), where SQLite's locks do not hold",
                place=str(path), remedy="Put it on a local disk, or use PostgreSQL for several machines.",
            )  # fmt: skip
        if not self.path.parent.is_dir():
            raise StoreError("there is no such folder", place=str(self.path.parent), remedy="Make it first.")
        with self._locked(), self._connection() as connection:
            self._set_up(connection)

    def close(self) -> None:
        with self._pool:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        with self._locked(), self._connection() as connection, self._errors():
            connection.execute("BEGIN IMMEDIATE")
            run = _Run(connection)
            transaction = Transaction(run, run)
            try:
                yield transaction
                connection.execute("COMMIT" if transaction.keep else "ROLLBACK")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self._connection() as connection, self._errors():
            connection.execute("BEGIN")
            try:
                run = _Run(connection)
                yield Transaction(run, run)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def lock_for_claim(self, transaction: Transaction, claim: Claim) -> None:
        """Writers come one after the other."""

    def lock_for_move(self, transaction: Transaction, workspace: str, operation: str) -> None:
        """Writers come one after the other."""

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """The store is this thread's alone. Whoever waits at the head holds the queue until it is let in, so nobody
        who comes later, or comes again, goes before it."""
        until = time.monotonic() + self._wait
        ours = _locks[str(self.path)]
        with ExitStack() as inside:
            with ExitStack() as queue:
                self._take(ours.queue, until, queue)
                self._take(ours.inside, until, inside)
            with ExitStack() as queue:
                self._take(InterProcessLock(self.path.with_name(f"{self.path.name}.queue")), until, queue, QUEUE_POLL)
                self._take(InterProcessLock(self.path.with_name(f"{self.path.name}.lock")), until, inside, HEAD_POLL)
            yield

    def _take(self, lock: threading.Lock | InterProcessLock, until: float, held: ExitStack, poll: float = 0.0) -> None:
        """Takes a lock until the stack is left. Raises StoreBusyError, StoreError."""
        left = max(0.0, until - time.monotonic())
        if isinstance(lock, InterProcessLock):
            try:
                taken = lock.acquire(delay=poll, max_delay=poll, timeout=left)
                if not taken and lock.lockfile is not None:
                    lock.lockfile.close()
            except (OSError, RuntimeError) as error:
                why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
                raise StoreError(
                    f"the lock file cannot be used: {why}", place=str(self.path),
                    remedy="SQLite writes beside its file, even to read: let this user write to the folder.",
                ) from error  # fmt: skip
        else:
            taken = lock.acquire(timeout=left)
        if not taken:
            said = f"other writers held the store for {self._wait:g} s"
            raise StoreBusyError(said, place=str(self.path), remedy="Try again.")
        held.callback(lock.release)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._pool:
            if self._owner != os.getpid():
                # SQLite's connections must not cross a fork, not even to be closed.
                self._idle, self._owner = [], os.getpid()
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            with self._errors():
                connection = sqlite3.connect(
                    self.path, timeout=self._wait, isolation_level=None, check_same_thread=False
                )
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA trusted_schema = OFF")
        try:
            yield connection
        except BaseException:
            with suppress(sqlite3.Error):
                connection.close()
            raise
        with self._pool:
            self._idle.append(connection)

    def _set_up(self, connection: sqlite3.Connection) -> None:
        with self._errors():
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise StoreError(
                    f"the file has schema {version}, and this release knows {SCHEMA_VERSION}", place=str(self.path),
                    remedy="Use a newer skill-wizard.",
                )  # fmt: skip
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if mode != "wal":
                raise StoreError(f"the file system does not bear SQLite's WAL (it gives {mode})", place=str(self.path))
            if version == 0:
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise StoreError("the file is a database of something else", place=str(self.path))
                schema = Path(__file__).with_name("sqlite.sql").read_text(encoding="utf-8")
                connection.executescript(f"BEGIN; {schema} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StoreBusyError(
                    f"others held the store for {self._wait:g} s", place=str(self.path), remedy="Try again."
                ) from error
            remedy = "Check the path, the permissions of the file and its folder, and the space on the disk."
            raise StoreError(str(error), place=str(self.path), remedy=remedy) from error
        except sqlite3.Error as error:
            raise StoreError(str(error), place=str(self.path), remedy="Check that it is the right file.") from error


class _Run:
    """Runs the statements of a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __call__(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()
