"""A version that was read before guards against another writer; it says nothing of what is written.

A create has read nothing before: a version that it must have is the version that it makes.
"""

from __future__ import annotations

from wizard.infer.detector import Subject
from wizard.infer.roles import by_lists
from wizard.infer.units import Unit


def _makes_it(subject: Subject, unit: Unit) -> bool:
    return subject.kind == "create" and unit.required and unit.words in (("version",), ("revision",))


DETECTOR = by_lists({"lock": 10.0}, unless=_makes_it)
