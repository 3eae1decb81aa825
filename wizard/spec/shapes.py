"""What a schema says of one value, read from its own words and put together from several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wizard.spec.model import Shape

_TYPES_BY_WORD = (("properties", "object"), ("additionalProperties", "object"), ("items", "array"))


NO_SHAPE = Shape()
"""Of a schema that says nothing."""


def text(value: Any) -> str:
    """A value that should be text, as text; empty for null and for collections."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return ""


def extensions(value: Mapping[str, Any]) -> dict[str, Any]:
    """The `x-…` members."""
    return {name: found for name, found in value.items() if name[:2] in ("x-", "X-")}


def own_shape(value: Mapping[str, Any]) -> Shape:
    """The shape that a schema's own words give, without what it refers to."""
    type_, nullable = _type(value)
    enum = value.get("enum")
    enum = tuple(enum) if isinstance(enum, list) else ()
    if None in enum and len(enum) > 1:
        nullable, enum = True, tuple(one for one in enum if one is not None)
    elif enum == (None,):
        type_, enum = "null", ()
    if "const" in value and value["const"] is None:
        type_ = "null"
    items = value.get("items")
    return Shape(
        type=type_,
        format=text(value.get("format")),
        enum=enum,
        const=value.get("const"),
        default=value.get("default"),
        examples=examples(value),
        pattern=text(value.get("pattern")),
        min_length=_count(value.get("minLength")),
        max_length=_count(value.get("maxLength")),
        nullable=nullable or value.get("nullable") is True or value.get("x-nullable") is True,
        read_only=value.get("readOnly") is True,
        write_only=value.get("writeOnly") is True,
        deprecated=value.get("deprecated") is True or value.get("x-deprecated") is True,
        title=text(value.get("title")),
        description=text(value.get("description")),
        item_type=_type(items)[0] if isinstance(items, dict) else "",
        extensions=extensions(value),
    )


def examples(value: Mapping[str, Any]) -> tuple[Any, ...]:
    """`example`, and `examples` as a list of values or a mapping of Example Objects."""
    found = [value["example"]] if "example" in value else []
    listed = value.get("examples")
    if isinstance(listed, list):
        found += listed
    elif isinstance(listed, dict):
        found += [one["value"] for one in listed.values() if isinstance(one, dict) and "value" in one]
    return tuple(found)


def said_of_null(shape: Shape) -> bool:
    """Whether it is `null` and nothing else."""
    return shape.type == "null"


def both_shapes(first: Shape, second: Shape) -> Shape:
    """What is said when both hold; where both speak, the first."""
    if second == NO_SHAPE:
        return first
    if first == NO_SHAPE:
        return second
    return Shape(
        type=first.type or second.type,
        format=first.format or second.format,
        enum=first.enum or second.enum,
        const=second.const if first.const is None else first.const,
        default=second.default if first.default is None else first.default,
        examples=first.examples or second.examples,
        pattern=first.pattern or second.pattern,
        min_length=_larger(first.min_length, second.min_length),
        max_length=_smaller(first.max_length, second.max_length),
        nullable=first.nullable or second.nullable,
        read_only=first.read_only or second.read_only,
        write_only=first.write_only or second.write_only,
        deprecated=first.deprecated or second.deprecated,
        title=first.title or second.title,
        description=first.description or second.description,
        item_type=first.item_type or second.item_type,
        extensions={**second.extensions, **first.extensions},
    )


def any_shape(shapes: Sequence[Shape]) -> Shape:
    """What is said when any one of several holds."""
    first = shapes[0]
    lengths = [one.max_length for one in shapes if one.max_length is not None]
    least = [one.min_length for one in shapes if one.min_length is not None]
    choices = [one.enum or ((one.const,) if one.const is not None else ()) for one in shapes]
    consts = {repr(one.const) for one in shapes}
    return Shape(
        type=next((one.type for one in shapes if one.type), ""),
        format=first.format if all(one.format == first.format for one in shapes) else "",
        enum=tuple(_distinct(value for found in choices for value in found)) if all(choices) else (),
        const=first.const if len(consts) == 1 else None,
        default=next((one.default for one in shapes if one.default is not None), None),
        examples=tuple(value for one in shapes for value in one.examples)[:10],
        pattern=first.pattern if all(one.pattern == first.pattern for one in shapes) else "",
        min_length=min(least) if len(least) == len(shapes) else None,
        max_length=max(lengths) if len(lengths) == len(shapes) else None,
        nullable=any(one.nullable for one in shapes),
        read_only=all(one.read_only for one in shapes),
        write_only=all(one.write_only for one in shapes),
        deprecated=all(one.deprecated for one in shapes),
        title=first.title if all(one.title == first.title for one in shapes) else "",
        description=next((one.description for one in shapes if one.description), ""),
        item_type=next((one.item_type for one in shapes if one.item_type), ""),
        extensions=first.extensions,
    )


def _type(value: Mapping[str, Any]) -> tuple[str, bool]:
    """The type, and whether null is one too. YAML's `type: null` is the null value."""
    said = value.get("type", "")
    nullable = False
    if isinstance(said, list):
        names = ["null" if one is None else text(one) for one in said]
        nullable = "null" in names and len(names) > 1
        said = next((name for name in names if name != "null"), "null" if names else "")
    elif said is None:
        said = "null"
    said = text(said).lower()
    if not said:
        said = next((type_ for word, type_ in _TYPES_BY_WORD if word in value), "")
    return said, nullable


def _count(value: Any) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _larger(first: int | None, second: int | None) -> int | None:
    return max(first, second) if first is not None and second is not None else first if second is None else second


def _smaller(first: int | None, second: int | None) -> int | None:
    return min(first, second) if first is not None and second is not None else first if second is None else second


def _distinct(values: Any) -> list[Any]:
    found: dict[str, Any] = {}
    for value in values:
        found.setdefault(repr(value), value)
    return list(found.values())
