"""What a `.gitignore` leaves out, and what the configuration does.

The `.gitignore` files of the folders from the repository's top down to the file count, the innermost last, as git has
it; outside of a repository those from the first folder looked at.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pathspec import GitIgnoreSpec


def repository_root(start: str) -> str | None:
    """The folder at or above `start` that holds `.git`; None outside of a repository."""
    folder = os.path.abspath(start)
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


class Patterns:
    """Patterns as a `.gitignore` has them, relative to a folder."""

    def __init__(self, lines: Sequence[str], folder: str) -> None:
        from pathspec import GitIgnoreSpec

        self.spec: GitIgnoreSpec = GitIgnoreSpec.from_lines(lines)
        self.folder = folder

    def match(self, path: str, is_folder: bool) -> bool | None:
        """True: left out; False: taken in again by a `!` line; None: nothing is said."""
        relative = os.path.relpath(path, self.folder).replace(os.sep, "/")
        if relative.startswith("../") or relative == "..":
            return None
        return self.spec.check_file(relative + "/" if is_folder else relative).include


class Ignored:
    """Called with a path and whether it is a folder: whether it is left out.

    In a folder that somebody `named` although a `.gitignore` leaves it out, none does: it is the one that is meant.
    """

    def __init__(
        self,
        start: str,
        exclude: Sequence[str] = (),
        exclude_root: str = ".",
        *,
        git: bool = True,
        named: Sequence[str] = (),
    ) -> None:
        self.top = repository_root(start) or os.path.abspath(start)
        self.git = git
        self.excluded = Patterns(exclude, os.path.abspath(exclude_root)) if exclude else None
        self.chains: dict[str, tuple[Patterns, ...]] = {}
        self.folders: dict[str, tuple[Patterns, ...]] = {}
        """The same by the folder's name as it was given."""
        meant = [folder for folder in map(os.path.abspath, named) if git and self._left_out(folder, True)]
        self.meant = tuple(os.path.join(folder, "") for folder in meant)

    def __call__(self, path: Path | str, is_folder: bool) -> bool:
        if self.excluded is not None and self.excluded.match(os.path.abspath(path), is_folder):
            return True
        if not self.git or (self.meant and os.path.abspath(path).startswith(self.meant)):
            return False
        return self._left_out(path, is_folder)

    def _left_out(self, path: Path | str, is_folder: bool) -> bool:
        """Whether a `.gitignore` leaves a path out."""
        folder = os.path.dirname(path)
        chain = self.folders.get(folder)
        if chain is None:
            chain = self.folders[folder] = self.chain(os.path.dirname(os.path.abspath(path)))
        whole = os.path.abspath(path) if chain else ""
        for patterns in reversed(chain):
            said = patterns.match(whole, is_folder)
            if said is not None:
                return said
        return False

    def chain(self, folder: str) -> tuple[Patterns, ...]:
        """The patterns of the folders from the top down to this one."""
        known = self.chains.get(folder)
        if known is None:
            above = os.path.dirname(folder)
            inside = folder not in (self.top, above) and folder.startswith(self.top)
            known = (
                *(self.chain(above) if inside else self.outer()),
                *_own(os.path.join(folder, ".gitignore"), folder),
            )
            self.chains[folder] = known
        return known

    def outer(self) -> tuple[Patterns, ...]:
        return _own(os.path.join(self.top, ".git", "info", "exclude"), self.top)


def _own(file: str, folder: str) -> tuple[Patterns, ...]:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            lines = opened.read().splitlines()
    except OSError:
        return ()
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    return (Patterns(lines, folder),) if lines else ()
