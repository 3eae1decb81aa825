"""The other things that a write is about, by their ids: whom it is with, what it is for, what it follows from."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import Phrase, says, word_list
from wizard.infer.naming import stems, words
from wizard.infer.roles import speaks_for
from wizard.infer.things import last_static, segments, without_verbs
from wizard.infer.units import Unit, units

_TOLD = frozenset({"party", "resource", "origin", "container", "counterparty", "kind", "reference"})
_ROLES = (
    "party",
    "resource",
    "origin",
    "container",
    "funds",
    "counterparty",
    "recipient",
    "sender",
    "reply_to",
    "within",
)


def detect(subject: Subject) -> Iterator[Candidate]:
    others = _things_of_document(subject)
    own = without_verbs(last_static(subject.operation.path))[-1:]
    pointed = {unit.stem for unit in units(subject) if unit.words[-1:] != ("name",)}
    for unit in units(subject):
        for role in _ROLES:
            if role in unit.roles and not (role == "origin" and unit.stem[-1:] == own):
                yield speaks_for(unit, 0, says(role), role=role)
        for role in ("party", "resource"):
            if unit.words[-1:] == ("name",) and unit.stem not in pointed and _is_of(unit, role, own):
                yield speaks_for(unit, 0, says(role), role=role)
        if _is_id(unit) and unit.stem[-1:] != own and not unit.roles & _TOLD:
            yield speaks_for(unit, 0, "an id of something else", role="other")
            continue
        names = unit.names_other or (len(unit.words) == 1 and _could_be_id(unit))
        if names and unit.stem[-1:] != own and unit.stem[-1] in others and unit.shape.type != "boolean":
            yield speaks_for(unit, 0, "names another thing of this API", role="other")


def _is_of(unit: Unit, role: str, own: Phrase) -> bool:
    """Whether it names what it is about by its name, there being no id of it: `product_name`."""
    about = len(unit.words) > 1 and unit.stem[-1:] != own
    return about and unit.shape.type == "string" and bool(word_list("fields", role).match(unit.stem))


def _could_be_id(unit: Unit) -> bool:
    """`task`, as a URI, a UUID or a number."""
    if unit.shape.type == "string" and not unit.shape.enum and not unit.roles and not _is_plural(unit):
        return True
    return not unit.composite and (
        unit.shape.format in ("uri", "uuid", "uri-reference") or unit.shape.type == "integer"
    )


def _is_id(unit: Unit) -> bool:
    return unit.words[-1:] == ("id",) and len(unit.words) > 1 and not unit.composite


def _is_plural(unit: Unit) -> bool:
    return words(unit.name)[-1:] != stems(unit.name)[-1:]


def _things_of_document(subject: Subject) -> frozenset[str]:
    """The nouns of all paths of the document."""
    found: frozenset[str] | None = subject.shared.get("nouns of paths")
    if found is None:
        names = {one for each in subject.document.operations for one in segments(each.path) if "{" not in one}
        found = frozenset(without_verbs(name)[-1] for name in names if without_verbs(name))
        subject.shared["nouns of paths"] = found
    return found


DETECTOR = Detector(question="identity", detect=detect)
