"""The `key` does not say for how long the recipient remembers it.

Why: after that time the recipient takes a repeat for a new write. The host then counts on 30 minutes, and leaves an
older attempt to the probe or to a person. Vendors mostly say how long it is: 24 hours, 30 days, for ever.

Before:

    key: header Idempotency-Key

After:

    key: {in: header, name: Idempotency-Key, for: 24h}
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import place, write_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is not None and operation.key is not None and operation.key.remembered_for is None:
        yield Finding(
            span=place(context, "key"),
            message="the key does not say how long the recipient remembers it (`for: 24h`); 30 minutes are counted on",
        )


RULE = Rule(
    name="key-memory-undeclared",
    family="declaration",
    severity="info",
    confidence="high",
    summary="how long the recipient remembers keys is not declared",
    check=check,
    why=__doc__ or "",
)
