"""Digests of what a declaration was made from: a document, an operation with all that it refers to, a declaration."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.spec.model import ApiDocument, ApiOperation

MAX_REFERENCES = 20_000


def of_text(text: str) -> str:
    """The SHA-256 of a text's bytes, as `sha256:…`."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def of_value(value: Any) -> str:
    """The digest of a plain value; the order of members does not matter."""
    return of_text(json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str))


def of_document(document: ApiDocument) -> str:
    return of_value(document.root)


def of_declaration(operation: Operation) -> str:
    """The digest of a declaration; whether it is confirmed makes no difference to it."""
    printed = print_operation(operation)
    printed.pop("status", None)
    return of_value(printed)


def of_operation(operation: ApiOperation, document: ApiDocument) -> str:
    """The digest of an operation as the document has it, with every part that it refers to, however far."""
    own = document.resolve(operation.pointer)
    around = document.resolve(operation.pointer.rpartition("/")[0])
    shared = {name: around[name] for name in ("parameters", "servers") if name in around} if _is_map(around) else {}
    # Servers of the whole document are part of where the operation is.
    parts: dict[str, Any] = {"": {"operation": own, "path": shared, "servers": list(operation.servers)}}
    waiting = [operation.pointer.partition("#")[0]]
    pending: list[tuple[str, Any]] = [(waiting[0], parts[""])]
    while pending and len(parts) < MAX_REFERENCES:
        file, value = pending.pop()
        for reference in _references(value):
            pointer = _absolute(file, reference)
            if pointer not in parts:
                parts[pointer] = document.resolve(pointer)
                pending.append((pointer.partition("#")[0], parts[pointer]))
    return of_value({"method": operation.method, "path": operation.path, "parts": parts})


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping)


def _references(value: Any) -> Iterator[str]:
    waiting = [value]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        if isinstance(one, Mapping):
            seen.add(id(one))
            reference = one.get("$ref")
            if isinstance(reference, str):
                yield reference
            waiting.extend(reversed(list(one.values())))
        elif isinstance(one, list):
            seen.add(id(one))
            waiting.extend(reversed(one))


def _absolute(file: str, reference: str) -> str:
    """A reference that stands in `file`, as a pointer from the document's folder."""
    path, _, fragment = reference.partition("#")
    if path and "://" not in path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
    return f"{path or file}#{fragment}"
