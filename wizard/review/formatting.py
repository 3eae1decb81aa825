"""What an output format of a review is: a module of `wizard.review.formats` with `FORMAT`, found by its folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wizard.discover import Pieces
from wizard.layout import Look
from wizard.review import formats
from wizard.review.model import Review

__all__ = ["Format", "Look", "format_names", "load_format"]


class Format(NamedTuple):
    """A format's name, its media type, and the function that gives the whole text of a review."""

    name: str
    media: str
    render: Callable[[Review, Look], str]


FORMATS = Pieces[Format](formats, "FORMAT", "format")
format_names = FORMATS.names
load_format = FORMATS.load
