"""A member that holds what went wrong, and is not there where nothing did."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.failures import candidate, members, named, proposed, says_only_on_failure


def detect(subject: Subject) -> Iterator[Candidate]:
    for one in members(subject):
        shape = one.field.shape
        if not named("errors").match(one.name) or shape.type not in ("", "string", "object", "array"):
            continue
        told = says_only_on_failure(one)
        if one.field.required and not shape.nullable and not told and shape.type != "array":
            continue
        path = one.field.path
        there = "has elements" if shape.type == "array" else "is there"
        why = f"`{path}` {there} where the call went wrong."
        says = f"the answer of success has `{path}`"
        if told:
            says = f"`{path}`: its text says that it is there only where something went wrong"
        else:
            why += " The document does not say that it is not there otherwise."
        kind = "any" if shape.type == "array" else "there"
        yield candidate(proposed(one, says, kind=kind, why=why), 3.0 if told else 1.0)


DETECTOR = Detector(question="failed", detect=detect)
