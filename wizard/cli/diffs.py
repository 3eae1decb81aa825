"""What changes in a file, as a unified diff that `patch` takes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff


def unified(path: str, old: str | None, new: str) -> Iterator[str]:
    """The lines of a diff, without their line ends; none where nothing changes. `old` is None for a new file."""
    if old == new:
        return
    path = path.lstrip("/")
    before = [] if old is None else old.splitlines(keepends=True)
    lines = unified_diff(
        before, new.splitlines(keepends=True), "/dev/null" if old is None else f"a/{path}", f"b/{path}"
    )
    for line in lines:
        yield line.rstrip("\r\n")
        if not line.endswith(("\n", "\r")):
            yield "\\ No newline at end of file"
