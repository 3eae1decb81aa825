"""A read-only field is the recipient's: it stands in answers only."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern
from wizard.infer.roles import against
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        if unit.shape.read_only:
            yield against(unit, 10, "read-only", final=True, at=f"{unit.pointer}/readOnly", role="read only")
        elif unit.shape.deprecated:
            yield against(unit, 4, "deprecated", at=f"{unit.pointer}/deprecated", role="deprecated")
        elif pattern("grammar", "kept_said").search(unit.description[:_LONGEST]):
            reason = "said to be no longer, or never, filled in"
            yield against(unit, 4, reason, at=f"{unit.pointer}/description", role="kept")


_LONGEST = 300

DETECTOR = Detector(question="identity", detect=detect)
