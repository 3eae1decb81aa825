"""Runs the plan and kills itself (SIGKILL) when the checkpoint of step 0 is on the disk: what an eviction does.

    python crash.py plan.yaml STORE RUN

`skill-wizard run` goes on where it stopped.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from wizard.cli.commands._host import secrets_of
from wizard.cli.commands.run import read_plan
from wizard.host import runs
from wizard.host.host import Host, Pace
from wizard.host.http import HttpTransport
from wizard.host.instruments import instrumented
from wizard.host.loop import Loop
from wizard.host.store import open_store


def now() -> datetime:
    return datetime.now(UTC)


def main(plan: str, url: str, run_id: str) -> None:
    store = open_store(url)

    def at(point: str) -> None:
        run = runs.read_run(store, "default", run_id)
        if point == "after write" and run is not None and run.next_step_index == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    host = Host(
        store=store,
        transport=HttpTransport(clock=now),
        clock=now,
        secrets=secrets_of(os.environ),
        pace=Pace(lease_for=timedelta(seconds=5)),
    )
    Loop(host=instrumented(host, at), wait=lambda _: None).run(read_plan(Path(plan)), run_id, workspace="default")


if __name__ == "__main__":
    main(*sys.argv[1:])
