"""A query parameter that nearly every operation of the document takes, reads included, is about the caller or the
answer: a credential, a tenant, a format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import against
from wizard.infer.units import units

_SHARE = 0.7
_FEWEST = 8


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        if unit.place == "query" and _shares(subject).get(unit.name, 0.0) >= _SHARE:
            yield against(unit, 10, "nearly every operation takes it", final=True, role="everywhere")


def _shares(subject: Subject) -> Mapping[str, float]:
    found: Mapping[str, float] | None = subject.shared.get("shares of query parameters")
    if found is None:
        operations = subject.document.operations
        counts = Counter(name for each in operations for name in {one.name for one in each.parameters_in("query")})
        found = {name: count / len(operations) for name, count in counts.items()} if len(operations) >= _FEWEST else {}
        subject.shared["shares of query parameters"] = found
    return found


DETECTOR = Detector(question="identity", detect=detect)
