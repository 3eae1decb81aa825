"""A version that was read before guards against another writer; it says nothing of what is written.

A create has read nothing before: a version that it must have is the version that it makes, and so is a text called
`version` of which nothing says that it is a lock. In a change, whatever else speaks of a version of the thing is one.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, says, word_list
from wizard.infer.roles import against
from wizard.infer.units import Unit, units

_SENTENCE = 4
_LONGEST = 300
_ENDS = frozenset({"version", "timestamp", "token", "stamp", "number", "at"})


def detect(subject: Subject) -> Iterator[Candidate]:
    change = subject.kind not in ("create", "upsert")
    for unit in units(subject):
        listed = word_list("fields", "lock").match(unit.words)
        if (listed and not _makes_it(subject, unit)) or (
            change and not _makes_it(subject, unit) and _of_a_version(unit)
        ):
            yield against(unit, 10, says("lock"), final=True, role="lock")


_SOFTWARE = frozenset({"target", "new", "desired", "os", "engine", "runtime", "firmware", "software", "kernel"})
"""Words of a name by which a version is what a change brings, and none that was read before."""


def _makes_it(subject: Subject, unit: Unit) -> bool:
    if unit.words not in (("version",), ("revision",)):
        return False
    if subject.kind == "create" and unit.required and unit.required_at:
        return True
    if unit.required and not unit.required_at:
        return False  # only a text demands it
    described = len(unit.description.split()) >= _SENTENCE and not pattern("grammar", "lock_said").search(
        unit.description[:_LONGEST]
    )
    return described and (unit.shape.type == "string" or subject.kind == "create")


def _of_a_version(unit: Unit) -> bool:
    of_software = bool(set(unit.words) & _SOFTWARE)
    return "version" in unit.words and unit.words[-1] in _ENDS and not unit.composite and not of_software


DETECTOR = Detector(question="identity", detect=detect)
