"""The API documents of a side of a review: which one belongs to a declaration, and what stands in it."""

from __future__ import annotations

import os
import posixpath
import tempfile
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wizard.errors import DocumentError
from wizard.lint.documents import LOCK, NAMES, OTHER_FILE, OVERLAY, OVERLAY_NAME, lock_document
from wizard.operation.model import Operation
from wizard.review.trees import FolderTree, GitTree, Tree, revision_and_folder
from wizard.source import Source

if TYPE_CHECKING:
    from wizard.spec.model import ApiDocument


class Loader:
    """The API documents of a side, each read once, and only when a declaration needs it."""

    def __init__(
        self, tree: Tree, given: tuple[str, ...], configured: Callable[[str], str | None], start: str = "."
    ) -> None:
        self.tree = tree
        self.start = start
        self.given = given
        self.configured = configured
        self.problems: list[str] = []
        self._read: dict[str, ApiDocument | None] = {}
        self._locks: dict[str, Any] = {}
        self._sources: dict[str, Source] = {}
        self._outside: set[str] = set()
        """Documents that were given, and so are no files of the tree."""

    @property
    def documents(self) -> tuple[ApiDocument, ...]:
        return tuple(found for found in self._read.values() if found is not None)

    def document_for(self, name: str, operation: Operation) -> ApiDocument | None:
        """The document that a declaration is held against; None where there is none to be seen."""
        from wizard.lint.matching import fits_document, operation_of

        if self.given:
            found = [one for path in self.given if (one := self.load(path, given=True)) is not None]
            having = [one for one in found if operation_of(one, operation) is not None]
            fitting = having or [one for one in found if fits_document(one, operation)]
            return fitting[0] if fitting else found[0] if len(found) == 1 else None
        chosen, near = self.chosen(name)
        document = self.load(chosen) if chosen is not None else None
        if document is not None and near and not fits_document(document, operation):
            return None
        return document

    def chosen(self, name: str) -> tuple[str | None, bool]:
        """The name of the document that belongs to a skill's file, and whether it was only found near it."""
        wanted = self.configured(self.tree.path(name))
        if wanted is not None:
            return (wanted if "://" in wanted else self.tree.shown(wanted)), False
        for folder in self.upwards(name):
            data = self.lock(folder)
            if data is not None:
                own = posixpath.relpath(name, folder or ".")
                source = lock_document(data, own)
                if source is not None:
                    path = posixpath.normpath(posixpath.join(folder, source))
                    if self.tree.read(path) is not None:
                        return path, False
                break
        for folder in self.upwards(name):
            there = self.tree.folder(folder)
            for one in NAMES:
                if one in there:
                    return posixpath.normpath(posixpath.join(folder, one)), True
        return None, False

    def upwards(self, name: str) -> list[str]:
        """The folders from a file's own up to the top."""
        folders: list[str] = []
        folder: str | None = posixpath.dirname(name) or "."
        while folder is not None:
            folders.append(folder)
            folder = self.tree.above(folder)
        return folders

    def lock(self, folder: str) -> Any:
        """The value of the lock file in a folder; None where there is none that can be read."""
        if folder not in self._locks:
            import json

            data = self.tree.read(posixpath.join(folder, LOCK)) if LOCK in self.tree.folder(folder) else None
            try:
                self._locks[folder] = None if data is None else json.loads(data)
            except ValueError:
                self._locks[folder] = None
        return self._locks[folder]

    def load(self, name: str, *, given: bool = False) -> ApiDocument | None:
        """A document; None where it cannot be read, and then `problems` says why."""
        if name not in self._read:
            self._read[name] = None
            if given:
                self._outside.add(name)
            try:
                self._read[name] = self._document(name, given)
            except DocumentError as error:
                if given:
                    raise
                self.problems.append(str(error))
        return self._read[name]

    def _document(self, name: str, given: bool) -> ApiDocument:
        from wizard.spec.reader import read_bytes, read_document

        if "://" in name:
            return read_document(name)
        if given:
            return self._given(name)
        data = self.tree.read(name)
        if data is None:
            raise DocumentError(
                "there is no such API document", place=f"{self.tree.label}:{name}", remedy="Check the configuration"
            )
        overlays = self.overlays(name)
        if isinstance(self.tree, FolderTree):
            path = self.tree.on_disk(name)
            return read_document(path, overlays=[self.tree.on_disk(one) for one in overlays])
        if OTHER_FILE.search(data):
            return self._of_several(name, overlays)
        return read_bytes(data, name, overlays={one: self.tree.read(one) or b"" for one in overlays})

    def _given(self, name: str) -> ApiDocument:
        """A document that was named: a file with the overlays beside it, or `REVISION:PATH`."""
        from wizard.lint.documents import Documents
        from wizard.spec.reader import read_bytes, read_document

        parts = None if os.path.exists(name) else revision_and_folder(name)
        if parts is None or not parts["folder"]:
            return read_document(name, overlays=Documents(None, ".").overlays(name))
        data = GitTree(parts["revision"], start=self.start, folder="").read(parts["folder"])
        if data is None:
            raise DocumentError("the revision has no such file", place=name, remedy="Check the path.")
        self._sources[name] = Source(name, decode_document(data))
        return read_bytes(data, name)

    def _of_several(self, name: str, overlays: Sequence[str]) -> ApiDocument:
        """A document of several files in a revision: the YAML and JSON files of its folder are laid out for reading."""
        from wizard.spec.reader import read_document

        assert isinstance(self.tree, GitTree)
        folder = posixpath.dirname(name)
        with tempfile.TemporaryDirectory(prefix="skill-wizard-") as place:
            for inner in self.tree.under(folder, (".yaml", ".yml", ".json")):
                path = os.path.join(place, *inner.split("/"))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(self.tree.read(posixpath.join(folder, inner)) or b"")
            here = os.path.join(place, posixpath.basename(name))
            document = read_document(here, overlays=[os.path.join(place, posixpath.basename(one)) for one in overlays])
            # Whatever an answer's body leads to is read while the files are there.
            for operation in document.operations:
                _ = operation.body
                for response in operation.responses:
                    _ = response.body
        self._laid_out[place] = folder
        return document

    @cached_property
    def _laid_out(self) -> dict[str, str]:
        return {}

    def overlays(self, name: str) -> tuple[str, ...]:
        """The OpenAPI Overlays that lie beside a document and so belong to it."""
        folder = posixpath.dirname(name) or "."
        beside = [one for one in self.tree.folder(folder) if OVERLAY_NAME.search(one)]
        paths = [posixpath.normpath(posixpath.join(folder, one)) for one in beside]
        return tuple(path for path in paths if OVERLAY.search((self.tree.read(path) or b"")[:4096]))

    def decided(self) -> dict[str, frozenset[str]]:
        """The operations of each document that a lock file says somebody decided about."""
        from wizard.lint.documents import decisions

        found: dict[str, frozenset[str]] = {}
        for folder, data in self._locks.items():
            for source, operations in decisions(data):
                path = posixpath.normpath(posixpath.join(folder, source))
                found[path] = found.get(path, frozenset()) | operations
        return found

    def name_of(self, place: str) -> str:
        """The name of a document's file as a report shows it."""
        for laid, folder in self._laid_out.items():
            if place.startswith(laid + os.sep):
                return posixpath.normpath(posixpath.join(folder, place[len(laid) + 1 :].replace(os.sep, "/")))
        if isinstance(self.tree, FolderTree) and place not in self._outside:
            return self.tree.shown(place)
        return place

    def source_of(self, place: str) -> Source:
        """The text of a document's file, under its name; empty where it cannot be read."""
        if place not in self._sources:
            name = self.name_of(place)
            on_disk = place in self._outside or isinstance(self.tree, FolderTree)
            data = _bytes(place) if on_disk else self.tree.read(name)
            self._sources[place] = Source(name, "" if data is None else decode_document(data))
        return self._sources[place]


def decode_document(data: bytes) -> str:
    """A document's text as its places count it: without a byte order mark."""
    from wizard.spec.text import decode

    try:
        return decode(data, "")[0]
    except DocumentError:
        return ""


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
