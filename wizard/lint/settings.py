"""What a configuration says, as values. Reading one from a file is `config`'s part.

Named tuples, so that a run which needs no rule loads nothing heavier.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Profile = Literal["lenient", "strict"]

SEVERITIES = ("error", "warning", "info")
CONFIDENCES = ("high", "medium", "low")
PROFILES = ("lenient", "strict")


class Named(NamedTuple):
    """A rule's name in a configuration file, and where it stands."""

    name: str
    line: int
    column: int


class PerPath(NamedTuple):
    """What holds for the files that match one of the patterns (as in a `.gitignore`)."""

    paths: tuple[str, ...]
    ignore: tuple[str, ...] = ()
    rules: tuple[tuple[str, str], ...] = ()
    profile: Profile | None = None
    document: str | None = None
    reason: str = ""


class Settings(NamedTuple):
    """All that a configuration may say. Paths are relative to `root`."""

    root: str = "."
    """The folder of the configuration file."""
    file: str = ""
    """The configuration file; empty where there is none."""
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    document: str | None = None
    profile: Profile = "lenient"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: str = "info"
    """The least severity that is reported."""
    confidence: str = "low"
    rules: tuple[tuple[str, str], ...] = ()
    """Rule to its severity; `off` switches it off, any other switches it on. A family stands for its rules that are
    on, and the rule's own name goes before it."""
    baseline: str | None = None
    cache: bool = True
    cache_folder: str | None = None
    per_path: tuple[PerPath, ...] = ()
    named: tuple[Named, ...] = ()
    """Every rule that the file names."""
