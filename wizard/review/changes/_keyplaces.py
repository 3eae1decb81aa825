"""Where an operation of a document could take a key, as proposals weigh it."""

from __future__ import annotations

from typing import Any, NamedTuple

from wizard.infer.keys import PROPOSED_FROM
from wizard.review.kind import At, Declared, InDocument, InSkill, Pair


def key_places(pair: Pair, side: Declared) -> dict[str, tuple[float, bool, str]]:
    """Places (`header Idempotency-Key`) with their weight (below 0: against it), whether they are required, and their
    pointers."""
    from wizard.infer.detector import Subject
    from wizard.infer.keys import sites, weigh
    from wizard.lint.against import key_detectors

    if side.api is None or side.document is None:
        return {}
    shared: dict[str, Any] = pair.shared.setdefault(f"document {id(side.document)}", {})
    subject = Subject(document=side.document, operation=side.api, shared=shared, write=True, kind="create")
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


def unused(pair: Pair) -> list[Place]:
    """The places for a key in the newer document, where the declaration of a write has no key and the model fills in
    none of them."""
    both = pair.compared
    if both is None or not pair.knew or both[1].operation.key is not None or not both[1].operation.is_write:
        return []
    before, after = both
    named = {f"{path.place} {path.segments[0].name}".lower() for path in after.operation.identity if path.segments}
    named |= {f"field {path.name}".lower() for path in after.operation.identity}
    old = key_places(pair, before)
    words = {"header": "header", "query": "query parameter", "field": "field"}
    return [
        Place(name, f"{words[name.partition(' ')[0]]} `{name.partition(' ')[2]}`", required, pointer, old.get(name))
        for name, (weight, required, pointer) in key_places(pair, after).items()
        if weight >= PROPOSED_FROM and name.lower() not in named
    ]
