"""A rehearsal's units spread over processes: most of a story is waiting, and what is not waiting is one core's work."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

T = TypeVar("T")
W = TypeVar("W")
R = TypeVar("R")


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
        try:
            with world() as own:
                while (place := orders.get()) is not None:
                    answers.put(pickle.dumps((place, do(work[place], own))))
        except BaseException as error:
            answers.put(pickle.dumps((-1, error)))

    workers = [fork.Process(target=serve, daemon=False) for _ in range(jobs)]
    for worker in workers:
        worker.start()
    try:
        for _ in range(len(work)):
            place, result = pickle.loads(answers.get())
            if place < 0:
                raise result
            yield place, result
    finally:
        for worker in workers:
            worker.join(0.2)
            if worker.is_alive():
                worker.terminate()
                worker.join()
