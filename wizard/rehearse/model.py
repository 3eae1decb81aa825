"""What a rehearsal is about and what it says: stories, how each ended, what would have ended it better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Lane = Literal["caller", "host", "record", "recipient", "ledger"]
LANES: tuple[Lane, ...] = ("caller", "host", "record", "recipient", "ledger")
"""From left to right: who asks, who sends, what is remembered, who receives, what really landed."""


class Verdict(StrEnum):
    """How a story ended, worst first."""

    FAILED = "failed"
    """A write landed more than once, or was swallowed, or something was claimed that did not happen."""
    WEAK = "weak"
    """It ended with a person although a declaration would have settled it."""
    PASSED = "passed"
    """Each write that was meant landed once at most, and nothing was claimed that did not happen."""
    SKIPPED = "skipped"
    """It cannot be told of this operation; `why` says what it lacks."""


VERDICTS: tuple[Verdict, ...] = tuple(Verdict)


class Declared(StrEnum):
    """How much of the declaration a story was told with, so that a reader sees what each part bought."""

    UNDECLARED = "undeclared"
    """Neither identity nor key nor probe: the call scope."""
    CACHED = "cached"
    """As declared, but for the key."""
    KEYED = "keyed"
    """As declared, with its key."""


class Ended(StrEnum):
    """What was left when the story was over."""

    ONCE = "landed once"
    """Each write that was meant landed exactly once, and the caller knows it."""
    REFUSED = "refused"
    """Nothing landed, and the caller knows it."""
    PERSON = "asked a person"
    """What happened is not known; a person has to look."""
    WRONG = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Something that happened in a story, in its order."""

    lane: Lane
    kind: str
    """`call`, `told`, `claim`, `send`, `answer`, `fault`, `killed`, `probe`, `settle`, `landed`, `clock`, `person` or
    `note`."""
    text: str
    """A few words: `POST /bookings`, `503, committed`, `attempted`, `landed: 2`."""
    at: float
    """Seconds of the story's own clock since it began."""
    to: Lane | None = None
    """The lane that it goes to, where it is a message."""
    detail: str = ""
    """More of it, for whoever asks: a body, the words that the model was told."""
    bad: bool = False
    """It is what the story fails for, or the fault that is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """A change of the declaration that was tried, and helped."""

    line: str
    """The YAML to put under `operation:` (`key: header Idempotency-Key`)."""
    says: str
    """What it changes, in one sentence."""
    shown: str
    """How the same story ended with it: `With it the write landed once.`"""
    member: str = ""
    """The member of the mapping that it sets: `key`, `probe.pages`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryRun:
    """One story, told once."""

    story: str
    says: str
    """What happens in it, in one sentence."""
    declared: Declared
    recipient: str
    """`as documented`, or the behaviour that it was given: `key-ignored`."""
    verdict: Verdict
    ended: Ended | None = None
    """None where it was skipped."""
    why: str = ""
    """One sentence: what went wrong, or why it was not told; empty where it passed."""
    meant: int = 0
    """How many different writes were meant."""
    landed: int = 0
    """How many landed."""
    told: tuple[str, ...] = ()
    """What the caller was told, call by call: `done`, `already done`, `outcome not observed`."""
    moments: tuple[Moment, ...] = ()
    mend: Mend | None = None
    seed: int = 0
    seconds: float = 0.0
    """Of the wall clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong before any story is told: a body that the document would refuse."""

    message: str
    place: str = ""
    """File, line and column, where it has one."""
    remedy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRehearsal:
    """One operation, all its stories under its own declaration and under less of it."""

    name: str
    request: str
    """`POST http://…/bookings`."""
    skill: str
    """The file of its declaration, as it was given."""
    declared: Declared
    """How it is declared; the runs of this level decide, the others stand beside them to compare."""
    confirmed: bool
    """False: `status: proposed`, so a host treats it as undeclared until somebody confirms it."""
    document: str = ""
    """The API document that its recipient was made from; empty where there is none."""
    runs: tuple[StoryRun, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    """What the recipient had to be believed for, because no document shows it."""

    def at(self, declared: Declared) -> tuple[StoryRun, ...]:
        return tuple(run for run in self.runs if run.declared is declared)

    @property
    def own(self) -> tuple[StoryRun, ...]:
        """The runs that decide."""
        return self.at(self.declared)

    def count(self, ended: Ended, declared: Declared | None = None) -> int:
        return sum(run.ended is ended for run in self.at(declared or self.declared))

    @property
    def verdict(self) -> Verdict:
        """The worst of its own runs; failed where a finding is."""
        if self.findings:
            return Verdict.FAILED
        own = [run.verdict for run in self.own if run.verdict is not Verdict.SKIPPED]
        return next((verdict for verdict in VERDICTS if verdict in own), Verdict.SKIPPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Created:
    """Something that a rehearsal against a real sandbox left behind."""

    request: str
    answer: str
    """Status and what the answer names it by: `201 /bookings/b_17`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """All that was rehearsed in one run."""

    operations: tuple[OperationRehearsal, ...]
    recipient: str
    """`as documented`, a behaviour, or the URL of a sandbox."""
    store: str
    """The kind of store: `sqlite`, `memory`, `postgresql`."""
    seed: int = 0
    repeat: int = 1
    seconds: float = 0.0
    created: tuple[Created, ...] = ()
    passed_over: Mapping[str, str] = field(default_factory=dict)
    """Files or operations that were not rehearsed, with the reason: `get-room` to `it is a read`."""
    blocked: Mapping[str, str] = field(default_factory=dict)
    """Declarations that could not be rehearsed, with the reason: nothing is proven of what they declare."""
    asked: str = ""
    """What of the call decides how its stories end, and stands in none of them: `--document openapi.yaml`."""

    @property
    def failed(self) -> bool:
        """Whether an operation failed, or could not be rehearsed."""
        return bool(self.blocked) or any(operation.verdict is Verdict.FAILED for operation in self.operations)
