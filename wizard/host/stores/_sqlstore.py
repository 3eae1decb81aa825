"""What the stores that speak SQL share: each call of the protocol as statements of one transaction."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from wizard.host.record import Event, Lease, Record
from wizard.host.store import (
    Claim,
    Claimed,
    ClaimResult,
    Declaration,
    Document,
    DocumentConflict,
    Found,
    LeaseLost,
    OtherDeclaration,
)  # fmt: skip
from wizard.host.stores import _sql
from wizard.host.stores._rows import at, event_of, event_row, from_row, micros, to_row

Row = Mapping[str, Any]


class Execute(Protocol):
    """Runs one statement of a transaction and gives the rows that it returns."""

    def __call__(self, statement: str, values: Mapping[str, Any]) -> list[Row]: ...


Send = Callable[[str, Mapping[str, Any]], object]


@dataclass(slots=True)
class Transaction:
    """One transaction. It is committed at its end unless it was told not to, or an exception leaves it."""

    execute: Execute
    send: Send
    """Runs a statement whose rows nobody needs; it may wait for the next one that is executed."""
    keep: bool = True


class SqlStore(ABC):
    """A store behind SQL. A child says how a transaction is begun and ended."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction that may change something. Raises StoreError."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Transaction]:
        """A transaction that sees one state of everything and changes nothing. Raises StoreError."""

    @abstractmethod
    def lock_for_claim(self, transaction: Transaction, claim: Claim) -> None:
        """Keeps apart claims that could not see one another, where the database does not do that by itself."""

    @abstractmethod
    def lock_for_move(self, transaction: Transaction, workspace: str, operation: str) -> None:
        """Keeps claims of an operation away while its records move."""

    def change(
        self, execute: Execute, statement: str, values: Mapping[str, Any], events: Sequence[Event], first: int
    ) -> bool:
        """Runs a statement that changes one record and returns its `log`, and adds events behind the first `first`
        ones. False where it changed none."""
        rows = execute(statement, values)
        if not rows:
            return False
        for number, event in enumerate(events, first):
            named = dict(zip(("kind", "at", "who", "detail", "call"), event_row(event), strict=True))
            execute(
                _sql.ADD_EVENT, {"workspace": values["workspace"], "log": rows[0]["log"], "number": number, **named}
            )
        return True

    def claim(self, claim: Claim) -> ClaimResult:
        after, before, under = claim.after, claim.before, claim.under
        statement = _sql.claim(len(claim.addresses), len(claim.seen))
        values = _sql.claim_values(claim.addresses, claim.seen)
        first = len(before.events) if before else 0
        now = micros(claim.now)
        values |= to_row(after)
        values |= {
            "now": now, "before": before.version if before else -1, "under_name": under.name,
            "under_holder": under.holder, "under_fence": under.fence,
        }  # fmt: skip
        with self.writing() as transaction:
            execute = transaction.execute
            self.lock_for_claim(transaction, claim)
            named = {"workspace": after.workspace, "operation": after.operation}
            transaction.send(_sql.FIRST_DECLARATION, {**named, "declaration": after.declaration, "now": now})
            if self.change(execute, statement, values, after.events[first:], first):
                conflict = _put(execute, claim.also)
                if conflict is None:
                    return Claimed(after)
                transaction.keep = False
                return DocumentConflict(conflict)
            transaction.keep = False
            if under.workspace != after.workspace or not _alive(execute, under, claim.now):
                return LeaseLost()
            held = _declaration(execute, after.workspace, after.operation)
            if held is not None and held.digest != after.declaration:
                return OtherDeclaration(held)
            return Found(_at(execute, after.workspace, claim.addresses))

    def mark_sending(self, before: Record, after: Record, under: Lease, now: datetime) -> Record | None:
        with self.writing() as transaction:
            if _alive(transaction.execute, under, now) and self._update(transaction.execute, before, after):
                return after
            transaction.keep = False
        return None

    def settle(self, before: Record, after: Record, also: Sequence[Document] = ()) -> Record | None:
        with self.writing() as transaction:
            if self._update(transaction.execute, before, after) and _put(transaction.execute, also) is None:
                return after
            transaction.keep = False
        return None

    def settle_all(self, changes: Sequence[tuple[Record, Record]]) -> int:
        with self.writing() as transaction:
            return sum(self._update(transaction.execute, before, after) for before, after in changes)

    def _update(self, execute: Execute, before: Record, after: Record) -> bool:
        first = len(before.events)
        values = {**to_row(after), "before": before.version}
        return self.change(execute, _sql.UPDATE, values, after.events[first:], first)

    def read(self, workspace: str, addresses: Sequence[str]) -> tuple[Record, ...]:
        with self.reading() as transaction:
            return _at(transaction.execute, workspace, addresses)

    def attempted(self, workspace: str, limit: int = 1000) -> tuple[Record, ...]:
        return self._records(_sql.ATTEMPTED, {"workspace": workspace, "limit": limit})

    def find(self, workspace: str, prefix: str, limit: int = 10) -> tuple[Record, ...]:
        values = {"workspace": workspace, "prefix": prefix, "behind": _sql.behind(prefix), "limit": limit}
        return self._records(_sql.FIND, values)

    def expired(self, workspace: str, now: datetime, limit: int = 500) -> tuple[Record, ...]:
        return self._records(_sql.EXPIRED, {"workspace": workspace, "now": micros(now), "limit": limit})

    def live(self, workspace: str, operation: str, now: datetime) -> tuple[Record, ...]:
        values = {"workspace": workspace, "operation": operation, "now": micros(now)}
        return self._records(_sql.OF_OPERATION, values)

    def _records(self, statement: str, values: Mapping[str, Any]) -> tuple[Record, ...]:
        with self.reading() as transaction:
            return _records(transaction.execute, statement, values)

    def acquire(self, workspace: str, name: str, holder: str, until: datetime, now: datetime) -> Lease | None:
        values = {"workspace": workspace, "name": name, "holder": holder, "until": micros(until), "now": micros(now)}
        with self.writing() as transaction:
            rows = transaction.execute(_sql.ACQUIRE, values)
        return Lease(workspace, name, holder, rows[0]["fence"], until) if rows else None

    def renew(self, lease: Lease, until: datetime, now: datetime) -> Lease | None:
        with self.writing() as transaction:
            rows = transaction.execute(_sql.RENEW, {**_named(lease), "until": micros(until), "now": micros(now)})
        return Lease(lease.workspace, lease.name, lease.holder, lease.fence, until) if rows else None

    def release(self, lease: Lease) -> None:
        with self.writing() as transaction:
            transaction.send(_sql.RELEASE, _named(lease))

    def declaration(self, workspace: str, operation: str) -> Declaration | None:
        with self.reading() as transaction:
            return _declaration(transaction.execute, workspace, operation)

    def move(
        self, before: Declaration | None, after: Declaration, moves: Sequence[tuple[Record, Record]], now: datetime
    ) -> bool:
        with self.writing() as transaction:
            self.lock_for_move(transaction, after.workspace, after.operation)
            transaction.keep = self._move(transaction, before, after, moves, now)
            return transaction.keep

    def _move(
        self, transaction: Transaction, before: Declaration | None, after: Declaration,
        moves: Sequence[tuple[Record, Record]], now: datetime,
    ) -> bool:  # fmt: skip
        workspace, operation, execute = after.workspace, after.operation, transaction.execute
        if _declaration(execute, workspace, operation) != before:
            return False
        values = {"workspace": workspace, "operation": operation, "now": micros(now)}
        live = {(record.address, record.version) for record in _records(execute, _sql.OF_OPERATION, values)}
        if live != {(old.address, old.version) for old, _ in moves}:
            return False
        for old, _ in moves:
            aside = {"workspace": workspace, "address": old.address, "aside": f"moving {old.address}"}
            execute(_sql.MOVE_AWAY, {**aside, "before": old.version})
        for old, new in moves:
            place = {"workspace": workspace, "address": new.address, "now": micros(now)}
            transaction.send(_sql.GIVE_WAY, place)
            if execute(_sql.STANDS, {"workspace": workspace, "address": new.address}):
                return False
            first = len(old.events)
            row = {**to_row(new), "aside": f"moving {old.address}"}
            if not self.change(execute, _sql.MOVE_TO, row, new.events[first:], first):
                return False
        declared = {
            "workspace": workspace, "operation": operation, "digest": after.digest, "since": micros(after.since),
            "replaced": json.dumps(after.replaced), "was": before.digest if before else "",
        }  # fmt: skip
        return bool(execute(_sql.SET_DECLARATION, declared))

    def documents(self, workspace: str, kind: str, prefix: str = "") -> tuple[Document, ...]:
        values = {"workspace": workspace, "kind": kind, "prefix": prefix, "behind": _sql.behind(prefix)}
        with self.reading() as transaction:
            rows = transaction.execute(_sql.DOCUMENTS, values)
        return tuple(Document(workspace, kind, row["id"], row["body"], row["version"]) for row in rows)

    def document(self, workspace: str, kind: str, id: str) -> Document | None:
        with self.reading() as transaction:
            rows = transaction.execute(_sql.DOCUMENT, {"workspace": workspace, "kind": kind, "id": id})
        return Document(workspace, kind, id, rows[0]["body"], rows[0]["version"]) if rows else None

    def write(self, documents: Sequence[Document]) -> bool:
        with self.writing() as transaction:
            transaction.keep = _put(transaction.execute, documents) is None
            return transaction.keep


def _named(lease: Lease) -> dict[str, Any]:
    return {"workspace": lease.workspace, "name": lease.name, "holder": lease.holder, "fence": lease.fence}


def _alive(execute: Execute, lease: Lease, now: datetime) -> bool:
    return bool(execute(_sql.LEASE_ALIVE, {**_named(lease), "now": micros(now)}))


def _at(execute: Execute, workspace: str, addresses: Sequence[str]) -> tuple[Record, ...]:
    found: list[Record] = []
    for address in addresses:
        found += _records(execute, _sql.AT_ADDRESS, {"workspace": workspace, "address": address})
    return tuple(found)


def _records(execute: Execute, statement: str, values: Mapping[str, Any]) -> tuple[Record, ...]:
    found = []
    for row in execute(statement, values):
        events = execute(_sql.EVENTS, {"workspace": row["workspace"], "log": row["log"]})
        told = [event_of(one["kind"], one["at"], one["who"], one["detail"], one["call"]) for one in events]
        found.append(from_row(row, told))
    return tuple(found)


def _declaration(execute: Execute, workspace: str, operation: str) -> Declaration | None:
    rows = execute(_sql.DECLARATION, {"workspace": workspace, "operation": operation})
    if not rows:
        return None
    row = rows[0]
    return Declaration(workspace, operation, row["digest"], at(row["since"]), tuple(json.loads(row["replaced"])))


def _put(execute: Execute, documents: Sequence[Document]) -> Document | None:
    """Writes the documents; the first one that has changed since it was read, None where none has."""
    for document in documents:
        values: dict[str, Any] = {
            "workspace": document.workspace, "kind": document.kind, "id": document.id, "version": document.version,
        }  # fmt: skip
        if document.body:
            values["document"] = document.body
            done = bool(execute(_sql.CHANGE_DOCUMENT if document.version else _sql.NEW_DOCUMENT, values))
        elif document.version:
            done = bool(execute(_sql.DELETE_DOCUMENT, values))
        else:
            done = not execute(_sql.DOCUMENT, values)
        if not done:
            return document
    return None
