"""A field whose name or text is that of a reference, a number or an id in the caller's own system."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.comparing import wrapper_of
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Evidence
from wizard.infer.references import Named, named, rules
from wizard.infer.resources import Resources, resources


def detect(subject: Subject) -> Iterator[Candidate]:
    index = resources(subject)
    wrapper = wrapper_of(subject.operation.fields)
    for one in named(subject):
        against = next((rule for rule in rules("against") if rule[0].search(one.joined)), None)
        if against is not None:
            yield _seen(one, against[1], against[2])
        found = next((rule for rule in rules("name") if rule[0].search(one.joined)), None)
        if found is None:
            continue
        yield _seen(one, found[1], found[2])
        if "." in one.path and one.path.rpartition(".")[0] != wrapper:
            yield _seen(one, -0.8, "it lies inside of something else")
        told = next((rule for rule in rules("text") if rule[0].search(one.text)), None)
        if told is not None:
            yield _seen(one, told[1], told[2])
        if _is_of_a_thing(one, index):
            yield _seen(one, -1.5, "it is the id of a thing that the document has of its own")


def _is_of_a_thing(one: Named, index: Resources) -> bool:
    return index.is_given_in_paths(one.joined) and index.has_things_called(one.joined.partition("_")[0])


def _seen(one: Named, weight: float, says: str) -> Candidate:
    evidence = Evidence(f"`{one.path}`: {says}", one.pointer)
    return Candidate(value=one.path, weight=weight, because=says, evidence=evidence)


DETECTOR = Detector(question="reference", detect=detect)
