"""A recipient on a loopback socket that misbehaves on order and counts what it committed, for tests and experiments.

It takes POST with a JSON object, stores it, and gives it back under an id; GET lists what is stored. What becomes of
each write is told beforehand by a list of `Fault`s, one for each write in the order in which they arrive; when they
are used up it behaves.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import h11


@dataclass(frozen=True, slots=True)
class Fault:
    """What the recipient does with one write."""

    status: int = 201
    commits: bool = True
    body: bytes | None = None
    """The answer's body; None for what was stored."""
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None
    """How many bytes of the whole answer, head included, are sent before the connection ends; None: all."""
    cut_body: int | None = None
    """The same, counted from the body's first byte."""
    resets: bool = False
    """The end is a reset (RST) and not an orderly one (FIN)."""
    framing: str = "length"
    """`length`, `chunked`, or `close`: how the answer says where it ends."""
    raw: bytes | None = None
    """Sent in place of an answer."""
    after_bytes: int | None = None
    """Ends the connection when so many bytes of the request were read; nothing is committed."""
    hangs: bool = False
    """Says nothing more until the recipient is closed."""


HONEST = Fault()


@dataclass(slots=True)
class Seen:
    """A request as it arrived."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body) if self.body else None

    def header(self, name: str) -> str:
        return next((value for one, value in self.headers if one.lower() == name.lower()), "")


@dataclass(slots=True)
class _Told:
    faults: list[Fault]
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> Fault:
        with self.lock:
            return self.faults.pop(0) if self.faults else HONEST


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
        self._told = _Told(list(faults))
        self._identity = tuple(identity)
        self._key_header = key_header
        self._unique = unique
        self._on_write = on_write
        self._reads = reads
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._threads: list[threading.Thread] = []
        self.port = 0
        self._by_key: dict[str, dict[str, Any]] = {}
        self.commits: Counter[str] = Counter()
        self.stored: list[dict[str, Any]] = []
        self.seen: list[Seen] = []
        self.failures: list[BaseException] = []
        """What went wrong in `on_write`."""

    def __enter__(self) -> FaultyRecipient:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self._socket.getsockname()[1])
        self._serve = threading.Thread(target=self._accept, daemon=True)
        self._serve.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._serve.join(5)
        for thread in self._threads:
            thread.join(5)

    @property
    def url(self) -> str:
        """The collection's URL."""
        return f"http://127.0.0.1:{self.port}/bookings"

    @property
    def writes(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.method not in ("GET", "HEAD")]

    def then(self, *faults: Fault) -> None:
        """Adds what becomes of the next writes."""
        with self._told.lock:
            self._told.faults.extend(faults)

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._connection, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _connection(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError, h11.RemoteProtocolError):
            connection.settimeout(0.2)
            fault = self._begin(connection)
            if fault is not None and fault.resets:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _begin(self, connection: socket.socket) -> Fault | None:
        """Serves one request. Gives the fault that was done, None where no request came."""
        protocol = h11.Connection(h11.SERVER)
        count, fault = 0, None
        request, body = None, bytearray()
        while True:
            event = protocol.next_event()
            if isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                break
            elif event is h11.NEED_DATA:
                limit = 65536 if fault is None or fault.after_bytes is None else fault.after_bytes - count
                data = self._receive(connection, 1 if fault is None else max(limit, 1))
                if not data:
                    return None
                if fault is None:
                    fault = self._reads if data in (b"G", b"H") else self._told.next()
                count += len(data)
                if fault.after_bytes is not None and count >= fault.after_bytes:
                    return fault
                protocol.receive_data(data)
            else:
                return None
        if request is None or fault is None:
            return None
        seen = Seen(
            request.method.decode(),
            request.target.decode(),
            tuple((name.decode(), value.decode()) for name, value in request.headers.raw_items()),
            bytes(body),
        )
        self._answer(connection, seen, fault)
        return fault

    def _receive(self, connection: socket.socket, most: int) -> bytes:
        while not self._closed.is_set():
            try:
                return connection.recv(most)
            except TimeoutError:
                continue
        return b""

    def _answer(self, connection: socket.socket, seen: Seen, fault: Fault) -> None:
        reads = seen.method in ("GET", "HEAD")
        if not reads:
            try:
                self._on_write(seen)
            except BaseException as error:
                self.failures.append(error)
        with self._lock:
            self.seen.append(seen)
            status, value = (200, self._listed(seen)) if reads else self._write(seen, fault)
        if fault.hangs:
            self._closed.wait(30)
            return
        if fault.raw is not None:
            connection.sendall(fault.raw)
            return
        body = json.dumps(value).encode() if fault.body is None else fault.body
        answer, head = _answer_bytes(status, fault, body)
        if fault.cut is not None:
            answer = answer[: fault.cut]
        if fault.cut_body is not None:
            answer = answer[: head + fault.cut_body]
        connection.sendall(answer)
        if not fault.resets:
            connection.shutdown(socket.SHUT_WR)
            # Reading on until the other side closes keeps the kernel from turning our end into a reset.
            while self._receive(connection, 65536):
                pass

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


def _answer_bytes(status: int, fault: Fault, body: bytes) -> tuple[bytes, int]:
    """A whole answer, and how long its head is."""
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in fault.headers)]
    if not any(name.lower() == "content-type" for name, _ in fault.headers):
        lines.append("Content-Type: application/json")
    if fault.framing == "chunked":
        lines.append("Transfer-Encoding: chunked")
        half = len(body) // 2
        pieces = [piece for piece in (body[:half], body[half:]) if piece]
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    elif fault.framing == "length":
        lines.append(f"Content-Length: {len(body)}")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head + body, len(head)
