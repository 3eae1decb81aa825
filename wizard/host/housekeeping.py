"""What has to be done now and then: completed records whose time is over give up their request and their answer; the
line with their generation stays. Attempted records are never touched. Nothing depends on when this is done: a record
whose time is over answers no repeat, swept or not."""

from __future__ import annotations

from datetime import datetime

from wizard.host import state
from wizard.host.store import Store


def sweep(store: Store, workspace: str, now: datetime, *, batch: int = 500) -> int:
    """Expires the completed records of a workspace whose time is over, batch by batch. Gives how many."""
    count = 0
    while True:
        found = store.expired(workspace, now, batch)
        # One that changed meanwhile (a call has claimed it anew) is left as it is.
        done = store.settle_all([(record, state.expire(record, now)) for record in found])
        count += done
        if not done:
            return count
