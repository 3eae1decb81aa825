"""Parameters that the transport adds to each request: credentials, signatures, their times, and tracing.

They are never part of a declaration, so a request that lacks them lacks nothing that the model could have given.
"""

from __future__ import annotations

import re

HEADERS = re.compile(
    r"(?i)authorization|cookie|accept(-.*)?|content-.*|user-agent|host|connection|x-(request|correlation|trace|amzn-trace)-id|traceparent|tracestate"
    r"|if-(none-)?match|x-amz-.*|.*signature.*|x-forwarded-.*|prefer|date|expect|origin|referer|.*api-?key|.*token|.*secret.*"
)
"""Whole names of such headers."""
_QUERY = re.compile(
    r"(?i)timestamp|recv_?window|nonce|.*signature|sign|.*api_?key|(auth|access|api|session|bearer)?[_-]?token|.*auth_?token|.*secret.*|login|password"
)


def from_transport(location: str, name: str) -> bool:
    """Whether the transport adds a parameter of that name there."""
    if location == "header":
        return HEADERS.fullmatch(name) is not None
    return location == "query" and _QUERY.fullmatch(name) is not None
