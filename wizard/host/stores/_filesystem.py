"""Whether a path lies on a file system that several machines share."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path, PurePath

_ESCAPED = re.compile(r"\\(\d{3})")


@cache
def network_kinds() -> frozenset[str]:
    """The names of network file systems."""
    with Path(__file__).with_name("filesystems.toml").open("rb") as file:
        return frozenset(tomllib.load(file)["network"])


def network_filesystem(path: Path) -> str:
    """The name of the network file system that the path lies on; empty where it lies on none, or nobody can say."""
    resolved = path.resolve()
    if sys.platform == "win32":
        return _windows(resolved)
    kind = kind_at(resolved, mounts())
    return kind if kind in network_kinds() else ""


def kind_at(path: PurePath, mounted: Iterable[tuple[str, str]]) -> str:
    """The kind of the file system that holds the path, out of mount points and kinds; the last one mounted counts."""
    best, kind = -1, ""
    for point, name in mounted:
        if path.is_relative_to(point) and len(PurePath(point).parts) >= best:
            best, kind = len(PurePath(point).parts), name
    return kind


def mounts() -> list[tuple[str, str]]:
    """The mount points and the kinds of what is mounted there, in the order of mounting; empty where unknown."""
    try:
        if sys.platform == "darwin":
            listed = subprocess.run(["/sbin/mount"], capture_output=True, text=True, check=True, timeout=10).stdout
            return [(found[1], found[2]) for found in re.finditer(r" on (.*) \((\w+)", listed)]
        return list(read_mountinfo(Path("/proc/self/mountinfo").read_text(errors="surrogateescape")))
    except (OSError, subprocess.SubprocessError):
        return []


def read_mountinfo(text: str) -> Iterator[tuple[str, str]]:
    """Mount points and kinds out of Linux's mountinfo."""
    for line in text.splitlines():
        before, _, behind = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) > 4 and behind:
            yield _ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[4]), behind.split(" ")[0]


def _windows(path: PurePath) -> str:
    import ctypes

    remote = 4
    anchor = path.anchor
    if anchor.startswith("\\\\") and not anchor.startswith(("\\\\?\\", "\\\\.\\")):
        return "smb"
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 -- the name exists on Windows only
    return "smb" if kernel.GetDriveTypeW(anchor) == remote else ""
