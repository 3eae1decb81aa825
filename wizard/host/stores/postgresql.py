"""The store for many workers and machines: PostgreSQL.

Every table is partitioned by the hash of its workspace, and every statement names its workspace, so each touches one
partition. Claims of one write are kept apart by advisory locks on its addresses: two workers that know different
secrets (while one is being replaced) look at different rows, and only the addresses that both know bring them
together. A claim shares a lock with the others of its operation that a move of the operation takes alone.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wizard.host.record import Event
from wizard.host.store import Claim, StoreBusyError, StoreError
from wizard.host.stores._rows import EVENT_COLUMNS, event_row
from wizard.host.stores._sqlstore import Execute, Row, SqlStore, Transaction

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMES = ("postgresql", "postgres")
SCHEMA_VERSION = 1

_TABLE = re.compile(r"\b(FROM|INTO|UPDATE) (invocations|invocation_events|leases|declarations|documents)\b")
_PARAMETER = re.compile(r"@(\w+)")
_TEXTS = frozenset({
    "workspace", "address", "operation", "declaration", "scope", "secret", "state", "holder", "session", "turn", "key",
    "key_place", "reference", "fingerprint", "given", "method", "url", "headers", "answer_headers", "settled_by",
    "name", "digest", "replaced", "kind", "id", "document", "prefix", "behind", "aside", "who", "detail", "call",
    "under_name", "under_holder", "was",
})  # fmt: skip
_BYTES = frozenset({"body", "answer_body"})


def open_url(url: str) -> PostgresqlStore:
    """The store of a database, in its schema `skill_wizard`, which is made if it is not there. Raises StoreError."""
    return PostgresqlStore(url)


@lru_cache(maxsize=256)
def dialect(statement: str) -> str:
    """A statement of `_sql` as PostgreSQL has it."""

    def typed(found: re.Match[str]) -> str:
        name = found[1]
        plain = name.rstrip("0123456789") in _TEXTS or re.fullmatch(r"[asl]\d+", name)
        return f"%({name})s::{'text' if plain else 'bytea' if name in _BYTES else 'bigint'}"

    return _PARAMETER.sub(typed, _TABLE.sub(r"\1 skill_wizard.\2", statement))


@lru_cache(maxsize=256)
def with_events(statement: str, count: int) -> str:
    """A statement that changes one record, and adds so many events to it, as one."""
    rows = ", ".join(
        f"(@number{index}, @kind{index}, @at{index}, @who{index}, @detail{index}, @call{index})"
        for index in range(count)
    )
    return (
        f"WITH changed AS ({statement}), told AS (INSERT INTO invocation_events"
        " (workspace, log, number, kind, at, who, detail, call) SELECT @workspace, changed.log, event.*"
        f" FROM changed, (VALUES {rows}) AS event) SELECT log FROM changed"
    )


class PostgresqlStore(SqlStore):
    """A store in a database. `wait` is how many seconds a statement waits for locks of others.

    Raises StoreError where the database cannot be reached, has no schema and does not let us make one, or has a newer
    release's.
    """

    def __init__(self, url: str, *, wait: float = 10.0, largest_pool: int = 16) -> None:
        self._url = url
        self._wait = wait
        self._largest = largest_pool
        self._idle: list[Connection[Row]] = []
        self._pool = threading.Lock()
        self._owner = os.getpid()
        with self._connection() as connection:
            self._set_up(connection)

    def close(self) -> None:
        with self._pool:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        with self._connection() as connection, connection.pipeline():
            transaction = Transaction(_fetching(connection), _sending(connection))
            connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            yield transaction
            connection.execute("COMMIT" if transaction.keep else "ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        with self._connection() as connection, connection.pipeline():
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield Transaction(_fetching(connection), _sending(connection))
            connection.execute("COMMIT")

    def lock_for_claim(self, transaction: Transaction, claim: Claim) -> None:
        addresses = sorted(claim.addresses)
        locks = ", ".join(f"pg_advisory_xact_lock(hashtextextended(@l{index}, 1))" for index in range(len(addresses)))
        values = {f"l{index}": f"{claim.after.workspace} {address}" for index, address in enumerate(addresses)}
        shared = "pg_advisory_xact_lock_shared(hashtextextended(@operation, 2))"
        named = {"operation": f"{claim.after.workspace} {claim.after.operation}"}
        transaction.send(f"SELECT {shared}, {locks}", {**values, **named})

    def lock_for_move(self, transaction: Transaction, workspace: str, operation: str) -> None:
        alone = "SELECT pg_advisory_xact_lock(hashtextextended(@operation, 2))"
        transaction.send(alone, {"operation": f"{workspace} {operation}"})

    def change(
        self, execute: Execute, statement: str, values: Mapping[str, Any], events: Sequence[Event], first: int
    ) -> bool:
        told: dict[str, Any] = {}
        for index, event in enumerate(events):
            told |= {f"number{index}": first + index}
            told |= {f"{column}{index}": value for column, value in zip(EVENT_COLUMNS, event_row(event), strict=True)}
        whole = with_events(statement, len(events)) if events else statement
        return bool(execute(whole, {**values, **told}))

    @contextmanager
    def _connection(self) -> Iterator[Connection[Row]]:
        import psycopg

        with self._pool:
            if self._owner != os.getpid():
                self._idle, self._owner = [], os.getpid()
            connection = self._idle.pop() if self._idle else None
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        except BaseException as error:
            if connection is not None:
                with suppress(Exception):
                    connection.close()
            if isinstance(error, psycopg.errors.LockNotAvailable):
                raise StoreBusyError(f"others held the record for {self._wait:g} s", remedy="Try again.") from error
            if isinstance(error, psycopg.Error):
                said = " ".join(str(error).split()) or type(error).__name__
                remedy = "Check the store's URL, and that the server runs and lets this user in."
                raise StoreError(f"PostgreSQL: {said}", remedy=remedy) from error
            raise
        with self._pool:
            if len(self._idle) < self._largest:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> Connection[Row]:
        import psycopg
        from psycopg.rows import dict_row

        connection = psycopg.connect(self._url, autocommit=True, row_factory=dict_row, application_name="skill-wizard")
        connection.execute(f"SET lock_timeout = {int(self._wait * 1000)}")
        # What was acknowledged must be kept, whatever the server's default is.
        connection.execute("SET synchronous_commit = on")
        return connection

    def _set_up(self, connection: Connection[Row]) -> None:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('skill-wizard schema', 0))")
            known = connection.execute("SELECT to_regclass('skill_wizard.schema_version') IS NOT NULL AS there")
            if not _one(known)["there"]:
                schema = Path(__file__).with_name("postgresql.sql").read_text(encoding="utf-8")
                connection.execute(schema.encode())
            version = _one(connection.execute("SELECT version FROM skill_wizard.schema_version"))["version"]
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"the database has schema {version}, and this release knows {SCHEMA_VERSION}",
                remedy="Use a newer skill-wizard.",
            )


def _fetching(connection: Connection[Row]) -> Execute:
    def execute(statement: str, values: Mapping[str, Any]) -> list[Row]:
        return connection.execute(dialect(statement).encode(), values).fetchall()

    return execute


def _sending(connection: Connection[Row]) -> Any:
    return lambda statement, values: connection.execute(dialect(statement).encode(), values)


def _one(cursor: Any) -> Row:
    row: Row = cursor.fetchone()
    return row
