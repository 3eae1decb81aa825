"""A field that each request must have is where an identity begins."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import speaks_for
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        if unit.required:
            where = "the query" if unit.place == "query" else "the request body"
            yield speaks_for(unit, 2.0, f"required in {where}", at=unit.required_at, role="required")


DETECTOR = Detector(question="identity", detect=detect)
