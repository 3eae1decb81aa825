"""A flag says how something is done; two requests are seldom told apart by it."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, small_words
from wizard.infer.roles import against
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        said = unit.shape.type in ("", "string") and pattern("grammar", "flag_said").search(unit.description[:120])
        named = len(unit.words) > 1 and (
            (unit.shape.type == "" and unit.words[0] in small_words("flag_front"))
            or (unit.words[0] == "auto" and not unit.composite)
        )
        named = named or unit.words in _HOW
        named = named or (unit.words in _SWITCHED and not unit.composite and subject.kind in ("create", "upsert"))
        if (
            unit.shape.type == "boolean"
            or said
            or named
            or (unit.shape.enum and set(map(str, unit.shape.enum)) <= _BOTH)
        ):
            yield against(unit, 3, "a flag", role="flag")


_HOW = (("force",), ("recursive",), ("overwrite",), ("silent",), ("dry", "run"))
_SWITCHED = (("enabled",), ("disabled",), ("active",), ("archived",), ("deleted",))
_BOTH = {"True", "False", "true", "false", "yes", "no", "Y", "N", "0", "1", "on", "off"}
DETECTOR = Detector(question="identity", detect=detect)
