"""`x-outturn-identity` is the author's own word."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Evidence

_NAME = "x-outturn-identity"


def detect(subject: Subject) -> Iterator[Candidate]:
    declared = subject.operation.extensions.get(_NAME)
    if not isinstance(declared, list):
        return
    evidence = Evidence(f"declared in {_NAME}", f"{subject.operation.pointer}/{_NAME}")
    for name in declared:
        if isinstance(name, str):
            yield Candidate(
                value=name, weight=10, because=evidence.says, evidence=evidence, role="declared", final=True
            )


DETECTOR = Detector(question="identity", detect=detect)
