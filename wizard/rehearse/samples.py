"""Values made from a plain schema: what the document shows where it fits, else what its words allow.

Deterministic: `n` chooses among the values that a field can have, and nothing is drawn. Objects have the members that
they must have and those that are wanted; with `everything` all of them, until a schema comes back to itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wizard.operation.field_path import MISSING
from wizard.rehearse.invented import number_of, text_of
from wizard.spec.fitting import fits
from wizard.spec.plain import Plain

Way = tuple[str | None, ...]
"""Steps into a value: a member's name, None for each element of an array."""

_MOST_VALUES = 2_000
_DEEPEST = 24
_DEEPEST_OPTIONAL = 6
_MOST_MERGED = 1_000
_DEEPEST_MERGED = 40
_MOST_ELEMENTS = 50


@dataclass(slots=True)
class Maker:
    """Makes values; one for each body, as it counts what it has made."""

    everything: bool = False
    n: int = 0
    _made: int = 0
    _open: list[int] = field(default_factory=list)

    def value(
        self, schema: Plain, name: str, wants: Sequence[Way] = ((),), given: Any = MISSING, depth: int = 0
    ) -> Any:  # fmt: skip
        """A value for the schema of a field called `name`.

        `wants`: ways into it that must be there; an empty one means the whole of it, and without one an object has
        only what is wanted and what it must have. `given` is the document's example for it, taken where it fits.
        """
        self._made += 1
        whole = () in wants
        inside = [way for way in wants if way]
        if whole and not inside and given not in (MISSING, None, {}, []) and fits(schema, given):
            return given
        view = merged(schema, [str(way[0]) for way in inside if way[0] is not None], given)
        for choice in self._choices(view, given, inside, whole):
            return choice
        kinds = kinds_of(view)
        if any(way[0] is not None for way in inside) and ("object" in kinds or not kinds):
            return self._object(view, wants, given, depth)
        if any(way[0] is None for way in inside) and ("array" in kinds or not kinds):
            return self._array(view, name, wants, given, depth)
        kind = next((one for one in kinds if one != "null"), kinds[0] if kinds else "")
        match kind:
            case "object":
                return self._object(view, wants, given, depth)
            case "array":
                return self._array(view, name, wants, given, depth)
            case "null":
                return None
            case _:
                return scalar(view, name, self.n)

    def _choices(self, view: Plain, given: Any, inside: Sequence[Way], whole: bool) -> Iterator[Any]:
        """What the document itself says the value is, where that fits and has all that is wanted."""
        if inside or not whole:
            return
        listed = view.get("enum") or ()
        shown = [*view.get("examples", ()), *([view["default"]] if "default" in view else ())]
        composite = "object" in kinds_of(view) or "array" in kinds_of(view)
        if "const" in view:
            yield view["const"]
        elif not composite or not self.everything:
            for value in [*shown, *listed]:
                if value not in (None, "", [], {}) and fits(view, value):
                    yield value

    def _object(self, view: Plain, wants: Sequence[Way], given: Any, depth: int) -> Any:
        properties: Mapping[str, Plain] = view.get("properties", {})
        shown = given if isinstance(given, dict) else self._shown(view)
        whole = () in wants
        inside: dict[str, list[Way]] = {}
        for way in wants:
            if way and way[0] is not None:
                inside.setdefault(way[0], []).append(way[1:])
        must = [name for name in view.get("required", ()) if "x-kept-out" not in properties.get(name, {})]
        names = dict.fromkeys([*must, *inside])
        room = depth < _DEEPEST_OPTIONAL and self._made < _MOST_VALUES and id_of(view) not in self._open
        most = int(view.get("maxProperties", len(properties) + len(names)))
        if whole and room:
            more = properties if self.everything else [name for name in properties if name in shown]
            if not more and not names:
                more = self._telling(properties)
            names.update(dict.fromkeys([name for name in more if name not in names][: max(most - len(names), 0)]))
        for name in properties:
            if len(names) >= view.get("minProperties", 0):
                break
            names[name] = None
        order = [*(name for name in properties if name in names), *(name for name in names if name not in properties)]
        if depth > _DEEPEST or self._made > 2 * _MOST_VALUES:
            return {}
        self._open.append(id_of(view))
        made: dict[str, Any] = {}
        for name in order:
            schema = properties.get(name) or self._extra(view)
            if "x-kept-out" in schema:
                continue
            example = shown.get(name, MISSING)
            ends_here = name in must or name in inside or self._made < _MOST_VALUES
            if ends_here:
                made[name] = self.value(schema, name, inside.get(name) or ((),), example, depth + 1)
        self._open.pop()
        for at in range(len(made), int(view.get("minProperties", 0))):
            made[f"key{at + 1}"] = self.value(self._extra(view), "value", ((),), MISSING, depth + 1)
        open_ended = view.get("additionalProperties", not properties) is not False and most > 0
        if not made and whole and open_ended and not properties and room:
            made["key"] = self.value(self._extra(view), "value", ((),), MISSING, depth + 1)
        return made

    def _shown(self, view: Plain) -> Mapping[str, Any]:
        for example in (*view.get("examples", ()), view.get("default")):
            if isinstance(example, dict):
                return example
        return {}

    def _telling(self, properties: Mapping[str, Plain]) -> list[str]:
        """Of an object that needs nothing, its single values, else its first member: an empty one would say nothing."""
        single = [
            name for name, schema in properties.items()
            if "x-kept-out" not in schema and not set(kinds_of(merged(schema))) & {"object", "array"}
        ]  # fmt: skip
        return single[:4] or [name for name, schema in properties.items() if "x-kept-out" not in schema][:1]

    def _extra(self, view: Plain) -> Plain:
        extra = view.get("additionalProperties")
        return extra if isinstance(extra, Mapping) else {}

    def _array(self, view: Plain, name: str, wants: Sequence[Way], given: Any, depth: int) -> list[Any]:
        inside = [way[1:] for way in wants if way and way[0] is None]
        if () in wants:
            inside = [*inside, ()]
        listed = given if isinstance(given, list) else next(
            (one for one in view.get("examples", ()) if isinstance(one, list)), []
        )  # fmt: skip
        first: Sequence[Plain] = view.get("prefixItems", ())
        items: Plain = view.get("items", {})
        deep = depth > _DEEPEST_OPTIONAL and () in wants
        count = max(int(view.get("minItems", 0)), len(first), 0 if deep else 1)
        if not self.everything:
            count = max(count, len(listed))
        count = min(count, int(view.get("maxItems", count)), max(_MOST_ELEMENTS, int(view.get("minItems", 0))))
        if depth > _DEEPEST or self._made > 2 * _MOST_VALUES:
            return []
        made: list[Any] = []
        before = self.n
        single = name[:-1] if name.endswith("s") and len(name) > 3 else name
        for at in range(min(count, 500)):
            schema = first[at] if at < len(first) else items
            example = listed[at] if at < len(listed) else MISSING
            element = self.value(schema, single, inside or ((),), example, depth + 1)
            if view.get("uniqueItems"):
                for n in range(1, 40):
                    if element not in made:
                        break
                    self.n = before + n
                    element = self._next(schema, single, inside, depth)
                self.n = before
            made.append(element)
        return made

    def _next(self, schema: Plain, name: str, inside: Sequence[Way], depth: int) -> Any:
        view = merged(schema)
        for at, value in enumerate(values(view, name)):
            if at == self.n:
                return value
        return self.value(schema, name, inside or ((),), MISSING, depth + 1)


def id_of(view: Plain) -> int:
    """What tells a view's object from another: the schemas of its members."""
    return id(next(iter(view.get("properties", {}).values()), view))


def kinds_of(view: Plain) -> tuple[str, ...]:
    """The types that a merged schema allows; where it does not say, what its words are about."""
    kind = view.get("type")
    if isinstance(kind, str):
        return (kind,)
    if kind is not None:
        return tuple(kind)
    if view.get("properties") or view.get("required") or isinstance(view.get("additionalProperties"), Mapping):
        return ("object",)
    if "items" in view or "prefixItems" in view:
        return ("array",)
    return ()


def scalar(view: Plain, name: str, n: int = 0) -> Any:
    """The n-th value that is made up for a text, a number, a truth value."""
    for kind in kinds_of(view):
        match kind:
            case "integer" | "number":
                return number_of(view, name, n)
            case "boolean":
                return n % 2 == 0
            case "string":
                return text_of(view, name, n)
    if any(word in view for word in ("minimum", "maximum", "multipleOf")):
        return number_of(view, name, n)
    return text_of(view, name, n)


def values(view: Plain, name: str) -> Iterator[Any]:
    """The values that a text, a number or a truth value can have, the document's own first; they may repeat, and
    some may not fit."""
    if "const" in view:
        yield view["const"]
        return
    yield from (one for one in view.get("examples", ()) if one not in (None, ""))
    if "enum" in view:
        yield from (one for one in view["enum"] if one is not None)
        return
    if kinds_of(view) in (("boolean",), ("boolean", "null")):
        yield from (True, False)
        return
    for n in range(40):
        yield scalar(view, name, n)


# Schemas put together


def merged(schema: Plain, wants: Sequence[str] = (), given: Any = MISSING) -> dict[str, Any]:
    """A schema with what it refers to and what allOf, anyOf and its discriminator add: one form of the value.

    Of an anyOf the branch is taken that `given` fits, else the one that has most of the wanted members.
    """
    return _merge(schema, wants, given, _Merging())


def known_way(schema: Plain, way: Way, wants: Sequence[Way]) -> bool:
    """Whether the form of a value that is made has a place for a way into it: another branch may have it."""
    for at, step in enumerate(way):
        view = merged(schema, [str(one[at]) for one in wants if one[:at] == way[:at] and len(one) > at and one[at]])
        if step is None:
            schema = view.get("items", {})
        elif step in view.get("properties", {}):
            schema = view["properties"][step]
        else:
            return not view.get("properties") or view.get("additionalProperties", False) is not False
    return True


@dataclass(slots=True)
class _Merging:
    """How much was put together for one view: schemas that lead to themselves end."""

    visits: int = 0
    depth: int = 0


def _merge(schema: Plain, wants: Sequence[str], given: Any, merging: _Merging) -> dict[str, Any]:
    own = {word: said for word, said in schema.items() if word not in ("x-later", "allOf", "anyOf", "x-choose", "if")}
    if merging.visits >= _MOST_MERGED or merging.depth >= _DEEPEST_MERGED:
        return own
    merging.visits += 1
    merging.depth += 1
    parts: list[Plain] = [own]
    if "x-later" in schema:
        parts.append(_merge(schema["x-later"].schema, wants, given, merging))
    for part in schema.get("allOf", ()):
        parts.append(_merge(part, wants, given, merging))
    choice = schema.get("x-choose")
    if choice is not None:
        name = _chosen(choice.branches, wants, given, choice.member, merging)
        parts.append(_merge(choice.branches[name], wants, given, merging))
        parts.append({"properties": {choice.member: {"const": name}}, "required": [choice.member]})
    branches = [one for one in schema.get("anyOf", ()) if one.get("type") != "null" and one != {"not": {}}]
    if branches:
        best = branches[0] if len(branches) == 1 else _best(branches, wants, given, merging)
        parts.append(_merge(best, wants, given, merging))
    merging.depth -= 1
    return own if len(parts) == 1 else together(parts)


def _chosen(branches: Mapping[str, Plain], wants: Sequence[str], given: Any, member: str, merging: _Merging) -> str:
    said = given.get(member) if isinstance(given, dict) else None
    if isinstance(said, str) and said in branches:
        return said
    best = _best(list(branches.values()), wants, given, merging)
    return next(name for name, one in branches.items() if one is best)


def _best(branches: Sequence[Plain], wants: Sequence[str], given: Any, merging: _Merging) -> Plain:
    if given is not MISSING:
        for branch in branches:
            if fits(branch, given):
                return branch
    if not wants:
        return branches[0]

    def lacking(branch: Plain) -> int:
        known = _merge(branch, wants, given, merging).get("properties", {})
        return sum(name not in known for name in wants)

    return min(branches, key=lacking)


def together(parts: Iterable[Plain]) -> dict[str, Any]:
    """What holds when all parts do."""
    made: dict[str, Any] = {}
    for part in parts:
        for word, said in part.items():
            known = made.get(word)
            if known is None or word not in made:
                made[word] = dict(said) if word == "properties" else said
            elif word == "properties":
                for name, member in said.items():
                    made[word][name] = _both(made[word][name], member) if name in made[word] else member
            elif word == "required":
                made[word] = list(dict.fromkeys([*known, *said]))
            elif word == "type":
                made[word] = _common(known, said)
            elif word == "enum":
                made[word] = [one for one in known if one in said] or known
            elif word in ("minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum"):
                made[word] = max(known, said)
            elif word in ("maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum"):
                made[word] = min(known, said)
            elif word == "items":
                made[word] = _both(known, said)
            elif word == "additionalProperties" and said is False:
                made[word] = False
    return made


def _both(one: Plain, other: Plain) -> Plain:
    for schema in (one, other):
        if "x-kept-out" in schema:
            return schema
    if one is other or not other:
        return one
    return {"allOf": [one, other]} if one else other


def _common(one: Any, other: Any) -> Any:
    first, second = ([kind] if isinstance(kind, str) else list(kind) for kind in (one, other))
    both = [kind for kind in first if kind in second or (kind == "integer" and "number" in second)]
    both = both or [kind for kind in second if kind == "integer" and "number" in first]
    return one if not both else both[0] if len(both) == 1 else both
