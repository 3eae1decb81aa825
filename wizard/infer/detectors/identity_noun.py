"""A field that is called like the thing of the path (`tags` of `/orders/{id}/tags`, `product_key` of `/products`) is what
the thing is told apart by."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import speaks_for
from wizard.infer.secrets import is_secret
from wizard.infer.things import last_static, without_verbs
from wizard.infer.units import units

_MARKS = frozenset({"name", "number", "code", "key", "id", "reference", "slug", "title", "label"})


def detect(subject: Subject) -> Iterator[Candidate]:
    whole = without_verbs(last_static(subject.operation.path))
    noun = whole[-1:]
    if not noun or subject.kind in ("delete", "action"):
        return
    for unit in units(subject):
        own = unit.words in (noun, whole) or (
            unit.words[:-1] == noun and unit.words[-1] in _MARKS and unit.words[-1] != "id"
        )
        own = own or (len(unit.words) > 1 and whole[-len(unit.words) :] == unit.words)
        if own and not is_secret(unit) and not unit.shape.read_only:
            reason = "called like the thing of the path"
            yield speaks_for(unit, 3.5, reason, role="reference")
            yield speaks_for(unit, 0, reason, role="name")


DETECTOR = Detector(question="identity", detect=detect)
