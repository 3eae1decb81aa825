"""Requests made up for an operation, and the keys that the host derives from them.

The values come from the API document's own examples where it has them. The secret is only an example, so the keys are
the ones of nobody's workspace; that two are the same, or differ, holds under every secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from wizard.errors import WizardError
from wizard.host.keys import Secret, Secrets
from wizard.host.prepare import Arguments, prepare
from wizard.host.record import Call
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation, Scope
from wizard.spec.model import ApiOperation, Body, Field, Shape

_SECRETS = Secrets(Secret("example", b"an example, and no secret"))
_DEEPEST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of the request, as text that can be edited."""

    name: str
    """`path:booking_id`, `query:page`, `header:X-Tenant`, or a field of the body."""
    text: str
    """A text as it is; everything else as JSON. Empty: the request does not have it."""
    is_text: bool
    in_identity: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """What the host would make of the request."""

    scope: Scope
    key: str = ""
    """Empty where the recipient takes none, or one for each element."""
    place: str = ""
    address: str = ""
    """Of the record; the same for the same write."""
    problem: str = ""
    """Why there is none."""

    @property
    def shown(self) -> str:
        """The key that is sent, else the record's address; empty where nothing is derived."""
        return self.key or self.address


def example_values(operation: Operation, api: ApiOperation | None) -> tuple[Value, ...]:
    """Values for all that the model fills in, from the document's own examples where it has them."""
    return tuple(_values(operation, api))


def _values(operation: Operation, api: ApiOperation | None) -> Iterator[Value]:
    body = api.body if api is not None else None
    shapes = {(one.location, one.name): one.shape for one in api.parameters} if api is not None else {}
    variables = list(dict.fromkeys(operation.path_variables))
    for name in variables:
        sample = _sample(shapes.get(("path", name), Shape()), name)
        yield Value(name=f"path:{name}", text=_text(sample), is_text=True, in_identity=True)
    whole = next((one for one in body.examples if isinstance(one, dict | list)), None) if body else None
    for path in _top(operation):
        inside = any(path.covers(one.required()) or one.required().covers(path) for one in operation.identity)
        if path.whole_body:
            value: Any = whole if whole is not None else [{}]
        else:
            found = path.get(whole) if isinstance(whole, dict) else MISSING
            value = _of_field(body, path) if found is MISSING and (inside or whole is None) else found
        field = body.by_path.get(path.name) if body is not None else None
        kind = field.shape.type if field is not None else ""
        is_text = isinstance(value, str) or (value is MISSING and kind in ("", "string"))
        yield Value(
            name=path.name, text="" if value is MISSING else _text(value), is_text=is_text, in_identity=inside
        )  # fmt: skip
    named = {path.name for path in operation.identity}
    for place, names in (("query", operation.query), ("header", operation.header)):
        for name in names:
            inside = FieldPath.parse(f"{place}:{name}").name in named
            sample = _sample(shapes.get((place, name), Shape()), name) if inside else ""  # type: ignore[arg-type]
            yield Value(name=f"{place}:{name}", text=_text(sample), is_text=True, in_identity=inside)


def _top(operation: Operation) -> tuple[FieldPath, ...]:
    """The body's values to be edited whole: those that the model fills in, and what else the identity names."""
    found = [path.required() for path in operation.body]
    for path in operation.identity:
        if path.place == "body" and not any(one.covers(path.required()) for one in found):
            plain = path.required()
            cut = next((index for index, one in enumerate(plain.segments) if one.each), None)
            if cut is not None:
                names = [one.name for one in plain.segments[: cut + 1]]
                plain = FieldPath.body(*names)
            found = [one for one in found if not plain.covers(one)] + [plain]
    return tuple(dict.fromkeys(found))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _of_field(body: Body | None, path: FieldPath) -> Any:
    field = body.by_path.get(path.name) if body is not None else None
    if field is None:
        return f"{path.segments[-1].name}-1"
    return _of(field, body.fields if body is not None else (), 0)


def _of(field: Field, fields: tuple[Field, ...], depth: int) -> Any:
    if not field.composite or depth >= _DEEPEST:
        return _sample(field.shape, field.name)
    each = field.shape.type == "array"
    parent = f"{field.path}[]" if each else field.path
    value = {
        one.name: _of(one, fields, depth + 1)
        for one in fields
        if one.parent == parent and (one.required or depth == 0) and not one.shape.read_only
    }
    return [value] if each else value


def _sample(shape: Shape, name: str) -> Any:
    if shape.const is not None:
        return shape.const
    for given in (shape.examples, shape.enum):
        if given:
            return given[0]
    if shape.default is not None:
        return shape.default
    forms = {
        "date": "2026-11-14", "date-time": "2026-11-14T09:30:00Z", "email": "ada@example.org",
        "uuid": "8c7f1f7e-3f0b-4b7e-9d2c-5a1e0c9b6a10", "uri": "https://example.org/1",
    }  # fmt: skip
    if shape.format in forms:
        return forms[shape.format]
    kinds: Mapping[str, Any] = {"integer": 1, "number": 1, "boolean": True, "object": {}, "array": []}
    return kinds.get(shape.type, f"{name}-1")


def derive(operation: Operation, values: tuple[Value, ...], *, ordinal: int = 0) -> Derived:
    """The key and the record's address that the host would derive, under a secret that is only an example.

    `ordinal` is which call of the turn it is, which matters for the call scope only.
    """
    scope = operation.record_scope
    key = operation.effective().key
    place = "" if key is None else f"{key.place} {key.name}"
    call = Call("example", "session", "turn", ordinal)
    try:
        prepared = prepare("example", operation, call, arguments_of(values), _SECRETS)
    except (WizardError, ValueError) as error:
        return Derived(scope=scope, place=place, problem=str(error))
    return Derived(scope=scope, key=prepared.key(0), place=place, address=prepared.addresses[0])


def arguments_of(values: tuple[Value, ...]) -> Arguments:
    """The call that the values make."""
    given: dict[str, dict[str, Any]] = {"path": {}, "query": {}, "header": {}}
    body: Any = MISSING
    for value in values:
        place, colon, name = value.name.partition(":")
        if colon and place in given:
            if value.text:
                given[place][name] = value.text
        elif value.text:
            path = FieldPath.parse(value.name)
            body = _read(value) if path.whole_body else _with(body, [one.name for one in path.segments], _read(value))
    return Arguments(given["path"], given["query"], given["header"], body)


def _read(value: Value) -> Any:
    if value.is_text:
        return value.text
    try:
        return json.loads(value.text)
    except ValueError:
        return value.text


def _with(body: Any, names: list[str], value: Any) -> Any:
    whole = dict(body) if isinstance(body, dict) else {}
    whole[names[0]] = value if len(names) == 1 else _with(whole.get(names[0]), names[1:], value)
    return whole


# Values that differ


def another(value: Any, shape: Shape | None = None) -> Any:
    """A value of the same kind that is another one; the value itself where there is no other."""
    if shape is not None and len(shape.enum) > 1:
        return next((one for one in shape.enum if one != value), value)
    match value:
        case True | False:
            return not value
        case int() | float():
            return value + 1
        case str():
            return _another_text(value)
        case list():
            return [*value[:-1], another(value[-1])] if value else [1]
        case dict():
            return {**value, next(iter(value)): another(next(iter(value.values())))} if value else value
    return "another"


def _another_text(text: str) -> str:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        day = None
    if day is not None and day < date.max:
        return (day + timedelta(days=1)).isoformat() + text[10:]
    if text[-1:].isascii() and text[-1:].isdecimal():
        return text[:-1] + str((int(text[-1]) + 1) % 10)
    return f"{text}-2" if " " not in text else f"{text} II"
