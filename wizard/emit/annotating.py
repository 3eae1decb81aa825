"""Declarations written as `x-outturn-*` extensions: into the document's own text, or as an OpenAPI Overlay."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Literal

from wizard.emit.model import Subject
from wizard.errors import DocumentError
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.spec.extensions import MEMBERS, PREFIX
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.pointer import split
from wizard.yamltext.editing import REMOVED, EditError, edit_text, newline_of
from wizard.yamltext.json_reading import read_json
from wizard.yamltext.nodes import Node, Tree, YamlError
from wizard.yamltext.printing import Style, member
from wizard.yamltext.reading import read_yaml

MARK = "x-skill-wizard"
"""The member by which an overlay says that we wrote it."""

_OPERATION_DEPTH = 3
"""`paths`, the path, the method, and what stands in the operation."""


def extensions_of(operation: Operation, api: ApiOperation) -> dict[str, Any]:
    """The extensions that declare an operation. A probe on the operation's own server is written without it."""
    printed = print_operation(operation)
    made = {PREFIX + name: printed[name] for name in MEMBERS if name in printed}
    probe = made.get(f"{PREFIX}probe")
    server = next(iter(api.servers), "").rstrip("/")
    if isinstance(probe, dict) and server and str(probe["url"]).startswith(f"{server}/"):
        made[f"{PREFIX}probe"] = {**probe, "url": str(probe["url"])[len(server) :]}
    return made


def _known(document: ApiDocument, api: ApiOperation) -> dict[str, Any]:
    """The extensions that an operation has now."""
    raw = document.resolve(api.pointer)
    if not isinstance(raw, Mapping):
        return {}
    names = {PREFIX + name for name in MEMBERS}
    return {name: value for name, value in raw.items() if name in names}


# Into the document


def files_to_edit(document: ApiDocument, subjects: Iterable[Subject]) -> dict[str, list[Subject]]:
    """The operations by the file in which they stand (empty for the document itself), changed ones only."""
    found: dict[str, list[Subject]] = {}
    for subject in subjects:
        if extensions_of(subject.operation, subject.api) != _known(document, subject.api):
            found.setdefault(split(subject.api.pointer)[0], []).append(subject)
    return found


def annotated_text(
    text: str, syntax: Literal["json", "yaml"], document: ApiDocument, subjects: Iterable[Subject], place: str
) -> str:  # fmt: skip
    """The text of one file with the extensions of the operations that stand in it; all else keeps its bytes.

    Raises DocumentError where the text cannot be edited without rewriting more of it.
    """
    changes: dict[tuple[str | int, ...], Any] = {}
    deepest = _OPERATION_DEPTH
    for subject in subjects:
        names = split(subject.api.pointer)[1]
        deepest = max(deepest, len(names))
        new, old = extensions_of(subject.operation, subject.api), _known(document, subject.api)
        for name in {**old, **new}:
            if name not in new:
                changes[(*names, name)] = REMOVED
            elif old.get(name) != new[name]:
                changes[(*names, name)] = new[name]
    if not changes:
        return text
    read: Callable[[str], Tree] = (
        partial(read_json, depth=deepest, whole=_is_ours)
        if syntax == "json"
        else partial(read_yaml, reader="libyaml", depth=deepest, whole=_is_ours)
    )
    try:
        return edit_text(text, read, changes, _style(text, syntax))
    except YamlError as error:
        raise DocumentError(
            f"this file cannot be edited: {error.message}", place=place, remedy="Write an overlay instead: `--overlay`"
        ) from error
    except EditError as error:
        raise DocumentError(
            "an operation of this file stands in a form that cannot be edited in its place (an alias, a merge)",
            place=place, remedy="Write an overlay instead: `--overlay`",
        ) from error  # fmt: skip


def _is_ours(name: str) -> bool:
    return name.startswith(PREFIX)


_JSON_INDENT = re.compile(r"\{[ \t]*(?:\r\n|\n|\r)([ \t]+)\"")
_YAML_INDENT = re.compile(r"^['\"]?(?:paths|info)['\"]?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r)( +)[^\s#]", re.MULTILINE)


def _style(text: str, syntax: str) -> Style:
    newline = newline_of(text)
    if syntax == "json":
        found = _JSON_INDENT.search(text[:10_000])
        return Style(newline=newline, json=True, indent=found[1] if found else "")
    found = _YAML_INDENT.search(text)
    return Style(newline=newline, step=len(found[1]) if found else 2)


# As an overlay


def overlay(
    document: ApiDocument, subjects: Iterable[Subject], *, extends: str = ""
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """An OpenAPI Overlay 1.0 that gives each operation its extensions, and what could not be said in one.

    An operation that has its extensions already gets no action. `extends` is the document's address from the overlay.
    """
    actions: list[dict[str, Any]] = []
    left_out: list[tuple[str, str]] = []
    for subject in subjects:
        new, old = extensions_of(subject.operation, subject.api), _known(document, subject.api)
        if new == old:
            continue
        names = _written_names(document, subject.api)
        if names is None:
            left_out.append((subject.api.name, "its path stands in another place that the path refers to"))
            continue
        target = json_path(names)
        # An update adds to lists and mappings: what is there goes first.
        actions += [
            {"target": json_path((*names, name)), "remove": True}
            for name, value in old.items()
            if new.get(name) != value
        ]
        update = {name: value for name, value in new.items() if old.get(name) != value}
        if update:
            actions.append({"target": target, "update": update})
    title = document.title or "an API"
    made: dict[str, Any] = {
        "overlay": "1.0.0",
        "info": {"title": f"Declarations of writes for {title}", "version": document.version or "1"},
    }
    if extends:
        made["extends"] = extends
    made[MARK] = "annotate"
    made["actions"] = actions
    return made, left_out


def _written_names(document: ApiDocument, api: ApiOperation) -> tuple[str, ...] | None:
    file, names = split(api.pointer)
    if file or len(names) != 3 or names[0] != "paths":
        return None
    return names


def json_path(names: Iterable[str]) -> str:
    """A normalized path of RFC 9535, with dots where a name allows: `$.paths['/bookings'].post`."""
    path = "$"
    for name in names:
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            path += f".{name}"
        else:
            quoted = json.dumps(name, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
            path += f"['{quoted}']"
    return path


def print_overlay(made: Mapping[str, Any], *, as_json: bool) -> str:
    """An overlay's text, in YAML or JSON."""
    if as_json:
        return json.dumps(made, ensure_ascii=False, indent=2) + "\n"
    lines = [member(name, value, 0, Style()) for name, value in made.items()]
    return "\n".join(lines) + "\n"


def is_ours(text: str) -> bool:
    """Whether a text is an overlay that we wrote."""
    try:
        root: Node | None = read_yaml(text, depth=0).root
    except YamlError:
        return False
    return root is not None and root.kind == "mapping" and root.item(MARK) is not None
