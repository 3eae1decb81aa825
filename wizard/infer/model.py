"""What a proposal is: the answer to each question about an operation, with evidence, confidence and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from wizard.operation.model import Cursor
from wizard.spec.model import ApiOperation

Kind = Literal["create", "upsert", "update", "action", "delete", "bulk", "read", "auth", "hook"]


class Confidence(StrEnum):
    """How sure we are. High means that a reviewer would hardly correct it."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One observation, and the JSON pointer of the place in the document that shows it."""

    says: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityProposal:
    """The fields that together are the write's identity; none means the call scope."""

    fields: tuple[str, ...] = ()
    """Names as FORMAT 2 has them, without `?`."""
    optional: frozenset[str] = frozenset()
    """Those of `fields` that a request may leave out (`departure?`)."""
    confidence: Confidence = Confidence.LOW
    evidence: tuple[Evidence, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Field name to the reason why it is not in the identity, in a few words."""
    why: str = ""
    """One sentence a reviewer would accept."""
    unsure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyProposal:
    """Where the recipient takes an idempotency key."""

    place: Literal["header", "field", "query"]
    name: str
    shape: str = "uuid"
    remembers_for: str = ""
    """A duration as FORMAT has it, where the document tells how long keys are remembered."""
    remembers: str = ""
    required: bool = False
    confidence: Confidence = Confidence.LOW
    evidence: tuple[Evidence, ...] = ()
    fits: bool = True
    """False: no key that the host makes fits its place (a number, 25 characters at most)."""
    declared: bool = True
    """False: known from the vendor's page and not shown by the document; offered, never taken as found."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceProposal:
    """A field that the recipient stores and gives back and does not dedupe on."""

    name: str
    unique: Literal["yes", "no", "unknown"] = "unknown"
    confidence: Confidence = Confidence.LOW
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeProposal:
    """A GET that shows whether the write is there."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    """`query:room_id` or `path:code` of the GET to a field of the write, to `query:x`, or to `path:x` of the write."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Query parameters that the GET demands, by name, to a value that the document names (`limit` to `100`)."""
    match: Mapping[str, str] = field(default_factory=dict)
    """Field of the write to the path in a candidate."""
    items: str = ""
    """RFC 9535 JSONPath of the candidates; empty where the whole answer is the one candidate."""
    since: str = ""
    absent: tuple[Literal["empty", "404"], ...] = ()
    pages: str | Cursor = ""
    """As FORMAT 4 has it; empty where the document does not tell."""
    confidence: Confidence = Confidence.LOW
    evidence: tuple[Evidence, ...] = ()
    why: str = ""
    way: Literal["", "exact", "filter", "search", "scan", "state"] = ""
    """How it finds the write: one record by a value chosen before, a list that is narrowed, searched or read whole, or
    the state of a thing that was there before. Empty where the document declares it."""
    loose: frozenset[str] = frozenset()
    """Those of `parameters` that narrow and do not fix: a full text search, the bounds of a time."""
    cannot_tell: tuple[str, ...] = ()
    """When this probe cannot tell, in a few words each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedProposal:
    """What in an answer with a status of success says that the write was refused."""

    path: str
    """RFC 9535 JSONPath that selects something in such an answer."""
    member: str = ""
    """The member that it asks, as FORMAT 2 has it; empty where the document declares the path."""
    bad: Any = None
    """A value of it that says so; None where any does but `good`, or where its being there does."""
    good: Any = None
    """Its value where the write was made; None where it is not there then."""
    confidence: Confidence = Confidence.LOW
    """Low: the document is not plain about it; it is shown and not declared."""
    evidence: tuple[Evidence, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """All that we would declare for one operation, and how we came to it."""

    operation: ApiOperation
    write: bool
    kind: Kind
    write_evidence: tuple[Evidence, ...] = ()
    identity: IdentityProposal = IdentityProposal()
    key: KeyProposal | None = None
    reference: ReferenceProposal | None = None
    probe: ProbeProposal | None = None
    failed: FailedProposal | None = None
    money: tuple[str, str] | None = None
    """Amount field and currency (a field or a code) where the write moves money."""
    keep: str = ""
    """How long a completed record answers a repeat, where the default does not suit; a duration as FORMAT has it."""
    warnings: tuple[str, ...] = ()
    why: str = ""
    """One sentence for the whole: what the write is, and how it is kept single."""
    offered_keys: tuple[KeyProposal, ...] = ()
    """Known from elsewhere (`declared` is False)."""
    declared: bool = False
    """The document's own `x-outturn-*` extensions say so."""
