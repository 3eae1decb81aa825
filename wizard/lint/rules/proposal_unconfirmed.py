"""The declaration is only proposed: `status: proposed` stands in it, because no person has confirmed it yet.

Why: the host treats a proposed declaration as none. It records the write under the call scope, sends no key and asks
no probe, so a repeat by the model is not covered. Read it, put right what is wrong, and take the line out.

Before:

    identity: [room_id, arrival]
    status: proposed

After:

    identity: [room_id, arrival]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import key_place, operation_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is not None and not operation.confirmed:
        yield Finding(
            span=key_place(context, "status"),
            message="nobody has confirmed this declaration, and until then the host treats it as none",
        )


RULE = Rule(
    name="proposal-unconfirmed",
    family="declaration",
    severity="info",
    confidence="high",
    summary="no person has confirmed the declaration",
    check=check,
    why=__doc__ or "",
)
