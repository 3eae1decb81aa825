"""The identity names the field that the key goes to.

Why: the key is derived from the identity, and the host fills it in. A key that goes into its own derivation is
another one each time.

Before:

    identity: [order_id, request_id]
    key: field request_id

After:

    identity: [order_id]
    key: field request_id
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, operation_of, place, without
from wizard.lint.model import Context, Finding, Related, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.key is None:
        return
    for path in operation.identity:
        if path.required().covers(operation.key.path) or operation.key.path.covers(path.required()):
            span = element(context, "identity", path)
            left = len(operation.identity) > 1 and path.required() == operation.key.path
            yield Finding(
                span=span,
                message=f"`{path.name}` is where the key goes, which is derived from the identity",
                related=(Related(place(context, "key"), "the key"),),
                fix=without(context, "identity", path, title=f"Take `{path.name}` out of the identity")
                if left
                else None,
            )


RULE = Rule(
    name="identity-holds-the-key",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the identity names the place of the key",
    check=check,
    why=__doc__ or "",
)
