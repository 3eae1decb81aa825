"""A chosen object or list: named whole where all of it belongs to the matter, else by the members that do."""

from __future__ import annotations

from wizard.infer.lexicon import Phrase, phrase, word_list
from wizard.infer.secrets import secret_name
from wizard.infer.units import Unit, has_role
from wizard.spec.model import Field

_SPOILS = ("note", "callback", "media", "lock", "nonce", "clock", "client", "metadata", "numbered_custom")
_STRONG = ("reference", "email", "name", "given_name", "phone", "document", "birth")
_TELLS = (
    "reference", "email", "phone", "document", "amount", "currency", "quantity", "start", "end", "date", "kind",
    "place", "party", "resource", "origin", "name", "given_name", "line",
)  # fmt: skip


def paths_of(unit: Unit, *, changes: bool = False) -> tuple[str, ...]:
    """The field names that stand for a chosen unit. `changes`: its elements are there already, and their ids say
    which."""
    if not unit.members:
        return (unit.path,)
    if not any(_spoils(member) for member in unit.members if not member.shape.read_only):
        return (unit.path,)
    good = [member for member in _direct(unit) if not member.shape.read_only and not _spoils(member)]
    good = [member for member in good if not word_list("fields", "clock").match(_words(member))]
    good = [member for member in good if not _says_little(member)] or good
    required = [member for member in good if member.required]
    own_id = (*unit.words[-1:], "id")
    telling = [
        member
        for member in good
        if any(_role(member, role) for role in _TELLS)
        or (unit.names_other and _words(member) == ("id",))
        or (unit.is_array and _is_an_id(member))
    ]
    strong = (
        [
            member
            for member in good
            if (member in telling and any(_role(member, role) for role in _STRONG[:2])) or _words(member) == own_id
        ]
        if not unit.is_array
        else []
    )
    picked = required or strong or telling or good
    if required and not strong and not any(_tells_alone(member) for member in required):
        picked = [member for member in good if member in required or member in telling or _is_text(member)]
    if unit.is_array:
        picked = [member for member in good if member in required or member in telling] or good
        if changes:
            picked += [member for member in _direct(unit) if _words(member) == ("id",) and member not in picked]
        of = any(_role(member, role) for member in picked for role in _OF)
        if not of and not (changes and any(_words(member) == ("id",) for member in picked)):
            picked += [member for member in _direct(unit) if _is_text(member) and member not in picked]
    paths = [path for member in picked for path in _paths_inside(member, unit)]
    return tuple(paths) or ((unit.path,) if not any(_forbidden(member) for member in unit.members) else ())


def _is_an_id(member: Field) -> bool:
    """Whether it is the id of something else: `account_id`."""
    words = _words(member)
    kept = word_list("fields", "audit").match(words) or word_list("fields", "state").match(words)
    return words[-1:] == ("id",) and len(words) > 1 and not member.composite and not kept


def _tells_alone(member: Field) -> bool:
    """Whether a required member says more than of which kind it is: it is an object, a list, or what such things are
    told apart by."""
    return member.composite or (len(member.shape.enum) < _TWO and any(_role(member, role) for role in _TELLS_ALONE))


_TWO = 2
_TELLS_ALONE = tuple(role for role in _TELLS if role not in ("kind", "currency"))
_OF = ("reference", "name", "resource", "content", "origin", "email", "document")
"""What an element is of. Without it two lists of equal amounts would be one, so that its text goes in."""


def _is_text(member: Field) -> bool:
    words = _words(member)
    lists = ("content", "note")
    is_text = member.shape.type in ("", "string") and any(word_list("fields", name).match(words) for name in lists)
    return is_text and not secret_name(words) and not member.shape.read_only


def _direct(unit: Unit) -> list[Field]:
    """The members one level inside; `[]` elements count as that level."""
    parents = {unit.path, f"{unit.path}[]", f"{unit.path}[][]"} if unit.path != "$body" else {"[]", "$body", "$body[]"}
    seen: dict[str, Field] = {}
    for member in unit.members:
        if member.parent in parents:
            seen.setdefault(member.path, member)
    return list(seen.values())


def _words(member: Field) -> Phrase:
    return phrase(member.name)


def _spoils(member: Field) -> bool:
    """Whether a member makes its object unfit to be named whole: free text, a secret, a picture, the clock."""
    words = _words(member)
    if secret_name(words):
        return True
    return member.shape.type != "boolean" and any(word_list("fields", name).match(words) for name in _SPOILS)


def _forbidden(member: Field) -> bool:
    return bool(secret_name(_words(member))) or bool(word_list("fields", "nonce").match(_words(member)))


def _unit_of(member: Field, unit: Unit) -> Unit:
    """A member as a unit of its own, with what lies in it."""
    inside = tuple(one for one in unit.members if one.path.startswith((f"{member.path}.", f"{member.path}[]")))
    return Unit(
        path=member.path, name=member.name, place="body", required=member.required, shape=member.shape,
        pointer=member.pointer, description="", members=inside,
    )  # fmt: skip


def _says_little(member: Field) -> bool:
    words = _words(member)
    return member.shape.type == "boolean" or any(word_list("fields", name).match(words) for name in ("state", "total"))


def _paths_inside(member: Field, unit: Unit) -> tuple[str, ...]:
    """A member's own path, or those of its parts where something in it spoils the whole."""
    return paths_of(_unit_of(member, unit)) if member.composite else (member.path,)


def _role(member: Field, role: str) -> bool:
    return has_role(
        Unit(path=member.path, name=member.name, place="body", required=member.required, shape=member.shape,
             pointer=member.pointer, description="", members=()),
        role,
    )  # fmt: skip
