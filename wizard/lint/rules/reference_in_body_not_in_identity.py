"""The `reference` field stands in `body`, and not in `identity`.

A reference that is not part of the identity is filled in by the host. One that belongs to the matter (an invoice
number) is part of the identity, and the model sends it.

Why: the host replaces what the model put there, so the number that the model told its user is not the one that was
sent.

Before:

    body: [room_id, arrival, client_reference]
    identity: [room_id, arrival]
    reference: field client_reference

After:

    body: [room_id, arrival]
    identity: [room_id, arrival]
    reference: field client_reference
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, operation_of, place, without
from wizard.lint.model import Context, Finding, Related, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.reference is None or not operation.host_fills_reference:
        return
    for path in operation.body:
        if path.required() == operation.reference.path:
            yield Finding(
                span=element(context, "body", path),
                message=f"the model is asked for `{path.name}`, which the host fills in as it is not in `identity`",
                related=(Related(place(context, "reference"), "the reference"),),
                fix=without(context, "body", path, title=f"Take `{path.name}` out of `body`", safety="unsafe"),
            )


RULE = Rule(
    name="reference-in-body-not-in-identity",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the model is asked for a reference that the host fills in",
    check=check,
    why=__doc__ or "",
)
