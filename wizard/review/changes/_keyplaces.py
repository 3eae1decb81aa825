"""Where an operation of a document could take a key, as proposals weigh it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wizard.infer.detector import Subject
from wizard.infer.keys import PROPOSED_FROM, sites, weigh
from wizard.lint.against import key_detectors
from wizard.review.kind import At, Declared, InDocument, InSkill, Pair


def _subject(pair: Pair, side: Declared) -> Subject | None:
    if side.api is None or side.document is None:
        return None
    shared = pair.indexes.setdefault(id(side.document), {})
    return Subject(document=side.document, operation=side.api, shared=shared, write=True, kind="create")


def key_places(subject: Subject) -> dict[str, tuple[float, bool, str]]:
    """Places (`header Idempotency-Key`) with their weight (below 0: against it), whether they are required, and their
    pointers."""
    places = {(one.place, one.name.lower()): one for one in sites(subject)}
    seen = [candidate for detector in key_detectors() for candidate in detector.detect(subject)]
    found = {}
    for own, candidates in weigh(seen).items():
        if own in places:
            site = places[own]
            weight = sum(one.weight for one in candidates)
            found[f"{site.place} {site.name}"] = (weight, site.required, site.pointer)
    return found


class Place(NamedTuple):
    """A place of the newer document that takes a key, and that the declaration does not use."""

    name: str
    """`header Idempotency-Key`."""
    what: str
    """In words."""
    required: bool
    pointer: str
    was: tuple[float, bool, str] | None
    """The same place in the older document; None where it had none."""

    @property
    def declare(self) -> str:
        return f"Declare `key: {self.name}`."

    @property
    def at(self) -> tuple[At, ...]:
        old: tuple[At, ...] = (InDocument("base", self.was[2]),) if self.was is not None else ()
        return (*old, InDocument("head", self.pointer), InSkill("head"))


def unused(pair: Pair) -> tuple[Place, ...]:
    """The places for a key in the newer document, where the declaration of a write has no key and the model fills in
    none of them; none where the request takes what it took."""
    if "unused keys" not in pair.shared:
        pair.shared["unused keys"] = tuple(_unused(pair))
    kept: tuple[Place, ...] = pair.shared["unused keys"]
    return kept


def _unused(pair: Pair) -> Iterator[Place]:
    both = pair.compared
    if both is None or not pair.knew or both[1].operation.key is not None or not both[1].operation.is_write:
        return
    before, after = (_subject(pair, side) for side in both)
    if before is None or after is None or _sites(before) == _sites(after):
        return
    identity = both[1].operation.identity
    named = {f"{path.place} {path.segments[0].name}".lower() for path in identity if path.segments}
    named |= {f"field {path.name}".lower() for path in identity}
    old = key_places(before)
    words = {"header": "header", "query": "query parameter", "field": "field"}
    for name, (weight, required, pointer) in key_places(after).items():
        if weight >= PROPOSED_FROM and name.lower() not in named:
            kind, _, own = name.partition(" ")
            yield Place(name, f"{words[kind]} `{own}`", required, pointer, old.get(name))


def _sites(subject: Subject) -> list[tuple[object, ...]]:
    """What could hold a key, without where it stands."""
    return [(one.place, one.name, one.text, one.required, one.shape.type) for one in sites(subject)]
