"""Free text is worded anew by a model that asks again, unless the text is the thing that is made."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, says, word_list
from wizard.infer.roles import against
from wizard.infer.things import about_of
from wizard.infer.units import units

_WHOM = frozenset({"recipient", "receiver", "to"})
_TEXTS = (("note",), ("comment",), ("remark",), ("memo",), ("description",))


def detect(subject: Subject) -> Iterator[Candidate]:
    thing = about_of(subject).thing
    made_of_text = thing is not None and thing.name in ("message", "review")
    given = units(subject)
    made_of_text = made_of_text or (
        thing is None and any(unit.words[0] in _WHOM and "recipient" in unit.roles for unit in given if unit.words)
    )
    said = [unit for unit in given if unit.roles & {"content", "file", "branch"} and unit.words != ("message",)]
    for unit in given:
        stands = unit.required and subject.kind == "create" and not said  # the one text of it is the thing itself
        points = bool(unit.members) and not unit.is_array and unit.names_other
        chosen_from = len(unit.shape.enum) > 1 and "reason" not in unit.words
        if points or chosen_from or (unit.composite and not unit.is_array and unit.words[-1:] not in _TEXTS):
            continue
        if not unit.required and pattern("grammar", "note_said").search(unit.description[:120]):
            yield against(unit, 4, says("note"), role="note")
        elif word_list("fields", "note").match(unit.words) or (
            unit.words == ("message",) and not made_of_text and not stands
        ):
            yield against(unit, 3, says("note"), role="note")


DETECTOR = Detector(question="identity", detect=detect)
