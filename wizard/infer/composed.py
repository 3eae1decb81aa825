"""What was put together for an identity, and what creates and changes have in common."""

from __future__ import annotations

from dataclasses import dataclass

from wizard.infer.lexicon import says, word_list
from wizard.infer.picking import Weighed
from wizard.infer.things import About, Thing, things


@dataclass(frozen=True)
class Composed:
    """The units chosen, and how."""

    chosen: tuple[Weighed, ...]
    weighed: tuple[Weighed, ...]
    about: About
    missing: tuple[tuple[str, ...], ...] = ()
    """Groups of roles that such a thing has and this request does not."""
    added: frozenset[str] = frozenset()
    """Paths that no request must have, taken for what they are."""
    by: str = "required"
    """`required`, `thing`, `guess`, `all` (what else tells, for want of better), `changes`, `subject`,
    `path` (the client's own name stands there), `log` and `repeats` (an equal one again means something), `nothing`."""
    in_path: bool = False
    """The path has a variable."""
    parent: bool = False
    """The path names the very thing that this settles or follows from."""


FEW = 3
"""Fields that are taken together where nothing says which of them it is."""

ENOUGH = 2
"""Required fields of a thing we do not know, from which on nothing is added."""

TEXT = -3.5
"""The score down to which a free text is looked at where it may be the thing itself."""

FREE_TEXT = 3.5
"""The doubt from which on a text is not even taken where it is all that is left."""

WHOM = frozenset({"party", "recipient", "resource", "counterparty", "other"})
"""Roles of fields that say whom or what it is for."""

SAYS_WHAT = frozenset(
    {"kind", "measure", "date", "start", "name", "reference", "content", "amount", "quantity", "line"}
)
"""Roles of fields that say what it is."""

_SOFT = ("callback", "link", "display", "client", "settings", "switch", "media", "metadata")
"""Lists of what stands beside the matter; what each request must have is the matter where nothing else is left."""


def is_flag(one: Weighed) -> bool:
    """Whether it is yes or no."""
    return one.unit.shape.type == "boolean"


def is_asked_for(one: Weighed) -> bool:
    """Whether each request must have it, and only a word in its name or text spoke against it."""
    soft = one.doubt in {says(name) for name in _SOFT} and not word_list("fields", "callback").match(one.unit.words)
    return one.required and soft and not is_flag(one) and not one.unit.composite


def only_one(free: list[Weighed]) -> list[Weighed]:
    """The one field that is left is what is given, unless it is how or why."""
    return (
        free
        if len(free) == 1 and (free[0].score >= 0 or ("content" in free[0].roles and free[0].doubt != says("note")))
        else []
    )


def in_order(weighed: tuple[Weighed, ...], chosen: list[Weighed]) -> tuple[Weighed, ...]:
    """The chosen ones as the document has them."""
    picked = {one.unit.path for one in chosen}
    return tuple(one for one in weighed if one.unit.path in picked)


def guess(free: list[Weighed], chosen: list[Weighed]) -> Thing | None:
    """The kind of thing by the form of the request alone, where its noun is unknown."""
    have = {role for one in free for role in one.roles if one.score > -1.9}
    required = {role for one in free for role in one.roles if one.required and one.score > 0}
    kinds = things()
    if (
        "email" in have
        and have & {"given_name", "birth", "phone"}
        and not ("currency" in have and any(one.unit.words in _AMOUNTS for one in free))
    ):
        return kinds["person"]
    said = {role for one in free for role in one.roles if one.required and "content" in one.roles}
    if said and all(one.roles.keys() & WHOM and not one.roles.keys() & SAYS_WHAT for one in chosen):
        return kinds["message"]
    files = [one for one in free if "file" in one.roles and one.score > TEXT and not is_flag(one)]
    mostly = len(files) >= ENOUGH and len([one for one in free if one not in files]) <= ENOUGH
    if mostly and not chosen and any(one.doubt == says("media") for one in files):
        return kinds["upload"]
    texts = [one for one in free if "content" in one.roles and one.score > -1]
    if texts and any(one.unit.words[0] in _TO and "recipient" in one.roles for one in free):
        return kinds["message"]
    if len(chosen) >= ENOUGH:
        return None
    pointing = {role for one in free if one.unit.names_other for role in one.roles}
    if "start" in have and "end" in have and pointing & {"party", "resource"}:
        return kinds["booking"]
    if "line" in have and have & {"party", "reference"}:
        return kinds["document"]
    if "amount" in required or ("amount" in have and "currency" in have):
        return kinds["payment"]
    if required & {"name", "reference"}:
        return kinds["named"]
    if "name" in have or "reference" in have:
        return kinds["named"]
    return None


_AMOUNTS = (("amount",), ("total",), ("total", "amount"), ("sum",))

_TO = frozenset({"recipient", "receiver", "to"})
