"""The values of a request that could be part of an identity: body fields at the level where the matter is described
(inside wrapper objects), and query parameters where arguments stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from wizard.infer.detector import Subject
from wizard.infer.lexicon import Phrase, pattern, phrase, says, small_words, word_list
from wizard.infer.things import path_words
from wizard.operation.field_path import FieldPath
from wizard.spec.model import ApiOperation, Field, Parameter, Shape

Place = Literal["body", "query"]

ROLES = (
    "reference", "name", "person_name", "given_name", "login", "subject", "email", "phone", "document", "birth",
    "public_key", "amount", "currency", "quantity", "start", "end", "date", "content", "content_id", "sender",
    "recipient", "reply_to", "address", "file", "kind", "place", "process", "measure", "changed", "line", "origin",
    "party", "counterparty", "funds", "resource", "container", "within", "branch",
)  # fmt: skip
"""What a field can be to the matter; headings of `words/fields.toml`."""

_MOST_MEMBERS = 200
_MOST_OF_MONEY = 4
_FEW_BESIDE = 2
_MUCH_MORE = 3
"""So many times more members than what stands beside it."""
_LONG_NAME = 4
_SEVERAL = 2


@dataclass(frozen=True)
class Unit:
    """One value that could be part of the identity, whole."""

    path: str
    """As FORMAT 2 writes it, without `?`."""
    name: str
    place: Place
    required: bool
    """Its object requires it; a wrapper around it need not be required itself."""
    shape: Shape
    pointer: str
    description: str
    always: bool = False
    """It stands in each request."""
    required_at: str = ""
    members: tuple[Field, ...] = ()
    """The fields inside an object or an array of objects."""
    level: int = 0
    """How many wrappers it lies in."""
    branch: str = ""
    schema_name: str = ""

    @cached_property
    def words(self) -> Phrase:
        return phrase(self.name)

    @cached_property
    def boxed(self) -> bool:
        """Whether it is an object around one value: `{"value": 5}`."""
        return not self.is_array and len(self.members) == 1 and phrase(self.members[0].name) == ("value",)

    @property
    def composite(self) -> bool:
        return (bool(self.members) or self.shape.type == "object") and not self.boxed

    @cached_property
    def is_array(self) -> bool:
        return self.shape.type == "array"

    @cached_property
    def roles(self) -> frozenset[str]:
        """What it can be to the matter, by its name and form."""
        return frozenset(role for role in ROLES if has_role(self, role))

    @cached_property
    def stem(self) -> Phrase:
        """The name without a last `id`, `number`, `code` or the like: `customer_id` is about a customer."""
        return stem_of(self.words)

    @cached_property
    def names_other(self) -> bool:
        """Whether it names another thing: `customer_id`, or an object with an id of its own."""
        if len(self.words) > 1 and (self.words[-1] in small_words("points") or self.words[0] == "id"):
            return True
        if len(self.members) > _MOST_OF_A_POINTER:
            return False
        direct = [inner for inner in self.members if inner.parent.removesuffix("[]") == self.path]
        named = {phrase(inner.name) for inner in direct}
        return bool(named & _AN_ID_INSIDE) or (named <= _A_CODE_INSIDE and len(named) > 1)


_AN_ID_INSIDE = {("id",), ("reference",), ("id", "type")}
_A_CODE_INSIDE = {("key",), ("code",), ("value",), ("name",), ("label",), ("description",), ("number",), ("type",)}
"""What an entry of a list of given values is shown with: a code and its text."""
_MOST_OF_A_POINTER = 6
"""An object with more members describes a thing; one with fewer points to it."""
_AN_ID = re.compile(r"\b(id|identifier) of\b", re.IGNORECASE)


def stem_of(words: Phrase) -> Phrase:
    """What a name is about: `external_customer_id` and `idCustomer` are both about a `customer`."""
    while len(words) > 1 and words[-1] in small_words("marks"):
        words = words[:-1]
    while len(words) > 1 and words[0] in small_words("front"):
        words = words[1:]
    return words


def has_role(unit: Unit, role: str) -> bool:
    """Whether the unit can have this role, by its name and form."""
    flag = unit.shape.type == "boolean"
    if flag and role != "changed":
        return False
    whole = word_list("fields", role)
    if role == "changed" and flag and len(unit.words) > 1 and unit.words[0] == "is":
        return bool(whole.match(unit.words[1:]))
    if role == "line":
        return unit.is_array and bool(whole.match(unit.words)) and _holds_objects(unit)
    if role == "reference" and (unit.composite or (unit.is_array and unit.shape.item_type == "object")):
        return False
    if role == "recipient" and len(unit.words) > 1 and unit.words[0] in small_words("recipient_front"):
        described = unit.words[-1] in small_words("address_words") or unit.words[-1].isdigit()
        return described or (unit.words[0] == "to" and not _is_time(unit))
    if role == "recipient" and unit.words == ("token",):
        return pattern("grammar", "device_said").search(unit.description[:100]) is not None
    if role in ("origin", "party", "resource", "container", "funds", "counterparty"):
        return _about(unit, role) or (role == "party" and _describes_a_person(unit))
    if role == "address" and unit.words in _PATHS:
        return unit.required or bool(unit.description)  # without a word it may as well be what the recipient gives
    if role == "within":
        points = not unit.is_array and not (unit.members and not unit.names_other)
        of_parent = len(unit.words) > _SEVERAL and unit.words[0] == "parent" and unit.words[-1] == "id"
        return points and (of_parent or _about(unit, role))
    if role == "amount":
        return _is_amount(unit)
    if role == "date" and _is_dated(unit):
        return True
    if role in ("start", "end", "date"):
        return bool(whole.match(unit.words)) and unit.shape.type in (
            "",
            "string",
            "integer",
            "array",
            "object",
            "number",
        )
    if unit.is_array and not unit.members and role in ("name", "person_name", "login", "subject"):
        return False
    if role in ("name", "login", "subject") and (len(unit.shape.enum) >= _SEVERAL or _is_map(unit)):
        return False  # one of a few given words is a kind, and a map of labels is no name
    if unit.shape.type in ("number", "integer") and role in ("name", "content", "email", "file"):
        return False
    return bool(whole.match(unit.words))


_PATHS = (("path",), ("file", "path"))


def _is_dated(unit: Unit) -> bool:
    """Whether it is some date or time of the matter, by its format or its last word: `callTime`."""
    begins = word_list("fields", "start").match(unit.words) or word_list("fields", "end").match(unit.words)
    if begins or set(unit.words) & _NOT_ITS_DATE:
        return False
    if unit.shape.format in ("date", "date-time"):
        return True
    spoken = len(unit.words) == _SEVERAL and unit.words[-1] == "time" and unit.words[0] not in _HOW_LONG
    return spoken and unit.shape.type == "string"


_HOW_LONG = frozenset(
    {"lead", "processing", "process", "response", "preparation", "prep", "cooking", "cook", "travel", "wait",
     "waiting", "working", "work", "run", "running", "build", "up", "down", "idle", "total", "real", "full", "part"}
)  # fmt: skip
_NOT_ITS_DATE = frozenset({"birth", "born", "expiry", "expire", "last", "target", "next", "until", "from", "to"})


def _is_map(unit: Unit) -> bool:
    return unit.shape.type == "object" and not unit.members and unit.words[-1:] in (("label",), ("tag",))


def _is_time(unit: Unit) -> bool:
    return unit.shape.format in ("date", "date-time") or bool({"date", "time", "day"} & set(unit.words))


def _holds_objects(unit: Unit) -> bool:
    return bool(unit.members) or unit.shape.item_type in ("object", "")


def _about(unit: Unit, role: str) -> bool:
    listed = word_list("fields", role)
    if role == "origin" and unit.members and not unit.is_array and not unit.names_other:
        return False
    if unit.is_array and unit.members and role == "resource":
        return any(listed.match((word,)) for word in unit.words)
    return bool(listed.match(unit.stem)) and (unit.composite or unit.words[-1] not in small_words("not_the_thing"))


def _describes_a_person(unit: Unit) -> bool:
    """Whether it is an object with an e-mail address and a name, whatever it is called: `orderBillingDetails`."""
    if unit.is_array or not unit.members:
        return False
    names = [phrase(inner.name) for inner in unit.members if inner.parent == unit.path]
    return any(word_list("fields", "email").match(name) for name in names) and any(
        word_list("fields", "given_name").match(name) or name == ("name",) for name in names
    )


def _is_amount(unit: Unit) -> bool:
    counted = unit.words
    while len(counted) > 1 and counted[-1] in small_words("money_units"):
        counted = counted[:-1]
    if not word_list("fields", "amount").match(counted) and not _begins_as_amount(counted):
        return False
    if unit.composite:
        inner = {phrase(found.name)[-1:] for found in unit.members}
        return not unit.members or (
            bool(inner & {("amount",), ("value",), ("currency",), ("code",)}) and len(unit.members) < 12
        )
    return (unit.boxed or unit.shape.type in ("", "number", "integer", "string")) and not _AN_ID.search(
        unit.description[:200]
    )


def units(subject: Subject) -> tuple[Unit, ...]:
    """The units of the subject's operation; kept until another operation is asked for."""
    kept: tuple[str, tuple[Unit, ...]] | None = subject.shared.get("units of")
    if kept is not None and kept[0] == subject.operation.pointer:
        return kept[1]
    found = tuple(_units(subject.operation))
    subject.shared["units of"] = (subject.operation.pointer, found)
    return found


def _units(operation: ApiOperation) -> list[Unit]:
    found = _body_units(operation)
    names = {unit.name for unit in found}
    in_query = not found or (len(found) == 1 and not found[0].required)
    for parameter in operation.parameters_in("query"):
        if parameter.name not in names and (parameter.required or in_query or names_own(operation, parameter)):
            found.append(_of_parameter(parameter))
    said = _said_required(operation)
    return [replace(unit, required=True) if not unit.required and _is_demanded(unit, said) else unit for unit in found]


def names_own(operation: ApiOperation, parameter: Parameter) -> bool:
    """Whether a query parameter is the client's own id of what is made: `streamId` beside the body of a `streams`."""
    noun = path_words(operation.path)
    own = operation.method == "POST" and operation.path.rstrip("/")[-1:] != "}"
    named = phrase(parameter.name)
    return own and bool(noun) and named[-2:] in ((noun[-1], "id"), (noun[-1], "name")) and len(named) <= _LONG_NAME


_DEMANDED = 200
"""Letters of a description that are looked at for the word `required`."""


def _said_required(operation: ApiOperation) -> str:
    """The sentences of the operation's text that say what is required, without markup."""
    text = _MARKUP.sub(" ", operation.description[:_LONGEST_TEXT])
    found = [one for one in re.split(r"[.\n]", text) if pattern("grammar", "required_listed").search(one)]
    return " ".join(found)


_MARKUP = re.compile(r"<[^>]{0,80}>|[`*_]{1,3}(?=\W|$)|(?<=\W)[`*_]{1,3}")
_LONGEST_TEXT = 2000


def _is_demanded(unit: Unit, said: str) -> bool:
    """Whether a text says that each request must have it, though no schema does."""
    if unit.shape.read_only or unit.shape.default is not None:
        return False
    if pattern("grammar", "required_said").search(_MARKUP.sub(" ", unit.description[:_DEMANDED])):
        return True
    return len(unit.name) > 2 and re.search(rf"(?<![\w.]){re.escape(unit.name)}(?!\w)", said) is not None


def _of_parameter(parameter: Parameter) -> Unit:
    return Unit(
        path=f"query:{parameter.name}",
        name=parameter.name,
        place="query",
        required=parameter.required,
        always=parameter.required,
        shape=parameter.shape,
        pointer=parameter.pointer,
        description=parameter.description or parameter.shape.description,
        required_at=parameter.pointer,
    )


def _body_units(operation: ApiOperation) -> list[Unit]:
    body = operation.body
    if body is None or not body.fields:
        return []
    children: dict[str, list[Field]] = {}
    for each in body.fields:
        children.setdefault(each.parent, []).append(each)
    if body.fields[0].path == "$body":
        return [_of_field(body.fields[0], body.fields[1:], 0)]
    return _level(operation, children, "", 0)


def _level(operation: ApiOperation, children: dict[str, list[Field]], parent: str, level: int) -> list[Unit]:
    """The units of one object; objects that merely wrap the matter are opened."""
    here = _first_of_each(children.get(parent, []))
    opened = {each.path for each in here if level < 4 and _wraps(operation, each, here, children, level)}
    found: list[Unit] = []
    for each in here:
        if each.path in opened:
            found.extend(_level(operation, children, each.path, level + 1))
        else:
            found.append(_of_field(each, _inside(children, each.path), level))
    return found


def _first_of_each(fields: list[Field]) -> list[Field]:
    seen: dict[str, Field] = {}
    for each in fields:
        seen.setdefault(each.path, each)
    return list(seen.values())


def _inside(children: dict[str, list[Field]], path: str) -> tuple[Field, ...]:
    found: list[Field] = []
    waiting = [path, f"{path}[]", f"{path}[][]"]
    while waiting and len(found) < _MOST_MEMBERS:
        for each in children.get(waiting.pop(0), []):
            found.append(each)
            if each.composite:
                waiting += [each.path, f"{each.path}[]"]
    return tuple(found[:_MOST_MEMBERS])


def _of_field(each: Field, members: tuple[Field, ...], level: int) -> Unit:
    return Unit(
        path=each.path, name=each.name, place="body", required=each.required, always=each.always, shape=each.shape,
        pointer=each.pointer, description=each.shape.description, required_at=each.required_at,
        members=members if each.composite else (), level=level, branch=each.branch, schema_name=each.schema_name,
    )  # fmt: skip


def _wraps(
    operation: ApiOperation, each: Field, here: list[Field], children: dict[str, list[Field]], level: int
) -> bool:
    """Whether an object is only a wrapper of the matter: it is called so, it is the thing of the path, or nothing else
    beside it could tell two requests apart."""
    if not each.composite or each.shape.type == "array" or "[]" in each.path[len(each.parent) :]:
        return False
    name = phrase(each.name)
    if word_list("fields", "amount").match(name) and _is_money(children.get(each.path, [])):
        return False
    if not children.get(each.path):
        return False  # a map: its members are unknown
    if word_list("wrappers", "wrapper").match(name) or name in (("attribute",), ("relationship",)):
        return True
    if level > 0:
        return bool(word_list("wrappers", "inner").match(name))
    others = [one for one in here if one is not each and not word_list("wrappers", "beside").match(phrase(one.name))]
    if not others:
        return True
    called_so = name[-1:] == path_words(operation.path)[-1:]
    return called_so and (len(others) <= _FEW_BESIDE or len(children.get(each.path, [])) > _MUCH_MORE * len(others))


def _begins_as_amount(words: Phrase) -> bool:
    """`amount_requested`, `amountToCapture`; not `amount_due`, nor `amount_tax`."""
    excluded = word_list("fields", "amount").has_not
    return words[:1] == ("amount",) and len(words) < _LONG_NAME and not any((word,) in excluded for word in words)


def _is_money(members: list[Field]) -> bool:
    """Whether an object is an amount with its currency, and no more."""
    names = {phrase(member.name)[-1:] for member in members}
    return len(names) <= _MOST_OF_MONEY and bool(names & {("currency",), ("code",), ("value",)})


def label(unit: Unit) -> str:
    """The unit's name for a sentence."""
    path = FieldPath.parse(unit.path)
    return path.segments[-1].name if path.segments else "the body"


__all__ = ["ROLES", "Unit", "has_role", "label", "says", "stem_of", "units"]
