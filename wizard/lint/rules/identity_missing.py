"""A create declares no `identity`, so the host does not know which writes are the same.

`scope: call` says that this is meant: each call is a write of its own (a log line, a stock movement).

Why: without an identity a write is recorded under the call that made it. That covers a crash and its replay. It does
not cover a model that sends the same booking twice because it did not read the first answer: that is another call.

Before:

    method: POST
    url: https://api.example.com/bookings
    body: [room_id, guest_name, arrival, departure]

After:

    method: POST
    url: https://api.example.com/bookings
    body: [room_id, guest_name, arrival, departure]
    identity: [room_id, guest_name, arrival, departure]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import misspelt, place, raw, write_of
from wizard.lint.fieldnames import creates, repeats
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.identity or operation.scope or raw(context).get("identity") is not None:
        return
    if misspelt(context, "identity", "scope"):
        return
    from wizard.lint.against import matched, proposal

    found = matched(context)
    # The document tells what an operation does and what there is to tell two apart; without one its path has to.
    if found is not None:
        proposed = proposal(context, found)
        made = proposed.kind == "create" and bool(proposed.identity.fields)
    else:
        made = creates(operation) and not repeats(operation)
    if made:
        yield Finding(
            span=place(context),
            message="this makes something new and declares no `identity`: a repeat by the model makes another one",
            confidence="high" if found is not None else None,
        )


RULE = Rule(
    name="identity-missing",
    family="declaration",
    severity="warning",
    confidence="medium",
    summary="a create declares no identity",
    check=check,
    why=__doc__ or "",
)
