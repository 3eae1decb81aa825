"""A rehearsal's units spread over processes: most of a story is waiting, and what is not waiting is one core's work."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
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


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(
    work: Sequence[T], world: Callable[[], AbstractContextManager[W]], do: Callable[[T, W], R], *, jobs: int
) -> Iterator[tuple[int, R]]:
    """The place and the result of each piece of work, as they come. Each of `jobs` processes enters a world of its own;
    with one job, or on a system that does not fork, all is done here."""
    jobs = min(jobs, len(work))
    if jobs <= 1 or not hasattr(os, "fork") or sys.platform == "darwin":
        with world() as own:
            for place, piece in enumerate(work):
                yield place, do(piece, own)
        return
    fork = multiprocessing.get_context("fork")
    orders, answers = fork.SimpleQueue(), fork.SimpleQueue()
    for place in range(len(work)):
        orders.put(place)
    for _ in range(jobs):
        orders.put(None)

    def serve() -> None:
        # Ctrl-C reaches every process of a terminal; who answers it is the one that was started there.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            with world() as own:
                while (place := orders.get()) is not None:
                    answers.put(pickle.dumps((place, do(work[place], own))))
        except Exception as error:
            answers.put(pickle.dumps((-1, error)))

    workers = [fork.Process(target=serve, daemon=False) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    ended = False
    try:
        for _ in range(len(work)):
            _wait(answers, workers)
            place, result = pickle.loads(answers.get())
            if place < 0:
                raise result
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
