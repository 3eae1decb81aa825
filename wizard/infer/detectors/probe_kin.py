"""Lists that hold what the write makes under another name: copies, things of the same form, things inside of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wizard.infer.alike import without_ids
from wizard.infer.answers import Answer
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.model import Confidence
from wizard.infer.naming import root
from wizard.infer.probe_words import word_set
from wizard.infer.probes import Seen, compare, look, lookup, propose
from wizard.infer.route import Part, Route

_ALIKE = 4
"""Members that two answers must have in common, and nearly all of them, to be of one kind."""


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False:
        return
    seen = look(subject)
    if subject.kind == "create":
        for route in _copied(seen):
            yield from _listed(seen, route, 4.4, "the list that the copy is in")
        for route in _alike(seen):
            yield from _listed(seen, route, 4.7, "a list of things of the same form")
        yield from _one_sort(seen)
    if subject.kind in ("create", "update", "delete"):
        yield from _inside(seen)


def _copied(seen: Seen) -> Iterator[Route]:
    """`POST /invoices/{id}/copy` makes another one of `/invoices`."""
    parts = seen.route.parts
    if len(parts) >= 3 and parts[-2].variable and set(parts[-1].stems) & word_set("actions", "copying"):
        yield from seen.index.reads_at(seen.route.form[:-2])


def _alike(seen: Seen) -> Iterator[Route]:
    """Under the same thing there is a list whose records have the members of the write's own answer."""
    if len(seen.route.parts) < 2 or not seen.route.parts[-2].variable or seen.index.reads_at(seen.route.form):
        return
    success = seen.subject.operation.success
    body = success.body if success else None
    own = {one.name for one in body.fields if one.depth == 0} if body else set()
    if len(own) < _ALIKE:
        return
    for route in seen.index.by_parent.get(seen.route.form[:-1], ()):
        answer = seen.index.answer(route)
        if route.form == seen.route.form or route.ends_in_variable or answer is None or not answer.is_list:
            continue
        theirs = {path for path in answer.fields if "." not in path}
        if len(own & theirs) >= _ALIKE and len(own & theirs) >= 0.9 * max(len(own), len(theirs)):
            yield route


def _one_sort(seen: Seen) -> Iterator[Candidate]:
    """`POST /cards/{id}/actions/comments` makes one sort of what `/cards/{id}/actions` lists."""
    parts = seen.route.parts
    if len(parts) < 2 or parts[-1].variable or parts[-2].variable or not parts[-2].is_plural or parts[-1].is_verb:
        return
    if not parts[-1].is_plural or seen.index.reads_at(seen.route.form):
        return
    for route in seen.index.reads_at(seen.route.form[:-1]):
        found, answer = lookup(seen, route), seen.index.answer(route)
        if found is None or answer is None or not answer.is_list:
            continue
        compared = compare(seen, found, answer)
        if compared.match and not compared.missing:
            yield from _listed(seen, route, 3.2, "a list of things of several sorts")


def _listed(seen: Seen, route: Route, weight: float, because: str) -> Iterator[Candidate]:
    found = lookup(seen, route)
    answer = seen.index.answer(route)
    if found is None or (answer is not None and not answer.is_list):
        return
    compared = compare(seen, found, answer)
    yield propose(
        seen,
        found,
        "scan",
        answer,
        compared,
        why=f"`{route.operation.name}` lists what is there: {because}.",
        because=because,
        weight=weight + 0.3 * bool(compared.match),
        confidence=Confidence.LOW,
    )


def _inside(seen: Seen) -> Iterator[Candidate]:
    """`POST /pet/{tutorId}`: there is no list of pets, but a list of tutors, each with its pets."""
    about = [root(word) for word in seen.about]
    for name in seen.route.variables:
        thing = without_ids(phrase(name))
        if not thing or ([root(word) for word in thing] == about and len(seen.route.variables) < 2):
            continue
        for route in seen.index.reads_about(thing):
            if route.ends_in_variable or tuple(root(word) for word in route.subjects) != tuple(
                root(word) for word in thing
            ):
                continue
            found, answer = lookup(seen, route), seen.index.answer(route)
            inner = _array(answer, seen) if answer is not None and answer.is_list else ""
            if found is None or answer is None or not inner:
                continue
            narrowed = _elements(answer, inner)
            names = [one for one in seen.identity if not one.startswith("path:")]
            compared = compare(seen, found, narrowed, names)
            if compared.match:
                yield propose(
                    seen,
                    found,
                    "scan",
                    narrowed,
                    compared,
                    why=f"`{route.operation.name}` shows `{inner}` of each, and they can be compared.",
                    because="a list of what it belongs to",
                    weight=3.4,
                    confidence=Confidence.LOW,
                    cannot_tell=("whose it is, is not compared",),
                )
                return


def _array(answer: Answer | None, seen: Seen) -> str:
    """The array in a candidate that is called like what the write is about."""
    about = {root(word) for part in seen.route.literals for word in part.stems}
    for path in answer.lists if answer else ():
        words = {root(word) for word in Part(path.rpartition(".")[2]).stems}
        if words and words <= about:
            return path
    return ""


def _elements(answer: Answer, inner: str) -> Answer:
    """The answer with the elements of an inner array as its candidates."""
    prefix = f"{inner}[]."
    fields = {path.removeprefix(prefix): one for path, one in answer.fields.items() if path.startswith(prefix)}
    steps = "".join(f"['{name}']" if not name.isidentifier() else f".{name}" for name in inner.split("."))
    return replace(answer, items=f"{answer.items}{steps}[*]", fields=fields, since="", pages="", lists={})


DETECTOR = Detector(question="probe", detect=detect)
