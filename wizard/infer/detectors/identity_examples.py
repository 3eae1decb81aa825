"""A field that the document's own examples of the request fill in is one that people use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import speaks_for
from wizard.infer.units import units
from wizard.operation.field_path import MISSING, FieldPath


def detect(subject: Subject) -> Iterator[Candidate]:
    body = subject.operation.body
    examples = [example for example in body.examples if isinstance(example, Mapping)] if body is not None else []
    if body is None or not examples:
        return
    for unit in units(subject):
        if unit.place == "body" and all(FieldPath.parse(unit.path).get(example) is not MISSING for example in examples):
            yield speaks_for(unit, 0.2, "filled in by the examples", role="example", at=body.pointer)


DETECTOR = Detector(question="identity", detect=detect)
