"""What leaves us and what was seen of it: a request as bytes, and the facts of one send. No judgement.

`state.classify` judges. A transport only says how far the request came and what came back.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it goes out, credentials apart: stored whole, so that a resend is the same byte for byte."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class NeverSent:
    """No byte of the request left: name not found, connection refused, TLS failed, deadline over before the first
    byte, or the gateway says that it did not send."""

    why: str


@dataclass(frozen=True, slots=True)
class GatewayRefusal:
    """The gateway did not let the request through."""

    why: str


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer's head arrived whole. `complete` is False where its body was cut off or cannot be read; `why` says
    how. `body` is what arrived of it, its content coding undone."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    complete: bool = True
    why: str = ""


@dataclass(frozen=True, slots=True)
class Silence:
    """At least one byte of the request may have left, and no readable answer was seen."""

    why: str


Outcome = NeverSent | GatewayRefusal | Reply | Silence
