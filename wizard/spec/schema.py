"""What a schema says, with all its parts put together: `$ref`, allOf, oneOf, anyOf, discriminators.

A view is worked out once for each schema and shared by everything that refers to it.

- What allOf, a `$ref` and its siblings say holds together; the schema's own words come first.
- Branches of oneOf and anyOf (and `then`/`else`, and the subtypes of a discriminator) keep their members; a member is
  required where every branch requires it, and names its branch where not all have it.
- `null` among the branches or types makes the rest nullable and is no branch.
- A supertype that is reached from its own subtype (`allOf: [{$ref: Pet}]` in Dog) does not bring its other subtypes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from wizard.spec.files import DocumentFiles, Node
from wizard.spec.limits import MAX_COMPOSITION, MAX_SCHEMA_VISITS
from wizard.spec.model import Shape
from wizard.spec.pointer import join, split
from wizard.spec.shapes import any_shape, both_shapes, own_shape, said_of_null

MAX_BRANCHES = 200


@dataclass(frozen=True, slots=True)
class Mixed:
    """Several schemas for one value: all hold, or any one of them."""

    kind: Literal["all", "any"]
    parts: tuple[Expression, ...]
    key: str
    pointer: str
    """Of the first part."""


Expression = Node | Mixed


def mixed(kind: Literal["all", "any"], parts: Iterable[Expression]) -> Expression:
    """The parts as one expression, each once."""
    distinct: dict[str, Expression] = {}
    for part in parts:
        inner = part.parts if isinstance(part, Mixed) and part.kind == kind else (part,)
        for one in inner:
            if len(distinct) < MAX_BRANCHES:
                distinct.setdefault(one.key, one)
    found = tuple(distinct.values())
    if len(found) == 1:
        return found[0]
    return Mixed(kind, found, f"{kind}({' '.join(distinct)})", found[0].pointer)


@dataclass(frozen=True, slots=True)
class Member:
    """A property: its schema, and the branch it belongs to where not all have it."""

    schema: Expression
    branch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A schema put together. Views are shared: nothing in them is changed once they are made."""

    shape: Shape = Shape()
    members: dict[str, Member] = field(default_factory=dict)
    required: dict[str, str] = field(default_factory=dict)
    """Name to the pointer of the `required` that names it."""
    items: Expression | None = None
    name: str = ""
    """Of the named schema that a `$ref` led to."""
    cut: bool = False


NOTHING = View()
CUT = View(cut=True)


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
            return _all([self.view(part) for part in schema.parts])
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
        parts = [_own(node, value), referred]
        all_of = value.get("allOf")
        if isinstance(all_of, list):
            parts += [self.view(part, plain=True) for part in _elements(node, "allOf", all_of)]
        for branches in self._branches(node, value, plain):
            parts.append(self._any(branches))
        made = _all(parts)
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
        discriminator = value.get("discriminator")
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        if not isinstance(mapping, dict):
            return []
        at = Node(node.file, join(node.pointer, "discriminator", "mapping"), mapping)
        found: dict[str, Node] = {}
        for name, ref in list(mapping.items())[:MAX_BRANCHES]:
            if not isinstance(ref, str):
                continue
            if "/" not in ref and "." not in ref:
                ref = f"#/components/schemas/{ref}"
            target = self._files.target(Node(at.file, join(at.pointer, name), ref), ref)
            if target is not None and target.value is not value:
                found.setdefault(target.pointer, target)
        return list(found.values())

    def _any(self, branches: Sequence[Expression]) -> View:
        branches = branches[:MAX_BRANCHES]
        if any(branch.key in self._open for branch in branches):
            for branch in branches:
                self._reached = min(self._reached, self._open.get(branch.key, self._reached))
            return NOTHING
        views = [(branch, self.view(branch)) for branch in branches]
        real = [(branch, view) for branch, view in views if not said_of_null(view.shape)]
        nullable = len(real) < len(views)
        if len(real) == 1:
            only = real[0][1]
            return replace(only, shape=replace(only.shape, nullable=True)) if nullable else only
        if not real:
            return replace(NOTHING, shape=Shape(type="null", nullable=True)) if views else NOTHING
        labels = [_label(branch, view) for branch, view in real]
        holders: dict[str, list[int]] = {}
        for index, (_, view) in enumerate(real):
            for name in view.members:
                holders.setdefault(name, []).append(index)
        members = {}
        for name, indexes in holders.items():
            schema = mixed("any", [real[index][1].members[name].schema for index in indexes])
            inner = {real[index][1].members[name].branch for index in indexes}
            if len(indexes) < len(real):
                branch = _labels([labels[index] for index in indexes])
            else:
                branch = inner.pop() if len(inner) == 1 else ""
            members[name] = Member(schema, branch)
        first = real[0][1]
        required = {name: at for name, at in first.required.items() if all(name in view.required for _, view in real)}
        items = [view.items for _, view in real if view.items is not None]
        shape = any_shape([view.shape for _, view in real])
        return View(
            shape=replace(shape, nullable=True) if nullable else shape,
            members=members,
            required=required,
            items=mixed("any", items) if items else None,
            cut=any(view.cut for _, view in real),
        )


def _own(node: Node, value: dict[str, Any]) -> View:
    properties = value.get("properties")
    members: dict[str, Member] = {}
    required: dict[str, str] = {}
    if isinstance(properties, dict):
        at = join(node.pointer, "properties")
        for name, schema in properties.items():
            members[name] = Member(Node(node.file, join(at, name), schema))
            # Draft 3 of JSON Schema had it so, and authors still write it.
            if isinstance(schema, dict) and schema.get("required") is True:
                required[name] = join(at, name, "required")
    listed = value.get("required")
    if isinstance(listed, list):
        at = join(node.pointer, "required")
        required.update((name, at) for name in listed if isinstance(name, str))
    items = node.get("items") if isinstance(value.get("items"), dict) else None
    return View(shape=own_shape(value), members=members, required=required, items=items)


def _all(parts: Sequence[View]) -> View:
    """What holds when all parts do. The first part's words come first."""
    told = [part for part in parts if part is not NOTHING]
    if len(told) == 1:
        return told[0]
    with_members = [part for part in told if part.members]
    if len(with_members) == 1:
        members = with_members[0].members
    else:
        members = {}
        # The inherited members stand before the own ones, as a reader of `allOf: [base, {more}]` expects.
        for part in (
            [*with_members[1:], *with_members[:1]] if with_members and told[0] is with_members[0] else with_members
        ):
            for name, member in part.members.items():
                known = members.get(name)
                if known is None:
                    members[name] = member
                else:
                    both = mixed("all", (member.schema, known.schema))
                    members[name] = Member(both, known.branch and member.branch)
    required: dict[str, str] = {}
    for part in told:
        for name, at in part.required.items():
            required.setdefault(name, at)
    items = [part.items for part in told if part.items is not None]
    shape = told[0].shape if told else Shape()
    for part in told[1:]:
        shape = both_shapes(shape, part.shape)
    return View(
        shape=shape,
        members=members,
        required=required,
        items=mixed("all", items) if items else None,
        cut=any(part.cut for part in told),
    )


def _elements(node: Node, word: str, listed: list[Any]) -> list[Node]:
    at = join(node.pointer, word)
    return [Node(node.file, join(at, index), value) for index, value in enumerate(listed)]


def schema_name(pointer: str) -> str:
    """`Money` for `#/components/schemas/Money` or `#/definitions/Money`, and for a file that is one schema."""
    file, names = split(pointer)
    if len(names) >= 2 and names[-2] in ("schemas", "definitions", "$defs"):
        return names[-1]
    if not names and file:
        return file.rpartition("/")[2].partition(".")[0]
    return ""


def _label(branch: Expression, view: View) -> str:
    return view.shape.title or view.name or branch.pointer


def _labels(labels: list[str]) -> str:
    shown = ", ".join(dict.fromkeys(labels[:3]))
    return f"{shown} and {len(labels) - 3} more" if len(labels) > 3 else shown
