"""Addresses to call or to return to say how to go on, not what is made; so do pictures and links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import says, word_list
from wizard.infer.roles import against
from wizard.infer.units import units

_SAID = re.compile(
    r"\b(redirect(s|ed)?|callback|call back|return(s|ed)? (the )?(user|customer|payer|shopper|browser|you) |back to your|notif(y|ied|ication) (url|endpoint)|will be sent to this url)",
    re.IGNORECASE,
)


def detect(subject: Subject) -> Iterator[Candidate]:
    for unit in units(subject):
        last = unit.words[-1:]
        is_address = last in (("url",), ("uri",), ("link",), ("endpoint",), ("urls",)) or unit.shape.format in ("uri", "url")
        if word_list("fields", "callback").match(unit.words):
            yield against(unit, 6, says("callback"), role="callback")
        elif is_address and _SAID.search(unit.description[:400]):
            yield against(unit, 6, says("callback"), at=f"{unit.pointer}/description", role="callback")
        elif word_list("fields", "media").match(unit.words):
            yield against(unit, 3, says("media"), role="media")
        elif word_list("fields", "link").match(unit.words) and not unit.required:
            yield against(unit, 2, says("link"), role="link")


DETECTOR = Detector(question="identity", detect=detect)
