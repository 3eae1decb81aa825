"""Colour and progress: to a terminal only, and only where nobody said otherwise."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO, TypeVar

T = TypeVar("T")

STYLES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36",
}  # fmt: skip
_REDRAW = 0.1
_PATIENCE = 0.5
"""Seconds before a progress line appears: short work stays silent."""


def color_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--color`."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="when to colour (default: auto, to a terminal; NO_COLOR and FORCE_COLOR count)",
    )


def wants_color(choice: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """`--color` wins over NO_COLOR (when not empty), which wins over FORCE_COLOR, which wins over the terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


class Palette:
    """Colours words, or leaves them as they are."""

    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    @classmethod
    def of(cls, args: argparse.Namespace, stream: TextIO | None = None) -> Palette:
        """The palette for a stream (default: standard output), by the command's `--color` and the environment."""
        return cls(wants_color(getattr(args, "color", "auto"), stream or sys.stdout, os.environ))

    def __call__(self, text: str, *styles: str) -> str:
        """`palette("3 errors", "bold", "red")`."""
        if not self.enabled or not text or not styles:
            return text
        return f"\x1b[{';'.join(STYLES[style] for style in styles)}m{text}\x1b[0m"


def progress(items: Iterable[T], label: str, total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yields the items; on a terminal shows on stderr how many of `total` are done once the work takes a while."""
    out = stream or sys.stderr
    if not out.isatty():
        yield from items
        return
    began = drawn = time.monotonic()
    shown = False
    try:
        for done, item in enumerate(items):
            now = time.monotonic()
            if now - began > _PATIENCE and now - drawn > _REDRAW:
                out.write(f"\r\x1b[K{label} {done}/{total}")
                out.flush()
                drawn, shown = now, True
            yield item
    finally:
        if shown:
            out.write("\r\x1b[K")
            out.flush()
