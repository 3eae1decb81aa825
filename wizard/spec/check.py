"""One pass over a whole document for what leads nowhere: `$ref`s, and `required` names that are no property."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wizard.spec.files import DocumentFile, DocumentFiles, Node
from wizard.spec.pointer import join

_DATA = frozenset({"example", "examples", "default", "enum", "const", "value", "dataValue", "mapping"})
"""Members that hold values of the API, in which a `$ref` is no reference."""
_NAMED = frozenset({"properties", "patternProperties", "schemas", "definitions", "parameters", "responses", "examples"})
"""Members whose own members have names of the author's, so that `example` among them is no keyword."""
_MERGED = ("allOf", "oneOf", "anyOf", "$ref", "if", "additionalProperties", "patternProperties", "discriminator")
"""Beside these a required name may be a property elsewhere."""

_Path = tuple["_Path", str | int] | None


def check(files: DocumentFiles) -> None:
    """Notes what leads nowhere, in the root and in every file that it leads to."""
    seen: set[str] = set()
    while waiting := [file for file in files.files if file.name not in seen]:
        for file in waiting:
            seen.add(file.name)
            _check_file(files, file)


def _check_file(files: DocumentFiles, file: DocumentFile) -> None:
    # An explicit stack: it is the one walk over every value, and a call for each would double its time.
    visited: set[int] = set()
    stack: list[tuple[Any, _Path, bool]] = [(file.root, None, False)]
    while stack:
        value, path, named = stack.pop()
        if id(value) in visited:
            continue
        visited.add(id(value))
        if value.__class__ is list:
            for index, part in reversed(tuple(enumerate(value))):
                if part.__class__ is dict or part.__class__ is list:
                    stack.append((part, (path, index), False))
            continue
        ref = value.get("$ref")
        if ref.__class__ is str and not named and not files.leads_somewhere(file, ref):
            files.target(Node(file, _pointer(file, path), value), ref)
        if "required" in value and "properties" in value and not named:
            _check_required(files, file, value, path)
        for name, part in reversed(value.items()):
            if part.__class__ is dict or part.__class__ is list:
                if not named and (name in _DATA or name[:2] == "x-") and not _of_media(name, part):
                    continue
                stack.append((part, (path, name), not named and name in _NAMED and part.__class__ is dict))


def _of_media(name: str, part: Any) -> bool:
    """Whether they are the named examples of a media type or parameter, which may be `$ref`s."""
    return (
        name == "examples"
        and part.__class__ is dict
        and all(one.__class__ is dict and ("$ref" in one or "value" in one) for one in part.values())
    )


def _check_required(files: DocumentFiles, file: DocumentFile, value: dict[str, Any], path: _Path) -> None:
    required, properties = value["required"], value["properties"]
    if required.__class__ is not list or properties.__class__ is not dict:
        return
    missing = [name for name in required if isinstance(name, str) and name not in properties]
    # Inside an allOf the property may be a sibling's.
    if missing and not any(word in value for word in _MERGED) and not (path and path[0] and path[0][1] in _MERGED):
        for name in missing:
            message = f"`required` names `{name}`, which is no property here"
            files.say(message, join(_pointer(file, path), "required"))


def _pointer(file: DocumentFile, path: _Path) -> str:
    return join(f"{file.name}#", *reversed(tuple(_steps(path))))


def _steps(path: _Path) -> Iterator[str | int]:
    while path is not None:
        path, step = path
        yield step
