"""Fires a timer, or ends a turn, and kills itself right before the statement of that number: run by test_timers.py.

python fire.py STORE WORKSPACE fire|finish NUMBER
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from wizard.host import timers
from wizard.host.store import open_store

url, workspace, what, number = sys.argv[1:]
left = int(number)
armed = False


def statement(_: object) -> None:
    global left  # noqa: PLW0603
    if armed:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Watched(sqlite3.Connection):
    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.set_trace_callback(statement)


connect = sqlite3.connect
sqlite3.connect = lambda *args, **more: connect(*args, **{**more, "factory": Watched})  # type: ignore[assignment]
if url.startswith("postgresql"):
    import psycopg

    execute = psycopg.Connection.execute

    def watched(self: Any, *args: Any, **more: Any) -> Any:
        statement(None)
        return execute(self, *args, **more)

    psycopg.Connection.execute = watched  # type: ignore[method-assign]

store = open_store(url)
later = datetime.now(UTC) + timedelta(days=1)
(job,) = timers.due_jobs(store, workspace, later)
armed = True
done = timers.fire_timer(store, job, later) if what == "fire" else timers.finish_turn(store, job, "Done.")
armed = False
print(done)
