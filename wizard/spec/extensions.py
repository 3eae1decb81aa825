"""`x-outturn-…` extensions of an operation, read as the declaration that they are (FORMAT 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wizard.operation.model import METHODS, Operation
from wizard.operation.parsing import nearest, parse_operation
from wizard.spec.model import ApiDocument, ApiOperation, DocumentProblem
from wizard.spec.pointer import join

PREFIX = "x-outturn-"
MEMBERS = ("identity", "key", "reference", "probe", "write", "scope", "keep", "failed", "status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What a document declares of one operation."""

    operation: Operation | None
    """None where the problems leave nothing to speak of."""
    members: Mapping[str, str]
    """The members that are declared (`identity`) and the pointers of their extensions."""
    problems: tuple[DocumentProblem, ...] = ()


def declared(operation: ApiOperation, document: ApiDocument) -> Declared | None:
    """The declaration that an operation's extensions make; None where it has none.

    Its `url` is the operation's path on its first server; a probe's `url` may be relative to that server. `query`,
    `header` and `body` are empty: which of the document's fields a model fills in is no matter of the extensions.
    """
    raw = document.resolve(operation.pointer)
    own: Mapping[str, Any] = raw if isinstance(raw, Mapping) else operation.extensions
    said = {name: value for name, value in own.items() if name.startswith(PREFIX)}
    problems: list[DocumentProblem] = []
    for name in operation.extensions:
        if name.startswith(PREFIX) and name not in own:
            problems.append(
                DocumentProblem(f"`{name}` stands on a path; it belongs to an operation", operation.pointer)
            )
    if not said and not problems:
        return None
    mapping: dict[str, Any] = {}
    for name, value in said.items():
        member = name.removeprefix(PREFIX)
        if member in MEMBERS:
            mapping[member] = value
            continue
        near = nearest(member, MEMBERS)
        hint = f"; did you mean `{PREFIX}{near}`?" if near else ""
        problems.append(DocumentProblem(f"there is no extension `{name}`{hint}", join(operation.pointer, name)))
    members = {member: join(operation.pointer, PREFIX + member) for member in mapping}
    if not mapping:
        return Declared(operation=None, members=members, problems=tuple(problems))
    if operation.method not in METHODS:
        problems.append(DocumentProblem(f"no declaration speaks of {operation.method}", operation.pointer))
        return Declared(operation=None, members=members, problems=tuple(problems))
    server = next(iter(operation.servers), "")
    probe = mapping.get("probe")
    if isinstance(probe, Mapping) and isinstance(probe.get("url"), str):
        mapping["probe"] = {**probe, "url": on_server(server, probe["url"])}
    content = next(iter((operation.body.media_type,) if operation.body else operation.media_types), None)
    whole = {"method": operation.method, "url": on_server(server, operation.path), "content": content, **mapping}
    found, wrong = parse_operation(whole)
    for problem in wrong:
        member = str(problem.path[0]) if problem.path else ""
        if member not in mapping:
            # A server that is missing or relative is the document's own matter.
            continue
        if member == "probe" and not server and "is not absolute" in problem.message:
            continue
        message = problem.message.replace(f"`{member}`", f"`{PREFIX}{member}`")
        problems.append(DocumentProblem(message, join(operation.pointer, PREFIX + member, *problem.path[1:])))
    return Declared(operation=found, members=members, problems=tuple(problems))


def on_server(server: str, path: str) -> str:
    """A path of the document on a server; an absolute URL stays what it is."""
    if path.lower().startswith(("http://", "https://")):
        return path
    return f"{server.rstrip('/')}/{path.lstrip('/')}"
