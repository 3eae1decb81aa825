"""The proposal for an operation: the detectors run question by question, their evidence weighed, the sentences written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from wizard.discover import modules
from wizard.infer import detectors
from wizard.infer.compose import compose
from wizard.infer.detector import QUESTIONS, Candidate, Detector, Question, Subject
from wizard.infer.keys import choose_key
from wizard.infer.kinds import weigh
from wizard.infer.model import Confidence, IdentityProposal, Proposal
from wizard.infer.parts import paths_of
from wizard.spec.model import ApiDocument, ApiOperation


@cache
def _detectors() -> Mapping[Question, tuple[Detector, ...]]:
    found: dict[Question, list[Detector]] = {question: [] for question in QUESTIONS}
    for module in modules(detectors).values():
        found[module.DETECTOR.question].append(module.DETECTOR)
    return {question: tuple(listed) for question, listed in found.items()}


def _seen(subject: Subject, question: Question) -> Iterable[Candidate]:
    for detector in _detectors()[question]:
        yield from detector.detect(subject)


def propose_document(document: ApiDocument) -> tuple[Proposal, ...]:
    """A proposal for each operation of the document, in its order."""
    shared: dict[str, Any] = {}
    return tuple(propose_operation(document, operation, shared) for operation in document.operations)


def propose_operation(document: ApiDocument, operation: ApiOperation, shared: dict[str, Any] | None = None) -> Proposal:
    """The proposal for one operation. `shared` keeps indexes over the document between calls."""
    subject = Subject(document=document, operation=operation, shared={} if shared is None else shared)
    kind = weigh(_seen(subject, "kind"))
    if not kind.write:
        return Proposal(operation=operation, write=False, kind=kind.kind, write_evidence=kind.evidence)
    subject = replace(subject, write=True, kind=kind.kind)
    key = choose_key(subject, _seen(subject, "key"))
    subject = replace(subject, key=key)
    composed = compose(subject, _seen(subject, "identity"))
    fields = tuple(path for one in composed.chosen for path in paths_of(one.unit))
    identity = IdentityProposal(fields=fields, confidence=Confidence.MEDIUM)
    return Proposal(operation=operation, write=True, kind=kind.kind, write_evidence=kind.evidence, identity=identity, key=key)
