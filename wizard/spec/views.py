"""A schema put together: its members, what is required of them, its shape; and how parts become one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

from wizard.spec.files import Node
from wizard.spec.model import Shape
from wizard.spec.pointer import join, split
from wizard.spec.shapes import NO_SHAPE, both_shapes, own_shape

MAX_BRANCHES = 200
_LONGEST_KEY = 1_000


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
    key = f"{kind}({' '.join(distinct)})"
    if len(key) > _LONGEST_KEY:
        key = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return Mixed(kind, found, key, found[0].pointer)


@dataclass(frozen=True, slots=True)
class Member:
    """A property: its schema, and the branch it belongs to where not all have it."""

    schema: Expression
    branch: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A schema put together. Views are shared: nothing in them is changed once they are made."""

    shape: Shape = NO_SHAPE
    members: dict[str, Member] = field(default_factory=dict)
    required: dict[str, str] = field(default_factory=dict)
    """Name to the pointer of the `required` that names it."""
    items: Expression | None = None
    name: str = ""
    """Of the named schema that a `$ref` led to."""
    cut: bool = False


NOTHING = View()
CUT = View(cut=True)


def own_view(node: Node, value: dict[str, Any]) -> View:
    """What a schema's own `properties`, `required` and `items` say."""
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


def all_view(parts: Sequence[View]) -> View:
    """What holds when all parts do. The first part's words come first."""
    told = [part for part in parts if part is not NOTHING]
    if len(told) == 1:
        return told[0]
    holders = [part.members for part in told if part.members]
    if len(holders) > 1 and holders[0] is told[0].members:
        # Inherited members stand before the own ones.
        holders = [*holders[1:], holders[0]]
    # A schema that only passes on another's members shares them: so a cycle is known by its members.
    members = holders[0] if len(holders) == 1 else {}
    for holder in holders if len(holders) > 1 else ():
        for name, member in holder.items():
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
    shape = told[0].shape if told else NO_SHAPE
    for part in told[1:]:
        shape = both_shapes(shape, part.shape)
    return View(
        shape=shape,
        members=members,
        required=required,
        items=mixed("all", items) if items else None,
        cut=any(part.cut for part in told),
    )


def branch_members(branches: Sequence[tuple[Expression, View]]) -> dict[str, Member]:
    """The members of all branches; one that not all have names those that do."""
    names = [view.name or schema_name(branch.pointer) or branch.pointer for branch, view in branches]
    labels = [view.shape.title or name for name, (_, view) in zip(names, branches, strict=True)]
    if len(set(labels)) < len(labels):
        labels = names
    holders: dict[str, list[int]] = {}
    for index, (_, view) in enumerate(branches):
        for name in view.members:
            holders.setdefault(name, []).append(index)
    members = {}
    for name, indexes in holders.items():
        found = [branches[index][1].members[name] for index in indexes]
        if len(indexes) < len(branches):
            branch = _labels([labels[index] for index in indexes])
        else:
            inner = {member.branch for member in found}
            branch = inner.pop() if len(inner) == 1 else ""
        members[name] = Member(mixed("any", [member.schema for member in found]), branch)
    return members


def schema_name(pointer: str) -> str:
    """`Money` for `#/components/schemas/Money` or `#/definitions/Money`, and for a file that is one schema."""
    file, names = split(pointer)
    if len(names) >= 2 and names[-2] in ("schemas", "definitions", "$defs"):
        return names[-1]
    if not names and file:
        return file.rpartition("/")[2].partition(".")[0]
    return ""


def _labels(labels: list[str]) -> str:
    shown = ", ".join(dict.fromkeys(labels[:3]))
    return f"{shown} and {len(labels) - 3} more" if len(labels) > 3 else shown
