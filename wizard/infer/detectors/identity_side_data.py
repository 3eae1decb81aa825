"""What goes along with the matter: metadata, custom fields, settings, how it looks, who asked, what the recipient
works out or keeps by itself."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase, says, word_list
from wizard.infer.roles import against
from wizard.infer.things import about_of, path_words, segments
from wizard.infer.units import Unit, units

_LISTS = {
    "numbered_custom": 4.0,
    "metadata": 3.0,
    "client": 4.0,
    "client_optional": 3.0,
    "audit": 4.0,
    "display": 3.0,
    "settings": 3.0,
    "state": 2.5,
    "trait": 3.0,
    "total": 1.5,
    "switch": 1.0,
}
_ADDRESSES = (("ip",), ("ip", "address"))
_BY_PERSONS = frozenset({"payment", "document", "person", "message", "review", "link", "event", "booking"})
"""Things that a person orders: there an IP address is the person's. Elsewhere it is the device's own."""
_BOUNDS = frozenset({"max", "maximum", "min", "minimum"})
_SAID = (("data",), ("payload",), ("body",), ("message",))
_FIRST = 8
_PAIR = 2
_THINGS_TOO = (("document",),)
"""Where it is an object or a list of objects, it is what is sent, and goes along with nothing."""
_AUTHOR = ("author",)
_KEPT_IF_REQUIRED = frozenset({"total", "switch", "client_optional", "state"})


def detect(subject: Subject) -> Iterator[Candidate]:
    thing = about_of(subject).thing
    by_person = thing is None or thing.name in _BY_PERSONS
    path = {word for one in segments(subject.operation.path) if "{" not in one for word in phrase(one)}
    itemized = any(unit.required and "line" in unit.roles for unit in units(subject))
    for unit in units(subject):
        if unit.words == ("action",) and unit.required:
            continue  # what is to be done
        if unit.required and unit.words[-1:] == ("position",):
            continue  # where it is put
        if word_list("fields", "shaping" if unit.place == "query" else "shaping_body").match(unit.words):
            yield against(unit, 4, says("shaping"), role="shaping")
            continue
        of_client = sum(bool(word_list("fields", "client").match(phrase(one.name))) for one in unit.members[:_FIRST])
        if of_client > 1 or (of_client and len(unit.members) <= _PAIR):
            yield against(unit, 4, says("client"), role="client")
            continue
        if unit.words in _ADDRESSES and (not by_person or any(word.startswith("ip") for word in path)):
            continue
        if _is_what_is_made(unit, subject) or ("metadata" in path and unit.words[0] == "metadata"):
            continue
        if unit.composite and len(unit.words) > 1 and unit.words[-1] == "field" and not unit.required:
            yield against(unit, 3, says("metadata"), role="metadata")
            continue
        if set(unit.words[:1]) & _BOUNDS and len(unit.words) > 1 and unit.shape.type in ("integer", "number"):
            yield against(unit, 3, says("settings"), role="settings")
            continue
        if not unit.required and _is_numbered_extra(unit):
            yield against(unit, 3, says("metadata"), role="metadata")
            continue
        if unit.words[:1] in (("metadata",), ("meta",)) and len(unit.words) > 1 and not unit.required:
            yield against(unit, 3, says("metadata"), role="metadata")
            continue
        if itemized and unit.words[:1] == ("total",) and unit.shape.type in ("integer", "number"):
            yield against(unit, 3, says("total"), role="total")
            continue
        for name, weight in _LISTS.items():
            if name == "settings" and thing is not None and thing.name == "message" and "content" in unit.roles:
                continue
            if name == "trait" and subject.kind not in ("create", "upsert"):
                continue
            if word_list("fields", name).match(unit.words) and not _is_more(unit, name, itemized=itemized):
                counted = (name == "switch" and unit.shape.type in ("integer", "number")) or (
                    name == "total" and itemized
                )
                yield against(unit, 3.0 if counted else weight, says(name), role=name)
                break
        else:
            said = thing is not None and thing.name == "message" and unit.words in _SAID
            if unit.shape.type == "object" and not unit.members and not unit.required and not said:
                yield against(unit, 2, says("unnamed"), role="metadata")


def _is_what_is_made(unit: Unit, subject: Subject) -> bool:
    """`textCustomFields` of `/custom_fields`; and `default`, which a request must have."""
    noun = path_words(subject.operation.path)
    called = bool(noun) and unit.composite and unit.words[-len(noun) :] == noun and len(unit.words) > len(noun)
    return (called and subject.kind in ("create", "upsert")) or (unit.words == ("default",) and unit.required)


def _is_numbered_extra(unit: Unit) -> bool:
    """`metadata_field_3`, `option7`, `userField12`: places that a recipient leaves to its clients."""
    words = unit.words
    while words and words[-1].isdigit():
        words = words[:-1]
    return words != unit.words and (
        "metadata" in words or words[-1:] == ("option",) or bool(word_list("fields", "metadata").match(words))
    )


def _is_more(unit: Unit, name: str, *, itemized: bool) -> bool:
    if name == "metadata" and unit.words in _THINGS_TOO and (len(unit.members) > 1 or not unit.composite):
        return True
    if name == "audit" and unit.words == _AUTHOR and unit.required:
        return True  # of a book or a play
    if (
        name == "switch"
        and unit.shape.type in ("integer", "number")
        and unit.words[-1:] not in (("priority",), ("urgency",))
    ):
        return False  # how long, how often
    if name == "total" and itemized:
        return False  # each line says how much
    return name in _KEPT_IF_REQUIRED and unit.required


DETECTOR = Detector(question="identity", detect=detect)
