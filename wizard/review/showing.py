"""Requests that show what a change does, with the keys that the host derives for them on both sides."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wizard.operation.field_path import FieldPath, Segment
from wizard.operation.model import Operation
from wizard.review.examples import Derived, Value, another, derive, example_values
from wizard.review.kind import Declared
from wizard.review.model import Example, KeyChange


def request_line(values: Sequence[Value], only: Mattering | None = None) -> str:
    """A request in one line: all of its values, or what of them matters."""
    told = {value.name: _plain(value) for value in values if value.text and (only is None or only.has(value))}
    return json.dumps(
        told if only is None else {name: only.of(name, one) for name, one in told.items()}, ensure_ascii=False
    )


def _plain(value: Value) -> Any:
    if value.is_text:
        return value.text
    try:
        return json.loads(value.text)
    except ValueError:
        return value.text


def both_values(before: Declared, after: Declared) -> tuple[Value, ...]:
    """Values for everything that either side's identity or URL has, by the newer document where it knows them."""
    old = example_values(before.operation, before.api or after.api)
    new = example_values(after.operation, after.api or before.api)
    found = {value.name: value for value in old}
    for value in new:
        kept = found.get(value.name)
        better = kept is None or not kept.text or (bool(value.text) and after.api is not None)
        chosen = value if better or kept is None else kept
        inside = value.in_identity or (kept is not None and kept.in_identity)
        found[value.name] = replace(chosen, in_identity=inside)
    return tuple(found.values())


def changed(values: Sequence[Value], name: str, side: Declared | None = None) -> tuple[Value, ...]:
    """The values with another one for a field, or for the part of a value that it names."""
    path = FieldPath.parse(name) if not name.startswith("path:") else None
    field = side.fields.get(name) if side is not None else None
    shape = field.shape if field is not None else None

    def other(value: Value) -> Value:
        if value.name == name:
            return _with_text(value, another(_plain(value) if value.text else f"{name}-1", shape))
        own = FieldPath.parse(value.name) if not value.name.startswith("path:") else None
        if path is None or own is None or not own.covers(path) or own.whole_body or not path.segments:
            return value
        return _with_text(value, _inside(_plain(value), path.segments[len(own.segments) :]))

    return tuple(map(other, values))


def _with_text(value: Value, new: Any) -> Value:
    is_text = isinstance(new, str)
    return replace(value, text=new if is_text else json.dumps(new, ensure_ascii=False), is_text=is_text)


def _inside(whole: Any, rest: Sequence[Segment]) -> Any:
    """A value with another one at a path inside it, in an array's last element."""
    if isinstance(whole, list) and whole:
        return [*whole[:-1], _inside(whole[-1], rest)]
    if not rest or not isinstance(whole, dict):
        return another(whole)
    name = rest[0].name
    return {**whole, name: _inside(whole.get(name, f"{name}-1"), rest[1:])}


def for_operation(operation: Operation, values: Sequence[Value]) -> tuple[Value, ...]:
    """Those of the values that a call of the operation can have: a path variable that its URL lacks is left out, a
    parameter that it does not name, too."""
    variables, kept = set(operation.path_variables), []
    for value in values:
        place, colon, name = value.name.partition(":")
        if colon and place == "path" and name not in variables:
            continue
        if colon and place == "query" and name not in operation.query:
            continue
        if colon and place == "header" and name.lower() not in {one.lower() for one in operation.header}:
            continue
        kept.append(value)
    return tuple(kept)


def key_of(operation: Operation, values: Sequence[Value], ordinal: int = 0) -> Derived:
    """What the host derives for the operation from those of the values that it can have."""
    return derive(operation, for_operation(operation, values), ordinal=ordinal)


@dataclass(frozen=True, slots=True)
class Mattering:
    """Which values of a request matter where two declarations are compared."""

    named: frozenset[str]
    paths: tuple[FieldPath, ...]
    """The identity of either, and what else is looked at."""

    def has(self, value: Value) -> bool:
        if value.name.startswith("path:") or value.name in self.named or value.in_identity:
            return True
        own = FieldPath.parse(value.name)
        return any(own.covers(path) or path.covers(own) for path in self.paths)

    def of(self, name: str, value: Any) -> Any:
        """What of a value matters: of an object or a list, the members that are named inside of it."""
        if name.startswith("path:"):
            return value
        own = FieldPath.parse(name)
        size = len(own.segments)
        inside = [tuple(one.name for one in path.segments[size:]) for path in self.paths if own.covers(path)]
        return value if not inside or () in inside else _members(value, inside)


def _members(value: Any, ways: Sequence[tuple[str, ...]]) -> Any:
    if isinstance(value, list):
        return [_members(one, ways) for one in value]
    if not isinstance(value, dict) or () in ways:
        return value
    first = {way[0] for way in ways}
    return {
        name: _members(one, [way[1:] for way in ways if way[0] == name]) for name, one in value.items() if name in first
    }


def compared(before: Declared, after: Declared, *, fields: Iterable[str] = ()) -> Mattering:
    """What matters of a request: the identity of either declaration, the path, and `fields`."""
    paths = [path.required() for one in (before, after) for path in one.operation.identity]
    paths += [FieldPath.parse(name).required() for name in fields if not name.startswith("path:")]
    return Mattering(frozenset(fields), tuple(paths))


def two_requests(before: Declared, after: Declared, field: str, says: str) -> Example | None:
    """Two requests that differ in one field, with what is derived for each on both sides; None where no key of them
    can be derived on either side."""
    first = both_values(before, after)
    second = changed(first, field, after if after.api is not None else before)
    return _example(before, after, (first, second), says, (field,))


def _example(
    before: Declared, after: Declared, requests: Sequence[Sequence[Value]], says: str, fields: Iterable[str]
) -> Example | None:
    matters = compared(before, after, fields=fields)
    keys = tuple(
        KeyChange(
            request=request_line(values, matters),
            before=key_of(before.operation, values).shown,
            after=key_of(after.operation, values).shown,
            label=label if len(requests) > 1 else "",
        )
        for label, values in zip(("first", "second"), requests, strict=False)
    )
    return Example(says=says, keys=keys) if any(one.before or one.after for one in keys) else None


def one_request(before: Declared, after: Declared, says: str) -> Example | None:
    """One request with what is derived for it on both sides."""
    return _example(before, after, (both_values(before, after),), says, ())


def two_calls(before: Declared, after: Declared, says: str) -> Example | None:
    """The same request in two calls of a turn, with what is derived for each on both sides."""
    values = both_values(before, after)
    matters = compared(before, after)
    line = request_line(values, matters)
    if line == "{}":
        line = request_line(values)
    keys = tuple(
        KeyChange(
            request=line,
            before=key_of(before.operation, values, ordinal).shown,
            after=key_of(after.operation, values, ordinal).shown,
            label=label,
        )
        for ordinal, label in enumerate(("first", "second"))
    )
    return Example(says=says, keys=keys) if any(one.before or one.after for one in keys) else None
