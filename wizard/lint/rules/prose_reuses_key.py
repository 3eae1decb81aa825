"""A sentence tells the model to keep the key that it made and to send the same one on a retry.

Why: it is right about the recipient and wrong about who can do it. A model has no memory that outlives an eviction,
and what it writes down it may write down after the request has left. The host claims the write before the first byte
goes out, and finds the same key again by deriving it.

Before:

    If the request times out, retry with the same `client_token`.

After:

    operation:
      identity: [name, region]
      key: field client_token
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="prose-reuses-key",
    family="prose-key",
    severity="warning",
    confidence="high",
    summary="the text tells the model to keep a key and send it again",
    check=check_for("prose-reuses-key"),
    why=__doc__ or "",
)
