"""What a store is: it keeps records, and changes one only if it still is what the change was made from.

A store stores. It derives no keys, reads no clock, judges no answers; every instant and every record comes as an
argument. A change names the record that it was made from (`before`) and the one that it makes (`after`): it takes
place only while the stored version is `before.version`, and adds `after`'s new events to the stored ones. What
belongs to a change (money reserved, a step's checkpoint, a job closed) goes into the same transaction as documents.

Each method is one transaction, committed when it returns. What the store acknowledged, it keeps. A store may be used
from many threads. All of them raise StoreError where the store cannot be reached; what became of the change is then
open, and the next reading says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from urllib.parse import urlsplit

from wizard.discover import modules
from wizard.errors import UsageError, WizardError
from wizard.host.record import Lease, Record


class StoreError(WizardError):
    """The store could not be reached, or is not what we can work with."""


class StoreBusyError(StoreError):
    """The store was held by others for longer than we wait."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the host keeps beside its records (a run, an approval, a timer, a budget): a JSON text that is changed only
    from a version that was read."""

    workspace: str
    kind: str
    id: str
    body: str
    version: int = 0
    """The stored version that it was read at; 0 where it is new. A write stores the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A record to be stored as attempted, and everything that must still hold when it is."""

    after: Record
    before: Record | None
    """The line, or the expired record, at the same address; None where there was none."""
    addresses: tuple[str, ...]
    """Every address that means the same write (one for each secret), `after.address` among them."""
    seen: tuple[tuple[str, int], ...] = ()
    """Address and version of every record that was found at them when this was decided."""
    under: Lease
    """The caller's lease (of its turn or run); it must be alive at `now`."""
    now: datetime
    also: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Claimed:
    """It is ours: send."""

    record: Record


@dataclass(frozen=True, slots=True)
class Found:
    """Something else stands at these addresses (or did a moment ago): decide again."""

    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """The caller's lease is over, or another holder has it."""


@dataclass(frozen=True, slots=True)
class OtherDeclaration:
    """The store holds the operation under another declaration (`moving.move` brings it to a new one)."""

    declaration: Declaration


@dataclass(frozen=True, slots=True)
class DocumentConflict:
    """A document was changed since it was read."""

    document: Document


ClaimResult = Claimed | Found | LeaseLost | OtherDeclaration | DocumentConflict


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration that a workspace's operation stands under."""

    workspace: str
    operation: str
    digest: str
    since: datetime
    replaced: tuple[str, ...] = ()
    """Digests that it stood under before; who comes with one of them works from an old file."""


class Store(Protocol):
    """Where records are kept. See the module for what every method promises."""

    def close(self) -> None: ...

    def claim(self, claim: Claim) -> ClaimResult:
        """Stores the attempted record, if nothing stands at its addresses but what was seen, the lease is alive and
        the operation stands under the record's declaration (the first claim of an operation sets it)."""
        ...

    def mark_sending(self, before: Record, after: Record, under: Lease, now: datetime) -> Record | None:
        """Stores a record that is about to be sent again, if the lease is alive. None: it has changed, or the lease
        is over."""
        ...

    def settle(self, before: Record, after: Record, also: Sequence[Document] = ()) -> Record | None:
        """Stores what a record has become. None: it, or a document, has changed since; read it again and decide
        again."""
        ...

    def settle_all(self, changes: Sequence[tuple[Record, Record]]) -> int:
        """Stores what many records have become, in one transaction; those that have changed since are passed over.
        Gives how many it stored."""
        ...

    def read(self, workspace: str, addresses: Sequence[str]) -> tuple[Record, ...]:
        """The records at these addresses, with their events, in the order of the addresses."""
        ...

    def attempted(self, workspace: str, limit: int = 1000) -> tuple[Record, ...]:
        """The attempted records of a workspace, oldest first."""
        ...

    # What people and housekeeping need

    def find(self, workspace: str, prefix: str, limit: int = 10) -> tuple[Record, ...]:
        """The records whose address begins like that (`Record.id` does), the latest first; all of them for an empty
        prefix."""
        ...

    def expired(self, workspace: str, now: datetime, limit: int = 500) -> tuple[Record, ...]:
        """Completed records whose time is over, a batch of them; `state.expire` makes the line that stays of
        each, `settle_all` stores them."""
        ...

    # Leases

    def acquire(self, workspace: str, name: str, holder: str, until: datetime, now: datetime) -> Lease | None:
        """The lease of that name with the next fence, if nobody else holds it alive. None: somebody does."""
        ...

    def renew(self, lease: Lease, until: datetime, now: datetime) -> Lease | None:
        """The lease, longer. None: it is over or another holder's, and never comes back under this fence."""
        ...

    def release(self, lease: Lease) -> None:
        """Gives the lease up, if it is still this holder's."""
        ...

    # Declarations

    def declaration(self, workspace: str, operation: str) -> Declaration | None:
        """The declaration that the operation stands under; None before its first claim."""
        ...

    def live(self, workspace: str, operation: str, now: datetime) -> tuple[Record, ...]:
        """The attempted and the unexpired completed records of an operation."""
        ...

    def move(
        self, before: Declaration | None, after: Declaration, moves: Sequence[tuple[Record, Record]], now: datetime
    ) -> bool:
        """Sets an operation's declaration and moves its live records (from, to) to their new addresses; a line that
        stands there gives way. False, and nothing is changed, if the declaration is no longer `before`, the live
        records are not exactly these, or another live record stands in the way."""
        ...

    # Documents

    def documents(self, workspace: str, kind: str, prefix: str = "") -> tuple[Document, ...]:
        """The documents of a kind whose id begins like that, by id."""
        ...

    def document(self, workspace: str, kind: str, id: str) -> Document | None: ...

    def write(self, documents: Sequence[Document]) -> bool:
        """Stores all of them or none. False: one was changed since it was read. An empty body deletes."""
        ...


def open_store(url: str, *, existing: bool = False) -> Store:
    """The store of a URL: `memory:`, `sqlite:///var/host.db`, `postgresql://…`. `existing`: one that is not there yet
    is not made, as where somebody only looks. Raises UsageError, StoreError.

    A kind of store is a module of `wizard.host.stores` with `SCHEMES` and `open_url(url)`; what it needs is imported
    when one of its URLs is opened. It may have a `missing(url)`: whether there is none yet.
    """
    from wizard.host import stores

    known = {scheme: module for module in modules(stores).values() for scheme in module.SCHEMES}
    # A password in it is nobody's to read.
    shown = re.sub(r"://[^/@]*@", "://…@", url)
    try:
        scheme = urlsplit(url).scheme
    except ValueError as error:
        raise UsageError(f"`{shown}` cannot be read as a URL: {error}") from error
    if scheme not in known:
        raise UsageError(
            f"`{shown}` is no store",
            remedy=f"A store's URL begins with one of {', '.join(f'{one}:' for one in sorted(known))}.",
        )
    missing = getattr(known[scheme], "missing", None)
    if existing and missing is not None and missing(url):
        raise UsageError(f"there is no store at `{shown}`", remedy="Check where it is; `run` makes one.")
    store: Store = known[scheme].open_url(url)
    return store
