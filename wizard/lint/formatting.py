"""What an output format is: a module of `wizard.lint.formats` with `FORMAT`, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wizard.discover import Pieces
from wizard.layout import Look
from wizard.lint import formats
from wizard.lint.engine import Report

__all__ = ["Format", "Look", "format_names", "load_format"]


class Format(NamedTuple):
    """A format's name, one line on it, and the function that gives the whole text of a report."""

    name: str
    summary: str
    render: Callable[[Report, Look], str]


FORMATS = Pieces[Format](formats, "FORMAT", "format")
format_names = FORMATS.names
load_format = FORMATS.load
