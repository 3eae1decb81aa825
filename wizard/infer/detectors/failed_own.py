"""Speaks against a member that may be the thing's own, or of work that goes on, and so says nothing of the call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.failures import FailedProposal, Member, candidate, in_each_answer, members, named
from wizard.infer.model import Evidence
from wizard.infer.probe_words import joined
from wizard.infer.resources import resources
from wizard.spec.model import Field

_SPEAKING = ("well", "ill", "error_codes", "codes", "outcomes", "errors")


def detect(subject: Subject) -> Iterator[Candidate]:
    for one in members(subject):
        if any(named(kind).match(one.name) for kind in _SPEAKING):
            for weight, because, at in _against(subject, one):
                evidence = Evidence(f"`{one.field.path}`: {because}", at)
                found = FailedProposal(path="", member=one.field.path, evidence=(evidence,), why=because)
                yield replace(candidate(found, weight), because=because)


def _against(subject: Subject, one: Member) -> Iterator[tuple[float, str, str]]:
    own = one.field
    asked = next((sent for sent in subject.operation.fields if joined(sent.name) == one.name), None)
    if asked is not None:
        yield -4.0, "a request has such a field too", asked.pointer
    listed = _in_list(subject, own)
    if listed is not None:
        yield -4.0, "lists show it of each record", listed.pointer
    going = next((other for other in one.beside if named("going_on").match(joined(other.name))), None)
    if going is not None:
        yield -3.0, f"with `{going.name}` beside it, it may not be known yet when this is answered", going.pointer
    kept = next((other for other in one.beside if named("kept").match(joined(other.name))), None)
    if kept is not None:
        yield -1.5, f"with `{kept.name}` beside it, it may be a property of what was made", kept.pointer
    if not in_each_answer(subject, one):
        yield -2.0, "another answer of success does not show it", subject.operation.pointer
    if subject.kind == "bulk":
        yield -1.5, "of many writes some may have been made", subject.operation.pointer


def _in_list(subject: Subject, own: Field) -> Field | None:
    """The member of the same name that the collection's own list shows of its records."""
    index = resources(subject)
    path = subject.operation.path.rstrip("/")
    for name in (path, path.rpartition("/")[0]):
        read = index.document.by_name.get(f"GET {name}")
        if read is None:
            continue
        answer = index.answer(index.route(read))
        if answer is not None and answer.is_list and own.path in answer.fields:
            return answer.fields[own.path]
    return None


DETECTOR = Detector(question="failed", detect=detect)
