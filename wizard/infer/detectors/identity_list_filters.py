"""A query parameter that no create must have and that the list of the same path is narrowed by: generators give it to
both, and it tells nothing of what is made."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.roles import against
from wizard.infer.things import last_static, without_verbs
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    listed = subject.document.by_name.get(f"GET {subject.operation.path}")
    if subject.kind in ("update", "delete"):
        yield from _of_list_above(subject)
        return
    if listed is None or subject.kind != "create" or subject.operation.method != "POST":
        return
    last = last_static(subject.operation.path)
    if without_verbs(last) != phrase(last):
        return  # the GET of a path that ends with a verb does the same
    given = units(subject)
    if any(unit.place == "query" and unit.required and not unit.shape.enum for unit in given):
        return  # the arguments of this API stand in the query
    filters = {parameter.name for parameter in listed.parameters_in("query")}
    for unit in given:
        if unit.place == "query" and not unit.required and unit.name in filters:
            yield against(unit, 4, "a filter of the list", role="filter")


def _of_list_above(subject: Subject) -> Iterator[Candidate]:
    """A change of one thing is not narrowed by what the list of such things is."""
    above = subject.operation.path.rstrip("/").rpartition("/")[0]
    listed = subject.document.by_name.get(f"GET {above}") or subject.document.by_name.get(f"GET {above}/")
    if listed is None or not subject.operation.path.rstrip("/").endswith("}"):
        return
    filters = {parameter.name for parameter in listed.parameters_in("query")}
    for unit in units(subject):
        if unit.place == "query" and not unit.required and unit.name in filters:
            yield against(unit, 10, "a filter of the list", final=True, role="filter")


DETECTOR = Detector(question="identity", detect=detect)
