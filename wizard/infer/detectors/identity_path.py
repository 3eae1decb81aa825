"""A field that repeats a variable of the path: the filled path is part of every key already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.roles import against
from wizard.infer.units import units

_VARIABLE = re.compile(r"\{([^{}]+)\}")
_PLAIN = (("id",), ("name",), ("code",), ("key",))


def detect(subject: Subject) -> Iterator[Candidate]:
    variables = {phrase(found.name): found for found in subject.operation.parameters_in("path")}
    written = {phrase(name) for name in _VARIABLE.findall(subject.operation.path)}
    for unit in units(subject):
        if unit.place == "query" and unit.words in written:
            reason = "the path has it already"
            yield against(unit, 10, reason, final=True, role="in the path")
    if not variables:
        return
    ends_in_variable = subject.operation.path.rstrip("/").endswith("}")
    for unit in units(subject):
        repeated = variables.get(unit.words)
        if repeated is not None and unit.words in _PLAIN and not ends_in_variable:
            continue  # the path's id is that of what stands around it
        if repeated is not None and unit.place == "body":
            reason = "the path has it already"
            yield against(unit, 10, reason, final=True, at=repeated.pointer, role="in the path")


DETECTOR = Detector(question="identity", detect=detect)
