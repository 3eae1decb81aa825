"""What the transport says it saw, over real sockets."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpcore2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.host.faults import FaultyRecipient
from wizard.host.http import Credentials, HttpTransport
from wizard.host.outcome import NeverSent, Outcome, Reply, Request, Silence
from wizard.host.wire import Answering, Fault, answer_bytes

BODY = b'{"room_id":"r1","guest_name":"Ada","arrival":"2026-03-01","departure":"2026-03-04"}'


def now() -> datetime:
    return datetime.now(UTC)


def within(seconds: float) -> datetime:
    return now() + timedelta(seconds=seconds)


def post(url: str, body: bytes = BODY) -> Request:
    return Request("POST", url, (("Content-Type", "application/json"),), body)


def send(url: str, seconds: float = 10, transport: HttpTransport | None = None) -> Outcome:
    return (transport or HttpTransport(clock=now)).send(post(url), within(seconds))


def test_an_answer_is_told_whole() -> None:
    with FaultyRecipient() as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply)
    assert (outcome.status, outcome.complete, outcome.why) == (201, True, "")
    assert json.loads(outcome.body)["id"] == "b_1"
    assert ("Content-Type", "application/json") in outcome.headers


def test_the_request_goes_out_as_it_was_given() -> None:
    with FaultyRecipient() as recipient:
        url = f"{recipient.url}/%7e%2F?q=a%20b&x=1#part"
        HttpTransport(clock=now).send(
            Request("POST", url, (("Content-Type", "application/json"), ("X-Tenant", "t1")), BODY), within(10)
        )
        seen = recipient.seen[0]
    assert seen.target == "/bookings/%7e%2F?q=a%20b&x=1"
    assert seen.headers == (
        ("Host", f"127.0.0.1:{recipient.port}"),
        ("Connection", "close"),
        ("Accept-Encoding", "gzip, deflate"),
        ("User-Agent", "skill-wizard"),
        ("Content-Length", str(len(BODY))),
        ("Content-Type", "application/json"),
        ("X-Tenant", "t1"),
    )
    assert seen.body == BODY


@pytest.mark.requirement(78, 77)
@pytest.mark.parametrize("framing", ["length", "chunked", "close"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("resets", [False, True], ids=["fin", "rst"])
def test_an_answer_cut_at_every_offset_is_never_taken_for_whole(framing: str, packed: bool, resets: bool) -> None:
    text = b'{"id":"b_1"}'
    body = gzip.compress(text, mtime=0) if packed else text
    headers = (("Content-Encoding", "gzip"),) if packed else ()
    fault = Fault(framing=framing, body=body, headers=headers)
    with FaultyRecipient() as recipient:
        recipient.then(fault)
        whole = send(recipient.url)
        assert whole == Reply(201, whole.headers, text, True, "")
        head, length = _sizes(framing, body, headers)
        for cut in range(length):
            recipient.then(Fault(framing=framing, body=body, headers=headers, cut=cut, resets=resets))
            outcome = send(recipient.url)
            if resets and isinstance(outcome, Silence):
                continue  # a reset may overtake what was sent before it
            if cut < head:
                assert isinstance(outcome, Silence), cut
            else:
                assert isinstance(outcome, Reply), cut
                assert not outcome.complete, cut
                assert outcome.why, cut


def _sizes(framing: str, body: bytes, headers: tuple[tuple[str, str], ...]) -> tuple[int, int]:
    answer, head = answer_bytes(Answering(201, headers, body), framing)
    return head, len(answer)


@pytest.mark.requirement(77)
def test_a_reset_at_every_byte_of_the_request_is_no_answer() -> None:
    with FaultyRecipient() as recipient:
        send(recipient.url)
        seen = recipient.seen[0]
        head = [f"POST {seen.target} HTTP/1.1", *(f"{name}: {value}" for name, value in seen.headers), "", ""]
        for count in range(1, len("\r\n".join(head)) + len(BODY) + 1):
            recipient.then(Fault(after_bytes=count, resets=True))
            outcome = send(recipient.url)
            assert isinstance(outcome, Silence), count
        assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(77)
@pytest.mark.parametrize("fault", [Fault(cut=0), Fault(cut=0, resets=True)], ids=["fin", "rst"])
def test_an_end_before_the_status_line_is_no_answer(fault: Fault) -> None:
    with FaultyRecipient([fault]) as recipient:
        outcome = send(recipient.url)
        assert sum(recipient.commits.values()) == 1
    assert isinstance(outcome, Silence)
    assert outcome.why.startswith("sent, and no whole answer came back: ")


@pytest.mark.requirement(79, 81)
@pytest.mark.parametrize(
    "raw",
    [
        b"HTTP/1.1 99 X\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 2x1 X\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"<html>hello</html>\r\n\r\n",
        b"HTTP/1.1 201 X\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"HTTP/1.1 201 X\r\nno colon\r\n\r\n",
        b"HTTP/1.1 201 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x00\x05hello",
    ],
)
def test_what_is_no_http_is_no_whole_answer(raw: bytes) -> None:
    with FaultyRecipient([Fault(raw=raw)]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Silence) or (isinstance(outcome, Reply) and not outcome.complete)


def test_what_the_recipient_said_is_not_quoted() -> None:
    with FaultyRecipient([Fault(raw=b"s3cret is here\r\n\r\n")]) as recipient:
        outcome = send(recipient.url)
    assert outcome == Silence("sent, and no whole answer came back: illegal status line")


def test_an_interim_answer_is_passed_over() -> None:
    raw = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 201 X\r\nContent-Length: 2\r\n\r\n{}"
    with FaultyRecipient([Fault(raw=raw)]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply)
    assert (outcome.status, outcome.body, outcome.complete) == (201, b"{}", True)


def test_a_changed_protocol_is_no_whole_answer() -> None:
    raw = b"HTTP/1.1 101 X\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"
    with FaultyRecipient([Fault(raw=raw)]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply | Silence)
    assert not (isinstance(outcome, Reply) and outcome.complete)


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", lambda text: gzip.compress(text[:3]) + gzip.compress(text[3:])),
        ("deflate", zlib.compress),
        ("deflate", lambda text: zlib.compress(text)[2:-4]),
        ("identity", lambda text: text),
        ("deflate, gzip", lambda text: gzip.compress(zlib.compress(text))),
    ],
)
def test_content_codings_are_undone(coding: str, pack: Callable[[bytes], bytes]) -> None:
    fault = Fault(body=pack(b'{"id":"b_1"}'), headers=(("Content-Encoding", coding),))
    with FaultyRecipient([fault]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply)
    assert (outcome.body, outcome.complete) == (b'{"id":"b_1"}', True)


def test_a_coding_that_was_not_asked_for_cannot_be_read() -> None:
    with FaultyRecipient([Fault(body=b"xx", headers=(("Content-Encoding", "br"),))]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply)
    assert not outcome.complete
    assert outcome.why == "the answer's content coding `br` was not asked for"


@pytest.mark.parametrize("packed", [False, True])
def test_an_answer_over_the_limit_is_not_read_on(packed: bool) -> None:
    body = b" " * 20_000
    headers = (("Content-Encoding", "gzip"),) if packed else ()
    fault = Fault(body=gzip.compress(body) if packed else body, headers=headers)
    with FaultyRecipient([fault]) as recipient:
        outcome = send(recipient.url, transport=HttpTransport(clock=now, largest_answer=10_000))
    assert isinstance(outcome, Reply)
    assert (outcome.complete, outcome.why) == (False, "the answer is longer than 10000 bytes")


def test_text_that_ends_with_its_connection_counts_as_whole() -> None:
    fault = Fault(body=b"done", framing="close", headers=(("Content-Type", "text/plain"),))
    with FaultyRecipient([fault]) as recipient:
        outcome = send(recipient.url)
    assert isinstance(outcome, Reply)
    assert outcome.complete


@pytest.mark.requirement(104)
def test_a_refused_connection_is_never_sent() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    outcome = send(f"http://127.0.0.1:{port}/bookings")
    assert isinstance(outcome, NeverSent)
    assert "refused" in outcome.why


@pytest.mark.requirement(104)
def test_a_name_that_is_not_found_is_never_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    outcome = send("http://house.invalid/bookings")
    assert outcome == NeverSent(
        "nothing was sent: the name `house.invalid` was not found: [Errno -2] Name or service not known"
    )


@pytest.mark.requirement(104)
def test_a_failed_tls_handshake_is_never_sent() -> None:
    with FaultyRecipient() as recipient:
        outcome = send(recipient.url.replace("http:", "https:"))
        assert isinstance(outcome, NeverSent)
        assert not recipient.seen


@pytest.mark.parametrize("url", ["ftp://house/", "house/bookings", "http:///x", "http://house:port/"])
def test_a_url_that_is_none_is_never_sent(url: str) -> None:
    assert isinstance(send(url), NeverSent)


def test_a_header_that_cannot_be_sent_is_never_sent_and_not_quoted() -> None:
    secret = Credentials(headers=(("Authorization", "Bearer s3cret\nX: y"),))
    with FaultyRecipient() as recipient:
        outcome = HttpTransport(clock=now, credentials=lambda _: secret).send(post(recipient.url), within(10))
        assert not recipient.seen
    assert isinstance(outcome, NeverSent)
    assert "s3cret" not in outcome.why


def test_credentials_are_asked_for_at_each_send_and_kept_nowhere() -> None:
    asked: list[Request] = []

    def credentials(request: Request) -> Credentials:
        asked.append(request)
        return Credentials((("Authorization", f"Bearer s3cret-{len(asked)}"),), (("api_key", "s3 cret"),))

    transport = HttpTransport(clock=now, credentials=credentials)
    with FaultyRecipient() as recipient:
        request = Request("POST", f"{recipient.url}?a=1", (("authorization", "the model's"),), BODY)
        transport.send(request, within(10))
        transport.send(request, within(10))
        first, second = recipient.seen
    assert first.target == second.target == "/bookings?a=1&api_key=s3%20cret"
    assert [first.header("Authorization"), second.header("Authorization")] == ["Bearer s3cret-1", "Bearer s3cret-2"]
    assert asked == [request, request]
    assert "s3cret" not in repr(Credentials((("Authorization", "s3cret"),)))
    assert "s3cret" not in repr(vars(transport))


def test_credentials_that_fail_send_nothing_and_tell_nothing() -> None:
    def broken(_: Request) -> Credentials:
        raise RuntimeError("s3cret was wrong")

    with FaultyRecipient() as recipient:
        outcome = HttpTransport(clock=now, credentials=broken).send(post(recipient.url), within(10))
        assert not recipient.seen
    assert outcome == NeverSent("no credentials were given (RuntimeError)")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_told_and_not_followed(status: int) -> None:
    with FaultyRecipient() as recipient:
        recipient.then(Fault(status=status, headers=(("Location", recipient.url),)))
        outcome = send(recipient.url)
        assert len(recipient.seen) == 1
    assert isinstance(outcome, Reply)
    assert outcome.status == status


@pytest.mark.requirement(6, 3)
def test_after_a_timeout_the_socket_is_closed_and_nothing_goes_on() -> None:
    with FaultyRecipient([Fault(hangs=True)]) as recipient:
        threads = set(threading.enumerate())
        descriptors = set(os.listdir("/proc/self/fd"))
        outcome = send(recipient.url, 0.2)
        assert isinstance(outcome, Silence)
        ours = {thread for thread in threading.enumerate() if thread not in threads}
        assert all(thread in recipient.wire.threads for thread in ours)
        # One more is open: the recipient's own end, which still hangs.
        assert len(set(os.listdir("/proc/self/fd")) - descriptors) <= 1


@pytest.mark.requirement(6)
def test_a_dripping_answer_ends_at_the_deadline() -> None:
    class Drip:
        def __init__(self) -> None:
            self.server = socket.create_server(("127.0.0.1", 0))
            self.thread = threading.Thread(target=self.run, daemon=True)
            self.thread.start()

        def run(self) -> None:
            connection, _ = self.server.accept()
            with connection:
                connection.recv(65536)
                with contextlib.suppress(OSError):
                    connection.sendall(b"HTTP/1.1 201 X\r\nContent-Length: 1000\r\n\r\n")
                    while True:
                        connection.sendall(b"x")
                        time.sleep(0.02)

    drip = Drip()
    with drip.server:
        outcome = send(f"http://127.0.0.1:{drip.server.getsockname()[1]}/", 0.3)
        drip.thread.join(5)
        assert not drip.thread.is_alive()
    assert isinstance(outcome, Reply)
    assert not outcome.complete


class _Steps:
    """A clock that gives one time after another, the last one again and again."""

    def __init__(self, *times: datetime) -> None:
        self.times = list(times)

    def __call__(self) -> datetime:
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]


def test_the_deadline_is_looked_at_right_before_the_first_byte() -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    late = start + timedelta(seconds=30)
    with FaultyRecipient() as recipient:
        # Looked at when the send begins and before connecting; over when the first byte is due.
        clock = _Steps(start, start, late)
        outcome = HttpTransport(clock=clock).send(post(recipient.url), start + timedelta(seconds=30))
        assert outcome == NeverSent("the time for this send was over before its first byte went out")
        assert clock.times == [late]
        assert not recipient.seen


def test_a_deadline_that_is_over_opens_no_connection() -> None:
    assert send("http://127.0.0.1:9/", -1) == NeverSent(
        "the time for this send was over before its first byte went out"
    )


class _Broken(httpcore2.NetworkBackend):
    """A connection whose other side is gone before anything is written."""

    def connect_tcp(self, host: str, port: int, *_: object, **__: object) -> httpcore2.NetworkStream:
        ours, theirs = socket.socketpair()
        ours.shutdown(socket.SHUT_WR)
        theirs.close()
        return _Pair(ours)


class _Pair(httpcore2.NetworkStream):
    def __init__(self, ours: socket.socket) -> None:
        self.ours = ours

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.ours.recv(max_bytes)

    def close(self) -> None:
        self.ours.close()

    def get_extra_info(self, info: str) -> object:
        return self.ours if info == "socket" else None


@pytest.mark.requirement(104)
def test_a_connection_that_takes_no_byte_is_never_sent() -> None:
    outcome = send("http://house.test/", transport=HttpTransport(clock=now, backend=_Broken()))
    assert isinstance(outcome, NeverSent)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        capture_output=True,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("no openssl command")
    return str(cert), str(key)


def test_over_tls_an_answer_is_told_and_a_break_is_no_answer(certificate: tuple[str, str]) -> None:
    cert, key = certificate
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(cert, key)
    trusting = ssl.create_default_context(cafile=cert)
    answers = [b"HTTP/1.1 201 X\r\nContent-Length: 2\r\n\r\n{}", b""]

    def serve(server: socket.socket) -> None:
        for answer in answers:
            connection, _ = server.accept()
            with serving.wrap_socket(connection, server_side=True) as stream:
                received = b""
                while BODY not in received:
                    received += stream.recv(65536)
                if answer:
                    stream.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server,), daemon=True)
        thread.start()
        transport = HttpTransport(clock=now, tls=trusting)
        url = f"https://localhost:{server.getsockname()[1]}/"
        whole, broken = (transport.send(post(url), within(10)) for _ in answers)
        thread.join(5)
    assert whole == Reply(201, (("Content-Length", "2"),), b"{}", True, "")
    assert isinstance(broken, Silence)


def test_a_certificate_that_is_not_trusted_is_never_sent(certificate: tuple[str, str]) -> None:
    cert, key = certificate
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(cert, key)

    def serve(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, contextlib.suppress(OSError):
            serving.wrap_socket(connection, server_side=True).close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, args=(server,), daemon=True)
        thread.start()
        outcome = send(f"https://127.0.0.1:{server.getsockname()[1]}/")
        thread.join(5)
    assert isinstance(outcome, NeverSent)
    assert "certificate" in outcome.why


@pytest.mark.requirement("T4")
def test_halted_inside_a_long_body_it_sends_no_more_of_it_after_the_deadline() -> None:
    from wizard.host.http import _Stream, _Wire

    begun, at = now(), [timedelta(0)]
    wire = _Wire(httpcore2.MockBackend([]), lambda: begun + at[0], begun + timedelta(seconds=30))
    ours, theirs = socket.socketpair()

    class Halted(socket.socket):
        def send(self, *given: Any) -> int:
            taken = super().send(given[0][:1000])
            at[0] = timedelta(hours=1)
            return taken

    class Inner(httpcore2.NetworkStream):
        def get_extra_info(self, info: str) -> Any:
            return plain

    with Halted(ours.family, ours.type, fileno=ours.detach()) as plain, theirs:
        with pytest.raises(httpcore2.WriteTimeout):
            _Stream(wire, Inner()).write(b"x" * 5000)
        assert len(theirs.recv(10_000)) == 1000
    assert wire.begun


@pytest.mark.requirement(3)
def test_an_interrupt_inside_a_send_closes_the_socket_and_comes_through() -> None:
    # A shell starts what runs in the background with interrupts ignored, and children inherit that.
    program = f"""
import signal, sys
from datetime import UTC, datetime, timedelta
from wizard.host.http import HttpTransport
from wizard.host.outcome import Request
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
now = lambda: datetime.now(UTC)
HttpTransport(clock=now).send(Request("POST", sys.argv[1], (), {BODY!r}), now() + timedelta(seconds=20))
"""
    arrived = threading.Event()
    with FaultyRecipient([Fault(hangs=True)], on_write=lambda _: arrived.set()) as recipient:
        child = subprocess.Popen([sys.executable, "-c", program, recipient.url], stderr=subprocess.PIPE, text=True)
        assert arrived.wait(20)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=20)
    assert child.returncode != 0
    assert errors.rstrip().endswith("KeyboardInterrupt")


def from_bytes(*pieces: bytes) -> Outcome:
    """What is told of an answer of these bytes, without a socket."""
    return send("http://127.0.0.1/", transport=HttpTransport(clock=now, backend=httpcore2.MockBackend(list(pieces))))


@pytest.mark.requirement(79)
@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_whatever_comes_back_something_is_told(answer: bytes) -> None:
    assert isinstance(from_bytes(answer), Silence | Reply)


@pytest.mark.requirement(78, 79)
@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([b"HTTP/1.1 201 X\r\nContent-Length: 14\r\n\r\n" + b'{"id": "b_123"}'[:14],
                     b"HTTP/1.1 201 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"]),
    st.data(),
)  # fmt: skip
def test_an_answer_with_a_byte_changed_or_missing_is_read_or_not_but_never_made_up(whole: bytes, data: Any) -> None:
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.binary(max_size=1))
    outcome = from_bytes(whole[:at] + byte + whole[at + 1 :])
    assert isinstance(outcome, Silence | Reply)
    if isinstance(outcome, Reply) and outcome.complete:
        assert len(outcome.body) <= len(whole)


@given(st.lists(st.binary(min_size=1, max_size=9), max_size=9))
@settings(deadline=None)
def test_pieces_make_no_difference(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    answer = b"HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n" % len(whole)
    assert from_bytes(answer, *pieces) == from_bytes(answer + whole)
