"""What an output format is: a module of `wizard.rehearse.formats` with `FORMAT`, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NamedTuple

from wizard.discover import module_names
from wizard.errors import UsageError
from wizard.layout import Look
from wizard.rehearse import formats
from wizard.rehearse.model import Rehearsal

__all__ = ["Asked", "Format", "Look", "format_names", "load_format"]


class Asked(NamedTuple):
    """How a report is wanted."""

    look: Look = Look()
    verbose: bool = False
    """Every story, not only those that failed or were weak."""
    drawn: bool = False
    """A page is written, too, so nobody needs to be told that there could be one."""


class Format(NamedTuple):
    """A format's name, one line on it, and the function that gives the whole text of a rehearsal."""

    name: str
    summary: str
    render: Callable[[Rehearsal, Asked], str]


@cache
def format_names() -> tuple[str, ...]:
    """The names of all formats; imports none."""
    return module_names(formats)


def load_format(name: str) -> Format:
    """A format by its name. Raises UsageError where there is none of that name."""
    if name not in format_names():
        raise UsageError(f"there is no format `{name}`", remedy=f"There are: {', '.join(format_names())}.")
    found: Format = import_module(f"{formats.__name__}.{name}").FORMAT
    return found
