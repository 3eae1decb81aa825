"""What a gateway says of a request, and when its word counts."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from wizard.host.gateway import EnvelopeGateway, MarkedGateway
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Request, Silence
from wizard.host.state import Seen, classify

DEADLINE = datetime(2026, 3, 1, tzinfo=UTC)
REQUEST = Request("POST", "http://house/bookings", (("X-Tenant", "t"),), b'{"a":1}')


@dataclass
class Inner:
    outcome: Outcome
    sent: list[Request] = field(default_factory=list)

    def send(self, request: Request, deadline: datetime) -> Outcome:
        self.sent.append(request)
        return self.outcome


def marked(outcome: Outcome) -> Outcome:
    return MarkedGateway(Inner(outcome)).send(REQUEST, DEADLINE)


def enveloped(value: Any, status: int = 200, **more: Any) -> Outcome:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return EnvelopeGateway(Inner(Reply(status, (), body, **more)), "http://gateway/").send(REQUEST, DEADLINE)


@pytest.mark.requirement(75, 104)
@pytest.mark.parametrize(
    ("mark", "kind", "seen"),
    [
        ("refused", GatewayRefusal, Seen.REFUSED),
        ("not-sent", NeverSent, Seen.NOT_SENT),
        ("Not-Sent ", NeverSent, Seen.NOT_SENT),
        ("did-not-complete", Silence, Seen.UNOBSERVED),
        ("sent, I think", Silence, Seen.UNOBSERVED),
    ],
)
def test_a_mark_says_what_became_of_it(mark: str, kind: type[Outcome], seen: Seen) -> None:
    outcome = marked(Reply(502, (("x-gateway-outcome", mark),)))
    assert isinstance(outcome, kind)
    assert classify(outcome).seen is seen


def test_without_a_mark_the_answer_is_the_recipients() -> None:
    for outcome in (Reply(201, (), b"{}"), Reply(503), Silence("x"), NeverSent("x")):
        assert marked(outcome) == outcome


@pytest.mark.requirement(79)
def test_an_envelope_holds_the_recipients_answer() -> None:
    inner = Inner(Reply(200, (), json.dumps({
        "outcome": "answered", "status": 201, "headers": [["A", "b"]], "body": base64.b64encode(b"{}").decode(),
    }).encode()))  # fmt: skip
    outcome = EnvelopeGateway(inner, "http://gateway/send").send(REQUEST, DEADLINE)
    assert outcome == Reply(201, (("A", "b"),), b"{}")
    (sent,) = inner.sent
    assert (sent.method, sent.url) == ("POST", "http://gateway/send")
    assert json.loads(sent.body or b"") == {
        "method": "POST", "url": REQUEST.url, "headers": [["X-Tenant", "t"]],
        "body": base64.b64encode(b'{"a":1}').decode(),
    }  # fmt: skip


@pytest.mark.requirement(75, 79, 104)
@pytest.mark.parametrize(
    ("envelope", "kind"),
    [
        ({"outcome": "refused"}, GatewayRefusal),
        ({"outcome": "not-sent"}, NeverSent),
        ({"outcome": "did-not-complete"}, Silence),
        ({"outcome": "whatever"}, Silence),
        ({"outcome": "answered"}, Silence),
        ({"outcome": "answered", "status": 99}, Silence),
        ({"outcome": "answered", "status": "201"}, Silence),
        ({"outcome": "answered", "status": True}, Silence),
        ({"outcome": "answered", "status": 201, "body": "%%%"}, Silence),
        ({"outcome": "answered", "status": 201, "body": 3}, Silence),
        ({"outcome": "answered", "status": 201, "headers": [["a"]]}, Silence),
        ({"outcome": 3}, Silence),
        ({}, Silence),
        ([], Silence),
        (b"{", Silence),
        (b'{"outcome": "not-sent", "outcome": "answered"}', Silence),
        (b"\xff", Silence),
        (b"", Silence),
    ],
)
def test_an_envelope_that_cannot_be_read_is_no_answer(envelope: Any, kind: type[Outcome]) -> None:
    assert isinstance(enveloped(envelope), kind)


@pytest.mark.requirement(79)
def test_the_gateways_own_errors_are_no_answer() -> None:
    for status in (204, 400, 404, 500, 502):
        assert isinstance(enveloped({"outcome": "not-sent"}, status), Silence)
    assert isinstance(enveloped({"outcome": "not-sent"}, complete=False, why="cut"), Silence)
    assert marked(NeverSent("x")) == NeverSent("x")


@pytest.mark.requirement(104)
def test_a_gateway_that_cannot_be_reached_was_sent_nothing() -> None:
    inner = Inner(NeverSent("refused"))
    assert EnvelopeGateway(inner, "http://gateway/").send(REQUEST, DEADLINE) == NeverSent("refused")
