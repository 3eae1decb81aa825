"""Egress through a gateway that says of each request what became of it. Its word counts only in the place that was
agreed with it: a recipient must not be able to say "not sent" in its name.

Two ways are known. `MarkedGateway` stands in the way of ordinary requests and adds a header to the answers that are its
own. `EnvelopeGateway` is asked to make a request by a POST of its own, and answers with a JSON object that says what
came. A word that is not known, or an envelope that cannot be read, is no answer: somebody has answered, so the write
may have been made.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from wizard.host.exactjson import InexactError, read_json, write_json
from wizard.host.http import Transport, header
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Request, Silence


@dataclass(frozen=True, slots=True)
class Marks:
    """The gateway's words for what is its own answer and not the recipient's."""

    refused: str = "refused"
    """It did not let the request through."""
    not_sent: str = "not-sent"
    """It let it through, and no byte of it left."""
    incomplete: str = "did-not-complete"
    """It sent it, and saw no whole answer."""


@dataclass(frozen=True, slots=True)
class MarkedGateway:
    """Reads the gateway's mark from a header of its answers; an answer without it is the recipient's. The gateway has
    to take that header out of the recipient's own answers."""

    inner: Transport
    header: str = "X-Gateway-Outcome"
    marks: Marks = field(default=Marks())

    def send(self, request: Request, deadline: datetime) -> Outcome:
        """Sends through the gateway."""
        outcome = self.inner.send(request, deadline)
        if not isinstance(outcome, Reply):
            return outcome
        mark = header(outcome.headers, self.header).strip().lower()
        return outcome if not mark else _marked(mark, self.marks, outcome)


@dataclass(frozen=True, slots=True)
class EnvelopeGateway:
    """Asks the gateway at `url` to make each request.

    It is sent `{"method", "url", "headers": [[name, value], …], "body": base64 or null}` and answers 200 with
    `{"outcome": "answered", "status", "headers", "body"}`, or with one of the marks under `outcome`.
    """

    inner: Transport
    url: str
    marks: Marks = field(default=Marks())

    def send(self, request: Request, deadline: datetime) -> Outcome:
        """Has the request sent by the gateway."""
        body = {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers],
            "body": None if request.body is None else base64.b64encode(request.body).decode(),
        }
        asked = Request("POST", self.url, (("Content-Type", "application/json"),), write_json(body))
        outcome = self.inner.send(asked, deadline)
        return _opened(outcome, self.marks) if isinstance(outcome, Reply) else outcome


def _opened(reply: Reply, marks: Marks) -> Outcome:
    if not reply.complete:
        return Silence(f"the gateway's answer was cut off or cannot be read: {reply.why}")
    if reply.status != 200:
        return Silence(f"the gateway answered with status {reply.status} and did not say what became of the request")
    try:
        envelope = read_json(reply.body)
    except InexactError as error:
        return Silence(f"the gateway's answer cannot be read: {error}")
    if not isinstance(envelope, dict) or not isinstance(envelope.get("outcome"), str):
        return Silence("the gateway's answer does not say what became of the request")
    if envelope["outcome"] != "answered":
        return _marked(envelope["outcome"], marks, reply)
    inside = _answer(envelope)
    return inside or Silence("the gateway's answer holds no answer of the recipient that can be read")


def _answer(envelope: dict[str, Any]) -> Reply | None:
    status, headers, body = envelope.get("status"), envelope.get("headers", []), envelope.get("body")
    if isinstance(status, bool) or not isinstance(status, int) or not 100 <= status <= 999:
        return None
    if not isinstance(headers, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair) for pair in headers
    ):
        return None
    try:
        content = b"" if body is None else base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError, TypeError):
        return None
    return Reply(status, tuple((name, value) for name, value in headers), content)


def _marked(mark: str, marks: Marks, reply: Reply) -> Outcome:
    if mark == marks.refused:
        return GatewayRefusal(f"the gateway refused it (status {reply.status})")
    if mark == marks.not_sent:
        return NeverSent("the gateway did not send it")
    if mark == marks.incomplete:
        return Silence("the gateway sent it and saw no whole answer")
    return Silence(f"the gateway says `{mark[:40]}` of it, which is no word that we know")
