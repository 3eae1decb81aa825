"""The files of one side of a review: in a folder, or in a git revision, which is read and never checked out.

Names are relative to the reviewed folder, with `/`; what lies above it begins with `../`.
"""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Protocol

from wizard.errors import SkillError, UsageError
from wizard.lint.ignored import Ignored, repository_root
from wizard.skill.files import MAX_BYTES, PASSED_OVER, declares_operation, find_skills
from wizard.skill.form import form_of

_HEAD = 65_536
_REGULAR = {"100644", "100755"}
_REVISION_AND_FOLDER = re.compile(r"(?P<revision>[^:]+):(?P<folder>.*)", re.DOTALL)


class Tree(Protocol):
    """The files of one side."""

    label: str
    """What was named, as a person would say it."""
    working: bool
    """It lies on the disk as it is."""

    @property
    def within(self) -> str:
        """The reviewed folder below the repository's top, with `/`; empty where it is the top, or outside of one."""
        ...

    def skills(self) -> tuple[str, ...]:
        """The names of the skill files, each once, in a fixed order."""
        ...

    def read(self, name: str) -> bytes | None:
        """The bytes of a file; None where there is none."""
        ...

    def folder(self, name: str) -> tuple[str, ...]:
        """The names, without their folder, of the files in a folder; none where there is no such folder."""
        ...

    def above(self, name: str) -> str | None:
        """The folder above a folder; None at the top, above which nothing is looked for."""
        ...

    def path(self, name: str) -> str:
        """The absolute path that a file has on the disk, or would have where it is a revision's."""
        ...

    def shown(self, path: str) -> str:
        """The name of a path on the disk."""
        ...


class FolderTree:
    """A folder, or one file, on the disk."""

    working = True

    def __init__(self, path: str, label: str = "", ignored: Callable[[Path, bool], bool] | None = None) -> None:
        whole = os.path.abspath(path)
        self.label = label or path
        self.only = os.path.basename(whole) if os.path.isfile(whole) else None
        self.root = os.path.dirname(whole) if self.only else whole
        self.top = repository_root(self.root) or self.root
        self.ignored = ignored

    @property
    def within(self) -> str:
        path = os.path.relpath(self.root, self.top).replace(os.sep, "/")
        return "" if path == "." else path

    def skills(self) -> tuple[str, ...]:
        if self.only is not None:
            return (self.only,)
        ignored = self.ignored or Ignored(self.root)
        found = find_skills([Path(self.root)], ignored=ignored)
        return tuple(os.path.relpath(path, self.root).replace(os.sep, "/") for path in found)

    def read(self, name: str) -> bytes | None:
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def folder(self, name: str) -> tuple[str, ...]:
        try:
            return tuple(sorted(entry.name for entry in os.scandir(self.path(name)) if entry.is_file()))
        except OSError:
            return ()

    def above(self, name: str) -> str | None:
        whole = self.path(name)
        if whole in (self.top, os.path.dirname(whole)):
            return None
        return os.path.relpath(os.path.dirname(whole), self.root).replace(os.sep, "/")

    def on_disk(self, name: str) -> str:
        """The path of a file, relative where it lies under the working directory."""
        here = os.getcwd() + os.sep
        return self.path(name).removeprefix(here)

    def shown(self, path: str) -> str:
        return os.path.relpath(os.path.abspath(path), self.root).replace(os.sep, "/")

    def path(self, name: str) -> str:
        return os.path.normpath(os.path.join(self.root, name))


class GitTree:
    """A folder as a git revision has it."""

    working = False

    def __init__(self, revision: str, *, start: str = ".", folder: str | None = None, label: str = "") -> None:
        """`start` is a folder of the repository; `folder` is the reviewed one, relative to the repository's top, and
        without it what `start` is there. Raises UsageError where git, the repository or the revision is not there."""
        self.label = label or revision
        if revision.startswith("-"):
            raise UsageError(f"`{revision}` is no revision")
        self.repository = git("rev-parse", "--show-toplevel", start=start, outside=revision).rstrip("\n")
        self.commit = git(
            "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", start=start, unknown=revision
        ).strip()
        if folder is None:
            within = os.path.relpath(os.path.realpath(start), os.path.realpath(self.repository))
            folder = "" if within == "." else within.replace(os.sep, "/")
        self.prefix = posixpath.normpath(folder) if folder.strip("/") else ""
        self._bytes: dict[str, bytes] = {}

    @cached_property
    def blobs(self) -> dict[str, str]:
        """The paths of the repository's files, and their objects."""
        found = {}
        listed = git("ls-tree", "-r", "-z", "--full-tree", self.commit, start=self.repository)
        for line in listed.split("\0"):
            head, tab, path = line.partition("\t")
            words = head.split(" ")
            if tab and words[0] in _REGULAR:
                found[path] = words[-1]
        return found

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.blobs:
            folder, _, name = path.rpartition("/")
            found.setdefault(folder, []).append(name)
        return found

    def skills(self) -> tuple[str, ...]:
        if self.prefix in self.blobs:
            return (posixpath.basename(self.prefix),)
        start = f"{self.prefix}/" if self.prefix else ""
        names = [
            path.removeprefix(start)
            for path in sorted(self.blobs)
            if path.startswith(start) and path.lower().endswith(".md")
            and not PASSED_OVER & set(path.removeprefix(start).split("/")[:-1])
        ]  # fmt: skip
        self.fetch(names)
        return tuple(
            name for name in names if form_of(name) == "skill" or declares_operation((self.read(name) or b"")[:_HEAD])
        )

    def fetch(self, names: Iterable[str]) -> None:
        """Reads many files at once."""
        paths = [path for name in names if (path := self._path(name)) in self.blobs and path not in self._bytes]
        if not paths:
            return
        asked = "".join(f"{self.blobs[path]}\n" for path in paths).encode()
        done = subprocess.run(
            ["git", "-C", self.repository, "cat-file", "--batch"], input=asked, capture_output=True, check=False
        )
        data, at = done.stdout, 0
        for path in paths:
            end = data.find(b"\n", at)
            words = data[at:end].split()
            if end < 0 or len(words) != 3 or not words[2].isdigit():
                raise SkillError(
                    "git does not have this file's content", place=f"{self.label}:{path}",
                    remedy="In a partial clone, fetch it first",
                )  # fmt: skip
            size = int(words[2])
            self._bytes[path] = data[end + 1 : end + 1 + size]
            at = end + 1 + size + 1

    def read(self, name: str) -> bytes | None:
        path = self._path(name)
        if path not in self.blobs:
            return None
        if path not in self._bytes:
            self.fetch([name])
        return self._bytes[path]

    def folder(self, name: str) -> tuple[str, ...]:
        return tuple(sorted(self.folders.get(self._path(name), ())))

    def above(self, name: str) -> str | None:
        path = self._path(name)
        return None if path == "" else posixpath.relpath(posixpath.dirname(path) or ".", self._base or ".")

    def path(self, name: str) -> str:
        return os.path.join(self.repository, *self._path(name).split("/"))

    def shown(self, path: str) -> str:
        within = os.path.relpath(os.path.realpath(path), os.path.realpath(self.repository)).replace(os.sep, "/")
        return posixpath.relpath(within, self._base or ".")

    def under(self, name: str, endings: tuple[str, ...]) -> tuple[str, ...]:
        """The files in and under a folder whose names end so, relative to it; read at once."""
        folder = self._path(name or ".")
        start = f"{folder}/" if folder else ""
        found = tuple(
            path.removeprefix(start)
            for path in sorted(self.blobs)
            if path.startswith(start) and path.lower().endswith(endings)
        )
        self.fetch(posixpath.join(name, one) for one in found)
        return found

    @property
    def within(self) -> str:
        return self._base

    @property
    def _base(self) -> str:
        """The reviewed folder; of one file, the folder that holds it."""
        return posixpath.dirname(self.prefix) if self.prefix in self.blobs else self.prefix

    def _path(self, name: str) -> str:
        """A name within the repository; one that leads out of it names nothing there."""
        path = posixpath.normpath(posixpath.join(self._base, name))
        return "" if path == "." else path


def git(*words: str, start: str = ".", unknown: str = "", outside: str = "") -> str:
    """What git says. Raises UsageError; `unknown` is a revision, where that is what may be missing, `outside` one for
    which there may be no repository."""
    try:
        done = subprocess.run(["git", "-C", start, *words], capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("a revision is read by git, and git is not installed") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        if unknown:
            raise UsageError(
                f"there is no file or folder `{unknown}`, and git knows no revision of that name",
                remedy="In CI, fetch it first (`fetch-depth: 0` for actions/checkout)",
            )
        why = said[-1].removeprefix("fatal: ") if said else "git failed"
        what = f"there is no file or folder `{outside}`, and no revision: {why}" if outside else f"git says: {why}"
        raise UsageError(what, remedy="Name two folders, or call it inside the repository")
    return done.stdout.decode("utf-8", "surrogateescape")


def revision_and_folder(text: str) -> re.Match[str] | None:
    """`REVISION:FOLDER` in its parts `revision` and `folder`; None for another text."""
    return _REVISION_AND_FOLDER.fullmatch(text)


def too_large(data: bytes) -> bool:
    """Whether a file is larger than a skill may be."""
    return len(data) > MAX_BYTES
