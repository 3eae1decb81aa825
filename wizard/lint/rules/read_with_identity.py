"""An operation that is no write declares an `identity`, a `key`, a `scope`, a `reference` or a `probe`.

POST, PATCH and DELETE are writes; GET, HEAD and PUT are not, unless `write: true` says so.

Why: reads are never recorded, so nothing here has an effect. Mostly it is a PUT that creates or acts, and then its
repeats are not covered although the file looks as if they were.

Before:

    method: PUT
    url: https://api.example.com/bookings/{number}
    identity: [number]

After:

    method: PUT
    url: https://api.example.com/bookings/{number}
    write: true
    identity: [number]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import key_place, operation_of, raw, with_value
from wizard.lint.model import Context, Finding, Rule

_OF_WRITES = ("identity", "key", "scope", "reference", "probe")


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.is_write:
        return
    written = raw(context)
    fix = None
    if operation.write is None and operation.method == "PUT":
        fix = with_value(context, "write", True, title="Say `write: true`")
    why = f"`{operation.method}` is no write" if operation.write is None else "`write: false` stands here"
    for member in _OF_WRITES:
        if written.get(member) is not None:
            yield Finding(
                span=key_place(context, member),
                message=f"`{member}` has no effect: {why}, and reads are not recorded",
                fix=fix,
            )


RULE = Rule(
    name="read-with-identity",
    family="declaration",
    severity="error",
    confidence="high",
    summary="a declaration of writes on an operation that is none",
    check=check,
    why=__doc__ or "",
)
