"""A version that was read before guards against another writer; it says nothing of what is written.

A create has read nothing before: a version that it must have is the version that it makes. In a change, whatever
speaks of a version of the thing is a lock.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import says, word_list
from wizard.infer.roles import against
from wizard.infer.units import Unit, units

_ENDS = frozenset({"version", "timestamp", "token", "stamp", "number", "at"})


def detect(subject: Subject) -> Iterator[Candidate]:
    change = subject.kind not in ("create", "upsert")
    for unit in units(subject):
        listed = word_list("fields", "lock").match(unit.words)
        if (listed and not _makes_it(subject, unit)) or (change and _of_a_version(unit)):
            yield against(unit, 10, says("lock"), final=True, role="lock")


def _makes_it(subject: Subject, unit: Unit) -> bool:
    return (
        subject.kind == "create"
        and bool(unit.required and unit.required_at)
        and unit.words in (("version",), ("revision",))
    )


def _of_a_version(unit: Unit) -> bool:
    return "version" in unit.words and unit.words[-1] in _ENDS and not unit.composite


DETECTOR = Detector(question="identity", detect=detect)
