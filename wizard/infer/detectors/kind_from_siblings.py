"""The other operations of the same paths: a POST on one thing beside a POST on the collection updates it; a PUT on a
collection, or beside no POST that makes such a thing, makes one."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Evidence
from wizard.infer.paths import bare, methods_of
from wizard.infer.things import last_static, without_verbs

_AMONG_WRITES = 0.05
"""Decides what a write does, and not whether it is one."""


def detect(subject: Subject) -> Iterator[Candidate]:
    operation = subject.operation
    if operation.method not in ("POST", "PUT"):
        return
    path = bare(operation.path)
    parent = path.rpartition("/")[0]
    methods = methods_of(subject)
    if operation.method == "POST" and _is_twin(subject):
        yield _candidate("read", 6.0, "the GET of the same path says the same of itself", operation.pointer)
    on_one_thing = path.endswith("{}")
    above = methods.get(parent, frozenset())
    if operation.method == "POST":
        if on_one_thing and "POST" in above and methods.get(path, frozenset()) & {"GET", "DELETE"}:
            yield _candidate("update", 3.0, "POST on one thing beside a POST that makes it", operation.pointer)
        elif on_one_thing and "GET" in methods.get(path, frozenset()):
            yield _candidate("update", 1.0, "POST on one thing that can be read", operation.pointer)
        elif on_one_thing:
            yield _candidate("create", 1.0, "POST on a path that names it", operation.pointer)
        elif operation.fields and operation.fields[0].path == "$body":
            yield _candidate("bulk", 1.5, "the body is a list", operation.body.pointer if operation.body else "")
        elif methods.get(path, frozenset()) & {"GET"} or f"{path}/{{}}" in methods:
            yield _candidate("create", 2.0, "POST on a collection", operation.pointer)
        elif without_verbs(last_static(operation.path)) and "{" not in path.rpartition("/")[2]:
            yield _candidate("create", _AMONG_WRITES, "POST on a path that ends with a thing", operation.pointer)
    elif not on_one_thing and "{" not in path.rpartition("/")[2]:
        yield _candidate("action", 0.5, "PUT on a path that names no one thing", operation.pointer)
        if f"{path}/{{}}" in methods and "POST" not in methods.get(path, frozenset()):
            yield _candidate("create", 4.0, "PUT on a collection", operation.pointer)
    elif "POST" not in above:
        yield _candidate("upsert", 2.0, "PUT, and no POST that makes one", operation.pointer)


def _is_twin(subject: Subject) -> bool:
    """Whether a GET of the same path has the same summary: the POST is the same question with a longer text."""
    operation = subject.operation
    twin = subject.document.by_name.get(f"GET {operation.path}")
    return twin is not None and bool(operation.summary) and twin.summary == operation.summary


def _candidate(kind: str, weight: float, says: str, at: str) -> Candidate:
    return Candidate(value=kind, weight=weight, because=says, evidence=Evidence(says, at))


DETECTOR = Detector(question="kind", detect=detect)
