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
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind(sign: signal.Signals, after: float) -> None:
    """Ctrl-C reaches all processes of a terminal, what a CI server sends only the first of them."""
    command = [sys.executable, "-m", "wizard", "rehearse", str(SKILLS), "--jobs", "2"]
    # In a group of its own, as a terminal interrupts all that it started; and not as one that ignores interrupts.
    run = subprocess.Popen(
        [sys.executable, "-c", _TRUSTING, *command], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        start_new_session=True,
    )  # fmt: skip
    time.sleep(after)
    (os.killpg if sign is signal.SIGINT else os.kill)(run.pid, sign)
    _, said = run.communicate(timeout=60)
    # On a busy machine it may not have come to its own handling of interrupts yet.
    assert run.returncode in (130 if sign is signal.SIGINT else 143, -sign)
    assert "Traceback" not in said
    assert not [name for name in os.listdir("/dev/shm") if name.startswith(f"rehearsal-{run.pid}-")]
    assert gone(run.pid)


def gone(group: int) -> bool:
    """Whether no process of a group is left, after a while."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_whoever_works_for_nobody_ends() -> None:
    """Where the first process is killed, the others do not go on, and none waits for ever to be heard."""
    run = subprocess.run([sys.executable, "-c", _LOST], stdout=subprocess.PIPE, text=True, timeout=60)
    # All that held its output have ended, or are about to.
    assert gone(int(run.stdout))


_LOST = """
import os, signal, time
from contextlib import nullcontext
from wizard.rehearse.workers import spread

os.setpgid(0, 0)
print(os.getpid(), flush=True)
first = os.getpid()

def do(piece, own):
    if piece == 0:
        os.kill(first, signal.SIGKILL)
    # More than a pipe holds when nobody reads.
    return b"0" * 1_000_000

list(spread(range(8), nullcontext, do, jobs=2))
"""
_TRUSTING = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
