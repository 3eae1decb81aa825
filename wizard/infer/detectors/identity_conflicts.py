"""What a 409 or 422 says must be unique, or a field's own description: the recipient itself tells two apart by it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern
from wizard.infer.roles import speaks_for
from wizard.infer.units import Unit, units

_STATUSES = ("409", "422", "400", "412")
_LONGEST = 600
_SHORTEST_NAME = 3
_SENTENCE = re.compile(r"[.;\n<]+")


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.kind not in ("create", "upsert"):
        return
    said = pattern("grammar", "conflict_said")
    texts = [
        (sentence, answer.pointer)
        for answer in subject.operation.responses
        if answer.status in _STATUSES
        for sentence in _SENTENCE.split(answer.description[:_LONGEST])
        if said.search(sentence)
    ]
    for unit in units(subject):
        if unit.place != "body" or unit.shape.type in ("boolean", "array", "object"):
            continue
        conflict = next(((text, at) for text, at in texts if _speaks_of(text, unit)), None)
        if conflict is not None:
            yield speaks_for(unit, 2.0, "a conflict speaks of it", role="unique", at=f"{conflict[1]}/description")
        elif pattern("grammar", "unique_said").search(unit.description[:_LONGEST]):
            yield speaks_for(unit, 0.5, "said to be unique", role="said unique", at=f"{unit.pointer}/description")


def _speaks_of(text: str, unit: Unit) -> bool:
    """Whether the text has the field's name, as it is written or in words."""
    if len(unit.name) < _SHORTEST_NAME:
        return False
    spoken = r"[\s_-]?".join(re.escape(word) for word in unit.words)
    return re.search(rf"\b({re.escape(unit.name)}|{spoken})\b", text, re.IGNORECASE) is not None


DETECTOR = Detector(question="identity", detect=detect)
