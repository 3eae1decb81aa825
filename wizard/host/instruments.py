"""A host that says when it comes to each point at which it could be lost, for crash tests and rehearsals.

    host = instrumented(host, lambda point: os.kill(os.getpid(), signal.SIGKILL) if point == "after send" else None)

The points lie around the host, not in it: the production code knows nothing of them. Around each call of the store
`before claim` and `after claim` (and so for `settle`, `write` and the others), around each send `before send` and
`after send`; with `WatchedNetwork` also on the wire: `connected`, `before bytes`, `after bytes`, `answer`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

import httpcore2

from wizard.host.host import Host
from wizard.host.http import Transport
from wizard.host.outcome import Outcome, Request
from wizard.host.store import Store

At = Callable[[str], None]
CHANGING = frozenset({"claim", "mark_sending", "settle", "write", "acquire", "renew", "release", "move"})
"""The calls of a store that change it, and so are points."""


def instrumented(host: Host, at: At) -> Host:
    """The same host, which calls `at` with the name of each point that it comes to."""
    store = cast(Store, WatchedStore(host.store, at))
    return replace(host, store=store, transport=WatchedTransport(host.transport, at))


class WatchedStore:
    """Passes everything on to a store; tells before and after each change."""

    def __init__(self, store: Store, at: At) -> None:
        self._store = store
        self._at = at

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)
        if name not in CHANGING:
            return method

        def watched(*args: Any, **more: Any) -> Any:
            self._at(f"before {name}")
            given = method(*args, **more)
            self._at(f"after {name}")
            return given

        return watched


@dataclass(frozen=True, slots=True)
class WatchedTransport:
    """Passes requests on to a transport; tells before and after each."""

    inner: Transport
    at: At

    def send(self, request: Request, deadline: datetime) -> Outcome:
        self.at("before send")
        outcome = self.inner.send(request, deadline)
        self.at("after send")
        return outcome


@dataclass(frozen=True, slots=True)
class RoutedTransport:
    """Passes requests on to a transport under another origin, so that a declared `https://api.example.com/bookings`
    arrives at a server on this machine. What is recorded, and what keys are derived from, stays as declared."""

    inner: Transport
    origin: Callable[[Request], str]
    """`http://127.0.0.1:8080`, asked for at each send."""

    def send(self, request: Request, deadline: datetime) -> Outcome:
        parts = urlsplit(request.url)
        rest = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        return self.inner.send(replace(request, url=f"{self.origin(request)}{rest}"), deadline)


class WatchedNetwork(httpcore2.NetworkBackend):
    """Opens connections that tell of every piece that goes out and comes in; for `HttpTransport(backend=…)`."""

    def __init__(self, at: At) -> None:
        self._at = at

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        stream = httpcore2.SyncBackend().connect_tcp(host, port, timeout, local_address, socket_options)
        self._at("connected")
        return _WatchedStream(_WatchedSocket(stream.get_extra_info("socket"), self._at))


class _WatchedStream(httpcore2.NetworkStream):
    """A plain connection; no TLS over it."""

    def __init__(self, connected: _WatchedSocket) -> None:
        self._socket = connected

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._socket.settimeout(timeout)
        try:
            data = self._socket.recv(max_bytes)
        except TimeoutError as error:
            raise httpcore2.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ReadError(str(error)) from error
        self._socket.told("answer")
        return data

    def close(self) -> None:
        self._socket.close()

    def get_extra_info(self, info: str) -> Any:
        return self._socket if info == "socket" else None


class _WatchedSocket(socket.socket):
    """Takes over the connection of another socket."""

    def __init__(self, other: socket.socket, at: At) -> None:
        super().__init__(other.family, other.type, other.proto, other.detach())
        self.told = at

    def send(self, data: Any, flags: int = 0) -> int:
        self.told("before bytes")
        count = super().send(data, flags)
        self.told("after bytes")
        return count
