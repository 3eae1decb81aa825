"""A document's schemas as plain JSON Schema, whatever version they were written in, brought in as they are reached.

What comes out has the words of JSON Schema 2020-12 that check a value, and two of our own, which hold Python objects:
`x-later`, a schema that a `$ref` leads to (converted when it is reached, so that a cycle ends and nothing is copied
that no value needs), and `x-choose`, what a discriminator chooses from. A third, `x-kept-out`, says why a member must
not be sent. Requests and answers differ: read-only members are kept out of a request, write-only ones out of an answer.

What real documents have and no value could meet is left out: bounds that exclude each other, types that are none,
enum members of another type, required names that are no property, `additionalProperties: false` of a part that allOf
puts together with others. oneOf is read as anyOf: branches that overlap are a slip of the document, and no recipient
refuses a body because two of its forms fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from wizard.spec.limits import MAX_REF_HOPS
from wizard.spec.model import Raw
from wizard.spec.pointer import escape, join, split
from wizard.spec.shapes import examples, text

Direction = Literal["request", "answer"]
Plain = Mapping[str, Any]

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum")
_OPPOSED = (("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"))
_NEGATABLE = frozenset({"required", "enum", "const", "type"})
_DEEPEST_PARTS = 8
_COMPOSED = ("allOf", "oneOf", "anyOf", "$ref")


@dataclass(slots=True)
class Later:
    """A schema that a `$ref` leads to."""

    schemas: PlainSchemas
    pointer: str
    value: Any
    inherited: bool
    """It is a part of an allOf: it chooses no subtype, and does not forbid what the other parts have."""

    @property
    def schema(self) -> Plain:
        return self.schemas.plain(self.pointer, self.value, inherited=self.inherited)

    @property
    def name(self) -> str:
        """What a person calls it: `Money`."""
        return split(self.pointer)[1][-1] if split(self.pointer)[1] else self.pointer


@dataclass(frozen=True)
class Choice:
    """What a discriminator chooses from."""

    member: str
    others: Sequence[Plain]
    """All branches, for a value that names none of them; empty where it may then be anything."""
    named: Callable[[], Mapping[str, Plain]]

    @cached_property
    def branches(self) -> Mapping[str, Plain]:
        """The value of the member, and what the whole value is then. What a branch itself says of its member's value
        goes before what the discriminator calls it."""
        made: dict[str, Plain] = {}
        for name, branch in self.named().items():
            values = _values_of(branch, self.member)
            for value in values if values and name not in values else [name]:
                made.setdefault(value, branch)
        return made


@dataclass(frozen=True)
class PlainSchemas:
    """The schemas of one document for one direction; each is converted once."""

    raw: Raw
    direction: Direction
    _known: dict[tuple[str, bool], dict[str, Any]] = field(default_factory=dict, repr=False)

    def at(self, pointer: str) -> Plain:
        """The schema at a pointer of the document; one that allows everything where there is none."""
        return self.plain(pointer, self.raw.resolve(pointer))

    def plain(self, pointer: str, value: Any, *, inherited: bool = False) -> Plain:
        """The raw schema `value`, which stands at `pointer`, as plain JSON Schema."""
        key = (pointer, inherited)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = {}
            known.update(self._convert(pointer, value, inherited))
        return known

    def _convert(self, pointer: str, value: Any, inherited: bool) -> dict[str, Any]:
        if value is False:
            return {"not": {}}
        if not isinstance(value, dict):
            return {}
        made: dict[str, Any] = {}
        kind = _type(made, value)
        _values(made, value, kind)
        composed = inherited or any(value.get(word) for word in _COMPOSED)
        self._members(made, pointer, value, composed)
        self._elements(made, pointer, value)
        self._composition(made, pointer, value, inherited)
        if (value.get("nullable") is True or value.get("x-nullable") is True) and not kind:
            made = _or_null(made)
        return made

    # Members and elements

    def _members(self, made: dict[str, Any], pointer: str, value: dict[str, Any], composed: bool) -> None:
        properties = value.get("properties")
        found: dict[str, Plain] = {}
        required = [name for name in _list(value.get("required")) if isinstance(name, str)]
        if isinstance(properties, dict):
            for name, schema in properties.items():
                at = join(pointer, "properties", name)
                why = self._kept_out(at, schema)
                if isinstance(schema, dict) and schema.get("required") is True and not why:
                    required.append(name)
                if why:
                    found[name] = {"x-kept-out": why}
                    required = [one for one in required if one != name]
                else:
                    found[name] = self.plain(at, schema)
            if found and not composed:
                required = [name for name in required if name in found]
        if found:
            made["properties"] = found
        if required:
            made["required"] = list(dict.fromkeys(required))
        extra = value.get("additionalProperties")
        if isinstance(extra, dict):
            made["additionalProperties"] = self.plain(join(pointer, "additionalProperties"), extra)
        elif extra is False and not composed and (found or "patternProperties" not in value):
            made["additionalProperties"] = False
        patterns = value.get("patternProperties")
        if isinstance(patterns, dict) and "additionalProperties" in made:
            # Which names a pattern takes is not tried: it may hang.
            del made["additionalProperties"]
        needed = value.get("dependentRequired")
        if isinstance(needed, dict):
            kept = {name: [one for one in _list(names) if isinstance(one, str)] for name, names in needed.items()}
            made["dependentRequired"] = kept

    def _kept_out(self, pointer: str, schema: Any) -> str:
        """Why a member must not be sent in this direction; empty where it may."""
        word, why = ("readOnly", "read-only") if self.direction == "request" else ("writeOnly", "write-only")
        for _ in range(MAX_REF_HOPS):
            if not isinstance(schema, dict):
                return ""
            if schema.get(word) is True:
                return why
            parts = schema.get("allOf")
            for index, part in enumerate(parts if isinstance(parts, list) else ()):
                if isinstance(part, dict) and (part.get(word) is True or self._said_there(pointer, index, part, word)):
                    return why
            ref = schema.get("$ref")
            target = self.raw.follow(pointer, ref) if isinstance(ref, str) else None
            if target is None:
                return ""
            pointer, schema = target
        return ""

    def _said_there(self, pointer: str, index: int, part: dict[str, Any], word: str) -> bool:
        ref = part.get("$ref")
        target = self.raw.follow(join(pointer, "allOf", index), ref) if isinstance(ref, str) else None
        return target is not None and isinstance(target[1], dict) and target[1].get(word) is True

    def _elements(self, made: dict[str, Any], pointer: str, value: dict[str, Any]) -> None:
        items = value.get("items")
        if isinstance(items, dict):
            made["items"] = self.plain(join(pointer, "items"), items)
        elif isinstance(items, list):
            made["prefixItems"] = [self.plain(join(pointer, "items", at), one) for at, one in enumerate(items)]
        listed = value.get("prefixItems")
        if isinstance(listed, list):
            made["prefixItems"] = [self.plain(join(pointer, "prefixItems", at), one) for at, one in enumerate(listed)]
        if value.get("uniqueItems") is True:
            made["uniqueItems"] = True

    # Composition

    def _composition(self, made: dict[str, Any], pointer: str, value: dict[str, Any], inherited: bool) -> None:
        parts = value.get("allOf")
        if isinstance(parts, list) and parts:
            made["allOf"] = _agreed([
                self.plain(join(pointer, "allOf", at), part, inherited=True) for at, part in enumerate(parts)
            ], made)  # fmt: skip
        ref = value.get("$ref")
        if isinstance(ref, str):
            target = self._final(pointer, ref)
            if target is not None:
                made["x-later"] = Later(self, *target, inherited=inherited)
        choice = None if inherited else self._choice(pointer, value)
        if choice is not None:
            made["x-choose"] = choice
        branches: list[list[Plain]] = []
        holds_more = bool(value.get("properties") or value.get("allOf")) or inherited
        for word in ("oneOf", "anyOf"):
            listed = value.get(word)
            if isinstance(listed, list) and listed and not (choice is not None and choice.others):
                branches.append([
                    self.plain(join(pointer, word, at), one, inherited=holds_more) for at, one in enumerate(listed)
                ])  # fmt: skip
        if len(branches) == 1:
            made["anyOf"] = branches[0]
        elif branches:
            made["allOf"] = [*made.get("allOf", ()), *({"anyOf": found} for found in branches)]
        forbidden = value.get("not")
        if isinstance(forbidden, dict) and forbidden and set(forbidden) <= _NEGATABLE:
            inner: dict[str, Any] = {}
            _values(inner, forbidden, _type(inner, forbidden))
            names = [name for name in _list(forbidden.get("required")) if isinstance(name, str)]
            if names:
                inner["required"] = names
            if set(inner) == set(forbidden):
                # With less than all of its words it would exclude more than the document does.
                made["not"] = inner
        if isinstance(value.get("if"), dict):
            for word in ("if", "then", "else"):
                if isinstance(value.get(word), dict):
                    made[word] = self.plain(join(pointer, word), value[word], inherited=True)

    def _final(self, pointer: str, ref: str) -> tuple[str, Any] | None:
        """What a `$ref` leads to in the end, so that `$ref`s that lead to each other do not go on for ever."""
        for _ in range(MAX_REF_HOPS):
            target = self.raw.follow(pointer, ref)
            if target is None:
                return None
            pointer, value = target
            if not (isinstance(value, dict) and isinstance(value.get("$ref"), str) and len(value) == 1):
                return target
            ref = value["$ref"]
        return None

    def _choice(self, pointer: str, value: dict[str, Any]) -> Choice | None:
        discriminator = value.get("discriminator")
        if not isinstance(discriminator, dict) or not isinstance(discriminator.get("propertyName"), str):
            return None
        member = discriminator["propertyName"]
        listed: list[Any] = next((value[word] for word in ("oneOf", "anyOf") if _list(value.get(word))), [])
        word = "oneOf" if _list(value.get("oneOf")) else "anyOf"
        holds_more = bool(value.get("properties") or value.get("allOf"))
        by_target: dict[str, Plain] = {}
        branches: dict[str, Plain] = {}
        others: list[Plain] = []
        for at, branch in enumerate(listed):
            made = self.plain(join(pointer, word, at), branch, inherited=holds_more)
            others.append(made)
            ref = branch.get("$ref") if isinstance(branch, dict) else None
            target = self._final(join(pointer, word, at), ref) if isinstance(ref, str) else None
            if target is not None:
                by_target[target[0]] = made
        named: set[str] = set()
        mapping = discriminator.get("mapping")
        for name, ref in mapping.items() if isinstance(mapping, dict) else ():
            if not isinstance(ref, str):
                continue
            target = self._mapped(pointer, ref)
            if target is None or (listed and target[0] not in by_target) or target[1] is value:
                continue
            named.add(target[0])
            known = by_target.get(target[0])
            branches[str(name)] = {"x-later": Later(self, *target, inherited=False)} if known is None else known
        for place, made in by_target.items():
            names = split(place)[1]
            if place not in named and names:
                branches.setdefault(names[-1], made)
        return Choice(member, others, lambda: branches) if branches else None

    def _mapped(self, pointer: str, ref: str) -> tuple[str, Any] | None:
        """What a discriminator's mapping names: a bare word is a schema's name, everything else a reference."""
        bare = "/" not in ref and "." not in ref and "#" not in ref
        for holder in ("#/components/schemas/", "#/definitions/") if bare else ("",):
            target = self._final(pointer, holder + escape(ref) if holder else ref)
            if target is not None:
                return target
        return None


def _agreed(parts: list[Plain], own: Plain) -> list[Plain]:
    """The parts of an allOf, none requiring what another keeps out, or giving it a form."""
    out = {
        name for part in (own, *parts) for one in _put_together(part)
        for name, member in one.get("properties", {}).items() if "x-kept-out" in member
    }  # fmt: skip
    if not out:
        return parts
    return [_without(part, out) for part in parts]


def _without(schema: Plain, names: set[str], depth: int = 0) -> Plain:
    """The schema without what it says of members that are kept out; they stay kept out where it says so."""
    made = dict(schema)
    if "x-later" in schema and depth < _DEEPEST_PARTS and _says_of(schema["x-later"].schema, names):
        later = made.pop("x-later")
        made["allOf"] = [*made.get("allOf", ()), later.schema]
    if "required" in made:
        made["required"] = [name for name in made["required"] if name not in names]
    properties = made.get("properties")
    if properties:
        made["properties"] = {
            name: member for name, member in properties.items() if name not in names or "x-kept-out" in member
        }  # fmt: skip
    if depth < _DEEPEST_PARTS:
        for word in ("allOf", "anyOf"):
            if word in made:
                made[word] = [_without(part, names, depth + 1) for part in made[word]]
    return made


def _says_of(schema: Plain, names: set[str]) -> bool:
    return any(
        names.intersection(part.get("required", ())) or names.intersection(part.get("properties", ()))
        for part in _put_together(schema)
    )  # fmt: skip


def _put_together(schema: Plain, depth: int = 0) -> Iterator[Plain]:
    """The schema and what holds with it: what it refers to, and the parts of its allOf."""
    if depth > _DEEPEST_PARTS:
        return
    yield schema
    if "x-later" in schema:
        yield from _put_together(schema["x-later"].schema, depth + 1)
    for part in schema.get("allOf", ()):
        yield from _put_together(part, depth + 1)


def _values_of(schema: Plain, member: str) -> list[str]:
    """The texts that a member of an object can have, where the schema lists them."""
    for part in _put_together(schema):
        for said in _put_together(part.get("properties", {}).get(member, {})):
            listed = [said["const"]] if "const" in said else said.get("enum", ())
            if listed:
                return [one for one in listed if isinstance(one, str)]
    return []


# A schema's own words


def _type(made: dict[str, Any], value: dict[str, Any]) -> list[str]:
    written = value.get("type")
    listed = written if isinstance(written, list) else [written]
    kinds = [kind for kind in listed if isinstance(kind, str) and kind in TYPES]
    if isinstance(written, list) and len(kinds) < len(written):
        return []
    if kinds and (value.get("nullable") is True or value.get("x-nullable") is True) and "null" not in kinds:
        kinds = [*kinds, "null"]
    if kinds:
        made["type"] = kinds[0] if len(kinds) == 1 else kinds
    return kinds


def _values(made: dict[str, Any], value: dict[str, Any], kinds: list[str]) -> None:
    listed = value.get("enum")
    if isinstance(listed, list) and listed:
        allowed = [*listed, None] if "null" in kinds and None not in listed else listed
        if kinds and not any(_is(kinds, one) for one in allowed if one is not None):
            made.pop("type", None)
        made["enum"] = allowed
    if "const" in value:
        made["const"] = value["const"]
        if kinds and not _is(kinds, value["const"]):
            made.pop("type", None)
    for word in _COUNTS:
        count = _number(value.get(word))
        if count is not None and count >= 0:
            made[word] = int(count)
    _bounds(made, value)
    for lower, upper in _OPPOSED:
        if made.get(lower, 0) > made.get(upper, float("inf")):
            del made[lower], made[upper]
    step = _number(value.get("multipleOf"))
    if step is not None and step > 0:
        made["multipleOf"] = step
    for word in ("pattern", "format", "title"):
        if text(value.get(word)):
            made[word] = text(value[word])
    shown = examples(value)
    if shown:
        made["examples"] = list(shown)
    if "default" in value:
        made["default"] = value["default"]


def _bounds(made: dict[str, Any], value: dict[str, Any]) -> None:
    for word, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        bound, excluded = _number(value.get(word)), value.get(exclusive)
        if excluded is True and bound is not None:
            made[exclusive] = bound
        elif bound is not None:
            made[word] = bound
        if not isinstance(excluded, bool) and _number(excluded) is not None:
            made[exclusive] = _number(excluded)
    least = max((made[word] for word in ("minimum", "exclusiveMinimum") if word in made), default=float("-inf"))
    most = min((made[word] for word in ("maximum", "exclusiveMaximum") if word in made), default=float("inf"))
    if least > most:
        for word in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
            made.pop(word, None)


def _or_null(made: dict[str, Any]) -> dict[str, Any]:
    """A schema of no type of its own, or null."""
    told: dict[str, Any] = {word: made.pop(word) for word in ("examples", "default", "title") if word in made}
    return {**told, "anyOf": [made, {"type": "null"}]} if made else told


def _is(kinds: Sequence[str], value: Any) -> bool:
    match value:
        case None:
            return "null" in kinds
        case bool():
            return "boolean" in kinds
        case int():
            return "integer" in kinds or "number" in kinds
        case float():
            return "number" in kinds or ("integer" in kinds and value.is_integer())
        case str():
            return "string" in kinds
        case list():
            return "array" in kinds
        case _:
            return "object" in kinds


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int | float | None:
    """A bound, also one that was written as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str):
        for kind in (int, float):
            try:
                found = kind(value)
            except ValueError:
                continue
            return found if abs(found) < 1e308 else None
    return None
