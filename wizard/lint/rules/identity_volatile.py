"""The identity names a value that is another one at each attempt: the clock, a nonce, a request id, a trace id.

Why: the second attempt at the same write gets another key, and the recipient takes it for a new one. That is the
double write that a key is there to prevent.

Before:

    identity: [account_id, amount, requested_at]

After:

    identity: [account_id, amount, booking_id]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import no_identity
from wizard.lint.fieldnames import is_a, key_kind, name_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def _is_key(operation: Operation, path: FieldPath) -> bool:
    """Whether it is the key's own place, of which another rule speaks."""
    return operation.key is not None and path.required() == operation.key.path


def check(context: Context) -> Iterator[Finding]:
    return no_identity(context, _fault)


def _fault(operation: Operation, path: FieldPath) -> str:
    name = name_of(path)
    kind = key_kind(name)
    if not (is_a(name, "nonce", "clock", "window") or kind in ("tracing", "key")) or _is_key(operation, path):
        return ""
    what = "the clock" if is_a(name, "clock") and not is_a(name, "nonce") else "a value made for one request"
    if is_a(name, "window"):
        what = "how long the request holds"
    return f"{what}: each attempt has another, and so gets another key"


RULE = Rule(
    name="identity-volatile",
    family="declaration",
    severity="error",
    confidence="medium",
    summary="the identity names a value that is new with each attempt",
    check=check,
    why=__doc__ or "",
)
