"""A value that can only be one says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import against
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        if unit.place == "query" and (len(unit.shape.enum) == 1 or unit.shape.const is not None):
            yield against(unit, 10, "always the same", final=True, role="constant")
        elif not unit.required and len(unit.shape.enum) == 1:
            yield against(unit, 3, "always the same", role="constant")


DETECTOR = Detector(question="identity", detect=detect)
