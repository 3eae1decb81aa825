"""Pieces found by their folder: a module of a package is a rule, a detector, a format, a command."""

from __future__ import annotations

import os
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Generic, TypeVar

Piece = TypeVar("Piece")


def module_names(package: ModuleType) -> tuple[str, ...]:
    """The names of the modules of a package, sorted, without those that begin with an underscore; imports none."""
    names: set[str] = set()
    for folder in package.__path__:
        names.update(_in_folder(folder) if os.path.isdir(folder) else _elsewhere(folder))
    return tuple(sorted(name for name in names if name[0] != "_"))


def _in_folder(folder: str) -> set[str]:
    # pkgutil does the same, and takes longer to import than all that it finds.
    names = set()
    for entry in os.listdir(folder):
        stem, ending = os.path.splitext(entry)
        if (ending == ".py" and stem.isidentifier()) or (
            not ending and entry.isidentifier() and os.path.isfile(os.path.join(folder, entry, "__init__.py"))
        ):
            names.add(stem)
    return names


def _elsewhere(place: str) -> set[str]:
    """In a zip file, where an importer of its own knows."""
    import pkgutil

    return {found.name for found in pkgutil.iter_modules([place])}


def modules(package: ModuleType) -> dict[str, ModuleType]:
    """The modules of a package by name, imported, in the order of their names."""
    return {name: import_module(f"{package.__name__}.{name}") for name in module_names(package)}


class Pieces(Generic[Piece]):
    """The pieces of a folder, each the value `member` of a module; one is imported when it is asked for. `what` is the
    word for one: `format`."""

    def __init__(self, package: ModuleType, member: str, what: str) -> None:
        self._package, self._member, self._what = package, member, what

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return module_names(self._package)

    def names(self) -> tuple[str, ...]:
        """The names of all; imports none."""
        return self._names

    def load(self, name: str) -> Piece:
        """A piece by its name. Raises UsageError where there is none of that name."""
        if name not in self._names:
            from difflib import get_close_matches

            from wizard.errors import UsageError

            near = get_close_matches(name, self._names, 1)
            remedy = f"Did you mean `{near[0]}`?" if near else f"There are {', '.join(self._names)}."
            raise UsageError(f"there is no {self._what} `{name}`", remedy=remedy)
        found: Piece = getattr(import_module(f"{self._package.__name__}.{name}"), self._member)
        return found
