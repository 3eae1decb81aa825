"""What a reader passed over in a text."""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """A message, the names of the pointer that it belongs to, and the offset in the text where it arose."""

    message: str
    names: tuple[str, ...]
    offset: int
