"""What an author has in hand: an API's operations, what is proposed, what was decided, and what stands in the skills.

All of it is values. Every step is a function that takes the state and gives the next one; what went before is kept, so
each step can be undone. Nothing here reads, writes, or looks at a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from wizard.emit.model import Layout
from wizard.infer.model import Confidence, Proposal
from wizard.operation.model import WRITING_METHODS, Level, Operation, Scope
from wizard.spec.model import ApiDocument, ApiOperation


class Choice(StrEnum):
    """What the author decided about an operation."""

    TO_DO = "to do"
    CONFIRMED = "confirmed"
    SKIPPED = "skipped"
    NO_WRITE = "not a write"


class Mark(StrEnum):
    """What a list shows of an operation: its choice, or that something moved under a confirmed one."""

    PENDING = "reading"
    READ = "read"
    TO_DO = "to do"
    CONFIRMED = "confirmed"
    WRITTEN = "written"
    SKIPPED = "skipped"
    NO_WRITE = "not a write"
    CHANGED = "changed since"
    """Confirmed and not written as it is now."""
    DRIFTED = "drifted"
    """The document changed since the skill was written."""


def _without_write(operation: Operation) -> Operation:
    """The declaration of what changes nothing: nothing is recorded of it."""
    return replace(
        operation, write=False if operation.method in WRITING_METHODS else None, identity=(), scope=None, key=None,
        reference=None, probe=None, keep=None, money=None, failed=None, status=None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the skills on disk hold of an operation."""

    operation: Operation
    file: str
    """Relative to the output folder, with `/`."""
    drifted: bool = False
    """The document says something else of the operation than when the skill was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One operation of the API."""

    api: ApiOperation
    proposal: Proposal | None = None
    """None until a worker has brought it."""
    proposed: Operation | None = None
    """The declaration that the proposal stands for; None where it cannot be declared."""
    draft: Operation | None = None
    """The author's own declaration; None while the proposal stands as it is."""
    as_write: bool | None = None
    """What the author says: a write, no write; None leaves it to the proposal."""
    choice: Choice = Choice.TO_DO
    prose: str | None = None
    """The author's own text under the declaration; None leaves it to the template (or to what stands there)."""
    key_source: str = ""
    """Where a key comes from that the document does not show."""
    reason: str = ""
    """Why it was skipped."""
    written: Written | None = None
    recorded: Choice | None = None
    """The decision without a skill (skipped, not a write) that the lock on disk holds."""
    accepted: bool = False
    """Confirmed again after the document changed under what is written."""
    problem: str = ""
    """Why no declaration can be made."""

    @property
    def name(self) -> str:
        """`POST /bookings`."""
        return self.api.name

    @property
    def declaration(self) -> Operation | None:
        """The declaration as it stands: the author's, else the proposed one; of what they call no write only what is
        left of it."""
        operation = self.draft if self.draft is not None else self.proposed
        return _without_write(operation) if self.choice is Choice.NO_WRITE and operation is not None else operation

    @property
    def is_write(self) -> bool:
        if self.as_write is not None:
            return self.as_write
        if self.proposal is not None:
            return self.proposal.write
        return self.api.method in ("POST", "PATCH", "DELETE", "PUT")

    @property
    def edited(self) -> bool:
        """Whether the declaration is another one than what was proposed."""
        draft, proposed = self.draft, self.proposed
        if draft is None or draft == proposed:
            return False
        if proposed is None or draft.is_write or proposed.is_write:
            return True
        # Of what only replaces nothing more is written than how it is called.
        return _without_write(draft) != _without_write(proposed)

    @property
    def harmless(self) -> bool:
        """It writes and only replaces: sent twice it leaves what one leaves, so nothing is recorded of it."""
        operation = self.declaration
        return self.is_write and operation is not None and not operation.is_write

    @property
    def level(self) -> str:
        """`keyed`, `cached`, `call only`, `repeatable` (it only replaces), or empty for what is no write."""
        operation = self.declaration
        if not self.is_write or operation is None:
            return ""
        if self.harmless:
            return "repeatable"
        confirmed = replace(operation, status=None)
        if confirmed.level is Level.KEYED:
            return "keyed"
        return "cached" if confirmed.record_scope is not Scope.CALL else "call only"

    @property
    def confidence(self) -> Confidence | None:
        """Of the identity proposed; None for what is no write, what is pending, and what the author made their own."""
        if self.proposal is None or not self.is_write or self.edited or not self.proposal.write:
            return None
        return self.proposal.identity.confidence

    @property
    def unwritten(self) -> bool:
        """Whether something was decided that the skills on disk do not hold."""
        if self.choice in (Choice.SKIPPED, Choice.NO_WRITE):
            return self.choice is not self.recorded
        if self.choice is not Choice.CONFIRMED:
            return False
        if self.written is None or self.prose is not None or self.written.operation != self.to_write:
            return True
        return self.written.drifted and self.accepted

    @property
    def to_write(self) -> Operation | None:
        """The declaration as it goes into the skill: with `status: proposed` unless confirmed."""
        operation = self.declaration
        if operation is None or not self.is_write:
            return operation
        if self.harmless:
            return _without_write(operation)
        return replace(operation, status=None if self.choice is Choice.CONFIRMED else "proposed")

    @property
    def mark(self) -> Mark:
        if self.proposal is None:
            return Mark.PENDING
        if self.choice is Choice.NO_WRITE:
            return Mark.NO_WRITE
        if not self.is_write:
            return Mark.READ
        if self.choice is Choice.SKIPPED:
            return Mark.SKIPPED
        if self.choice is Choice.CONFIRMED:
            if self.written is None:
                return Mark.CONFIRMED
            if self.written.drifted and not self.accepted:
                return Mark.DRIFTED
            return Mark.CHANGED if self.unwritten else Mark.WRITTEN
        return Mark.TO_DO

    @property
    def group(self) -> str:
        """The resource it belongs to: its first tag, else the first part of its path that is no version."""
        if self.api.tags:
            return self.api.tags[0]
        for part in self.api.path.split("/"):
            if part and not part.startswith("{") and not (part[0] == "v" and part[1:].replace(".", "").isdigit()):
                return part
        return "/"


@dataclass(frozen=True, slots=True)
class Step:
    """One step back: what was done, and the entries as they were before it."""

    did: str
    entries: Mapping[str, Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The whole state."""

    document: ApiDocument
    entries: Mapping[str, Entry]
    """`POST /bookings` to its entry, in the document's order."""
    layout: Layout = Layout.FOLDER
    server: str = ""
    past: tuple[Step, ...] = field(default=(), repr=False)
    future: tuple[Step, ...] = field(default=(), repr=False)
    read_only: bool = False

    def __getitem__(self, name: str) -> Entry:
        return self.entries[name]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    @property
    def pending(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self if entry.proposal is None)

    @property
    def unwritten(self) -> tuple[Entry, ...]:
        """What was decided and stands in no file yet, in the document's order."""
        return tuple(entry for entry in self if entry.unwritten)

    @property
    def can_undo(self) -> str:
        """What undo would take back; empty where there is nothing."""
        return self.past[-1].did if self.past else ""

    @property
    def can_redo(self) -> str:
        return self.future[-1].did if self.future else ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the author has come over the API's writes."""

    writes: int
    confirmed: int
    skipped: int
    written: int
    pending: int

    @property
    def to_do(self) -> int:
        return self.writes - self.confirmed - self.skipped


def progress(session: Session) -> Progress:
    writes = [entry for entry in session if entry.is_write]
    return Progress(
        writes=len(writes),
        confirmed=sum(entry.choice is Choice.CONFIRMED for entry in writes),
        skipped=sum(entry.choice is Choice.SKIPPED for entry in writes),
        written=sum(entry.mark is Mark.WRITTEN for entry in writes),
        pending=len(session.pending),
    )


FILTERS: Mapping[str, tuple[str, Callable[[Entry], bool]]] = {
    "to do": ("not decided yet", lambda entry: entry.mark is Mark.TO_DO),
    "creates": ("makes something new", lambda entry: entry.proposal is not None and entry.proposal.kind == "create"),
    "unsure": ("proposed with low or medium confidence",
               lambda entry: entry.mark is Mark.TO_DO and entry.confidence not in (None, Confidence.HIGH)),
    "no key": ("the recipient takes no key", lambda entry: entry.level in ("cached", "call only")),
    "no probe": ("cannot be read back",
                 lambda entry: entry.level in ("keyed", "cached", "call only")
                 and entry.declaration is not None and entry.declaration.probe is None),
    "drifted": ("the document or the declaration changed",
                lambda entry: entry.mark in (Mark.DRIFTED, Mark.CHANGED)),
}  # fmt: skip
"""Name to what it shows and the test of an entry; all but reads are asked of writes only."""


def visible(
    session: Session, *, search: str = "", filters: frozenset[str] = frozenset(), reads: bool = False
) -> tuple[tuple[str, tuple[Entry, ...]], ...]:
    """The entries a list shows, by group in the document's order: `(("bookings", (entry, …)), …)`.

    `search` is words that all stand somewhere in the method, path, id, summary or tags; `filters` are names of FILTERS
    that all hold.
    """
    words = search.lower().split()
    groups: dict[str, list[Entry]] = {}
    for entry in session:
        if not (entry.is_write or entry.choice is Choice.NO_WRITE or reads):
            continue
        if not all(FILTERS[name][1](entry) for name in filters):
            continue
        api = entry.api
        text = f"{api.name} {api.operation_id} {api.summary} {' '.join(api.tags)}".lower()
        if all(word in text for word in words):
            groups.setdefault(entry.group, []).append(entry)
    return tuple((group, tuple(entries)) for group, entries in groups.items())
