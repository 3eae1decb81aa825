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

from wizard.lint.declared import element, without_field, write_of
from wizard.lint.fieldnames import is_a, key_kind, name_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def _is_key(operation: Operation, path: FieldPath) -> bool:
    """Whether it is the key's own place, of which another rule speaks."""
    return operation.key is not None and path.required() == operation.key.path


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None:
        return
    for path in operation.identity:
        name = name_of(path)
        kind = key_kind(name)
        if not (is_a(name, "nonce", "clock", "window") or kind in ("tracing", "key")) or _is_key(operation, path):
            continue
        what = "the clock" if is_a(name, "clock") and not is_a(name, "nonce") else "a value made for one request"
        if is_a(name, "window"):
            what = "how long the request holds"
        yield Finding(
            span=element(context, "identity", path),
            message=f"`{path.name}` is {what}: each attempt has another, and so gets another key",
            fix=without_field(context, path),
        )


RULE = Rule(
    name="identity-volatile",
    family="declaration",
    severity="error",
    confidence="medium",
    summary="the identity names a value that is new with each attempt",
    check=check,
    why=__doc__ or "",
)
