"""What is made inside of a thing, where the thing itself shows it: a top-up among the wallet's transactions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wizard.infer.answers import Answer, created_in, json_path
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Confidence
from wizard.infer.naming import root, stems
from wizard.infer.probes import Seen, compare, look, lookup, propose
from wizard.infer.route import Part

_ALIKE = 3
"""Members that the write's answer and an element must have in common, and nearly all of them, to be of one kind."""


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False or subject.kind not in ("create", "bulk"):
        return
    seen = look(subject)
    parts = seen.route.parts
    if len(parts) < 2 or parts[-1].variable or not seen.route.variables or seen.index.reads_at(seen.route.form):
        return
    for route in seen.index.reads_at(seen.route.form[:-1]):
        found, answer = lookup(seen, route), seen.index.answer(route)
        if found is None or answer is None or answer.is_list:
            continue
        held = _held(seen, answer, parts[-1])
        if not held:
            continue
        elements = _elements(answer, held)
        compared = compare(seen, found, elements, [one for one in seen.identity if not one.startswith("path:")])
        if not compared.match:
            continue
        yield propose(
            seen,
            found,
            "scan",
            elements,
            compared,
            why=f"`{route.operation.name}` shows `{held}` of the thing in the path, and they can be compared.",
            because="the thing that it belongs to shows it",
            weight=4.4 - 0.3 * bool(compared.missing),
            confidence=Confidence.MEDIUM if not compared.missing else Confidence.LOW,
            cannot_tell=("a thing may show the latest of them only",),
        )


def _held(seen: Seen, answer: Answer, last: Part) -> str:
    """The array that is called like the path's last word, or whose elements are what the write answers with."""
    wanted = {root(word) for word in last.stems}
    arrays = [path for path in answer.lists if "[]" not in path]
    for path in arrays:
        if {root(word) for word in stems(path.rpartition(".")[2])} == wanted:
            return path
    own = _own_members(seen)
    if len(own) < _ALIKE:
        return ""
    near = [path for path in arrays if len(own & set(answer.lists[path])) >= 0.9 * max(len(own), _ALIKE)]
    return near[0] if len(near) == 1 else ""


def _own_members(seen: Seen) -> set[str]:
    """The members of the write's own answer, or of the one object that it is wrapped in."""
    success = seen.subject.operation.success
    fields = success.body.fields if success and success.body else ()
    top = [one for one in fields if one.depth == 0]
    if len(top) == 1 and top[0].composite:
        return {one.name for one in fields if one.parent == top[0].path}
    return {one.name for one in top}


def _elements(answer: Answer, held: str) -> Answer:
    """The answer with the elements of an array inside of it as its candidates."""
    prefix = f"{held}[]."
    fields = {path.removeprefix(prefix): one for path, one in answer.fields.items() if path.startswith(prefix)}
    return replace(
        answer,
        is_list=True,
        items=f"{json_path(held)}[*]",
        fields=fields,
        since=created_in(fields),
        pages="none",
        lists={},
    )


DETECTOR = Detector(question="probe", detect=detect)
