"""Detectors: small modules that each look for one kind of evidence about one question.

A module of `wizard.infer.detectors` has `DETECTOR`, a value of `Detector`; it is found by its folder. The questions
are answered in the order of `QUESTIONS`, and a detector sees the answers to those before its own. It yields what it
saw; weighing is `propose`'s part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from wizard.infer.model import Evidence, IdentityProposal, KeyProposal, Kind, ReferenceProposal
from wizard.spec.model import ApiDocument, ApiOperation

Question = Literal["kind", "key", "identity", "reference", "probe", "failed"]
QUESTIONS: tuple[Question, ...] = ("kind", "key", "identity", "reference", "probe", "failed")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a detector may look at: the document, the operation, and the answers so far."""

    document: ApiDocument
    operation: ApiOperation
    shared: dict[str, Any] = field(default_factory=dict)
    """Indexes over the whole document, made once by whoever needs them first and kept under a name."""
    write: bool | None = None
    kind: Kind | None = None
    key: KeyProposal | None = None
    identity: IdentityProposal | None = None
    reference: ReferenceProposal | None = None
    keep: str = ""
    """How long a record answers repeats, where an equal write may soon be meant again (`Proposal.keep`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing that a detector saw."""

    value: Any
    """The kind; the field path (identity, reference); a KeyProposal; a ProbeProposal; a FailedProposal."""
    weight: float
    """How strongly it speaks for the value; below 0 against it."""
    because: str
    """In a few words, for the list of reasons."""
    evidence: Evidence
    role: str = ""
    """What the field is to the write (identity): a heading of `words/fields.toml`, or what a detector calls it."""
    final: bool = False
    """Nothing outweighs it: a field that may never be (or, with a weight above 0, always is) in the identity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """A question, and the function that looks for evidence."""

    question: Question
    detect: Callable[[Subject], Iterable[Candidate]]
