"""A rehearsal's units spread over processes: most of a story is waiting, and what is not waiting is one core's work."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, TypeVar

from wizard.errors import WizardError

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess
    from multiprocessing.queues import SimpleQueue

T = TypeVar("T")
W = TypeVar("W")
R = TypeVar("R")

_CLOSING = 30.0
"""Seconds that a worker has to leave its world."""


@dataclass(slots=True)
class Steps:
    """Hears of each step of the work, in whatever process it is done."""

    heard: Callable[[int], None]
    """Called with how many steps were made, in the process that waits for the results."""

    def made(self, count: int) -> None:
        """Says that so many steps were made; for whoever does the work."""
        self.heard(count)


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Sequence[T],
    world: Callable[[], AbstractContextManager[W]],
    do: Callable[[T, W], R],
    *,
    jobs: int,
    steps: Steps | None = None,
) -> Generator[tuple[int, R], None, None]:
    """The place and the result of each piece of work, as they come. Each of `jobs` processes enters a world of its own;
    with one job, or on a system that does not fork, all is done here. What is said to `steps` in one of them is
    heard here."""
    jobs = min(jobs, len(work))
    if jobs <= 1 or not hasattr(os, "fork") or sys.platform == "darwin":
        with world() as own:
            for place, piece in enumerate(work):
                yield place, do(piece, own)
        return
    fork = multiprocessing.get_context("fork")
    orders, answers = fork.SimpleQueue(), fork.SimpleQueue()
    parent = os.getpid()
    for place in range(len(work)):
        orders.put(place)
    for _ in range(jobs):
        orders.put(None)

    def serve() -> None:
        # Ctrl-C reaches every process of a terminal; who answers it is the one that was started there.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        # Only who started us reads: where that one is gone, writing fails and does not wait for ever.
        answers._reader.close()  # type: ignore[attr-defined]
        if steps is not None:
            steps.heard = lambda count: answers.put(pickle.dumps(count))
        with suppress(BrokenPipeError):
            try:
                with world() as own:
                    while os.getppid() == parent and (place := orders.get()) is not None:
                        answers.put(pickle.dumps((place, do(work[place], own))))
            except BrokenPipeError:
                raise
            except Exception as error:
                answers.put(pickle.dumps((-1, error)))

    workers = [fork.Process(target=serve, daemon=False) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    ended = False
    try:
        left = len(work)
        while left:
            _wait(answers, workers)
            said = pickle.loads(answers.get())
            if isinstance(said, int):
                if steps is not None:
                    steps.heard(said)
                continue
            place, result = said
            if place < 0:
                raise result
            left -= 1
            yield place, result
        ended = True
    finally:
        for worker in workers:
            worker.join(_CLOSING if ended else 0)
            if worker.is_alive():
                worker.terminate()
                worker.join()


def _wait(answers: SimpleQueue[bytes], workers: Sequence[ForkProcess]) -> None:
    """Waits for an answer. Raises WizardError where a worker is gone that would have given it."""
    while answers.empty():
        wait([answers._reader, *(worker.sentinel for worker in workers if worker.is_alive())], 1.0)  # type: ignore[attr-defined]
        lost = [worker for worker in workers if worker.exitcode not in (None, 0)]
        if lost and answers.empty():
            raise WizardError(
                f"a process of the rehearsal was lost (exit {lost[0].exitcode})",
                remedy="It may have run out of memory; `--jobs 1` needs the least.",
            )
