"""The text says that the recipient requires a key, and neither who makes it nor how.

Why: a model that reads "the header is required" makes one up. Declare the key, and the host sends it; the sentence
can then say so, or go.

Before:

    `Idempotency-Key` is required on POST /charges.

After:

    operation:
      identity: [booking_id, amount_pence]
      key: header Idempotency-Key
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="key-required",
    family="prose-key",
    severity="info",
    confidence="medium",
    summary="a key is asked for, and nothing says who makes it",
    check=check_for("key-required"),
    why=__doc__ or "",
)
