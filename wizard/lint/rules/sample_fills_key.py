"""A sample shows the key filled in: a header of a curl line, a member of a JSON body, a flag of a command.

Why: a model copies samples more faithfully than sentences. A literal in the key's place is sent for every booking, so
that the second guest gets the first one's answer; `$(uuidgen)` there makes each retry a new write. Where the
declaration names that very place as its key the fix is safe; elsewhere the sample's key may be the only protection
there is.

Before:

    curl -X POST https://pay.example.com/charges \\
      -H "Idempotency-Key: $(uuidgen)" \\
      -d '{"booking_id": "b-1", "amount": 4500}'

After:

    curl -X POST https://pay.example.com/charges \\
      -d '{"booking_id": "b-1", "amount": 4500}'
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="sample-fills-key",
    family="prose-key",
    severity="warning",
    confidence="high",
    summary="a sample call fills in the key",
    check=check_for("sample-fills-key"),
    why=__doc__ or "",
)
