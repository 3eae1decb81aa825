"""A store in the memory of one process: for tests and rehearsals. What it keeps ends with the process."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from wizard.host.record import Lease, Record, State
from wizard.host.state import expired
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
    StoreError,
)  # fmt: skip

SCHEMES = ("memory",)
ONE_PROCESS = True
"""Workers of other processes do not see it."""


def open_url(url: str) -> MemoryStore:
    """A store of its own, empty."""
    return MemoryStore()


class MemoryStore:
    """Keeps everything in dictionaries behind one lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[tuple[str, str], Record] = {}
        self._leases: dict[tuple[str, str], Lease] = {}
        self._declarations: dict[tuple[str, str], Declaration] = {}
        self._documents: dict[tuple[str, str, str], Document] = {}

    def close(self) -> None:
        pass

    def claim(self, claim: Claim) -> ClaimResult:
        after = claim.after
        with self._lock:
            if claim.under.workspace != after.workspace or not self._alive(claim.under, claim.now):
                return LeaseLost()
            held = self._declarations.get((after.workspace, after.operation))
            if held is not None and held.digest != after.declaration:
                return OtherDeclaration(held)
            found = self._at(after.workspace, claim.addresses)
            attempted = any(one.address == after.address and one.state is State.ATTEMPTED for one in found)
            if attempted or {(record.address, record.version) for record in found} != set(claim.seen):
                return Found(found)
            if conflict := self._conflict(claim.also):
                return DocumentConflict(conflict)
            if held is None:
                self._declarations[after.workspace, after.operation] = Declaration(
                    after.workspace, after.operation, after.declaration, claim.now
                )
            self._keep(after)
            self._put(claim.also)
        return Claimed(after)

    def mark_sending(self, before: Record, after: Record, under: Lease, now: datetime) -> Record | None:
        with self._lock:
            if not self._alive(under, now) or not self._unchanged(before):
                return None
            self._keep(after)
        return after

    def settle(self, before: Record, after: Record, also: Sequence[Document] = ()) -> Record | None:
        with self._lock:
            if not self._unchanged(before) or self._conflict(also):
                return None
            self._keep(after)
            self._put(also)
        return after

    def settle_all(self, changes: Sequence[tuple[Record, Record]]) -> int:
        return sum(self.settle(before, after) is not None for before, after in changes)

    def read(self, workspace: str, addresses: Sequence[str]) -> tuple[Record, ...]:
        with self._lock:
            return self._at(workspace, addresses)

    def attempted(self, workspace: str, limit: int = 1000) -> tuple[Record, ...]:
        with self._lock:
            found = [record for record in self._of(workspace) if record.state is State.ATTEMPTED]
        return tuple(sorted(found, key=lambda record: (str(record.first_send), record.address))[:limit])

    def find(self, workspace: str, prefix: str, limit: int = 10) -> tuple[Record, ...]:
        with self._lock:
            found = [record for record in self._of(workspace) if record.address.startswith(prefix)]
        return tuple(sorted(found, key=lambda record: (record.first_send, record.address), reverse=True)[:limit])

    def expired(self, workspace: str, now: datetime, limit: int = 500) -> tuple[Record, ...]:
        with self._lock:
            found = [record for record in self._of(workspace) if expired(record, now)]
        return tuple(sorted(found, key=lambda record: (record.expires_at, record.address))[:limit])

    def acquire(self, workspace: str, name: str, holder: str, until: datetime, now: datetime) -> Lease | None:
        with self._lock:
            held = self._leases.get((workspace, name))
            if held is not None and held.holder and held.holder != holder and now < held.until:
                return None
            lease = Lease(workspace, name, holder, held.fence + 1 if held else 1, until)
            self._leases[workspace, name] = lease
        return lease

    def renew(self, lease: Lease, until: datetime, now: datetime) -> Lease | None:
        with self._lock:
            if not self._alive(lease, now):
                return None
            self._leases[lease.workspace, lease.name] = renewed = replace(lease, until=until)
        return renewed

    def release(self, lease: Lease) -> None:
        with self._lock:
            held = self._leases.get((lease.workspace, lease.name))
            if held is not None and (held.holder, held.fence) == (lease.holder, lease.fence):
                self._leases[lease.workspace, lease.name] = replace(held, holder="")

    def declaration(self, workspace: str, operation: str) -> Declaration | None:
        with self._lock:
            return self._declarations.get((workspace, operation))

    def live(self, workspace: str, operation: str, now: datetime) -> tuple[Record, ...]:
        with self._lock:
            return self._live(workspace, operation, now)

    def move(
        self, before: Declaration | None, after: Declaration, moves: Sequence[tuple[Record, Record]], now: datetime
    ) -> bool:
        workspace, operation = after.workspace, after.operation
        with self._lock:
            held = self._declarations.get((workspace, operation))
            if held != before:
                return False
            live = {(record.address, record.version) for record in self._live(workspace, operation, now)}
            if live != {(old.address, old.version) for old, _ in moves}:
                return False
            leaving = {old.address for old, _ in moves}
            arriving = [self._records.get((workspace, new.address)) for _, new in moves]
            if any(one and one.address not in leaving and _is_live(one, now) for one in arriving):
                return False
            for address in leaving:
                del self._records[workspace, address]
            for _, new in moves:
                self._keep(new)
            self._declarations[workspace, operation] = after
        return True

    def documents(self, workspace: str, kind: str, prefix: str = "") -> tuple[Document, ...]:
        with self._lock:
            found = [
                document for (space, one, id), document in self._documents.items()
                if space == workspace and one == kind and id.startswith(prefix)
            ]  # fmt: skip
        return tuple(sorted(found, key=lambda document: document.id))

    def document(self, workspace: str, kind: str, id: str) -> Document | None:
        with self._lock:
            return self._documents.get((workspace, kind, id))

    def write(self, documents: Sequence[Document]) -> bool:
        with self._lock:
            if self._conflict(documents):
                return False
            self._put(documents)
        return True

    def _of(self, workspace: str) -> list[Record]:
        return [record for (space, _), record in self._records.items() if space == workspace]

    def _at(self, workspace: str, addresses: Sequence[str]) -> tuple[Record, ...]:
        found = [self._records.get((workspace, address)) for address in addresses]
        return tuple(record for record in found if record is not None)

    def _live(self, workspace: str, operation: str, now: datetime) -> tuple[Record, ...]:
        found = [record for record in self._of(workspace) if record.operation == operation and _is_live(record, now)]
        return tuple(sorted(found, key=lambda record: record.address))

    def _unchanged(self, before: Record) -> bool:
        stored = self._records.get((before.workspace, before.address))
        return stored is not None and stored.version == before.version

    def _keep(self, record: Record) -> None:
        settled_by = record.by is not None and re.fullmatch(r"answer|probe|person:.+", record.by, re.DOTALL)
        if bool(settled_by) is (record.state is State.ATTEMPTED) or (record.by is not None and not settled_by):
            raise StoreError(f"a record that is {record.state} by {record.by!r} is none")
        if (record.answer is not None) is not (record.state is State.COMPLETED):
            raise StoreError(f"a record that is {record.state} with the answer {record.answer!r} is none")
        self._records[record.workspace, record.address] = record

    def _alive(self, lease: Lease, now: datetime) -> bool:
        held = self._leases.get((lease.workspace, lease.name))
        return held is not None and (held.holder, held.fence) == (lease.holder, lease.fence) and now < held.until

    def _conflict(self, documents: Sequence[Document]) -> Document | None:
        for document in documents:
            stored = self._documents.get((document.workspace, document.kind, document.id))
            if (stored.version if stored else 0) != document.version:
                return document
        return None

    def _put(self, documents: Sequence[Document]) -> None:
        for document in documents:
            key = (document.workspace, document.kind, document.id)
            if document.body:
                self._documents[key] = replace(document, version=document.version + 1)
            else:
                self._documents.pop(key, None)


def _is_live(record: Record, now: datetime) -> bool:
    return record.state is State.ATTEMPTED or (record.state is State.COMPLETED and not expired(record, now))
