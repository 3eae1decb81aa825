"""A rehearsal spread over processes: nothing is left out, nothing is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wizard.errors import UsageError, WizardError
from wizard.rehearse.workers import spread

SKILLS = Path(__file__).parents[2] / "samples" / "hollowbrook" / "skills"


@contextmanager
def world() -> Iterator[int]:
    yield os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_each_piece_is_done_once(jobs: int) -> None:
    found = dict(spread(range(7), world, lambda piece, own: (piece * 2, own), jobs=jobs))
    assert {place: value for place, (value, _) in found.items()} == {place: place * 2 for place in range(7)}
    if jobs == 1:
        assert {own for _, own in found.values()} == {os.getpid()}
    else:
        assert os.getpid() not in {own for _, own in found.values()}


def test_what_goes_wrong_in_a_process_is_raised_here() -> None:
    def do(piece: int, own: int) -> int:
        raise UsageError("this store cannot be reached")

    with pytest.raises(UsageError, match="cannot be reached"):
        list(spread(range(3), world, do, jobs=2))


def test_a_process_that_is_lost_is_told_and_not_waited_for() -> None:
    def do(piece: int, own: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return piece

    with pytest.raises(WizardError, match="a process of the rehearsal was lost"):
        list(spread(range(3), world, do, jobs=2))


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no memory that looks like a disk")
@pytest.mark.parametrize("after", [2.0, 4.0])
def test_an_interrupt_leaves_nothing_behind(after: float, tmp_path: Path) -> None:
    before = set(os.listdir("/dev/shm"))
    command = [sys.executable, "-m", "wizard", "rehearse", str(SKILLS)]
    # In a group of its own, as a terminal interrupts all that it started; and not as one that ignores interrupts.
    run = subprocess.Popen(
        [sys.executable, "-c", _TRUSTING, *command], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    time.sleep(after)
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=60)
    # On a busy machine it may not have come to its own handling of interrupts yet.
    assert run.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in said
    left = {name for name in set(os.listdir("/dev/shm")) - before if name.startswith("rehearsal-")}
    assert not {name for name in left if Path("/dev/shm", name).stat().st_uid == os.getuid()}


_TRUSTING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
