"""Pieces found by their folder: a module of a package is a rule, a detector, a format, a command."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType


def module_names(package: ModuleType) -> tuple[str, ...]:
    """The names of the modules of a package, sorted, without those that begin with an underscore; imports none."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.name[0] != "_"))


def modules(package: ModuleType) -> dict[str, ModuleType]:
    """The modules of a package by name, imported, in the order of their names."""
    return {name: import_module(f"{package.__name__}.{name}") for name in module_names(package)}
