"""Code of an SDK that the agent writes into somebody's application makes a key on the spot. Off by default.

Why: such code does not run in the host, so the host cannot make the key. Still, a key made where the request is sent
dies with the process that made it: it belongs to the record of the thing, stored before the first request.

Before:

    await client.charges.create(charge, { idempotencyKey: crypto.randomUUID() });

After:

    await client.charges.create(charge, { idempotencyKey: charge.key });
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Context, Finding, Rule

_FROM_A_RECORD = re.compile(r"[:=][ \t]*[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){1,8}$")
"""The key of a record (`charge.key`), which was there before the request."""


def check(context: Context) -> Iterator[Finding]:
    for finding in check_for("app-code-fills-key")(context):
        if not _FROM_A_RECORD.search(context.source.text[finding.span.start : finding.span.end]):
            yield finding


RULE = Rule(
    name="app-code-fills-key",
    family="prose-key",
    severity="off",
    confidence="medium",
    summary="code that goes into an application makes a key",
    check=check,
    why=__doc__ or "",
)
