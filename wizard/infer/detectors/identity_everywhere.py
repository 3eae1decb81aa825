"""What nearly every operation of the document takes, reads included, is about the caller or the answer: a credential, a
tenant, a format. It is looked for among query parameters and, where all is POST, among the fields of bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import against
from wizard.infer.units import units
from wizard.spec.model import ApiDocument

_SHARE = 0.7
_FEWEST = 8
_ALL_POST = 0.85
_MOST = 1500


def detect(subject: Subject) -> Iterator[Candidate]:
    shares = _shares(subject)
    for unit in units(subject):
        if unit.level == 0 and shares.get((unit.place, unit.name), 0.0) >= _SHARE:
            yield against(unit, 10, "nearly every operation takes it", final=True, role="everywhere")


def _shares(subject: Subject) -> Mapping[tuple[str, str], float]:
    found: Mapping[tuple[str, str], float] | None = subject.shared.get("shares of names")
    if found is None:
        found = {**_of_queries(subject.document), **_of_bodies(subject.document)}
        subject.shared["shares of names"] = found
    return found


def _of_queries(document: ApiDocument) -> dict[tuple[str, str], float]:
    total = len(document.operations)
    if total < _FEWEST:
        return {}
    counts = Counter(name for each in document.operations for name in {one.name for one in each.parameters_in("query")})
    return {("query", name): count / total for name, count in counts.items()}


def _of_bodies(document: ApiDocument) -> dict[tuple[str, str], float]:
    total = len(document.operations)
    posts = [each for each in document.operations if each.method == "POST"]
    if not _FEWEST <= total <= _MOST or len(posts) < total * _ALL_POST:
        return {}
    counts = Counter(name for each in posts for name in {one.name for one in each.fields if one.depth == 0})
    return {("body", name): count / total for name, count in counts.items()}


DETECTOR = Detector(question="identity", detect=detect)
