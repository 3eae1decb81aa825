"""The method says whether something changes, unless something better says otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Evidence

_WEIGHTS = {
    "GET": ("read", 4.0), "HEAD": ("read", 9.0), "QUERY": ("read", 6.0),
    "POST": ("write", 2.0), "PUT": ("update", 4.0), "PATCH": ("update", 5.0), "DELETE": ("delete", 6.0),
}  # fmt: skip


def detect(subject: Subject) -> Iterator[Candidate]:
    operation = subject.operation
    if operation.method not in _WEIGHTS:
        return  # OPTIONS and TRACE ask about the connection
    kind, weight = _WEIGHTS[operation.method]
    changes = "reads" if kind == "read" else "writes"
    says = f"{operation.method} {changes}"
    yield Candidate(value=kind, weight=weight, because=says, evidence=Evidence(says, operation.pointer))


DETECTOR = Detector(question="kind", detect=detect)
