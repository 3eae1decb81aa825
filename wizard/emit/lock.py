"""`skill-wizard.lock.json`: what the written skills were made from, so that drift is seen and work is resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from wizard.errors import SkillError

FILE = "skill-wizard.lock.json"
VERSION = 1
DECISIONS = ("written", "skipped", "no-write")


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedOperation:
    """What was decided about one operation, and from what."""

    operation: str
    """`POST /bookings`."""
    operation_id: str = ""
    decision: str = "written"
    """`written`; `skipped`; `no-write`: somebody said that it changes nothing."""
    reason: str = ""
    name: str = ""
    """Of its skill, where one was written."""
    file: str = ""
    """Relative to the lock's folder, with `/`."""
    source: str = ""
    """The digest of the operation in the document."""
    declaration: str = ""
    """The digest of the declaration that was written."""
    status: str = ""
    """`proposed` or `confirmed`; empty for what is no write."""
    key_source: str = ""
    """Where a key comes from that the document does not show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedFile:
    """The digests of a file as we wrote it."""

    path: str
    text: str
    prose: str = ""
    """Of what stands behind its frontmatter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedDocument:
    """One API document, and what was written from it."""

    source: str
    """Its path from the lock's folder, with `/`, or its URL."""
    title: str = ""
    openapi: str = ""
    version: str = ""
    """The document's own, `info.version`."""
    digest: str = ""
    layout: str = "folder"
    name: str = ""
    """Of its skill, or of the prefix of its skills."""
    operations: tuple[LockedOperation, ...] = ()
    files: tuple[LockedFile, ...] = ()

    def by_operation(self) -> dict[str, LockedOperation]:
        return {one.operation: one for one in self.operations}

    def by_path(self) -> dict[str, LockedFile]:
        return {one.path: one for one in self.files}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """All that is known of the skills in a folder."""

    documents: tuple[LockedDocument, ...] = field(default=())

    def document(self, source: str) -> LockedDocument | None:
        return next((one for one in self.documents if one.source == source), None)

    def with_document(self, document: LockedDocument) -> Lock:
        others = [one for one in self.documents if one.source != document.source]
        return replace(self, documents=tuple(sorted([*others, document], key=lambda one: one.source)))


def print_lock(lock: Lock) -> str:
    """The lock's text, the same for the same lock: operations by path and method, files by path."""
    documents = [_printed(one) for one in sorted(lock.documents, key=lambda one: one.source)]
    return json.dumps({"version": VERSION, "documents": documents}, ensure_ascii=False, indent=2) + "\n"


def _printed(document: LockedDocument) -> dict[str, Any]:
    printed = _without_empty(asdict(document))
    by_path = sorted(document.operations, key=lambda one: (one.operation.partition(" ")[2], one.operation))
    printed["operations"] = [_without_empty(asdict(one)) for one in by_path]
    printed["files"] = [_without_empty(asdict(one)) for one in sorted(document.files, key=lambda one: one.path)]
    return printed


def _without_empty(mapping: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if value != ""}


def read_lock(text: str, place: str) -> Lock:
    """Reads a lock. Raises SkillError where it is none, or of a later version."""
    remedy = "Take it out to begin anew; then no file in the folder counts as written by us"
    try:
        value = json.loads(text)
    except ValueError as error:
        raise SkillError(f"this is no lock: {error}", place=place, remedy=remedy) from error
    if not isinstance(value, dict) or not isinstance(value.get("documents"), list):
        raise SkillError("this is no lock: it has no list of `documents`", place=place, remedy=remedy)
    if value.get("version") != VERSION:
        raise SkillError(
            f"this lock has version {value.get('version')!r}, and we know {VERSION}", place=place,
            remedy="Use the release that wrote it, or a newer one",
        )  # fmt: skip
    try:
        documents = tuple(_document(one) for one in value["documents"])
    except (TypeError, KeyError, AttributeError) as error:
        raise SkillError("this is no lock: something in it has another form", place=place, remedy=remedy) from error
    return Lock(documents=documents)


def _document(value: Mapping[str, Any]) -> LockedDocument:
    operations = tuple(_made(LockedOperation, one) for one in value.get("operations", ()))
    files = tuple(_made(LockedFile, one) for one in value.get("files", ()))
    document: LockedDocument = _made(LockedDocument, value, skip=("operations", "files"))
    return replace(document, operations=operations, files=files)


def _made(kind: type[Any], value: Mapping[str, Any], skip: tuple[str, ...] = ()) -> Any:
    known = {one.name for one in fields(kind)} - set(skip)
    given = {name: one for name, one in value.items() if name in known}
    if not all(isinstance(one, str) for one in given.values()):
        raise TypeError("a member is no text")
    return kind(**given)
