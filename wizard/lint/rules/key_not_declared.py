"""The API document shows an idempotency key for this operation, and the declaration has no `key`.

Why: with the key an unanswered write can be sent again, and the recipient makes one of it. Without it the host can
only ask a probe or a person.

Before:

    method: POST
    url: https://pay.example.com/charges

After:

    method: POST
    url: https://pay.example.com/charges
    key: header Idempotency-Key
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wizard.lint.against import matched, proposal
from wizard.lint.declared import misspelt, place, raw, with_value, write_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath

if TYPE_CHECKING:
    from wizard.infer.model import KeyProposal


def check(context: Context) -> Iterator[Finding]:
    operation, found = write_of(context), matched(context)
    if operation is None or found is None or operation.key is not None or raw(context).get("key") is not None:
        return
    if misspelt(context, "key"):
        return
    from wizard.infer.declaration import why_no_key

    proposed = proposal(context, found)
    key = proposed.key
    if key is None or why_no_key(proposed) or key.confidence == "low":
        return
    if any(path.required().covers(_path_of(key)) for path in operation.identity):
        return  # What the model gives as a number of the matter is nothing that the host may fill in.
    shown = f"{key.place} {key.name}"
    yield Finding(
        span=place(context),
        message=f"{found.name} takes an idempotency key, and none is declared: `key: {shown}`",
        severity="error" if key.required else None,
        confidence="high" if key.confidence == "high" else None,
        fix=with_value(context, "key", shown, title=f"Declare `key: {shown}`"),
    )


def _path_of(key: KeyProposal) -> FieldPath:
    return FieldPath.parse(key.name if key.place == "field" else f"{key.place}:{key.name}")


RULE = Rule(
    name="key-not-declared",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="medium",
    summary="the API takes a key, and none is declared",
    check=check,
    why=__doc__ or "",
)
