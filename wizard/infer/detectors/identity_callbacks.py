"""Addresses to call or to return to say how to go on, not what is made; so do pictures and links."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import pattern, says, word_list
from wizard.infer.roles import against, speaks_for
from wizard.infer.things import about_of, segments, thing_named, without_verbs
from wizard.infer.units import Unit, units

_LONGEST = 200
_KEPT = (("id",), ("created", "at"), ("created",), ("updated", "at"), ("create", "time"), ("name",), ("title",))
_PLAIN = (("url",), ("uri",), ("link",))
_NAMES = (("name",), ("title",))
_SUBSCRIBES = ("subscription", "listener", "notification", "observer", "destination")
"""Things that an address which each request must have belongs to."""


def detect(subject: Subject) -> Iterator[Candidate]:
    what = about_of(subject)
    calls = (what.thing is not None and what.thing.name == "webhook") or what.noun.endswith(("link", "redirect"))
    calls = calls or any(thing_named(without_verbs(one)) == "webhook" for one in segments(subject.operation.path)[-2:])
    runs = what.thing is not None and what.thing.name == "run"
    subscribes = what.noun.endswith(_SUBSCRIBES)
    named = any(unit.required and unit.words in _NAMES for unit in units(subject))
    shared = any(unit.words in _KEPT for unit in units(subject))
    for unit in units(subject):
        if unit.shape.type in ("", "string") and (calls or (subscribes and unit.required)):
            continue
        if unit.is_array and unit.members:
            continue  # a list of webhooks is no address
        last = unit.words[-1:]
        is_address = last in (("url",), ("uri",), ("link",), ("endpoint",), ("urls",)) or unit.shape.format in (
            "uri",
            "url",
        )
        several = unit.composite and unit.name.lower().endswith("urls")
        if several or word_list("fields", "callback").match(unit.words) or _is_http_method(unit):
            yield against(unit, 6, says("callback"), role="callback")
        elif is_address and pattern("grammar", "callback_said").search(unit.description[:400]):
            yield against(unit, 6, says("callback"), at=f"{unit.pointer}/description", role="callback")
        elif word_list("fields", "media").match(unit.words) and not pattern("grammar", "id_said").search(
            unit.description[:200]
        ):
            yield against(unit, 3, says("media"), role="media")
        elif is_address and pattern("grammar", "source_said").search(unit.description[:_LONGEST]):
            yield speaks_for(unit, 0.1, "where it is taken from, by its text", role="address")
        elif runs and is_address and word_list("fields", "process").match(unit.stem):
            yield speaks_for(unit, 0.1, "what is run", role="process")
        elif unit.words in _PLAIN and not shared and not named:
            continue  # no schema of the answer's, and nothing else is called so: what it is about
        elif word_list("fields", "link").match(unit.words) and (not unit.required or (named and len(unit.words) > 1)):
            yield against(unit, 2, says("link"), role="link")


def _is_http_method(unit: Unit) -> bool:
    """With which method an address is called: it goes with the address."""
    given = {str(value).upper() for value in unit.shape.enum}
    return unit.shape.format == "http-method" or bool(given and given <= _METHODS)


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
DETECTOR = Detector(question="identity", detect=detect)
