"""The bytes of a document: from a path, a URL (only when one was given), or standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from wizard.errors import DocumentError, LimitError
from wizard.spec.limits import MAX_BYTES


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of a document, its name, and its real path or URL (None for standard input)."""

    name: str
    location: Path | str | None
    data: bytes


def is_url(source: str | Path) -> bool:
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


def fetch(source: str | Path) -> Fetched:
    """The document that a person named. Raises DocumentError and LimitError."""
    name = str(source)
    if name == "-":
        return Fetched("-", None, _limited(sys.stdin.buffer.read(MAX_BYTES + 1), "-", MAX_BYTES))
    if is_url(source):
        raise DocumentError("URLs cannot be read yet", place=name)
    path = Path(source)
    try:
        return Fetched(name, path.resolve(), load(path, MAX_BYTES))
    except OSError as error:
        raise DocumentError(f"it cannot be read: {error.strerror or error}", place=name) from None


def load(location: Path | str, most: int) -> bytes:
    """The bytes of a file, at most `most` of them. Raises LimitError, OSError."""
    with open(location, "rb") as file:
        return _limited(file.read(most + 1), str(location), most)


def _limited(data: bytes, name: str, most: int) -> bytes:
    if len(data) > most:
        raise LimitError(f"it is larger than {MAX_BYTES // 1_000_000} MB", place=name)
    return data
