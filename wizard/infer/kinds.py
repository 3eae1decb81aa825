"""Whether an operation writes, and what it does: the weights of what the detectors saw, added up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wizard.infer.detector import Candidate
from wizard.infer.model import Confidence, Evidence, Kind

NO_WRITE: tuple[Kind, ...] = ("read", "auth", "hook")
_WRITES: tuple[Kind, ...] = ("create", "update", "action", "delete", "upsert", "bulk")
"""In the order that decides between equals."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What an operation does, and how sure we are."""

    kind: Kind
    write: bool
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    against: tuple[str, ...] = ()
    """What speaks for the other answer, in a few words."""


def weigh(candidates: Iterable[Candidate]) -> Weighed:
    """The kind with the most weight on the side (writes, or does not) that has more."""
    seen = list(candidates)
    final = next((one for one in seen if one.final), None)
    if final is not None:
        return Weighed(final.value, final.value not in NO_WRITE, Confidence.HIGH, (final.evidence,))
    weights: dict[str, float] = {}
    for one in seen:
        weights[one.value] = weights.get(one.value, 0.0) + one.weight
    reads = sum(weights.get(kind, 0.0) for kind in NO_WRITE)
    writes = sum(weight for kind, weight in weights.items() if kind not in NO_WRITE)
    write = writes > 0 and writes >= reads
    kinds = _WRITES if write else NO_WRITE
    best = max(kinds, key=lambda kind: (weights.get(kind, 0.0), -kinds.index(kind)))
    if write and not weights.get(best):
        best = "action"
    ours = [one for one in seen if (one.value not in NO_WRITE) == write]
    theirs = [one for one in seen if (one.value not in NO_WRITE) != write]
    ours.sort(key=lambda one: -one.weight)
    gap = abs(writes - reads)
    confidence = Confidence.HIGH if gap >= 3 or not theirs else Confidence.MEDIUM if gap >= 1 else Confidence.LOW
    return Weighed(
        best, write, confidence, tuple(one.evidence for one in ours[:3]), tuple(one.because for one in theirs[:2])
    )
