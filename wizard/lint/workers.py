"""Work spread over the cores, where that pays.

On Linux the workers are forks: they have what was loaded already, and start in a millisecond. Elsewhere they begin
afresh, which pays only for much more work. A worker that dies is no loss: its part is done here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Work = TypeVar("Work")

FORKED_FROM = 400_000
"""Bytes of text from which on forks pay."""
SPAWNED_FROM = 8_000_000


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spread(work: Sequence[Work], do: Callable[[Work], Any], size: int, jobs: int | None = None) -> list[Any]:
    """`do` of each piece of work, in their order. What it gives is made of JSON's values.

    `size` is how much work it is, in bytes; `jobs` how many processes, None for as many as pay. `do` can be pickled.
    """
    count = min(cores() if jobs is None else jobs, len(work))
    if count > 1 and sys.platform == "linux" and (size >= FORKED_FROM or jobs):
        return _forked(work, do, count)
    if count > 1 and sys.platform != "linux" and (size >= SPAWNED_FROM or jobs):
        return _spawned(work, do, count)
    return [do(piece) for piece in work]


def _forked(work: Sequence[Work], do: Callable[[Work], Any], count: int) -> list[Any]:
    sys.stdout.flush()
    sys.stderr.flush()
    children = []
    for part in range(1, count):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(reading)
                with os.fdopen(writing, "w", encoding="utf-8") as file:
                    file.write(json.dumps([do(piece) for piece in work[part::count]]))
                code = 0
            finally:
                os._exit(code)
        os.close(writing)
        children.append((part, child, reading))
    results: list[Any] = [None] * len(work)
    results[0::count] = [do(piece) for piece in work[0::count]]
    for part, child, reading in children:
        with os.fdopen(reading, "r", encoding="utf-8") as file:
            text = file.read()
        _, status = os.waitpid(child, 0)
        try:
            found = json.loads(text) if status == 0 else None
        except ValueError:
            found = None
        results[part::count] = [do(piece) for piece in work[part::count]] if found is None else found
    return results


def _spawned(work: Sequence[Work], do: Callable[[Work], Any], count: int) -> list[Any]:
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(count) as pool:
        return list(pool.map(do, work, chunksize=max(1, len(work) // (count * 4))))
