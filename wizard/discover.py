"""Pieces found by their folder: a module of a package is a rule, a detector, a format, a command."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType


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
