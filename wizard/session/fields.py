"""The fields of an operation as a table shows them: what each is, and why it is, or is not, part of the identity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import Operation
from wizard.session.advice import why_field
from wizard.session.state import Entry
from wizard.spec.model import Field, Parameter, Shape


class Part(StrEnum):
    """What a field is to the declaration."""

    IN = "identity"
    OPTIONAL = "identity, may be missing"
    WITHIN = "in an identity field"
    """An object around it is in the identity."""
    HOLDS = "holds an identity field"
    OUT = "not in the identity"
    PATH = "path"
    """Part of every key, whatever the identity."""
    HOST = "the host fills it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field."""

    path: str
    """As FORMAT 2 writes it, without `?`; of a path parameter its name."""
    part: Part
    kind: str = ""
    required: bool = False
    read_only: bool = False
    meaning: str = ""
    why: str = ""
    pointer: str = ""
    """Its place in the document; empty where the document does not show it."""
    depth: int = 0
    branch: str = ""

    @property
    def fixed(self) -> bool:
        """It cannot be put in or taken out by itself."""
        return self.part in (Part.PATH, Part.HOST)


def field_rows(entry: Entry) -> tuple[FieldRow, ...]:
    """Path parameters first, then the body's fields in the document's order, query, headers, and what only the
    declaration names. Empty where there is no declaration."""
    operation = entry.declaration
    if operation is None:
        return ()
    rows = list(_rows(entry, operation))
    known = {row.path for row in rows}
    for path in (*operation.identity, *operation.body):
        if path.name not in known:
            known.add(path.name)
            rows.append(
                FieldRow(
                    path=path.name,
                    part=part_of(operation, path.required()),
                    why="you added it; the document does not show it",
                )
            )
    return tuple(rows)


def _rows(entry: Entry, operation: Operation) -> Iterator[FieldRow]:
    api = entry.api
    for parameter in api.parameters_in("path"):
        yield FieldRow(
            path=parameter.name, part=Part.PATH, kind=kind_of(parameter.shape), required=True,
            meaning=_meaning(parameter), why="the filled path is part of every key", pointer=parameter.pointer,
        )  # fmt: skip
    seen: set[str] = set()
    for field in api.fields:
        if field.path not in seen:
            seen.add(field.path)
            yield _body_row(entry, operation, field)
    for place in ("query", "header"):
        for parameter in api.parameters:
            if parameter.location != place:
                continue
            path = FieldPath.parse(f'{place}:"{parameter.name}"' if '"' not in parameter.name else f"{place}:x")
            listed = operation.query if place == "query" else operation.header
            part = part_of(operation, path)
            if part is Part.OUT and not parameter.required and parameter.name not in listed:
                continue
            yield FieldRow(
                path=path.name, part=part, kind=kind_of(parameter.shape), required=parameter.required,
                meaning=_meaning(parameter), why=why_field(entry, path.name), pointer=parameter.pointer,
            )  # fmt: skip


def _body_row(entry: Entry, operation: Operation, field: Field) -> FieldRow:
    path = FieldPath.parse(field.path)
    part = part_of(operation, path)
    why = {
        Part.HOST: "the host fills it",
        Part.WITHIN: "all of what holds it is in the identity",
        Part.HOLDS: "a part of it is in the identity",
    }.get(part) or why_field(entry, field.path)
    return FieldRow(
        path=field.path, part=part, kind=kind_of(field.shape), required=field.always or field.required,
        read_only=field.shape.read_only, meaning=field.shape.description or field.shape.title, why=why,
        pointer=field.pointer, depth=field.depth, branch=field.branch,
    )  # fmt: skip


def part_of(operation: Operation, path: FieldPath) -> Part:
    """What a field is to a declaration."""
    for one in operation.identity:
        if one.required() == path:
            return Part.OPTIONAL if one.optional else Part.IN
    filled = [operation.key.path] if operation.key is not None else []
    if operation.reference is not None and operation.host_fills_reference:
        filled.append(operation.reference.path)
    if any(one == path for one in filled):
        return Part.HOST
    if any(one.required().covers(path) for one in operation.identity):
        return Part.WITHIN
    if any(path.covers(one.required()) for one in operation.identity):
        return Part.HOLDS
    return Part.OUT


_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "yes/no", "object": "object"}


def kind_of(shape: Shape) -> str:
    """`text`, `date`, `list of objects`; empty where the document does not say."""
    if shape.enum:
        return "choice"
    if shape.type == "array":
        inner = _KINDS.get(shape.item_type, "")
        return f"list of {inner}s" if inner and inner != "yes/no" else "list"
    if shape.type == "string" and shape.format in ("date", "date-time", "email", "uuid", "uri", "byte", "binary"):
        return {"date-time": "instant", "uri": "address", "byte": "bytes", "binary": "bytes"}.get(
            shape.format, shape.format
        )
    return _KINDS.get(shape.type, shape.type)


def _meaning(parameter: Parameter) -> str:
    return parameter.description or parameter.shape.description


def is_field_name(text: str) -> str:
    """What is wrong with a field name; empty for a good one."""
    try:
        FieldPath.parse(text.strip())
    except FieldPathError as error:
        return str(error)
    return ""
