"""A search that is not the collection itself: `/customers/search?query=`, `/search?q=`."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.model import Confidence
from wizard.infer.naming import root
from wizard.infer.probe_words import word_set
from wizard.infer.probes import Seen, compare, look, lookup, propose
from wizard.infer.route import PREFIX, Part, Route


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False or subject.kind not in ("create", "upsert"):
        return
    seen = look(subject)
    for route in seen.index.reads_about(word_set("path", "search")):
        near = _nearness(seen, route)
        if not near or route.ends_in_variable:
            continue
        found = lookup(seen, route)
        if found is None or not found.searched:
            continue
        answer = seen.index.answer(route)
        compared = compare(seen, found, answer)
        if answer is not None and answer.fields and not compared.match and not compared.also:
            continue  # nothing of what it finds can be compared
        yield propose(
            seen,
            found,
            "search",
            answer,
            compared,
            why=f"`{route.operation.name}` finds it by `{found.fed[f'query:{found.searched}'].path}`.",
            because="a search for what it is called",
            weight={1.0: 5.1, 0.9: 4.85}.get(near, 2.0 + near),
            confidence=Confidence.LOW,
        )


def _nearness(seen: Seen, route: Route) -> float:
    """1 for a search inside the collection or one that names the things, a little for a search of everything."""
    search = word_set("path", "search")
    if route.base == seen.route.base:
        return 1.0
    words = {root(word) for part in route.literals for word in part.stems if word not in search}
    about = {root(word) for word in seen.about}
    if about and about <= words:
        return 0.9
    return 0.3 if not route.variables and all(PREFIX.fullmatch(part.text) for part in _others(route, search)) else 0.0


def _others(route: Route, search: frozenset[str]) -> list[Part]:
    return [part for part in route.literals if not set(part.stems) <= search]


DETECTOR = Detector(question="probe", detect=detect)
