"""What a caller gives for a call, and what it gets: what happened, the words for it, the record behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from wizard.host import texts
from wizard.host.prepare import Arguments
from wizard.host.record import Answer, State
from wizard.host.state import Telling, Told
from wizard.operation.model import Operation


@dataclass(frozen=True, slots=True)
class Asking:
    """One call that a model asks for."""

    name: str
    """The operation's name."""
    operation: Operation
    arguments: Arguments = field(default_factory=Arguments)


class Plain(StrEnum):
    """What is told of a call that no record speaks for."""

    ANSWERED = "answered"
    """A request that is not recorded (a read) was answered."""
    UNANSWERED = "unanswered"
    """A request that is not recorded got no whole answer."""
    NOT_RUN = "not run"
    """Its round was cut off before it was complete."""
    WAITING = "waiting"
    """Held until somebody approves it."""
    DECLINED = "declined"
    """Held, and somebody decided against it."""
    INVALID = "invalid"
    """It makes no request of its operation."""
    NO_LEASE = "no lease"
    """The caller's lease of its turn or run is over."""
    OLD_DECLARATION = "old declaration"
    """The operation has been brought under another declaration since this one."""
    HELD_BACK = "held back"
    """The operation's declaration is new, and earlier writes cannot be brought under it."""
    CONFLICT = "conflict"
    """What belongs to the claim was changed meanwhile."""


APPLIED = frozenset({Telling.DONE, Telling.ACCEPTED, Telling.IN_PARTS, Telling.FOUND, Telling.ALREADY_DONE})
"""The write is there, now or from before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a call comes to. `text` is for the model; the answer itself stands beside it."""

    ending: Telling | Plain
    text: str
    answer: Answer | None = None
    record: str = ""
    """The record's short name (`records show` takes it), empty where nothing is recorded."""
    state: State | None = None
    first_at: datetime | None = None
    """When the write was sent first."""
    until: datetime | None = None
    """Of a write that is under way: when it counts as left behind, if nothing is heard of it."""
    replayed: bool = False
    """Answered from the record; nothing was sent for this call."""
    differing: tuple[str, ...] = ()
    """The fields in which this call differs from the request that was sent."""
    late: bool = False
    """Another worker had taken the write over before this answer came."""
    warnings: tuple[str, ...] = ()
    """What the caller should look into; the model is told of it in `text`."""

    @property
    def applied(self) -> bool:
        """Whether the write is there."""
        return self.ending in APPLIED


def of_told(told: Told, notes: Sequence[str] = (), warnings: Sequence[str] = (), *, replayed: bool = False) -> Result:
    """The result of a recorded write."""
    return Result(
        ending=told.telling,
        text=texts.text_of(told, (*notes, *warnings)),
        answer=told.answer,
        record=told.record.id,
        state=told.record.state,
        first_at=told.record.first_send,
        until=told.record.lease_until,
        replayed=replayed,
        differing=told.differing,
        late=told.late,
        warnings=tuple(warnings),
    )


def plain(ending: Plain, *, answer: Answer | None = None, **values: str) -> Result:
    """The result of a call that no record speaks for."""
    return Result(ending=ending, text=texts.telling(ending.replace(" ", "_"), **values), answer=answer)
