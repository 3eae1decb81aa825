"""The key is derived from the identity, so it is no part of it; nor is another field that is called like a key.

Where the recipient dedupes by a number of the matter that each request must have (an order's own number), that number
is what tells two requests apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.roles import against, speaks_for
from wizard.infer.units import Unit, units

_KEY_NAME = re.compile(
    r"idempot|dedup|request_?id$|client_?token|creation_?token|client_?request|nonce|transaction_?uuid", re.IGNORECASE
)

_GENERIC = re.compile(
    r"^(transaction|request|message|event|operation|uuid|unique)_?(id|key|ref|reference|number)?$", re.IGNORECASE
)
"""Names that say nothing of the matter."""


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        is_key = (
            subject.key is not None and subject.key.place != "header" and _is(subject.key.place, subject.key.name, unit)
        )
        if is_key and unit.required and not _KEY_NAME.search(unit.name) and not _GENERIC.search(unit.name):
            yield speaks_for(unit, 3, "a number of the matter by which the recipient dedupes", role="reference")
        elif is_key:
            yield against(unit, 10, "the key itself", final=True, role="key")
        elif _KEY_NAME.search(unit.name) and not (subject.kind != "create" and unit.required and subject.key is None):
            yield against(unit, 10, "called like a key", final=True, role="key")


def _is(place: str, name: str, unit: Unit) -> bool:
    return unit.path == (f"query:{name}" if place == "query" else name)


DETECTOR = Detector(question="identity", detect=detect)
