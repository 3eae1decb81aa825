"""Work spread over the cores, where that pays.

On Linux the workers are forks: they have what was loaded already, and start in a millisecond. This process looks at
every piece and hands on what is more than a look; the first worker loads what is needed for that, and the others are
forks of it. Elsewhere workers begin afresh, which pays only for much more work. A worker that dies is no loss: what it
had is done here.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

Work = TypeVar("Work")

FORKED_FROM = 400_000
"""Bytes of text from which on forks pay."""
SPAWNED_FROM = 8_000_000
_INDEX = 4
"""Bytes in which the number of a piece goes through a pipe."""


class Task(NamedTuple, Generic[Work]):
    """What is done with each piece. What it gives is made of JSON's values; it can be pickled."""

    do: Callable[[Work, int], Any]
    """With the piece and what the look gave."""
    look: Callable[[Work], tuple[bool, Any]]
    """Whether a look is enough: then also the result, else a number below 256 that `do` is given."""
    first: Callable[[], Any] = lambda: None
    """Loads what `do` needs."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Sequence[Work], task: Task[Work], size: int, jobs: int | None = None) -> list[Any]:
    """The task's result for each piece of work, in their order.

    `size` is how much work it is, in bytes; `jobs` how many processes, None for as many as pay.
    """
    count = min(cores() if jobs is None else jobs, len(work))
    if count > 1 and sys.platform == "linux" and (size >= FORKED_FROM or jobs):
        return _forked(work, task, count)
    if count > 1 and sys.platform != "linux" and (size >= SPAWNED_FROM or jobs):
        return _spawned(work, task, count)
    return [_done(task, piece) for piece in work]


def _done(task: Task[Work], piece: Work) -> Any:
    enough, found = task.look(piece)
    return found if enough else task.do(piece, found)


def _forked(work: Sequence[Work], task: Task[Work], count: int) -> list[Any]:
    sys.stdout.flush()
    sys.stderr.flush()
    orders, giving = os.pipe()
    answers = [os.pipe() for _ in range(count)]
    child = os.fork()
    if child == 0:
        try:
            os.close(giving)
            for reading, _ in answers:
                os.close(reading)
            _serve(work, task, orders, [writing for _, writing in answers])
        finally:
            os._exit(0)
    os.close(orders)
    for _, writing in answers:
        os.close(writing)
    missing: dict[int, int] = {}
    results: list[Any] = [None] * len(work)
    for index, piece in enumerate(work):
        enough, found = task.look(piece)
        if enough:
            results[index] = found
            continue
        missing[index] = found
        # No worker may be left to take it.
        with suppress(BrokenPipeError):
            os.write(giving, (index * 256 + found).to_bytes(_INDEX, "big"))
    os.close(giving)
    for reading, _ in answers:
        with os.fdopen(reading, "rb") as file:
            for index, result in _read(file.read()):
                results[index] = result
                missing.pop(index, None)
    os.waitpid(child, 0)
    for index, found in missing.items():
        results[index] = task.do(work[index], found)
    return results


def _read(text: bytes) -> list[Any]:
    """What a worker wrote: all or nothing."""
    try:
        found: list[Any] = json.loads(text)
        return found
    except ValueError:
        return []


def _serve(work: Sequence[Work], task: Task[Work], orders: int, answers: list[int]) -> None:
    """A worker, which lets others stand beside it once it has what they all need."""
    gc.set_threshold(20_000, 20, 50)
    orders_taken = _orders(orders)
    begun = next(orders_taken, None)
    child = 0
    if begun is not None:
        task.first()
        # What was loaded stays; the collector need not look through it again and again.
        gc.freeze()
        while len(answers) > 1:
            child = os.fork()
            if child:
                break
            # This one forks the next and goes on with its own.
            os.close(answers.pop(0))
            begun = None
        for writing in answers[1:]:
            os.close(writing)
    results = [] if begun is None else [[begun[0], task.do(work[begun[0]], begun[1])]]
    results += [[index, task.do(work[index], found)] for index, found in orders_taken]
    with os.fdopen(answers[0], "w", encoding="utf-8") as file:
        file.write(json.dumps(results))
    if child:
        os.waitpid(child, 0)


def _orders(pipe: int) -> Iterator[tuple[int, int]]:
    while data := os.read(pipe, _INDEX):
        yield divmod(int.from_bytes(data, "big"), 256)


def _spawned(work: Sequence[Work], task: Task[Work], count: int) -> list[Any]:
    from concurrent.futures import ProcessPoolExecutor
    from functools import partial

    with ProcessPoolExecutor(count) as pool:
        return list(pool.map(partial(_done, task), work, chunksize=max(1, len(work) // (count * 4))))
