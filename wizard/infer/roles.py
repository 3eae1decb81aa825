"""What detectors of the identity have in common: looking through the units for a word list or a role."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import says, word_list
from wizard.infer.model import Evidence
from wizard.infer.units import Unit, units


def against(
    unit: Unit, weight: float, reason: str, *, final: bool = False, at: str = "", role: str = ""
) -> Candidate:  # fmt: skip
    """Evidence that a unit is no part of the identity."""
    return Candidate(
        value=unit.path, weight=-abs(weight), because=reason, evidence=Evidence(reason, at or unit.pointer),
        final=final, role=role,
    )  # fmt: skip


def speaks_for(unit: Unit, weight: float, reason: str, *, role: str = "", at: str = "") -> Candidate:
    """Evidence that a unit tells two requests apart."""
    return Candidate(
        value=unit.path, weight=weight, because=reason, evidence=Evidence(reason, at or unit.pointer), role=role
    )


def by_roles(*roles: str, weight: float = 0.0) -> Detector:
    """A detector that tells which units have one of these roles."""

    def detect(subject: Subject) -> Iterator[Candidate]:
        for unit in units(subject):
            for role in roles:
                if role in unit.roles:
                    yield speaks_for(unit, weight, says(role), role=role)

    return Detector(question="identity", detect=detect)


def by_lists(lists: dict[str, float], *, unless: Callable[[Subject, Unit], bool] | None = None) -> Detector:
    """A detector that speaks against units whose names stand in a list, by the list's weight; 10 is final."""

    def detect(subject: Subject) -> Iterator[Candidate]:
        for unit in units(subject):
            for name, weight in lists.items():
                if word_list("fields", name).match(unit.words) and not (unless and unless(subject, unit)):
                    yield against(unit, weight, says(name), final=weight >= 10, role=name)
                    break

    return Detector(question="identity", detect=detect)
