"""Example answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from wizard.host.filling import is_json
from wizard.operation.field_path import MISSING, FieldPathError
from wizard.rehearse.answer_bodies import example_answer
from wizard.rehearse.samples import values
from wizard.rehearse.truth.words import pattern
from wizard.rehearse.values import plain_text, put, steps_of
from wizard.spec.cutdown import parameter_schema
from wizard.spec.model import ApiOperation, Field, Shape
from wizard.spec.plain import PlainSchemas

_DEEPEST = 4
_FORMATS = {
    "date": "2026-01-15", "date-time": "2026-01-15T09:00:00Z", "time": "09:00:00Z", "email": "desk@example.org",
    "uri": "https://example.org/", "url": "https://example.org/", "uuid": "0b9d2a52-6d3f-5a51-9c5d-7a0f9e1f2c11",
    "ipv4": "192.0.2.1", "byte": "AA==", "binary": "",
}  # fmt: skip


def example_of(api: ApiOperation, status: int) -> Any:
    """An example of the answer with that status; None where it has no body, or the document has no such answer."""
    found = example_answer(api, str(status))
    return None if found is None or found[1] is MISSING else found[1]


def media_of(api: ApiOperation, status: int) -> str:
    """The JSON media type of the answer with that status."""
    names = {one.status.upper(): one for one in reversed(api.responses)}
    found = next((names[one] for one in (str(status), f"{status // 100}XX", "DEFAULT") if one in names), None)
    return next((one for one in (found.media_types if found else ()) if is_json(one)), "application/json")


def added_parameters(api: ApiOperation) -> Iterator[tuple[Literal["header", "query"], str, str]]:
    """Place, name and an example of what each request must have, and no call gives: the transport adds it."""
    same = pattern("transport", "same")
    for one in api.parameters:
        if one.location not in ("header", "query") or not one.required:
            continue
        shape = one.shape
        fixed = shape.const is not None or len(shape.enum) == 1 or shape.default is not None
        if one.location == "header" and (fixed or same.match(one.name)):
            schema = parameter_schema(api.raw, one, PlainSchemas(api.raw, "request"))
            value = next(iter(values(schema, one.name)), "1")
            yield one.location, one.name, plain_text(value)


def example_of_fields(fields: Iterable[Field]) -> Any:
    """An object with an example of each of the fields."""
    made: Any = {}
    for one in fields:
        deep = one.depth > _DEEPEST or one.path.count("[]") > 1
        if one.composite or one.branch or deep or one.path == "$body" or one.shape.write_only:
            continue
        try:
            steps = steps_of(one.path)
        except FieldPathError:
            continue
        value = example_value(one.shape)
        made = put(made, steps, [value] if None in steps else value)
    return made


def example_value(shape: Shape) -> Any:
    """An example of one value."""
    if shape.const is not None:
        return shape.const
    if shape.enum:
        return shape.enum[0]
    if shape.examples:
        return shape.examples[0]
    if shape.default is not None:
        return shape.default
    match shape.type:
        case "integer" | "number":
            return 1
        case "boolean":
            return False
        case "array":
            return []
        case "object":
            return {}
    text = _FORMATS.get(shape.format, "text")
    if shape.max_length is not None:
        text = text[: shape.max_length]
    return text.ljust(shape.min_length or 0, "x")
