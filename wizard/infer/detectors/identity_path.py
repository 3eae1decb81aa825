"""A field that repeats a variable of the path: the filled path is part of every key already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.roles import against
from wizard.infer.things import last_static
from wizard.infer.units import Unit, units

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
    last = phrase(last_static(subject.operation.path))
    copies = last in _COPIES and not subject.operation.path.rstrip("/").endswith("}")
    ends_in_variable = subject.operation.path.rstrip("/").endswith("}")
    for unit in units(subject):
        repeated = variables.get(unit.words)
        if repeated is not None and unit.words in _PLAIN and not ends_in_variable:
            continue  # the path's id is that of what stands around it
        if repeated is not None and unit.required and subject.kind == "create" and (copies or _is_called(unit)):
            continue  # the path's is that of what it is made from, or for
        if repeated is not None and unit.place == "body":
            reason = "the path has it already"
            yield against(unit, 10, reason, final=True, at=repeated.pointer, role="in the path")


def _is_called(unit: Unit) -> bool:
    """Whether it is what something is called by itself: an organization has a `username` too."""
    return unit.words in _CALLED


_CALLED = (("user", "name"), ("slug",), ("title",), ("login",))
_COPIES = (("fork",), ("clone",), ("copy",), ("duplicate",), ("move",), ("transfer",))

DETECTOR = Detector(question="identity", detect=detect)
