"""Example requests of an operation: the same for the same seed, as its document wants them.

`example_request` fills in what the declaration lets the model fill in, `another` gives a request that is another in one
field, `reordered` the same request in another order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from wizard.host.exactjson import InexactError, read_json, write_json
from wizard.host.filling import is_form, is_json, put_in, taken_out
from wizard.host.prepare import Arguments
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation
from wizard.rehearse.invented import text_for
from wizard.rehearse.places import others, value_at, way_of, with_value
from wizard.rehearse.samples import Maker, Way, kinds_of, known_way, merged, values
from wizard.spec.cutdown import body_schema, parameter_schema
from wizard.spec.fitting import fits, problems
from wizard.spec.model import ApiOperation
from wizard.spec.plain import Plain, PlainSchemas

_MOST_OPTIONAL = 12
"""Optional fields of a body up to which all are filled in; of a larger one, what the examples have and a few."""
_FEW = 3
_HOST_FILLED = "8c7f1f7e-3f0b-5b7e-9d2c-5a1e0c9b6a10"


def example_request(operation: Operation, api: ApiOperation | None, *, seed: int = 0) -> Arguments:
    """A request of the operation, with what the model fills in: path variables, the query parameters and headers that
    are required or identify it, and a body with its identity (optional fields too), all that the document requires and
    what else the declaration names. Neither the key nor a reference that the host fills in is there.

    Values are the document's own where it shows any, else made from its schema, and without a document from the
    fields' names. Another `seed` gives another request.
    """
    return _Subject(operation, api).request(seed)


def another(
    arguments: Arguments, path: FieldPath | str, operation: Operation, api: ApiOperation | None, *, nth: int = 1
) -> Arguments | None:
    """The same request with another valid value in one field; the nth such value, counted from 1.

    `path` is a field of the body (in an array: of its first element), `$body`, `query:NAME`, `header:NAME`, or
    `path:NAME` for a variable of the URL. None where the field can have one value only, or is not there.
    """
    return _Subject(operation, api).another(arguments, str(path), nth)


def reordered(arguments: Arguments) -> Arguments:
    """The same values with the members of each object in the opposite order; the body is given as the bytes of its
    JSON text, so that this order travels. A body that is no JSON value is left as it is."""
    body = arguments.body
    if body is MISSING or isinstance(body, str):
        return arguments
    try:
        value = read_json(body) if isinstance(body, bytes) else body
        return replace(arguments, body=write_json(_reversed(value)))
    except InexactError:
        return arguments


# Requests


@dataclass(frozen=True)
class _Subject:
    operation: Operation
    api: ApiOperation | None

    @cached_property
    def schemas(self) -> PlainSchemas | None:
        return PlainSchemas(self.api.raw, "request") if self.api is not None else None

    @cached_property
    def body_schema(self) -> Plain:
        """Of the body; without a document it says nothing."""
        if self.api is None or self.api.body is None or self.schemas is None:
            return {}
        return body_schema(self.api.raw, self.api.body, self.schemas)

    def parameter_schema(self, place: str, name: str) -> Plain:
        if self.api is None or self.schemas is None:
            return {}
        for parameter in self.api.parameters:
            same = parameter.name.lower() == name.lower() if place == "header" else parameter.name == name
            if parameter.location == place and same:
                schema = parameter_schema(self.api.raw, parameter, self.schemas)
                shown = [*parameter.shape.examples, *([parameter.shape.default] if parameter.shape.default else [])]
                return {**schema, "examples": shown} if shown else schema
        return {}

    def host_filled(self) -> tuple[FieldPath, ...]:
        operation, found = self.operation, []
        if operation.key is not None and operation.key.place == "field":
            found.append(operation.key.path)
        if operation.reference is not None and operation.host_fills_reference:
            found.append(operation.reference.path)
        return tuple(found)

    def request(self, seed: int) -> Arguments:
        operation = self.operation
        return Arguments(
            {name: self.parameter("path", name, seed) for name in dict.fromkeys(operation.path_variables)},
            {name: self.parameter("query", name, seed) for name in operation.query if self.needed("query", name)},
            {name: self.parameter("header", name, seed) for name in operation.header if self.needed("header", name)},
            self.body(seed),
        )

    # Parameters

    def needed(self, place: str, name: str) -> bool:
        """Whether a parameter identifies the write, or the document requires it."""
        for path in self.operation.identity:
            if path.place == place and _same(place, path.segments[0].name, name):
                return True
        return self.api is not None and any(
            one.location == place and _same(place, one.name, name) and one.required for one in self.api.parameters
        )

    def parameter(self, place: str, name: str, seed: int) -> Any:
        candidates = list(self.parameter_values(place, name))
        return candidates[seed % len(candidates)] if seed and len(candidates) > 1 else candidates[0]

    def parameter_values(self, place: str, name: str) -> Iterator[Any]:
        """The values that a parameter can have; a list stands for a parameter that is repeated."""
        schema = self.parameter_schema(place, name)
        each = kinds_of(schema) == ("array",) and place == "query"
        of_one = schema.get("items", {}) if kinds_of(schema) == ("array",) else schema
        shown = [one for one in schema.get("examples", ()) if isinstance(one, list)] if each else []
        found = [one[0] for one in shown if one and not isinstance(one[0], dict | list)]
        found += [one for one in values(of_one, name) if not isinstance(one, dict | list)]
        good = [one for one in found if fits(of_one, one) and _travels(one, place)]
        for value in dict.fromkeys(good or [text_for(name)]):
            yield [value] if each else value

    # The body

    @cached_property
    def ways(self) -> tuple[list[Way], list[Way]]:
        """The ways into the body that must be there, and those that may."""
        identity = [way_of(path) for path in self.operation.identity if path.place == "body"]
        optional = [way_of(path) for path in self.operation.body]
        return identity, optional

    def body(self, seed: int) -> Any:
        operation = self.operation
        content = operation.content
        wanted = bool(operation.body or any(path.place == "body" for path in operation.identity))
        has_body = self.api is not None and self.api.body is not None
        if not wanted and not (self.api is not None and self.api.body is not None and self.api.body.required):
            return MISSING
        examples = self.api.body.examples if self.api is not None and self.api.body is not None else ()
        if not is_json(content) and not is_form(content):
            text = next((one for one in examples if isinstance(one, str)), None)
            return text or text_for("text", seed)
        schema = self.body_schema if has_body else self.named_schema()
        best, fewest = MISSING, 1_000_000
        for candidate in self._candidates(schema, examples, seed):
            made = self.without_host_filled(candidate)
            if is_form(content):
                made = _flat(made)
            wrong = self.wrong(schema, made)
            if wrong < fewest:
                best, fewest = made, wrong
            if not fewest:
                break
        return best

    def _candidates(self, schema: Plain, examples: Sequence[Any], seed: int) -> Iterator[Any]:
        must, _ = self.ways
        turned = [*examples[seed % len(examples) :], *examples[: seed % len(examples)]] if examples else []
        for example in [*(one for one in turned if isinstance(one, dict | list)), MISSING]:
            for ways in (self._roomy(schema, example), must, [way for way in must if known_way(schema, way, must)]):
                yield Maker(n=seed).value(schema, "body", ways, example)

    def _roomy(self, schema: Plain, example: Any) -> list[Way]:
        """What must be there and what may: all of a small body; of a large one what the example has and a few."""
        must, may = self.ways
        more = [way for way in may if way not in must]
        if len(more) > _MOST_OPTIONAL:
            view = merged(schema)
            shown = [way for way in more if isinstance(example, dict) and way and way[0] in example]
            single = [
                way for way in more
                if len(way) == 1 and not set(kinds_of(merged(view.get("properties", {}).get(way[0], {}))))
                & {"object", "array"}
            ]  # fmt: skip
            more = list(dict.fromkeys([*shown, *single[:_FEW]]))
        return [*must, *more]

    def wrong(self, schema: Plain, body: Any) -> int:
        """How much the document finds wrong with the body as it goes out, with what the host fills in."""
        whole = body
        for path in self.host_filled():
            try:
                whole = put_in(whole, path, lambda _: _HOST_FILLED)
            except Exception:  # another thing stands in the way: it is counted as one that is wrong
                return 1_000
        told = problems(schema, whole)
        ours = {str(path) for path in self.host_filled()}
        return sum(not any(f"`{name}`" in one for name in ours) for one in told)

    def without_host_filled(self, body: Any) -> Any:
        for path in self.host_filled():
            body, _ = taken_out(body, path)
        return body

    def named_schema(self) -> Plain:
        """Without a document: an object, as far as the declaration's names tell."""
        must, _ = self.ways
        if () in must:
            return {"type": "array"}
        schema: Plain = {"type": "object"}
        money = self.operation.money
        path = FieldPath.parse(money.amount) if money is not None else None
        if path is not None and path.place == "body" and not path.in_array:
            # The one thing that a declaration tells of a value: what is moved is a number.
            schema = {"type": "integer", "minimum": 1}
            for segment in reversed(path.segments):
                schema = {"type": "object", "properties": {segment.name: schema}}
        return schema

    # Another value

    def another(self, arguments: Arguments, path: str, nth: int) -> Arguments | None:
        place, colon, name = path.partition(":")
        if colon and place in ("path", "query", "header"):
            return self._other_parameter(arguments, place, name.strip('"').removesuffix("?"), nth)
        field = FieldPath.parse(path)
        body = arguments.body
        if isinstance(body, bytes):
            try:
                body = read_json(body)
            except InexactError:
                return None
        if body is MISSING:
            return None
        made = self._other_body(body, way_of(field), nth)
        return None if made is MISSING else replace(arguments, body=made)

    def _other_parameter(self, arguments: Arguments, place: str, name: str, nth: int) -> Arguments | None:
        given: Mapping[str, Any] = {
            "path": arguments.variables, "query": arguments.query, "header": arguments.header
        }[place]  # fmt: skip
        known = next((one for one in given if _same(place, one, name)), None)
        if known is None:
            return None
        others = [value for value in self.parameter_values(place, known) if value != given[known]]
        if not others:
            return None
        changed = {**given, known: others[(nth - 1) % len(others)]}
        if place == "path":
            return replace(arguments, variables=changed)
        return replace(arguments, query=changed) if place == "query" else replace(arguments, header=changed)

    def _other_body(self, body: Any, way: Way, nth: int) -> Any:
        has_body = self.api is not None and self.api.body is not None
        schema = self.body_schema if has_body else {}
        if value_at(body, way) is MISSING:
            return MISSING
        before, found = self.wrong(schema, body), 0
        flat = is_form(self.operation.content)
        for leaf, value in others(schema, body, way):
            made = with_value(body, leaf, value)
            if flat and isinstance(value, dict):
                continue
            if self.wrong(schema, made) <= before:
                found += 1
                if found == nth:
                    return made
        return MISSING


# Small things


def _same(place: str, one: str, other: str) -> bool:
    return one.lower() == other.lower() if place == "header" else one == other


def _travels(value: Any, place: str) -> bool:
    """Whether a value can stand in a URL or a header."""
    text = str(value)
    if place == "path" and text in ("", ".", ".."):
        return False
    return value is not None and text != "" and (place != "header" or (text.isprintable() and text.isascii()))


def _flat(body: Any) -> Any:
    """A form's fields: texts, numbers, truth values and lists of them; anything else cannot be sent in one."""
    if not isinstance(body, Mapping):
        return {}
    made = {}
    for name, value in body.items():
        each = [one for one in value if not isinstance(one, dict | list)] if isinstance(value, list) else value
        if each is not None and each != [] and not isinstance(each, dict):
            made[name] = each
    return made


def _reversed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _reversed(value[name]) for name in reversed(list(value))}
    if isinstance(value, list | tuple):
        return [_reversed(one) for one in value]
    return value
