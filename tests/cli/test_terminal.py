"""What is shown on a terminal, and how wide it may be."""

import fcntl
import os
import struct
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from wizard.cli.terminal import Progress, columns


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, int]]:
    """A terminal to write to, and the descriptor at which it is seen."""
    seen, own = os.openpty()
    with os.fdopen(own, "w") as stream:
        yield stream, seen
    os.close(seen)


@pytest.mark.parametrize(("told", "used"), [(0, 80), (20, 40), (60, 60), (300, 120)])
def test_a_terminal_that_does_not_say_how_wide_it_is_counts_as_usual(
    terminal: tuple[TextIO, int], told: int, used: int
) -> None:
    stream, _ = terminal
    fcntl.ioctl(stream.fileno(), termios.TIOCSWINSZ, struct.pack("HHHH", 24, told, 0, 0))
    assert columns(stream) == used


def test_progress_shows_each_step_once_the_work_takes_a_while(
    terminal: tuple[TextIO, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, seen = terminal
    now = [0.0]
    monkeypatch.setattr("wizard.cli.terminal.time.monotonic", lambda: now[0])
    line = Progress("stories told:", 1200, stream)
    line.step()
    now[0] = 1.0
    line.step(1000)
    line.close()
    stream.flush()
    assert os.read(seen, 1000) == b"\r\x1b[Kstories told: 1,001/1,200\r\x1b[K"
