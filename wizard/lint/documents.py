"""Which API document a skill is checked against: the one given, the one configured, or one that lies near it."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from wizard.errors import DocumentError
    from wizard.spec.model import ApiDocument

LOCK = "skill-wizard.lock.json"
NAMES = tuple(f"{stem}.{ending}" for stem in ("openapi", "swagger") for ending in ("yaml", "yml", "json"))

_OTHER_FILE = re.compile(rb"\$ref[\"']?[ \t]*:[ \t]*[\"']?[^#\"'\s]")


class Chosen(NamedTuple):
    """A document's name (a path or a URL), and how it was chosen."""

    name: str
    how: Literal["given", "configured", "lock", "near"]


class Documents:
    """The documents of a run, each read once and only when somebody asks."""

    def __init__(self, given: str | None, top: str) -> None:
        self.given = Chosen(given, "given") if given else None
        self.top = os.path.abspath(top)
        self.near: dict[str, Chosen | None] = {}
        self.read: dict[str, ApiDocument | None] = {}
        self.broken: dict[str, DocumentError] = {}
        self.digests: dict[str, bytes | None] = {}

    def choose(self, path: str, configured: str | None) -> Chosen | None:
        """The document for a skill file; None where there is none to be seen."""
        if self.given is not None:
            return self.given
        if configured is not None:
            return Chosen(configured, "configured")
        return self.beside(os.path.dirname(os.path.abspath(path)))

    def beside(self, folder: str) -> Chosen | None:
        """The document that lies in a folder, or above it up to the top."""
        if folder not in self.near:
            found = _in(folder)
            above = os.path.dirname(folder)
            if found is None and folder not in (self.top, above) and folder.startswith(self.top):
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
                self.read[name] = read_document(name)
            except DocumentError as error:
                self.broken[name] = error
        return self.read[name]

    def digest(self, name: str) -> bytes | None:
        """Of the document's bytes; None where a result that depends on it must not be kept: it is not a file, or it
        is several."""
        if name not in self.digests:
            self.digests[name] = _digest(name)
        return self.digests[name]


def _digest(name: str) -> bytes | None:
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError:
        return None
    if _OTHER_FILE.search(data):
        return None
    return hashlib.blake2b(data, digest_size=16).digest()


def _in(folder: str) -> Chosen | None:
    lock = os.path.join(folder, LOCK)
    if os.path.isfile(lock):
        named = locked_document(lock)
        if named is not None:
            return Chosen(named, "lock")
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return Chosen(_shown(path), "near")
    return None


def locked_document(lock: str) -> str | None:
    """The document that a lock file names, where that file is there."""
    import json

    try:
        with open(lock, "rb") as file:
            data = json.loads(file.read())
        source = data["document"]["source"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(source, str):
        return None
    for base in (os.path.dirname(lock), os.getcwd()):
        path = os.path.join(base, source)
        if os.path.isfile(path):
            return _shown(os.path.normpath(path))
    return None


def _shown(path: str) -> str:
    """A path as a report shows it: relative where it lies under the working directory."""
    here = os.getcwd() + os.sep
    return path.removeprefix(here).replace(os.sep, "/")
