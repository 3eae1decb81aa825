"""How sure an identity is.

High means that a reviewer would hardly correct it: each request must have these fields, they are what such a thing is
told apart by, and nothing that could tell two apart was left out.
"""

from __future__ import annotations

from wizard.infer.composed import Composed
from wizard.infer.model import Confidence, Kind
from wizard.infer.parts import paths_of
from wizard.infer.picking import Weighed
from wizard.infer.sound import BY_NAME, MATTER, is_kind, sound

_OWN = frozenset(
    {"reference", "name", "email", "content", "file", "address", "document", "login", "subject", "line", "public_key",
     "start", "date", "amount", "quantity", "phone", "unique", "target"}
)  # fmt: skip
"""Roles of fields of the thing's own, one of which stands in each identity that is sure."""
_DISTINCT = frozenset(
    {
        "start",
        "end",
        "date",
        "amount",
        "quantity",
        "line",
        "content",
        "party",
        "counterparty",
        "recipient",
        "resource",
        "file",
    }
)
"""Roles of fields that two things of a kind may well differ by and in nothing else."""
_POINTING = frozenset({"party", "resource", "other", "origin"})
_ONE_IS_ENOUGH = BY_NAME | {"person"}
"""Things that their name or number tells apart, whatever else a request has."""
_MANY_MEMBERS = 10


def identity_confidence(kind: Kind, composed: Composed) -> Confidence:
    """The confidence of the identity that was put together."""
    chosen = composed.chosen
    if kind in ("action", "delete"):
        return _of_action(composed)
    if kind == "update":
        return Confidence.MEDIUM if chosen else Confidence.LOW
    if not chosen:
        return Confidence.MEDIUM if composed.by in ("path", "repeats") else Confidence.LOW
    telling = [one for one in chosen if one.roles.keys() & MATTER and not is_kind(one)]
    if _is_sure(composed, telling):
        return Confidence.HIGH
    if not telling or len(composed.missing) > 1 or (composed.by in ("guess", "all") and _is_weak(composed, telling)):
        return Confidence.LOW
    return Confidence.MEDIUM


def _is_sure(composed: Composed, telling: list[Weighed]) -> bool:
    required = [one for one in telling if one.required]
    thing = composed.about.thing
    if (thing is not None and thing.repeats) or composed.about.happening:
        return False  # an equal one may well be another
    numbers = [one for one in required if "reference" in one.roles and "content" not in one.roles]
    if numbers and not _is_split(composed):
        return composed.by in ("required", "thing")  # its own number, which each request must have
    if composed.missing or composed.by not in ("required", "thing"):
        return False
    pointing = [one for one in required if one.roles.keys() & _POINTING]
    joins = thing is not None and thing.name == "link" and len(pointing) > 1
    if not joins and not any(one.roles.keys() & _OWN for one in required):
        return False
    if not sound(required, thing, path=composed.in_path, parent=composed.parent):
        return False
    if _is_split(composed):
        return False
    if any(one.unit.composite and not one.roles.keys() & MATTER and one not in telling for one in composed.chosen):
        return False  # an object that says nothing of the matter by its name
    if thing is not None and thing.money and len(telling) == 1:
        return False  # an amount alone: two equal ones may well be meant
    if thing is not None and thing.name in _ONE_IS_ENOUGH:
        return True
    return not [one for one in _left(composed) if one.roles.keys() & _DISTINCT]


def _is_split(composed: Composed) -> bool:
    """Whether a large object or list went in by some of its members: which, is a matter of judgement."""
    large = [one.unit for one in composed.chosen if len(one.unit.members) > _MANY_MEMBERS]
    return any(paths_of(unit) != (unit.path,) for unit in large)


def _left(composed: Composed) -> list[Weighed]:
    """The fields that nothing speaks against and that are not in it."""
    chosen = {one.unit.path for one in composed.chosen}
    return [
        one
        for one in composed.weighed
        if one.unit.path not in chosen and not one.doubt and not one.required and not is_kind(one)
    ]


def _is_weak(composed: Composed, telling: list[Weighed]) -> bool:
    own = any(one.roles.keys() & _OWN for one in telling)
    return bool(composed.missing) or not own or not (any(one.required for one in telling) or len(telling) > 1)


def _of_action(composed: Composed) -> Confidence:
    if not composed.chosen:
        left = [
            one
            for one in composed.weighed
            if not one.doubt or (one.required and not one.barred and one.unit.shape.type != "boolean")
        ]
        return Confidence.MEDIUM if left else Confidence.HIGH
    return Confidence.HIGH if all(one.required for one in composed.chosen) else Confidence.MEDIUM
