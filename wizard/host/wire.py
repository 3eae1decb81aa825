"""A server on a loopback socket that misbehaves on order, on the wire and not in the client: for tests and rehearsals.

It takes one request a connection, hands it over to be served, and then does with the answer what its `Fault` says:
cuts it off, resets the connection, sends something else, says nothing. What is served is another's business.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import h11


@dataclass(frozen=True, slots=True)
class Fault:
    """What becomes of one request."""

    status: int = 201
    commits: bool = True
    body: bytes | None = None
    """The answer's body; None for the recipient's own."""
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None
    """How many bytes of the whole answer, head included, are sent before the connection ends; None: all."""
    cut_body: int | None = None
    """The same, counted from the body's first byte."""
    cut_share: float | None = None
    """The same as a share of the whole answer, from 0 to 1; of 1 the last byte is missing."""
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

    @property
    def reads(self) -> bool:
        return self.method in ("GET", "HEAD")

    def header(self, name: str) -> str:
        return next((value for one, value in self.headers if one.lower() == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Answering:
    """What is answered, before the fault."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Wire:
    """Runs while it is entered. `choose` gives the fault of a request of which only the first bytes are there (whether
    it reads is all that is known of it); `serve` gives the answer of the whole request, and commits what it commits.
    Both are called in the connection's thread."""

    def __init__(self, choose: Callable[[bool], Fault], serve: Callable[[Seen, Fault], Answering]) -> None:
        self._choose = choose
        self._serve = serve
        self._closed = threading.Event()
        self.threads: list[threading.Thread] = []
        self.port = 0

    def __enter__(self) -> Wire:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self._socket.getsockname()[1])
        self._acceptor = threading.Thread(target=self._accept, daemon=True)
        self._acceptor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._acceptor.join(5)
        for thread in self.threads:
            thread.join(5)

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._connection, args=(connection,), daemon=True)
            self.threads.append(thread)
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
                    fault = self._choose(data in (b"G", b"H"))
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
        self._answer(connection, self._serve(seen, fault), fault)
        return fault

    def _receive(self, connection: socket.socket, most: int) -> bytes:
        while not self._closed.is_set():
            try:
                return connection.recv(most)
            except TimeoutError:
                continue
        return b""

    def _answer(self, connection: socket.socket, answering: Answering, fault: Fault) -> None:
        if fault.hangs:
            self._closed.wait(30)
            return
        if fault.raw is not None:
            connection.sendall(fault.raw)
            return
        answer, head = answer_bytes(answering, fault.framing)
        if fault.cut is not None:
            answer = answer[: fault.cut]
        if fault.cut_body is not None:
            answer = answer[: head + fault.cut_body]
        if fault.cut_share is not None:
            answer = answer[: min(int(len(answer) * fault.cut_share), len(answer) - 1)]
        connection.sendall(answer)
        if not fault.resets:
            connection.shutdown(socket.SHUT_WR)
            # Reading on until the other side closes keeps the kernel from turning our end into a reset.
            while self._receive(connection, 65536):
                pass


def answer_bytes(answering: Answering, framing: str) -> tuple[bytes, int]:
    """A whole answer, and how long its head is."""
    lines = [f"HTTP/1.1 {answering.status} X", *(f"{name}: {value}" for name, value in answering.headers)]
    body = answering.body
    if not any(name.lower() == "content-type" for name, _ in answering.headers) and answering.status != 204:
        lines.append("Content-Type: application/json")
    if answering.status == 204:
        body = b""
    elif framing == "chunked":
        lines.append("Transfer-Encoding: chunked")
        half = len(body) // 2
        pieces = [piece for piece in (body[:half], body[half:]) if piece]
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    elif framing == "length":
        lines.append(f"Content-Length: {len(body)}")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head + body, len(head)
