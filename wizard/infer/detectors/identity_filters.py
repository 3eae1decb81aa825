"""What the list of the same path can be narrowed by is what people look such things up by."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.roles import speaks_for
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    listed = subject.document.by_name.get(f"GET {subject.operation.path}")
    if listed is None or subject.kind not in ("create", "upsert"):
        return
    filters = {phrase(parameter.name): parameter.pointer for parameter in listed.parameters_in("query")}
    for unit in units(subject):
        at = filters.get(unit.words)
        if at is not None and unit.place == "body":
            yield speaks_for(unit, 0.3, "the list can be filtered by it", role="filter", at=at)


DETECTOR = Detector(question="identity", detect=detect)
