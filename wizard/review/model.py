"""What a review says: the changes that touch declarations, each with what it does, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

Side = Literal["base", "head"]
Where = Literal["skill", "document"]


class Grade(StrEnum):
    """How bad a change is, worst first."""

    BREAKS = "breaks"
    """A write can land twice, be swallowed, or be refused because of it."""
    RISKY = "risky"
    """It holds under a condition that a reviewer has to look at, or a person is asked more often."""
    SAFE = "safe"
    """Nothing that was kept single is less so."""


GRADES: tuple[Grade, ...] = tuple(Grade)


class Harm(StrEnum):
    """What can come of a change at worst, worst first; what a summary says in words."""

    TWICE = "twice"
    """One write that was meant once can land twice."""
    SWALLOWED = "swallowed"
    """A write that was meant is taken for another, and is not made."""
    REFUSED = "refused"
    """A write is refused, by the host or by the recipient."""
    ASKED = "asked"
    """A person is asked more often, or has to settle what the host settled."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The place of one side of a change, with the lines that matter."""

    side: Side
    where: Where
    path: str
    """Relative to the reviewed folder, with `/`; a document as it was given."""
    line: int
    """From 1."""
    column: int
    end_line: int
    end_column: int
    lines: tuple[str, ...]
    """The lines from `line` to `end_line`, at most a handful."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChange:
    """What the host derives for one request before and after, under a secret that is only an example."""

    request: str
    """The request in one line: `{"room_id": "R-12", "arrival": "2026-11-14"}`."""
    before: str
    """The key, or the record's address where the recipient takes none; empty where nothing is derived."""
    after: str
    label: str = ""
    """`first`, `second`, where several requests are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Requests that show what the change does."""

    says: str
    """One sentence: `Two bookings that differ in their departure only become one.`"""
    keys: tuple[KeyChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A reviewer's word on one change, from `skill-wizard.approvals.yaml`."""

    fingerprint: str
    who: str
    why: str
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of what a declaration does."""

    kind: str
    """The name of its module in `wizard.review.changes`, with hyphens: `identity-narrower`."""
    grade: Grade
    operation: str
    """The operation's name, as its skill has it."""
    request: str
    """`POST http://…/bookings`."""
    subject: str
    """What of it changed, for the fingerprint and for people: a field's or parameter's name, or empty."""
    title: str
    """One line: `The identity loses departure.`"""
    effect: str
    """What it does, in one to three sentences: to the next write, to records, to repeats."""
    remedy: str = ""
    """What to do about it, where something is to be done."""
    harm: Harm = Harm.NONE
    money: bool = False
    """The operation moves money."""
    before: str = ""
    """The declared value that changed, as the declaration prints it; empty where there was none."""
    after: str = ""
    members: tuple[str, str] = ("", "")
    """The members of the mapping that have these values (`identity`, `probe.since`); empty where that is none's."""
    example: Example | None = None
    excerpts: tuple[Excerpt, ...] = ()
    fingerprint: str = ""
    """Stable: over kind, operation, subject, before and after; not over lines, paths or words."""
    approved: Approval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationReview:
    """One operation with its changes, worst first."""

    name: str
    request: str
    money: bool
    level_before: str
    """`none`, `cached`, `keyed`; empty where there was no declaration."""
    level_after: str
    changes: tuple[Change, ...]
    moves: str = ""
    """The money that it moves, in the declaration's words: `amount_pence in GBP`; empty where `money` is not set."""

    @property
    def grade(self) -> Grade:
        """The worst grade that nobody approved; safe where there is none."""
        open_ones = [change.grade for change in self.changes if change.approved is None]
        return next((grade for grade in GRADES if grade in open_ones), Grade.SAFE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undeclared:
    """A write of the document that no skill declares."""

    operation: str
    """`POST /bookings`."""
    new: bool
    """The base document does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Everything that a review found. Operations in the order: worst grade, money first, then name."""

    base: str
    """What was compared, as a person would say it: a revision, a folder."""
    head: str
    operations: tuple[OperationReview, ...] = ()
    unchanged: int = 0
    """Operations that were compared and did not change."""
    undeclared: tuple[Undeclared, ...] = ()
    stale_approvals: tuple[Approval, ...] = ()
    """Approvals of changes that this review does not have."""
    problems: tuple[str, ...] = ()
    """Files that could not be read, or not all of them, with place and remedy."""
    lost: tuple[str, ...] = ()
    """Those of them that the older side could read, or did not have: what they declare now is not known."""
    notes: Mapping[str, str] = field(default_factory=dict)
    within: str = ""
    """The newer side's reviewed folder below the repository's top, with `/`; empty where it is the top."""
    fail_on: Literal["breaks", "risky", "never"] = "breaks"
    """The least grade that fails, as it was asked for."""
    asked: str = ""
    """The words of the call that name the sides, as a shell takes them: `origin/main skills`."""

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(change for operation in self.operations for change in operation.changes)

    def count(self, grade: Grade, *, approved: bool = False) -> int:
        """How many changes of that grade there are; with `approved`, how many of them somebody approved."""
        return sum(one.grade is grade and (one.approved is not None) == approved for one in self.changes)

    def at_least(self, grade: Grade) -> bool:
        """Whether a change of that grade or worse is not approved, or what changed is not all known."""
        return bool(self.lost or self._open(grade))

    def _open(self, grade: Grade) -> int:
        """How many changes of that grade or worse nobody approved."""
        bad = GRADES[: GRADES.index(grade) + 1]
        return sum(one.grade in bad and one.approved is None for one in self.changes)

    @property
    def failing(self) -> int:
        """How many changes fail, by the grade that was asked for."""
        return 0 if self.fail_on == "never" else self._open(Grade(self.fail_on))

    @property
    def failed(self) -> bool:
        """Whether the review fails."""
        return self.fail_on != "never" and self.at_least(Grade(self.fail_on))
