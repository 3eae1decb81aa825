"""A plain `id` in the body of a create is the recipient's to give, unless each request must have one; in an action
without a variable in its path it is the subject."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import against, speaks_for
from wizard.infer.units import units

_PLAIN = (("id",), ("ids",))


def detect(subject: Subject) -> Iterator[Candidate]:
    path_names_it = "{" in subject.operation.path
    for unit in units(subject):
        if unit.words not in _PLAIN or unit.shape.read_only:
            continue
        if subject.kind in ("create", "upsert", "update") and not unit.required and not unit.is_array:
            yield against(unit, 3, "an id that the recipient gives", role="server id")
        elif not path_names_it or unit.is_array or unit.required:
            yield speaks_for(unit, 2, "what it is done to", role="target")


DETECTOR = Detector(question="identity", detect=detect)
