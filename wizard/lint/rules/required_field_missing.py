"""The API document requires a field of the request body that stands neither in `body` nor in the places that the host
fills in.

Why: every request is refused with a 4xx, or the model makes a field up that it was not told of.

Before:

    body: [room_id, arrival]        (the document requires departure, too)

After:

    body: [room_id, arrival, departure]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched
from wizard.lint.declared import key_place, operation_of, raw, touches
from wizard.lint.model import Context, Finding, Rule
from wizard.lint.words_of import listed
from wizard.operation.field_path import FieldPath


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None or found.body is None or raw(context).get("body") is None:
        return
    filled = list(operation.body)
    if operation.key is not None:
        filled.append(operation.key.path)
    if operation.reference is not None:
        filled.append(operation.reference.path)
    left = []
    for field in found.body.fields:
        shape = field.shape
        if not field.always or shape.read_only or shape.default is not None or shape.const is not None or field.branch:
            continue
        path = FieldPath.parse(field.path)
        if not any(touches(path, one) for one in filled):
            left.append(field.path)
    outer = [name for name in left if not any(name.startswith((f"{other}.", f"{other}[")) for other in left)]
    if outer:
        names = listed([f"`{name}`" for name in outer])
        yield Finding(
            span=key_place(context, "body"),
            message=f"{found.name} requires {names}, and nothing here sends {'it' if len(outer) == 1 else 'them'}",
        )


RULE = Rule(
    name="required-field-missing",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the document requires a field that nobody sends",
    check=check,
    why=__doc__ or "",
)
