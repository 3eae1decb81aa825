"""What a schema says, with all its parts put together: `$ref`, allOf, oneOf, anyOf, discriminators.

A view is worked out once for each schema and shared by everything that refers to it.

- What allOf, a `$ref` and its siblings say holds together; the schema's own words come first.
- Branches of oneOf and anyOf (and `then`/`else`, and the subtypes of a discriminator) keep their members; a member is
  required where every branch requires it, and names its branch where not all have it.
- `null` among the branches or types makes the rest nullable and is no branch.
- A supertype that is reached from its own subtype (`allOf: [{$ref: Pet}]` in Dog) does not bring its other subtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from wizard.spec.files import DocumentFiles, Node
from wizard.spec.limits import MAX_COMPOSITION, MAX_REF_HOPS, MAX_SCHEMA_VISITS
from wizard.spec.model import Shape
from wizard.spec.pointer import escape, join, names_of_fragment
from wizard.spec.shapes import any_shape, said_of_null
from wizard.spec.views import (
    CUT,
    MAX_BRANCHES,
    NOTHING,
    Expression,
    Mixed,
    View,
    all_view,
    branch_members,
    mixed,
    own_view,
    schema_name,
)


class Schemas:
    """The views of one document's schemas."""

    def __init__(self, files: DocumentFiles) -> None:
        self._files = files
        self._views: dict[str, View] = {}
        self._open: dict[str, int] = {}
        self._reached = 0
        """The outermost open schema that the one being made came back to; such a view holds only there."""
        self._visits = 0
        self._all_visits = 0

    def view(self, schema: Expression, *, plain: bool = False) -> View:
        """What a schema says. `plain` leaves out the subtypes that its discriminator names."""
        key = schema.key + " plain" if plain else schema.key
        found = self._views.get(key)
        if found is not None:
            return found
        if not self._open:
            self._visits = 0
        if key in self._open:
            self._reached = min(self._reached, self._open[key])
            return CUT
        level = len(self._open)
        self._visits += 1
        self._all_visits += 1
        if level > MAX_COMPOSITION or self._visits > MAX_SCHEMA_VISITS or self._all_visits > 50 * MAX_SCHEMA_VISITS:
            return CUT
        before, self._reached = self._reached, level
        self._open[key] = level
        try:
            made = self._mixed(schema) if isinstance(schema, Mixed) else self._node(schema, plain)
        finally:
            del self._open[key]
            reached, self._reached = self._reached, min(before, self._reached)
        if reached >= level:
            self._views[key] = made
        return made

    def _mixed(self, schema: Mixed) -> View:
        if schema.kind == "all":
            return all_view([self.view(part) for part in schema.parts])
        return self._any(schema.parts)

    def _node(self, node: Node, plain: bool) -> View:
        value = node.value
        if not isinstance(value, dict):
            return NOTHING
        ref = value.get("$ref")
        referred = NOTHING
        if isinstance(ref, str):
            target = self._files.target(node, ref)
            if target is not None:
                referred = self.view(target, plain=plain)
                referred = replace(referred, name=schema_name(target.pointer) or referred.name)
            if len(value) == 1:
                return referred
        parts = [own_view(node, value), referred]
        all_of = value.get("allOf")
        if isinstance(all_of, list):
            parts += [self.view(part, plain=True) for part in _elements(node, "allOf", all_of)]
        for branches in self._branches(node, value, plain):
            parts.append(self._any(branches))
        made = all_view(parts)
        if isinstance(ref, str) or (isinstance(all_of, list) and len(all_of) == 1):
            return replace(made, name=next((part.name for part in parts if part.name), ""))
        return made

    def _branches(self, node: Node, value: dict[str, Any], plain: bool) -> list[Sequence[Expression]]:
        groups: list[Sequence[Expression]] = []
        for word in ("oneOf", "anyOf"):
            listed = value.get(word)
            if isinstance(listed, list) and listed:
                groups.append(_elements(node, word, listed))
        conditional = [
            found for word in ("then", "else") if (found := node.get(word)) and isinstance(found.value, dict)
        ]
        if len(conditional) == 2:
            groups.append(conditional)
        elif conditional:
            groups.append([*conditional, Node(node.file, join(node.pointer, "else"), {})])
        if not plain and not groups:
            subtypes = self._subtypes(node, value)
            if subtypes:
                groups.append(subtypes)
        return groups

    def _subtypes(self, node: Node, value: dict[str, Any]) -> Sequence[Expression]:
        """What a discriminator's mapping names, or, without one, what inherits from the schema by allOf."""
        discriminator = value.get("discriminator")
        if discriminator is None:
            return []
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        if not isinstance(mapping, dict):
            return self._inheriting.get(node.pointer, [])[:MAX_BRANCHES]
        at = join(node.pointer, "discriminator", "mapping")
        found: dict[str, Node] = {}
        for name, ref in list(mapping.items())[:MAX_BRANCHES]:
            if isinstance(ref, str):
                # A bare word is a schema's name, everything else a reference.
                full = ref if "/" in ref or "." in ref else f"#/components/schemas/{escape(ref)}"
                target = self._files.target(Node(node.file, join(at, name), ref), full)
                if target is not None and target.value is not value:
                    found.setdefault(target.pointer, target)
        return list(found.values())

    @cached_property
    def _inheriting(self) -> dict[str, list[Node]]:
        """The named schemas of the root document that have another in their allOf, by its pointer."""
        found: dict[str, list[Node]] = {}
        for holder in ("#/components/schemas", "#/definitions"):
            schemas = self._files.node(holder)
            for name in schemas.value if schemas and isinstance(schemas.value, dict) else ():
                schema = schemas.get(name) if schemas else None
                parts = schema.value.get("allOf") if schema and isinstance(schema.value, dict) else None
                for part in parts if isinstance(parts, list) else ():
                    ref = part.get("$ref") if isinstance(part, dict) else None
                    if schema and isinstance(ref, str) and ref.startswith("#/"):
                        found.setdefault(join("#", *names_of_fragment(ref[1:])), []).append(schema)
        return found

    def _is_open(self, schema: Expression) -> int | None:
        """The level at which the schema, or what it refers to, is being put together."""
        for _ in range(MAX_REF_HOPS):
            for key in (schema.key, schema.key + " plain"):
                if key in self._open:
                    return self._open[key]
            ref = schema.value.get("$ref") if isinstance(schema, Node) and isinstance(schema.value, dict) else None
            target = self._files.target(schema, ref) if isinstance(schema, Node) and isinstance(ref, str) else None
            if target is None:
                return None
            schema = target
        return None

    def _any(self, branches: Sequence[Expression]) -> View:
        branches = branches[:MAX_BRANCHES]
        levels = [level for branch in branches if (level := self._is_open(branch)) is not None]
        if levels:
            # A supertype, reached from one of the subtypes that it lists.
            self._reached = min(self._reached, *levels)
            return NOTHING
        views = [(branch, self.view(branch)) for branch in branches]
        real = [(branch, view) for branch, view in views if not said_of_null(view.shape)]
        nullable = len(real) < len(views)
        if len(real) == 1:
            only = real[0][1]
            return replace(only, shape=replace(only.shape, nullable=True)) if nullable else only
        if not real:
            return replace(NOTHING, shape=Shape(type="null", nullable=True)) if views else NOTHING
        shape = any_shape([view.shape for _, view in real])
        items = [view.items for _, view in real if view.items is not None]
        # Beside an object a text or a number is another form of the value, and says nothing of the object's members.
        objects = [(branch, view) for branch, view in real if view.members or view.shape.type in ("object", "")]
        objects = objects if any(view.members for _, view in objects) else real
        return View(
            shape=replace(shape, nullable=True) if nullable else shape,
            members=branch_members(objects),
            required={
                name: at
                for name, at in objects[0][1].required.items()
                if all(name in view.required for _, view in objects)
            },
            items=mixed("any", items) if items else None,
            cut=any(view.cut for _, view in real),
        )


def _elements(node: Node, word: str, listed: list[Any]) -> list[Node]:
    at = join(node.pointer, word)
    return [Node(node.file, join(at, index), value) for index, value in enumerate(listed)]
