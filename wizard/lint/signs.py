"""What a look at a file's bytes can say, before anything is parsed. A sign may be wrong where it says yes, never where
it says no."""

from __future__ import annotations

import re

_HEAD = 65_536
_END = re.compile(rb"(?:^|[\r\n])(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z)")


def frontmatter_of(data: bytes) -> bytes:
    """The bytes up to where a frontmatter could end, cut to what we read."""
    head = data[:_HEAD]
    start = head.find(b"---")
    if start < 0:
        return b""
    end = _END.search(head, start + 3)
    return head[: end.start()] if end else head


_KEY = re.compile(rb"operation[\"']?[ \t]*(?::|[\r\n])")
"""As a key; the colon stands in the next line where the key was given with a `?`."""


def may_declare(data: bytes) -> bool:
    """Whether a file may hold a declaration."""
    return b"operation" in data and _KEY.search(frontmatter_of(data)) is not None


_LINKS = re.compile(rb"(?:[(<]|\]:[ \t]*)\.?/?operations/")


def may_link(data: bytes) -> bool:
    """Whether a file may be the index of a skill folder."""
    return b"operations/" in data and _LINKS.search(data) is not None
