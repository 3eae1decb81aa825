"""The identity names a field that the API document marks as read-only: the recipient makes it, and no request has it.

Why: the host takes the identity out of the request. A field that is never there stops each call before it is sent.

Before:

    identity: [id, room_id]

After:

    identity: [room_id, arrival]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import field_of, matched
from wizard.lint.declared import element, without_field, write_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation, found = write_of(context), matched(context)
    if operation is None or found is None:
        return
    for path in operation.identity:
        field = field_of(found, path.name) if path.place == "body" else None
        if field is not None and field.shape.read_only:
            yield Finding(
                span=element(context, "identity", path),
                message=f"`{path.name}` is read-only: the recipient makes it, and no request has it",
                fix=without_field(context, path),
            )


RULE = Rule(
    name="identity-read-only",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the identity names a field that only answers have",
    check=check,
    why=__doc__ or "",
)
