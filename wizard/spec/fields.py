"""A schema flattened to fields: level by level, so that what is cut is what lies deepest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from wizard.spec.limits import MAX_ANSWER_DEPTH, MAX_ANSWER_FIELDS, MAX_FIELD_DEPTH, MAX_FIELDS
from wizard.spec.model import Field, Shape
from wizard.spec.schema import Schemas
from wizard.spec.views import Expression, View

_PLAIN = re.compile(r'[^.\[\]:?"]+')
_MOST_ARRAYS = 8
"""Arrays of arrays of arrays."""


@dataclass(frozen=True, slots=True)
class Flattened:
    """The fields of a body, in the document's order, each before its members."""

    shape: Shape
    fields: tuple[Field, ...] = ()
    element: tuple[Field, ...] = ()
    """Of one element, where the body is an array."""
    cut: bool = False
    schema_name: str = ""


def quoted(name: str) -> str:
    """A member's name as FORMAT 2 writes it in a path."""
    if _PLAIN.fullmatch(name) and name != "$body":
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(slots=True)
class _Open:
    """A field whose members are still to come."""

    prefix: str
    view: View
    depth: int
    always: bool
    branch: str
    above: tuple[int, ...]
    """What it lies in, by the identity of the members."""
    out: list[_Made] = field(default_factory=list)


@dataclass(slots=True)
class _Made:
    field: Field
    members: list[_Made]


def flatten(schemas: Schemas, schema: Expression, *, request: bool) -> Flattened:
    """The fields of a body that has this schema."""
    view = schemas.view(schema)
    inner, arrays, _ = _inside(schemas, view)
    if not arrays:
        fields, cut = _members(schemas, view, request)
        return Flattened(view.shape, fields, (), cut, view.name)
    element, cut = _members(schemas, inner, request)
    whole = Field(
        path="$body", name="$body", parent="", required=True, always=True, depth=0, composite=False,
        shape=view.shape, pointer=schema.pointer, schema_name=view.name,
    )  # fmt: skip
    return Flattened(view.shape, (whole,), element, cut, view.name)


def _inside(schemas: Schemas, view: View) -> tuple[View, int, str]:
    """What an array's elements are, through arrays of arrays: their view, how many `[]`, the schema's name."""
    arrays = 0
    while view.items is not None and not view.members and arrays < _MOST_ARRAYS:
        view = schemas.view(view.items)
        arrays += 1
    return view, arrays, view.name


def _members(schemas: Schemas, view: View, request: bool) -> tuple[tuple[Field, ...], bool]:
    most_fields, most_depth = (MAX_FIELDS, MAX_FIELD_DEPTH) if request else (MAX_ANSWER_FIELDS, MAX_ANSWER_DEPTH)
    top = _Open("", view, 0, True, "", (id(view.members),))
    level, count, cut = [top], 0, view.cut
    while level:
        deeper: list[_Open] = []
        for opened in level:
            required = opened.view.required
            for name, member in opened.view.members.items():
                if count >= most_fields:
                    return _in_order(top.out), True
                count += 1
                said = schemas.view(member.schema)
                inner, arrays, _ = _inside(schemas, said)
                shape = said.shape
                hidden = shape.read_only if request else shape.write_only
                demanded = name in required and not hidden
                ends = id(inner.members) in opened.above or opened.depth + 1 >= most_depth
                composite = bool(inner.members) and not ends
                cut = cut or inner.cut or (bool(inner.members) and ends)
                own = quoted(name)
                path = f"{opened.prefix}.{own}" if opened.prefix else own
                branch = member.branch or opened.branch
                made = Field(
                    path=path, name=name, parent=opened.prefix, required=demanded,
                    always=demanded and opened.always, depth=opened.depth, composite=composite, branch=branch,
                    shape=shape, pointer=member.schema.pointer, required_at=required[name] if demanded else "",
                    schema_name=said.name,
                )  # fmt: skip
                members: list[_Made] = []
                opened.out.append(_Made(made, members))
                if composite:
                    above = (*opened.above, id(inner.members))
                    prefix = path + "[]" * arrays
                    deeper.append(_Open(prefix, inner, opened.depth + 1, made.always, branch, above, members))
        level = deeper
    return _in_order(top.out), cut


def _in_order(made: list[_Made]) -> tuple[Field, ...]:
    fields: list[Field] = []
    waiting = [iter(made)]
    while waiting:
        following = next(waiting[-1], None)
        if following is None:
            waiting.pop()
        else:
            fields.append(following.field)
            waiting.append(iter(following.members))
    return tuple(fields)
