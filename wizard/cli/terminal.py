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


class Progress:
    """How much of something is done: on a terminal a line on stderr, once the work takes a while."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self.label, self.total, self.done = label, total, 0
        self._out = stream or sys.stderr
        self._seen = self._out.isatty()
        self._began = self._drawn = time.monotonic()
        self._shown = False

    def show(self) -> None:
        """Draws the line, unless it was drawn just now."""
        now = time.monotonic()
        if self._seen and now - self._began > _PATIENCE and now - self._drawn > _REDRAW:
            self._out.write(f"\r\x1b[K{self.label} {self.done:,}/{self.total:,}")
            self._out.flush()
            self._drawn, self._shown = now, True

    def step(self, count: int = 1) -> None:
        """So much more is done."""
        self.done += count
        self.show()

    def close(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._out.write("\r\x1b[K")
            self._out.flush()
            self._shown = False


def progress(items: Iterable[T], label: str, total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yields the items; on a terminal shows on stderr how many of `total` are done once the work takes a while."""
    line = Progress(label, total, stream)
    try:
        for done, item in enumerate(items):
            line.done = done
            line.show()
            yield item
    finally:
        line.close()


def columns(stream: TextIO) -> int:
    """How wide a text for people may be: as wide as the terminal, from 40 to 120; 80 where there is none, or one that
    does not say."""
    if not stream.isatty():
        return 80
    try:
        told = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        told = 0
    return max(40, min(told or 80, 120))
