"""The identity names a secret or card data: a password, a token, a card number.

Why: what is in the identity goes into the host's record and into the comparison that a model is told of. A token is
often another one at the next attempt, too, and then a repeat gets another key.

Before:

    identity: [customer_id, card_number, amount]

After:

    identity: [customer_id, invoice_number, amount]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import no_identity
from wizard.lint.fieldnames import key_kind, name_of, secret_kind
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def check(context: Context) -> Iterator[Finding]:
    return no_identity(context, _fault)


def _fault(_: Operation, path: FieldPath) -> str:
    name = name_of(path)
    kind = secret_kind(name)
    if not kind or key_kind(name) == "key":
        return ""
    what = "card data" if kind == "card" else "a secret"
    return f"{what}: it belongs in no record, and may differ at the next attempt"


RULE = Rule(
    name="identity-secret",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the identity names a secret",
    check=check,
    why=__doc__ or "",
)
