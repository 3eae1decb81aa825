"""A field that is called like the thing of the path is what the thing is told apart by: `tags` of `/orders/{id}/tags`,
`product_key` of `/products`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import Phrase, pattern, phrase, small_words
from wizard.infer.naming import root
from wizard.infer.roles import against, speaks_for
from wizard.infer.secrets import is_secret
from wizard.infer.things import last_static, path_words
from wizard.infer.units import Unit, units


def detect(subject: Subject) -> Iterator[Candidate]:
    whole = path_words(subject.operation.path)
    noun = whole[-1:]
    if not noun or subject.kind in ("delete", "action"):
        return
    given = units(subject)
    last = last_static(subject.operation.path)
    named = any(unit.words in _NAMES[:2] for unit in given)
    said = f"{subject.operation.summary} {subject.operation.description[:_SPOKEN]}"
    for unit in given:
        if unit.shape.type == "boolean":
            if unit.words == whole and "{" not in subject.operation.path:
                yield speaks_for(unit, 3.5, "called like the operation: it is what is set", role="switched")
            continue
        counted = unit.shape.type == "integer" and not unit.required and phrase(last) == whole
        counted = counted and not re.search(
            rf"\b(pass|provid|specify)\w*\b[^.]{{0,30}}\b{re.escape(unit.name)}\b", said
        )
        if counted and unit.words == (*whole, "id"):
            yield against(unit, 3, "an id that the recipient gives", role="server id")
            continue
        assigned = not unit.required and pattern("grammar", "assigned_said").search(unit.description[:_LONGEST])
        if assigned and _is_own_id(unit.words, noun, whole) and subject.kind == "create":
            yield against(unit, 4, "an id that the recipient gives", at=f"{unit.pointer}/description", role="server id")
            continue
        if unit.composite and unit.words == noun != whole and not is_secret(unit):
            yield speaks_for(unit, 3.5, "called like the thing of the path", role="content")
            continue
        if (
            _is_own_id(unit.words, noun, whole)
            and not unit.required
            and subject.kind == "create"
            and any(other is not unit and _names(other, noun) for other in given)
        ):
            yield against(unit, 3, "an id that the recipient gives", role="server id")
            continue
        own = unit.words == whole or (unit.words[:-1] == noun and unit.words[-1] in small_words("own_marks"))
        own = own or (len(unit.words) > 1 and whole[-len(unit.words) :] == unit.words)
        if _is_own_id(unit.words, noun, whole) and unit.shape.type == "string" and subject.kind == "create":
            yield speaks_for(unit, 0, "its own id, which may be the client's choice", role="reference")
        own = own or (len(whole) > 1 and unit.words == whole[:-1] and len(unit.members) > 1)
        own = own and not (named and unit.words == whole)
        if own and not is_secret(unit) and not unit.shape.read_only:
            reason = "called like the thing of the path"
            if unit.required or unit.words != noun or unit.shape.type != "string":
                yield speaks_for(unit, 3.5, reason, role="reference")
                yield speaks_for(unit, 0, reason, role="name")
            else:
                yield speaks_for(unit, 3.5, reason, role="name")


def _is_given_back(unit: Unit) -> bool:
    """Whether no text says that it is of one that is there: `deploymentId` of the one to deploy anew."""
    return (
        not unit.required
        and not unit.is_array
        and not pattern("grammar", "existing_said").search(unit.description[:_LONGEST])
    )


def _names(unit: Unit, noun: Phrase) -> bool:
    """Whether it is the name of the thing: `name`, or `group_name` of a group."""
    return unit.words in _NAMES or (unit.words[-1:] in _NAMES and noun[0] in unit.words)


_NAMES = (("name",), ("title",), ("label",))


def _is_own_id(words: Phrase, noun: Phrase, whole: Phrase) -> bool:
    """`shipping_id` of a shipment, `order_id` of an order."""
    if words[-1:] != ("id",) or not noun:
        return False
    return words[:-1] == whole or (len(words) == _PAIR and root(words[0]) == root(noun[0]))


_PAIR = 2
_LONGEST = 300
_SPOKEN = 1000


DETECTOR = Detector(question="identity", detect=detect)
