"""A plain `id` in the body of a create is the recipient's to give, unless each request must have one; in an action
without a variable in its path it is the subject."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, phrase
from wizard.infer.roles import against, speaks_for
from wizard.infer.tables import table
from wizard.infer.things import plain_verb, segments
from wizard.infer.units import units

_LONGEST = 200
_PLAIN = (("id",), ("ids",))
_OWN = frozenset({"identifier", "unique_identifier"})
"""What is called so is rarely the recipient's."""


def acts_on_body(subject: Subject) -> bool:
    """Whether the path ends with a verb behind a collection (`/payments/refund`): the subject is in the body."""
    parts = segments(subject.operation.path)
    if len(parts) < 2 or "{" in parts[-2]:
        return False
    words = phrase(parts[-1])
    verbs = table("verbs")
    acts = {*verbs["action"]["verbs"], *verbs["delete"]["verbs"], "refund", "update"}
    return len(words) == 1 and plain_verb(words[0]) in acts


def detect(subject: Subject) -> Iterator[Candidate]:
    path_names_it = "{" in subject.operation.path
    given = units(subject)
    for unit in given:
        if len(given) == 1 and unit.level > 0 and unit.words in _PLAIN:
            yield speaks_for(unit, 3, "the one thing that is given", role="target")
            return
        if unit.words not in _PLAIN or unit.shape.read_only:
            continue
        if unit.name.lower() in _OWN and not unit.required:
            yield speaks_for(unit, 0, "its own identifier", role="reference")
            continue
        if not path_names_it and pattern("grammar", "belongs_said").search(unit.description[:_LONGEST]):
            yield speaks_for(unit, 3, "what it belongs to, by its text", role="other")
        elif not unit.required and not path_names_it and acts_on_body(subject):
            yield speaks_for(unit, 3, "what it is done to", role="target")
        elif subject.kind in ("create", "upsert", "update") and not unit.required and not unit.is_array:
            yield against(unit, 3, "an id that the recipient gives", role="server id")
        elif not path_names_it or unit.is_array or unit.required:
            yield speaks_for(unit, 2, "what it is done to", role="target")


DETECTOR = Detector(question="identity", detect=detect)
