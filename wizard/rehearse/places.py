"""Places inside a body: a way from its top to a value, what stands there, and other values that could."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wizard.operation.field_path import MISSING, FieldPath
from wizard.rehearse.samples import Way, kinds_of, merged, values
from wizard.spec.plain import Plain


def way_of(path: FieldPath) -> Way:
    """The steps to a field: names of members, None for each element of an array."""
    return tuple(step for segment in path.segments for step in (segment.name, *([None] * segment.each)))


def value_at(value: Any, way: Way) -> Any:
    """What stands at the end of a way, in an array of its first element; MISSING where nothing does."""
    for step in way:
        if step is None:
            if not isinstance(value, list) or not value:
                return MISSING
            value = value[0]
        elif not isinstance(value, Mapping) or step not in value:
            return MISSING
        else:
            value = value[step]
    return value


def with_value(value: Any, place: tuple[str | int, ...], new: Any) -> Any:
    """The value with `new` at a place, which is there: names of members and numbers of elements."""
    if not place:
        return new
    step, rest = place[0], place[1:]
    if isinstance(step, int):
        return [with_value(one, rest, new) if at == step else one for at, one in enumerate(value)]
    return {name: with_value(member, rest, new) if name == step else member for name, member in value.items()}


def equal(one: Any, other: Any) -> bool:
    """Whether two values are the same to JSON, for which true is no 1."""
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def others(schema: Plain, body: Any, way: Way) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Places at or under a way into the body, each with another value for it."""
    leaves = list(_leaves(schema, body, way))
    makers = [(place, current, values(view, name)) for place, current, view, name in leaves]
    seen: dict[tuple[str | int, ...], list[Any]] = {}
    # The first leaf's values first; where it has one only, the next leaf's.
    for place, current, candidates in makers:
        known = seen.setdefault(place, [current])
        for value in candidates:
            if not any(equal(value, one) for one in known):
                known.append(value)
                yield place, value


def _leaves(
    schema: Plain, value: Any, way: Way, at: tuple[str | int, ...] = (), name: str = "value"
) -> Iterator[tuple[tuple[str | int, ...], Any, Plain, str]]:
    """The single values at or under a way, each with its place, its schema and its name."""
    view = merged(schema, [], value)
    if isinstance(value, Mapping):
        names = list(value) if not way else [one for one in value if one == way[0]]
        for one in names:
            inner = view.get("properties", {}).get(one)
            if inner is None:
                extra = view.get("additionalProperties")
                inner = extra if isinstance(extra, Mapping) else {}
            yield from _leaves(inner, value[one], way[1:], (*at, one), one)
    elif isinstance(value, list):
        single = name[:-1] if name.endswith("s") and len(name) > 3 else name
        rest = way[1:] if way and way[0] is None else way
        for index, element in enumerate(value):
            yield from _leaves(view.get("items", {}), element, rest, (*at, index), single)
    elif not way:
        yield at, value, view if kinds_of(view) else _like(view, value), name


def _like(view: Plain, value: Any) -> Plain:
    """A schema that does not say its type, taken as that of the value which stands there."""
    kinds = {bool: "boolean", int: "integer", float: "number"}
    kind = kinds.get(type(value))
    return {**view, "type": kind} if kind and "enum" not in view and "const" not in view else view
