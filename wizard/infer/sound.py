"""Whether a choice of fields surely tells two writes apart, and what else could tell them apart where it does not.

Too little is the dangerous side: two different writes become one, and the second is lost. So where little is required,
or the thing is unknown, everything that says something of the matter goes in.
"""

from __future__ import annotations

from collections.abc import Sequence

from wizard.infer.lexicon import phrase, says
from wizard.infer.picking import Weighed, enough
from wizard.infer.secrets import secret_name
from wizard.infer.things import Thing

_NAMING = frozenset({"reference", "name", "address", "file", "document", "login", "public_key", "email", "unique"})
_PERSONAL = frozenset({"email", "phone", "document", "login", "reference", "birth"})
_POINTS = frozenset({"party", "resource", "origin", "other", "counterparty", "place", "recipient", "target"})
_WHEN = frozenset({"start", "end", "date"})
_AMOUNTS = frozenset({"amount", "quantity"})
_CONTENT = frozenset({"content", "content_id", "subject", "line", "file"})
MATTER = _NAMING | _PERSONAL | _POINTS | _WHEN | _AMOUNTS | _CONTENT | {
    "container", "funds", "given_name", "person_name", "reply_to", "branch", "sender",
}  # fmt: skip
"""Roles of fields that say what, whom, when, how much."""
_STRONG = _NAMING | _WHEN | _AMOUNTS | _CONTENT
_PLENTY = 3
"""Required fields that speak of the matter, from which on nothing is added, whatever the thing is."""

_BESIDE_A_NAME = (
    _PERSONAL | {"reference"} | _POINTS | _WHEN | _AMOUNTS | {"line", "container", "address", "unique", "said unique"}
)
_SAID = (("body",), ("text",), ("content",), ("message",))
_SMALL = 8
"""A request with no more usable fields is taken whole."""
_MOST = 14
_TEXT = -3.5


def _is_own(one: Weighed) -> bool:
    """Whether it is called like the thing of the path, or said to be its number."""
    return one.roles.get("reference", 0) >= _SURE and "content" not in one.roles


_SURE = 3


def is_kind(one: Weighed) -> bool:
    """Whether a field says only of which kind the thing is: by a list of given words, or by its name."""
    matter = one.roles.keys() & MATTER
    if one.unit.shape.enum and len(one.unit.shape.enum) > 1:
        return not matter & (_WHEN | _AMOUNTS)
    return ("kind" in one.roles or "currency" in one.roles) and not matter - {"other", "recipient"}


def sound(
    chosen: Sequence[Weighed], thing: Thing | None, *, path: bool, parent: bool = False, missing: bool = False
) -> bool:
    """Whether the chosen fields are enough for such a thing. `path`: the path has a variable; `parent`: it names the
    very thing that this follows from; `missing`: something was not found that such a thing has."""
    telling = [one for one in chosen if not is_kind(one)]
    roles = {role for one in telling for role in one.roles}
    if not telling:
        return False
    if any(enough(one) and (one.required or (_is_own(one) and not one.unit.composite)) for one in telling):
        return thing is None or not thing.repeats or len(telling) > 1
    required = [one for one in telling if one.required and one.roles.keys() & MATTER]
    if len(required) >= _PLENTY and (not missing or roles & _STRONG):
        return True
    name = thing.name if thing is not None else ""
    if name == "payment" and any("line" in one.roles and one.required for one in telling):
        return True
    if missing:
        return False
    points = [one for one in telling if one.roles.keys() & _POINTS and "line" not in one.roles]
    if name in BY_NAME:
        names = _NAMING if name in ("upload", "webhook") else _NAMING - {"file"}
        naming = [one for one in telling if one.roles.keys() & names and (one.required or one.doubt_weight < _DOUBTED)]
        naming = [one for one in naming if not (one.unit.is_array and one.unit.members)]  # parts, not a name
        if naming and all(not one.required and "reference" not in one.roles for one in naming):
            return False  # a name that may be left out: two requests without it would be one
        return bool(naming) or {"resource", "quantity"} <= roles
    if name == "person":
        return bool(roles & _PERSONAL)
    if name in ("booking", "period"):
        return bool(roles & _WHEN) and (len(telling) > 1 or path)
    if name == "payment":
        return "amount" in roles and (parent or bool(roles & {"origin", "counterparty", "reference"}))
    if name == "document":
        named = any("name" in one.roles for one in required)
        return "reference" in roles or named or ("line" in roles and bool(points or path))
    if name == "message":
        return bool(roles & {"content", "content_id"}) and (len(telling) > 1 or path)
    if name == "link":
        return len(telling) > 1 or path or "email" in roles
    if name in ("line", "review", "priced", "address", "proposal_of_change"):
        return len(telling) > 1 or path
    if name == "event":
        return "reference" in roles or len(telling) > 1
    if name == "run":
        given = bool(required) or "process" in roles or all(one.required for one in telling)
        return "reference" in roles or (len(telling) > 1 and given)
    return _by_form(telling, roles)


_BY_MATTER = frozenset({"payment", "document", "booking", "period", "line", "event", "run", "link", "priced"})
"""Things that no single field names."""
_SURER = _WHEN | {"reference"}
_BY_PERSON = frozenset({"link", "booking", "period"})
"""Those of them that are also called something, or are some person's."""
BY_NAME = frozenset({"named", "goods", "organization", "credential", "webhook", "upload", "task"})


def _by_form(telling: Sequence[Weighed], roles: set[str]) -> bool:
    """For a thing that is unknown: two fields that each request has, one of them its own or a whole matter."""
    required = [one for one in telling if one.required and one.roles.keys() & MATTER]
    return len(required) > 1 and bool(roles & _STRONG)


def telling_rest(free: Sequence[Weighed], chosen: Sequence[Weighed]) -> list[Weighed]:
    """The other fields that say something of the matter, best first, no more than would still be an identity."""
    usable = [one for one in free if one not in chosen and _is_usable(one) and not _shadowed(one, free)]
    if any("name" in one.roles for one in chosen):  # a name is nearly enough: only what it could stand beside
        named = any(one.required for one in chosen)
        found = [
            one
            for one in usable
            if (one.roles.keys() & _BESIDE_A_NAME or (not named and one.unit.words in _SAID and not one.doubt))
            and not is_kind(one)
            and not _is_thing(one)
        ]
    elif len(usable) + len(chosen) <= _SMALL:
        found = usable
    else:
        found = [one for one in usable if one.roles.keys() & MATTER and not (is_kind(one) and not one.required)]
    found.sort(key=lambda one: (not one.roles.keys() & MATTER, -one.score))
    return found[: max(_MOST - len(chosen), 0)]


def dates_and_numbers(free: Sequence[Weighed], chosen: Sequence[Weighed], thing: Thing | None) -> list[Weighed]:
    """What a choice of fields that may each be left out is made surer by: when it is, its name and number."""
    if (
        thing is None
        or thing.name not in _BY_MATTER
        or any(one.required or "target" in one.roles or _numbers_it(one) for one in chosen)
    ):
        return []
    surer = _SURER | ({"name", "email"} if thing.name in _BY_PERSON else set())
    if thing.name == "payment" and not any(one.roles.keys() & {"party", "counterparty"} for one in chosen):
        surer = surer | {"phone"}
    if any("reference" in one.roles for one in chosen):  # another's number: what is under it tells more
        surer = surer | {"line"}
    return [one for one in telling_rest(free, chosen) if one.roles.keys() & surer]


def _numbers_it(one: Weighed) -> bool:
    """Whether it is a number of the thing itself, not that of something else that it is for."""
    return "reference" in one.roles and "other" not in one.roles


def _is_thing(one: Weighed) -> bool:
    """An object that describes another thing and does not point to it."""
    return bool(one.unit.members) and not one.unit.is_array and not one.unit.names_other


def _is_usable(one: Weighed) -> bool:
    if _is_text(one):
        return True
    if one.doubt_weight >= _DOUBTED or one.score <= -1:
        return False
    if not one.unit.members:
        return True
    return bool(one.roles.keys() & MATTER - {"other"}) and not any(
        secret_name(phrase(inner.name)) for inner in one.unit.members
    )


_DOUBTED = 2.0


def _is_text(one: Weighed) -> bool:
    """A text is kept that is called a message or a body; notes and descriptions are not."""
    return one.score > _TEXT and "content" in one.roles and one.doubt not in (says("note"), says("state"))


def _shadowed(one: Weighed, free: Sequence[Weighed]) -> bool:
    """An object of a thing that an id names as well."""
    return one.unit.composite and not one.unit.is_array and any(
        other is not one and not other.unit.composite and other.unit.stem == one.unit.words and other.score > -1
        for other in free
    )  # fmt: skip


__all__ = ["BY_NAME", "MATTER", "dates_and_numbers", "is_kind", "sound", "telling_rest"]
