"""The key is derived from the identity, so it is no part of it; nor is another field that is called like a key.

Where the recipient dedupes by a number of the matter that each request must have (an order's own number), that number
is what tells two requests apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern
from wizard.infer.roles import against, speaks_for
from wizard.infer.units import Unit, units


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        named = pattern("grammar", "key_named").search(unit.name) is not None
        if _is_key(subject, unit):
            generic = named or pattern("grammar", "key_generic").search(unit.name) is not None
            if unit.required and not generic:
                yield speaks_for(unit, 3, "a number of the matter by which the recipient dedupes", role="reference")
            else:
                yield against(unit, 10, "the key itself", final=True, role="key")
        elif named and not _is_subject(subject, unit):
            yield against(unit, 10, "called like a key", final=True, role="key")


def _is_key(subject: Subject, unit: Unit) -> bool:
    key = subject.key
    if key is None or key.place == "header":
        return False
    return unit.path == (f"query:{key.name}" if key.place == "query" else key.name)


def _is_subject(subject: Subject, unit: Unit) -> bool:
    """An action that must have another request's key says which request it is done to."""
    return subject.kind != "create" and unit.required and subject.key is None


DETECTOR = Detector(question="identity", detect=detect)
