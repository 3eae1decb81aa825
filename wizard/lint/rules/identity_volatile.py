"""The identity names a value that is another one at each attempt: the clock, a nonce, a request id, a trace id.

Why: the second attempt at the same write gets another key, and the recipient takes it for a new one. That is the
double write that a key is there to prevent. What the API document says of a field goes before what its name says: a
`timestamp` that is the time of the event belongs to the event.

Before:

    identity: [account_id, amount, sent_at]

After:

    identity: [account_id, amount, booking_id]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.lexicon import phrase
from wizard.lint.declared import no_identity
from wizard.lint.fieldnames import is_a, key_kind, name_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def _is_key(operation: Operation, path: FieldPath) -> bool:
    """Whether it is the key's own place, of which another rule speaks."""
    return operation.key is not None and path.required() == operation.key.path


_THINGS = frozenset({"session", "conversation", "interaction", "span"})
"""What is a trace in a header, and in a body mostly the thing that the write is about (`conversation_id`)."""


def check(context: Context) -> Iterator[Finding]:
    return no_identity(context, _fault, by_name=True)


def _is_trace(path: FieldPath) -> bool:
    words = phrase(name_of(path))
    about = words[:-1] if words[-1:] == ("id",) else words
    return key_kind(name_of(path)) == "tracing" and (path.place == "header" or not _THINGS.intersection(about[-1:]))


def _fault(operation: Operation, path: FieldPath) -> str:
    name = name_of(path)
    made_anew = is_a(name, "nonce", "clock", "window") or key_kind(name) == "key" or _is_trace(path)
    if not made_anew or _is_key(operation, path):
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
