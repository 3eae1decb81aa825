"""What an output format is: a module of `wizard.lint.formats` with `FORMAT`, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from wizard.discover import module_names
from wizard.layout import Look
from wizard.lint import formats
from wizard.lint.engine import Report

__all__ = ["Format", "Look", "format_names", "load_format"]


class Format(NamedTuple):
    """A format's name, one line on it, and the function that gives the whole text of a report."""

    name: str
    summary: str
    render: Callable[[Report, Look], str]


@cache
def format_names() -> tuple[str, ...]:
    """The names of all formats; imports none."""
    return module_names(formats)


def load_format(name: str) -> Format:
    """A format by its name, which is known."""
    found: Format = import_module(f"{formats.__name__}.{name}").FORMAT
    return found
