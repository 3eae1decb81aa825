"""What the host remembers of one write: a record in one of three states, and the events that brought it there.

A record is found by its workspace and address. It is a value: every change is a new record, made by a function of
`state.py`, with `version` one higher and its events added at the end. Instants are aware datetimes in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from wizard.host.outcome import Request
from wizard.operation.model import Scope


class State(StrEnum):
    """The three states of a write."""

    ABSENT = "absent"
    """Never tried, or proven that it did not happen; a stored absent record is a line that keeps its generation."""
    ATTEMPTED = "attempted"
    """Claimed, perhaps sent, its outcome not observed."""
    COMPLETED = "completed"
    """Sent and answered, or found at the recipient, or said by a person to have happened."""


class EventKind(StrEnum):
    """What happened to a record; an event says what we did or saw, never what we suppose."""

    CLAIMED = "claimed"
    SENDING = "sending"
    """A send after the first was begun."""
    SENT = "sent"
    """It may have left, and no answer that settles it was seen."""
    ANSWERED = "answered"
    REFUSED = "refused"
    NOT_SENT = "not-sent"
    PROBED = "probed"
    DECIDED = "decided"
    """A named person settled it, or asked for another send."""
    RELEASED = "released"
    """A named person let go of what was completed."""
    REPEATED = "repeated"
    """A call was answered from the record."""
    EXPIRED = "expired"
    MOVED = "moved"
    """Its operation's declaration changed and its address with it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a record's history."""

    kind: EventKind
    at: datetime
    by: str = ""
    """Who: the lease's holder, `person:NAME`, or empty for the host's own housekeeping."""
    detail: str = ""
    """In words and without anything of a body: a status, how a connection ended, a person's reason."""
    call: str = ""
    """The call that it belongs to (`Call.text`), where there is one."""


@dataclass(frozen=True, slots=True)
class Call:
    """Where a call stands."""

    workspace: str
    session: str
    turn: str
    ordinal: int
    """Which of its turn's calls it is, from 0, in the model's order."""

    @property
    def text(self) -> str:
        """The call within its workspace, as events name it."""
        return f"{self.ordinal}:{len(self.session)}:{self.session}:{self.turn}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a completed record answers."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    found: bool = False
    """The recipient's own answer was not seen; `body` is what a probe found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One write, as the host remembers it."""

    workspace: str
    address: str
    """The hex digest of its material at generation 0, under the secret named `secret`."""
    operation: str
    """The operation's name."""
    declaration: str
    """The digest of the declaration that its address goes by."""
    scope: Scope
    """What the address stands for."""
    secret: str
    """The name of the secret that its address and key were derived with."""
    generation: int = 0
    state: State
    version: int = 0
    """Counts the changes of the stored row; a change names the version that it was made from."""
    fence: int = 0
    """Counts the sends begun at this address, over all generations; who reports names the fence it sent under."""
    holder: str = ""
    lease_until: datetime | None = None
    """Until then the attempt is `holder`'s; None where nobody has it."""

    call: Call
    """The call that claimed it."""
    key: str = ""
    """The key that was sent; empty where the recipient takes none, or one for each element of an array."""
    key_place: str = ""
    """Where it was sent (`header Idempotency-Key`); empty where the recipient takes none."""
    reference: str = ""
    """The value that was filled into the reference field, where the host fills it once for the whole request."""
    fingerprint: str = ""
    """Of the request as it was filled in; empty once the next claim must take the next generation."""
    request: Request | None = None
    """The whole request; None once it has expired or was released."""
    given: str = ""
    """JSON of what the request was made from (`variables`, `query`, `header`), to derive addresses anew."""
    keep: int | None = None
    """Seconds that the completed record answers repeats; None for ever."""

    first_send: datetime | None = None
    last_send: datetime | None = None
    deadline: datetime | None = None
    """Of the last send: no byte leaves after it, nothing is awaited after it."""
    sends: int = 0
    """Of this generation, since it was claimed."""
    saw_server_error: bool = False
    """One of these sends was answered by a 5xx."""

    answer: Answer | None = None
    by: str | None = None
    """Who settled it: `answer`, `probe` or `person:NAME`; None while attempted."""
    settled_at: datetime | None = None
    expires_at: datetime | None = None
    """When a completed record stops answering; None for never."""
    events: tuple[Event, ...] = ()

    @property
    def id(self) -> str:
        """The short name by which a person knows it."""
        return self.address[:12]

    @property
    def answered_calls(self) -> frozenset[str]:
        """The calls that were answered out of this record once, the one that claimed it when it was completed among
        them (`Call.text`): they stay answered.

        Only where the record stands for one call and a person released it, that call may be made again; what else
        would the release be for?
        """
        calls: set[str] = set()
        for event in self.events:
            if event.kind in _ANSWERING and event.call:
                calls.add(event.call)
            elif event.kind is EventKind.RELEASED and self.scope is Scope.CALL:
                calls.clear()
        return frozenset(calls)

    def lease_alive(self, now: datetime) -> bool:
        """Whether somebody may still be at work on the attempt."""
        return self.lease_until is not None and now < self.lease_until


_ANSWERING = frozenset({EventKind.ANSWERED, EventKind.REPEATED, EventKind.PROBED, EventKind.DECIDED})
"""The events that name a call where they give it its answer, and none otherwise."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A named lease of a workspace (a turn, a run). Its fence rises each time that another holder takes it."""

    workspace: str
    name: str
    holder: str
    fence: int
    until: datetime
