"""The text has a write repeated until it succeeds, or after a timeout without a look at what became of it.

Why: a request that got no answer may have been carried out. Sent again it may be carried out again, as often as it
takes until one answer comes through. The host records the write before it is sent, asks the recipient, and repeats
only what it knows not to have landed.

Before:

    If the call times out, keep retrying until the charge succeeds.

After:

    Call it once; if no answer comes, the host finds out whether it was done.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.keyprose.sayings import once_instead, sayings_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    for saying in sayings_of(context, "retry-blindly"):
        yield Finding(
            span=saying.span,
            message="a write that got no answer may have landed; repeated so, it may land as often as it is sent",
            fix=once_instead(context, saying, "Say that the write is called once"),
        )


RULE = Rule(
    name="retry-blindly",
    family="prose",
    severity="warning",
    confidence="medium",
    summary="a write is to be repeated until it succeeds",
    check=check,
    why=__doc__ or "",
)
