"""Which API document a skill is checked against: the one given, the one configured, or one that lies near it."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wizard.lint.ignored import repository_root

if TYPE_CHECKING:
    from wizard.errors import DocumentError
    from wizard.spec.model import ApiDocument

LOCK = "skill-wizard.lock.json"
NAMES = tuple(f"{stem}.{ending}" for stem in ("openapi", "swagger") for ending in ("yaml", "yml", "json"))

OTHER_FILE = re.compile(rb"\$ref[\"']?[ \t]*:[ \t]*[\"']?[^#\"'\s]")
OVERLAY_NAME = re.compile(r"overlay.*\.(?:ya?ml|json)$", re.IGNORECASE)
OVERLAY = re.compile(rb"^[ \t{]*[\"']?overlay[\"']?[ \t]*:", re.MULTILINE)


class Chosen(NamedTuple):
    """A document's name (a path or a URL), and how it was chosen."""

    name: str
    how: Literal["given", "configured", "lock", "near"]


class Locked(NamedTuple):
    """What a lock file says of one skill file."""

    document: str | None
    """The document that it was made from, where that is there."""
    source: str
    """The digest of the document's operation then."""


class Documents:
    """The documents of a run, each read once and only when somebody asks."""

    def __init__(self, given: str | None, top: str) -> None:
        self.given = Chosen(given, "given") if given else None
        self.top = os.path.abspath(top)
        self.near: dict[str, Chosen | None] = {}
        self.locks: dict[str, Any] = {}
        self.tops: dict[str, str] = {}
        self.read: dict[str, ApiDocument | None] = {}
        self.broken: dict[str, DocumentError] = {}
        self.digests: dict[str, bytes | None] = {}
        self.beside_it: dict[str, tuple[str, ...]] = {}

    def choose(self, path: str, configured: str | None) -> Chosen | None:
        """The document for a skill file; None where there is none to be seen."""
        if self.given is not None:
            return self.given
        if configured is not None:
            return Chosen(configured, "configured")
        locked = self.locked(path)
        if locked is not None and locked.document is not None:
            return Chosen(locked.document, "lock")
        return self.beside(os.path.dirname(os.path.abspath(path)))

    def locked(self, path: str) -> Locked | None:
        """What the lock file in the file's folder or above it says of the file; None where there is none."""
        whole = os.path.abspath(path)
        folder = os.path.dirname(whole)
        while True:
            lock = os.path.join(folder, LOCK)
            if lock not in self.locks:
                self.locks[lock] = _read_lock(lock)
            if self.locks[lock] is not None:
                return _of_file(self.locks[lock], folder, os.path.relpath(whole, folder).replace(os.sep, "/"))
            above = os.path.dirname(folder)
            if folder in (self.highest(folder), above):
                return None
            folder = above

    def highest(self, folder: str) -> str:
        """The folder above which nothing is looked for: the run's top, or that of another repository."""
        if folder == self.top or folder.startswith(self.top.rstrip(os.sep) + os.sep):
            return self.top
        if folder not in self.tops:
            self.tops[folder] = repository_root(folder) or folder
        return self.tops[folder]

    def decided(self, name: str) -> frozenset[str]:
        """The operations of a document that a lock file says somebody decided about, as far as locks were read."""
        whole = os.path.abspath(name)
        found: set[str] = set()
        for lock, data in self.locks.items():
            for source, operations in decisions(data):
                if os.path.normpath(os.path.join(os.path.dirname(lock), source)) == whole:
                    found |= operations
        return frozenset(found)

    def beside(self, folder: str) -> Chosen | None:
        """The document that lies in a folder, or above it up to the top."""
        if folder not in self.near:
            found = _in(folder)
            above = os.path.dirname(folder)
            if found is None and folder not in (self.highest(folder), above):
                found = self.beside(above)
            self.near[folder] = found
        return self.near[folder]

    def load(self, name: str) -> ApiDocument | None:
        """The document; None where it cannot be read, and then `broken` says why."""
        if name not in self.read:
            from wizard.errors import DocumentError
            from wizard.spec.reader import read_document

            self.read[name] = None
            try:
                self.read[name] = read_document(name, overlays=self.overlays(name))
            except DocumentError as error:
                self.broken[name] = error
        return self.read[name]

    def overlays(self, name: str) -> tuple[str, ...]:
        """The OpenAPI Overlays that lie beside a document and so belong to it."""
        if "://" in name or name == "-":
            return ()
        if name not in self.beside_it:
            folder = os.path.dirname(name)
            try:
                names = sorted(os.listdir(folder or "."))
            except OSError:
                names = []
            paths = [os.path.join(folder, one) for one in names if OVERLAY_NAME.search(one)]
            self.beside_it[name] = tuple(path for path in paths if _is_overlay(path))
        return self.beside_it[name]

    def digest(self, name: str) -> bytes | None:
        """Of the document's bytes; None where a result that depends on it must not be kept: it is not a file, or it
        is several."""
        if name not in self.digests:
            found = [_digest(path) for path in (name, *self.overlays(name))]
            self.digests[name] = None if None in found else b"".join(one for one in found if one is not None)
        return self.digests[name]


def _digest(name: str) -> bytes | None:
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError:
        return None
    if OTHER_FILE.search(data):
        return None
    return hashlib.blake2b(data, digest_size=16).digest()


def _is_overlay(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return OVERLAY.search(file.read(4096)) is not None
    except OSError:
        return False


def _in(folder: str) -> Chosen | None:
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return Chosen(_shown(path), "near")
    return None


def _read_lock(path: str) -> Any:
    """A lock file's value; None where there is none that can be read. What is wrong with one is `emit`'s matter."""
    import json

    try:
        with open(path, "rb") as file:
            return json.loads(file.read())
    except (OSError, ValueError):
        return None


def _documents(data: Any) -> list[dict[str, Any]]:
    found = data.get("documents") if isinstance(data, dict) else None
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    found = document.get("operations")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _of_file(data: Any, folder: str, relative: str) -> Locked | None:
    documents = _documents(data)
    for document in documents:
        for one in _operations(document):
            if one.get("file") == relative:
                return Locked(_there(document, folder), str(one.get("source") or ""))
    return Locked(_there(documents[0], folder), "") if len(documents) == 1 else None


def lock_document(data: Any, relative: str) -> str | None:
    """The `source` of the document that a lock file's value names for a file beside it; None where it names none."""
    documents = _documents(data)
    having = [one for one in documents if any(each.get("file") == relative for each in _operations(one))]
    chosen = having or (documents if len(documents) == 1 else [])
    source = chosen[0].get("source") if chosen else None
    return source if isinstance(source, str) and "://" not in source else None


def decisions(data: Any) -> list[tuple[str, frozenset[str]]]:
    """Of each document of a lock file's value, its `source` and the operations that were skipped or called no write."""
    return [
        (
            str(document.get("source")),
            frozenset(
                str(one.get("operation"))
                for one in _operations(document)
                if one.get("decision") in ("skipped", "no-write")
            ),
        )
        for document in _documents(data)
    ]


def _there(document: dict[str, Any], folder: str) -> str | None:
    """The path of a lock's document, where that file is there."""
    source = document.get("source")
    if not isinstance(source, str) or "://" in source:
        return None
    path = os.path.normpath(os.path.join(folder, source))
    return _shown(path) if os.path.isfile(path) else None


def _shown(path: str) -> str:
    """A path as a report shows it: relative to the working directory where that is shorter."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive
        relative = path
    return min(relative, path, key=len).replace(os.sep, "/")
