"""A transport over HTTP/1.1 that says how far a request came and what was seen of its answer.

One connection for each send, closed at its end: a connection that an earlier send left open could be gone already,
and then nobody could say whether a byte arrived. No redirect is followed, nothing is sent twice, no proxy is taken
from the environment, no cookie is kept, no thread is started. `httpx2` brings the connection (its package `httpcore2`);
its client is left out because it hides the very facts that are wanted here.

What the first byte is: the first one that the operating system took of the request. Up to there every failure is
`NeverSent`; from there on only a readable answer is more than `Silence`. Over TLS a failed write counts as a byte
that may have left.
"""

from __future__ import annotations

import socket
import ssl
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from json import JSONDecodeError, loads
from typing import Protocol
from urllib.parse import quote, urlsplit

import httpcore2

from wizard.host.outcome import NeverSent, Outcome, Reply, Request, Silence

LARGEST_ANSWER = 16 * 1024 * 1024
"""Bytes of an answer that are read, before and after its content coding is undone."""

PIECE = 64 * 1024
"""Bytes that are handed to TLS at a time."""

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})


class Transport(Protocol):
    """Whatever sends a request: HTTP in production, a simulated recipient in a rehearsal."""

    def send(self, request: Request, deadline: datetime) -> Outcome:
        """Sends once and says what was seen. Nothing goes out at or after `deadline`, nothing is awaited past it, and
        nothing goes on when this has returned."""
        ...


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the recipient is shown of who is asking. Added to one send, never stored, never printed."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)


NO_CREDENTIALS = Credentials()


def _anonymous(_: Request) -> Credentials:
    return NO_CREDENTIALS


class _TooLate(Exception):
    """The deadline was over before the first byte."""


class _NothingLeft(Exception):
    """The operating system took no byte of the request."""


class HttpTransport:
    """Sends over HTTP/1.1.

    `credentials` is asked at each send for what this request needs; `clock` gives the time that deadlines are in;
    `tls` is the context for https (the system's certificates by default); `backend` opens connections (tests put a
    network of their own there).
    """

    def __init__(
        self,
        *,
        clock: Callable[[], datetime],
        credentials: Callable[[Request], Credentials] = _anonymous,
        tls: ssl.SSLContext | None = None,
        largest_answer: int = LARGEST_ANSWER,
        backend: httpcore2.NetworkBackend | None = None,
    ) -> None:
        self._clock = clock
        self._credentials = credentials
        self._tls = tls
        self._largest = largest_answer
        self._backend = backend or httpcore2.SyncBackend()

    def send(self, request: Request, deadline: datetime) -> Outcome:
        """Sends once, waits for the answer until `deadline`, closes the connection.

        Looking up the host's name is the system's and may take longer; nothing is sent then.
        """
        wire = _Wire(self._backend, self._clock, deadline)
        try:
            given = self._credentials(request)
        except Exception as error:
            # Its text may hold a secret.
            return NeverSent(f"no credentials were given ({type(error).__name__})")
        try:
            message = _message(request, given)
            with httpcore2.HTTPConnection(
                message.url.origin, ssl_context=self._context(message), network_backend=wire
            ) as connection:
                return self._answer(message, connection.handle_request(message))
        except _TooLate:
            return NeverSent("the time for this send was over before its first byte went out")
        except Exception as error:
            if not wire.begun:
                return NeverSent(_unsent(error))
            return Silence(_said("sent, and no whole answer came back", error))

    def _context(self, message: httpcore2.Request) -> ssl.SSLContext | None:
        if message.url.scheme == b"https" and self._tls is None:
            self._tls = httpcore2.default_ssl_context()
        return self._tls

    def _answer(self, message: httpcore2.Request, response: httpcore2.Response) -> Reply:
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers)
        status = response.status
        if status == 101:
            return Reply(status, headers, b"", False, "the recipient changed the protocol")
        received, why = bytearray(), ""
        try:
            for chunk in response.iter_stream():
                received += chunk
                if len(received) > self._largest:
                    why = f"the answer is longer than {self._largest} bytes"
                    break
        except Exception as error:
            why = _said("the answer broke off", error)
        bodiless = message.method == b"HEAD" or status in (204, 304)
        body, coding = (bytes(received), "") if bodiless else decoded(bytes(received), headers, self._largest)
        why = why or coding
        if not why and not bodiless and not _framed(headers):
            why = _open_ended(body, headers)
        return Reply(status, headers, body, not why, why)


def _message(request: Request, given: Credentials) -> httpcore2.Request:
    parts = urlsplit(request.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"`{request.url}` is no http or https URL")
    host = _host(parts.hostname)
    query = parts.query
    for name, value in given.query:
        query += ("&" if query else "") + f"{quote(name, safe='')}={quote(value, safe='')}"
    target = quote(parts.path or "/", safe=_PRINTABLE) + (f"?{quote(query, safe=_PRINTABLE)}" if query else "")
    authority = f"[{host}]" if ":" in host else host
    if parts.port is not None:
        authority += f":{parts.port}"
    own = [("Host", authority), ("Connection", "close"), ("Accept-Encoding", "gzip, deflate")]
    if not header(request.headers, "User-Agent"):
        # Some recipients refuse requests without one.
        own.append(("User-Agent", "skill-wizard"))
    if request.body is not None or request.method in _BODY_METHODS:
        own.append(("Content-Length", str(len(request.body or b""))))
    secret = {name.lower() for name, _ in given.headers}
    ours = {name.lower() for name, _ in own}
    kept = [pair for pair in request.headers if pair[0].lower() not in secret | ours]
    headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in (*own, *kept, *given.headers)]
    url = httpcore2.URL(scheme=parts.scheme, host=host, port=parts.port, target=target)
    return httpcore2.Request(request.method, url, headers=headers, content=request.body or b"")


def _host(name: str) -> str:
    if name.isascii():
        return name
    import httpx2

    return httpx2.URL(f"http://{name}/").raw_host.decode("ascii")


class _Wire(httpcore2.NetworkBackend):
    """Opens the connection and watches it: the deadline before the first byte and in every wait, and what left."""

    def __init__(self, backend: httpcore2.NetworkBackend, clock: Callable[[], datetime], deadline: datetime) -> None:
        self._backend = backend
        self._clock = clock
        self._deadline = deadline
        # The wall clock can be set back while we wait; this end cannot.
        self._end = time.monotonic() + (deadline - clock()).total_seconds()
        self.begun = False
        """Whether a byte of the request may have left."""

    def left(self) -> float:
        """Seconds until the deadline, never under a millisecond (0 would mean: do not block)."""
        return max(self._end - time.monotonic(), 0.001)

    def over(self) -> bool:
        return time.monotonic() >= self._end or self._clock() >= self._deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        failure: Exception = httpcore2.ConnectError(f"no address for `{host}`")
        for address in _addresses(host, port):
            if self.over():
                raise _TooLate
            try:
                return _Stream(self, self._backend.connect_tcp(address, port, self.left(), local_address))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


def _addresses(host: str, port: int) -> Sequence[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise httpcore2.ConnectError(f"the name `{host}` was not found: {error}") from error
    return [str(one[4][0]) for one in found]


class _Stream(httpcore2.NetworkStream):
    def __init__(self, wire: _Wire, inner: httpcore2.NetworkStream) -> None:
        self._wire = wire
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if self._wire.over():
            raise httpcore2.ReadTimeout("the time for this send is over")
        return self._inner.read(max_bytes, self._wire.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        plain = self._inner.get_extra_info("socket")
        view = memoryview(buffer)
        while view:
            # Before each piece: whoever is halted in the middle of a long body does not end it after the deadline.
            self._in_time()
            if not isinstance(plain, socket.socket) or isinstance(plain, ssl.SSLSocket):
                # Nobody can say how much of a record left before a write failed.
                self._wire.begun = True
                self._inner.write(bytes(view[:PIECE]), self._wire.left())
                view = view[PIECE:]
                continue
            try:
                plain.settimeout(self._wire.left())
                taken = plain.send(view)
            except TimeoutError as error:
                raise self._failed(httpcore2.WriteTimeout(str(error))) from error
            except OSError as error:
                raise self._failed(httpcore2.WriteError(str(error))) from error
            self._wire.begun = True
            view = view[taken:]

    def _in_time(self) -> None:
        if self._wire.over():
            if not self._wire.begun:
                raise _TooLate
            raise httpcore2.WriteTimeout("the time for this send is over")

    def _failed(self, error: Exception) -> Exception:
        return error if self._wire.begun else _NothingLeft(str(error))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._wire, self._inner.start_tls(ssl_context, server_hostname, self._wire.left()))

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


def _unsent(error: Exception) -> str:
    if isinstance(error, httpcore2.LocalProtocolError | UnicodeError):
        # The library's own words quote the header, which may be a credential.
        return "nothing was sent: a header or the URL holds a character that HTTP does not allow there"
    return _said("nothing was sent", error)


def _said(what: str, error: Exception) -> str:
    detail = str(error) or type(error).__name__
    if isinstance(error, httpcore2.RemoteProtocolError):
        # Behind the colon stands what the recipient said, which is not for a record's events.
        detail = detail.partition(": ")[0]
    return f"{what}: {detail}"


def header(headers: Iterable[tuple[str, str]], name: str) -> str:
    """The value of a header, several joined by a comma, empty where there is none."""
    return ", ".join(value for one, value in headers if one.lower() == name.lower())


def is_json(headers: Iterable[tuple[str, str]]) -> bool:
    """Whether an answer calls itself JSON."""
    media = header(headers, "Content-Type").partition(";")[0].strip().lower()
    return media == "application/json" or media.endswith("+json")


def decoded(body: bytes, headers: tuple[tuple[str, str], ...], largest: int) -> tuple[bytes, str]:
    """A body with its content coding undone, and what is wrong with it (empty: nothing, it is whole)."""
    codings = [coding.strip().lower() for coding in header(headers, "Content-Encoding").split(",")]
    for coding in reversed([coding for coding in codings if coding not in ("", "identity")]):
        if not body:
            break
        if coding not in ("gzip", "x-gzip", "deflate"):
            return body, f"the answer's content coding `{coding}` was not asked for"
        unpacked = _inflated(body, coding, largest)
        if isinstance(unpacked, str):
            return body, unpacked
        body = unpacked
    return body, ""


def _inflated(body: bytes, coding: str, largest: int) -> bytes | str:
    """The unpacked bytes, or what is wrong. `deflate` comes with a zlib head or, against the standard, without."""
    if coding == "deflate":
        # RFC 9110 means zlib's format; a sender without its head is told by the first two bytes.
        bare = len(body) < 2 or body[0] & 0x0F != 8 or int.from_bytes(body[:2]) % 31 != 0
        windows = -zlib.MAX_WBITS if bare else zlib.MAX_WBITS
    else:
        windows = zlib.MAX_WBITS | 16
    unpacked = bytearray()
    while body:
        stream = zlib.decompressobj(windows)
        try:
            unpacked += stream.decompress(body, largest + 1 - len(unpacked))
        except zlib.error as error:
            return f"the answer's {coding} coding is broken: {error}"
        if len(unpacked) > largest:
            return f"the answer is longer than {largest} bytes"
        if not stream.eof:
            return f"the answer broke off inside its {coding} coding"
        if coding == "deflate":
            break
        body = stream.unused_data.lstrip(b"\0")
    return bytes(unpacked)


def _framed(headers: tuple[tuple[str, str], ...]) -> bool:
    """Whether the answer says where it ends: by its length or by chunks."""
    return bool(header(headers, "Content-Length")) or "chunked" in header(headers, "Transfer-Encoding").lower()


def _open_ended(body: bytes, headers: tuple[tuple[str, str], ...]) -> str:
    """What is wrong with a body that ends where the connection ends. RFC 9112 takes it for whole; JSON can be held to
    its own end, so it is."""
    if not is_json(headers):
        return ""
    try:
        value = loads(body)
    except (JSONDecodeError, UnicodeDecodeError, RecursionError):
        return "the answer does not say how long it is, and ends inside its JSON"
    # A number that was cut off is a number still.
    return "" if isinstance(value, dict | list) else "the answer does not say how long it is"
