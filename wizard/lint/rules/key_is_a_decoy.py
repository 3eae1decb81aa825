"""The declared key has the name of something that no recipient dedupes on: a tracing id, a nonce, a lock, a credential.

With the API document its descriptions decide; without one the name does, and a vendor may use it otherwise. A
suppression with the vendor's words as its reason says so.

Why: the host sends an unanswered write again where the recipient takes a key, because a repeat is harmless. On a
tracing id it is not: each one makes another write.

Before:

    key: header X-Request-Id

After:

    key: header Idempotency-Key
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import key_weight, matched
from wizard.lint.declared import operation_of, place
from wizard.lint.fieldnames import key_kind, name_of
from wizard.lint.model import Context, Finding, Rule

_WHAT = {"tracing": "a tracing id or nonce", "other": "a credential, a lock or a way of treatment"}


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.key is None:
        return
    found = matched(context)
    if found is not None:
        weight, because = key_weight(context, found, operation.key)
        if weight <= -1.5 and because:
            yield Finding(
                span=place(context, "key"),
                message=f"`{operation.key.name}` is no idempotency key: {because}",
                confidence="high",
            )
        if weight:
            return
    kind = key_kind(name_of(operation.key.path))
    if kind in _WHAT:
        yield Finding(
            span=place(context, "key"),
            message=f"`{operation.key.name}` is called like {_WHAT[kind]}, on which no recipient dedupes",
        )


RULE = Rule(
    name="key-is-a-decoy",
    family="declaration",
    severity="error",
    confidence="medium",
    summary="what is declared as the key is something else",
    check=check,
    why=__doc__ or "",
)
