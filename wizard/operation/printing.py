"""An operation printed as the mapping that declares it, in the short forms wherever they lose nothing."""

from __future__ import annotations

from typing import Any

from wizard.operation.field_path import FieldPath
from wizard.operation.model import Cursor, KeyPlace, Operation, Probe, Reference


def print_operation(operation: Operation) -> dict[str, Any]:
    """The mapping, of plain JSON values, in FORMAT's order; `parse_operation` reads it back as the same value."""
    printed: dict[str, Any] = {"method": operation.method, "url": operation.url}
    if operation.query:
        printed["query"] = list(operation.query)
    if operation.header:
        printed["header"] = list(operation.header)
    if operation.content != "application/json":
        printed["content"] = operation.content
    if operation.body:
        printed["body"] = [str(path) for path in operation.body]
    if operation.write is not None:
        printed["write"] = operation.write
    if operation.identity:
        printed["identity"] = [str(path) for path in operation.identity]
    if operation.scope is not None:
        printed["scope"] = operation.scope
    if operation.key is not None:
        printed["key"] = print_key(operation.key)
    if operation.reference is not None:
        printed["reference"] = print_reference(operation.reference)
    if operation.probe is not None:
        printed["probe"] = print_probe(operation.probe)
    if operation.failed is not None:
        printed["failed"] = operation.failed
    if operation.keep is not None:
        printed["keep"] = str(operation.keep)
    if operation.money is not None:
        printed["money"] = {"amount": operation.money.amount, "currency": operation.money.currency}
    if operation.status is not None:
        printed["status"] = operation.status
    printed.update(operation.extra)
    return printed


def print_key(key: KeyPlace) -> str | dict[str, Any]:
    rest: dict[str, Any] = {}
    if key.shape != "uuid":
        rest["shape"] = key.shape
    if key.quoted:
        rest["quoted"] = True
    if key.remembered_for is not None:
        rest["for"] = str(key.remembered_for)
    if key.remembers != "all":
        rest["remembers"] = key.remembers
    if rest or key.name != key.name.strip():
        return {"in": key.place, "name": key.name, **rest}
    return f"{key.place} {key.name}"


def print_reference(reference: Reference) -> str | dict[str, Any]:
    if reference.shape == "uuid":
        return f"field {reference.name}"
    return {"in": "field", "name": reference.name, "shape": reference.shape}


def print_probe(probe: Probe) -> dict[str, Any]:
    printed: dict[str, Any] = {"url": probe.url}
    if probe.items is not None:
        printed["items"] = probe.items
    if probe.match:
        same = all(FieldPath.parse(name).name == path for name, path in probe.match)
        printed["match"] = [path for _, path in probe.match] if same else dict(probe.match)
    if probe.since is not None:
        printed["since"] = probe.since
    if probe.absent is not None:
        printed["absent"] = probe.absent
    if isinstance(probe.pages, Cursor):
        printed["pages"] = {"at": probe.pages.at, "as": f"query:{probe.pages.parameter}"}
    elif probe.pages is not None:
        printed["pages"] = probe.pages
    if probe.after is not None:
        printed["after"] = str(probe.after)
    return printed
