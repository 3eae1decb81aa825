"""A recipient of bookings that misbehaves on order and counts what it committed, for tests and experiments.

It takes POST with a JSON object, stores it, and gives it back under an id; GET lists what is stored. What becomes of
each write is told beforehand by a list of `Fault`s, one for each write in the order in which they arrive; when they
are used up it behaves.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from wizard.host.wire import HONEST, Answering, Fault, Seen, Wire


class Clock:
    """A clock that stands until it is moved. It is called for the time, and waiting moves it."""

    def __init__(self, at: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def advance(self, by: timedelta) -> None:
        self.at += by

    def wait(self, until: datetime) -> None:
        self.at = max(self.at, until)


class FaultyRecipient:
    """Runs while it is entered: `with FaultyRecipient([Fault(status=503)]) as recipient: … recipient.url`.

    `identity` names the members of a body that make two writes the same; `key_header` a header on which it dedupes
    (the first answer is given again); `unique` a member that no two writes may share (409). `on_write` is called with
    each write before anything is done with it; `reads` is what becomes of every read. `commits` counts by identity.
    """

    def __init__(
        self,
        faults: Iterable[Fault] = (),
        *,
        identity: Sequence[str] = ("room_id", "guest_name", "arrival", "departure"),
        key_header: str = "",
        unique: str = "",
        on_write: Callable[[Seen], None] = lambda _: None,
        reads: Fault = HONEST,
    ) -> None:
        self._faults = list(faults)
        self._identity = tuple(identity)
        self._key_header = key_header
        self._unique = unique
        self._on_write = on_write
        self._reads = reads
        self._lock = threading.Lock()
        self.wire = Wire(self._choose, self._serve)
        self._by_key: dict[str, dict[str, Any]] = {}
        self.commits: Counter[str] = Counter()
        self.stored: list[dict[str, Any]] = []
        self.seen: list[Seen] = []
        self.failures: list[BaseException] = []
        """What went wrong in `on_write`."""

    def __enter__(self) -> FaultyRecipient:
        self.wire.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.wire.__exit__()

    @property
    def port(self) -> int:
        return self.wire.port

    @property
    def url(self) -> str:
        """The collection's URL."""
        return f"http://127.0.0.1:{self.port}/bookings"

    @property
    def writes(self) -> list[Seen]:
        return [seen for seen in self.seen if not seen.reads]

    def then(self, *faults: Fault) -> None:
        """Adds what becomes of the next writes."""
        with self._lock:
            self._faults.extend(faults)

    def _choose(self, reads: bool) -> Fault:
        if reads:
            return self._reads
        with self._lock:
            return self._faults.pop(0) if self._faults else HONEST

    def _serve(self, seen: Seen, fault: Fault) -> Answering:
        if not seen.reads:
            try:
                self._on_write(seen)
            except BaseException as error:
                self.failures.append(error)
        with self._lock:
            self.seen.append(seen)
            status, value = (200, self._listed(seen)) if seen.reads else self._write(seen, fault)
        body = json.dumps(value).encode() if fault.body is None else fault.body
        return Answering(status, fault.headers, body)

    def _listed(self, seen: Seen) -> Any:
        wanted = parse_qsl(urlsplit(seen.target).query)
        return {"bookings": [one for one in self.stored if all(str(one.get(name)) == value for name, value in wanted)]}

    def _write(self, seen: Seen, fault: Fault) -> tuple[int, Any]:
        key = seen.header(self._key_header) if self._key_header else ""
        if key and key in self._by_key:
            return fault.status, self._by_key[key]
        value = seen.value
        if self._unique and any(one.get(self._unique) == value.get(self._unique) for one in self.stored):
            return 409, {"error": f"{self._unique} is taken"}
        if not fault.commits:
            return fault.status, {"error": "not done"}
        names = self._identity if isinstance(value, dict) else ()
        self.commits[json.dumps([value.get(name) for name in names])] += 1
        stored = {"id": f"b_{len(self.stored) + 1}", **(value if isinstance(value, dict) else {"value": value})}
        self.stored.append(stored)
        if key:
            self._by_key[key] = stored
        return fault.status, stored
