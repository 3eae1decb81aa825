"""Addresses to call or to return to say how to go on, not what is made; so do pictures and links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import says, word_list
from wizard.infer.roles import against
from wizard.infer.things import about_of
from wizard.infer.units import units

_SAID = re.compile(
    r"\bredirect(s|ed|ing)? (the |a |your )?(user|customer|payer|shopper|buyer|browser|client|them|you)s?\b|\bredirect(ed)? (back|after)"
    r"|\bcall ?back|\breturn(s|ed)? (the )?(user|customer|payer|shopper|browser|you)s? |\bback to your|\bto be notified\b|\bnotification url",
    re.IGNORECASE,
)


def detect(subject: Subject) -> Iterator[Candidate]:
    what = about_of(subject)
    calls = (what.thing is not None and what.thing.name == "webhook") or what.noun.endswith(("link", "redirect"))
    for unit in units(subject):
        if calls and unit.shape.type in ("", "string"):
            continue
        last = unit.words[-1:]
        is_address = last in (("url",), ("uri",), ("link",), ("endpoint",), ("urls",)) or unit.shape.format in (
            "uri",
            "url",
        )
        if word_list("fields", "callback").match(unit.words):
            yield against(unit, 6, says("callback"), role="callback")
        elif is_address and _SAID.search(unit.description[:400]):
            yield against(unit, 6, says("callback"), at=f"{unit.pointer}/description", role="callback")
        elif word_list("fields", "media").match(unit.words):
            yield against(unit, 3, says("media"), role="media")
        elif word_list("fields", "link").match(unit.words) and not unit.required:
            yield against(unit, 2, says("link"), role="link")


DETECTOR = Detector(question="identity", detect=detect)
