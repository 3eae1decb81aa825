"""What an output format is: a module of `wizard.rehearse.formats` with `FORMAT`, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wizard.discover import Pieces
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


FORMATS = Pieces[Format](formats, "FORMAT", "format")
format_names = FORMATS.names
load_format = FORMATS.load
