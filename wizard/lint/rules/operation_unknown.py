"""The API document has no operation with the declared method under the declared path.

Why: the declaration speaks of something that the API does not offer: a path that was renamed, a method that was
mistyped, or another version. The recipient answers 404, and every rule that compares with the document is silent.

Before:

    method: POST
    url: https://api.example.com/booking

After:

    method: POST
    url: https://api.example.com/bookings
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched
from wizard.lint.declared import operation_of, place
from wizard.lint.matching import nearest_path, of_other_methods, unread_at
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or context.document is None or matched(context) is not None:
        return
    if unread_at(context.document, operation):
        return  # What stands under the path could not be read, and `document-incomplete` says so.
    others = of_other_methods(context.document, operation)
    if others:
        methods = " and ".join(dict.fromkeys(f"`{found.method}`" for found in others))
        yield Finding(
            span=place(context, "method"),
            message=f"{context.document.source} has {methods} under this path, and no `{operation.method}`",
        )
        return
    near = nearest_path(context.document, operation)
    hint = f"; did you mean `{near}`?" if near else ""
    yield Finding(
        span=place(context, "url"),
        message=f"{context.document.source} has no `{operation.method}` under this path{hint}",
    )


RULE = Rule(
    name="operation-unknown",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the API document has no such operation",
    check=check,
    why=__doc__ or "",
)
