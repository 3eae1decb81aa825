"""A sentence tells the model to try again with a new, fresh or changed key.

Why: nobody saw how the first request ended, and it may have been carried out. Under a new key the recipient cannot
know the second one for the same write, and carries it out again. This is how money moves twice.

Before:

    If the charge times out, generate a new Idempotency-Key and try again.

After:

    Call the operation once. If no answer came, say so; the host settles whether the charge was made.
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="prose-new-key-on-retry",
    family="prose-key",
    severity="error",
    confidence="high",
    summary="a retry is told to go out with a new key",
    check=check_for("prose-new-key-on-retry"),
    why=__doc__ or "",
)
