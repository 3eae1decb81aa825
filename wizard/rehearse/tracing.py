"""What happens in a story, written down as it happens, for the verdict's reader and for the picture."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from wizard.host.http import Transport
from wizard.host.outcome import Outcome, Reply, Request
from wizard.host.record import Record, State
from wizard.host.store import Claimed, Store, StoreError
from wizard.rehearse.model import Lane, Moment


@dataclass(slots=True)
class Trace:
    """The moments of one story; several threads write into it."""

    clock: Callable[[], datetime]
    began: datetime
    moments: list[Moment] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def say(
        self, lane: Lane, kind: str, text: str, to: Lane | None = None, *, detail: str = "", bad: bool = False
    ) -> None:  # fmt: skip
        """Writes one moment down, at the time that it is in the story."""
        at = (self.clock() - self.began).total_seconds()
        moment = Moment(lane=lane, kind=kind, text=text, at=at, to=to, detail=detail[:2000], bad=bad)
        with self._lock:
            self.moments.append(moment)

    def say_recorded(self, store: Store, workspace: str) -> None:
        """Writes down what another process did to the story's record: that process has no trace of its own."""
        records = store.find(workspace, "")
        with self._lock:
            claims = [place for place, one in enumerate(self.moments) if one.kind == "claim"]
            calls = [place for place, one in enumerate(self.moments) if one.kind == "call"]
        if not records or not calls:
            return
        if not claims:
            begun = self.moments[calls[0]].at
            claim = Moment(lane="host", kind="claim", text="claimed: attempted", at=begun, to="record")
            with self._lock:
                self.moments.insert(calls[-1] + 1, claim)
        record = records[0]
        if record.state is not State.ATTEMPTED and not any(one.kind == "settle" for one in self.moments):
            self.say("host", "settle", f"{record.state}, by {record.by}" if record.by else str(record.state), "record")


class TracedStore:
    """Passes everything on to a store and writes down what becomes of records. `lost`: it cannot be reached when a
    send is to be settled."""

    def __init__(self, store: Store, trace: Trace, *, lost: bool = False) -> None:
        self._store = store
        self._trace = trace
        self._lost = lost

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def claim(self, claim: Any) -> Any:
        given = self._store.claim(claim)
        if isinstance(given, Claimed):
            self._trace.say("host", "claim", f"claimed: {given.record.state}", "record")
        return given

    def mark_sending(self, *args: Any) -> Record | None:
        given = self._store.mark_sending(*args)
        if given is not None:
            self._trace.say("host", "claim", "marked sending again", "record")
        return given

    def settle(self, before: Record, after: Record, also: Any = ()) -> Record | None:
        if self._lost:
            self._trace.say("record", "fault", "the store is gone", bad=True)
            raise StoreError("the store is gone")
        given = self._store.settle(before, after, also)
        if given is not None and (given.state is not before.state or given.by != before.by):
            by = f", by {given.by}" if given.by else ""
            self._trace.say("host", "settle", f"{given.state}{by}", "record")
        return given


def traced_store(store: Store, trace: Trace, *, lost: bool = False) -> Store:
    """The store, with its changes written down."""
    return cast(Store, TracedStore(store, trace, lost=lost))


@dataclass(frozen=True, slots=True)
class TracedTransport:
    """Passes requests on and writes down what came back; what arrives is written down where it arrives."""

    inner: Transport
    trace: Trace

    def send(self, request: Request, deadline: datetime) -> Outcome:
        outcome = self.inner.send(request, deadline)
        if isinstance(outcome, Reply) and outcome.complete:
            body = outcome.body.decode("utf-8", "replace")
            self.trace.say("recipient", "answer", str(outcome.status), "host", detail=body)
        else:
            self.trace.say("host", "note", outcome.why)
        return outcome
