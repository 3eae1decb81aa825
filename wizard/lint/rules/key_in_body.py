"""The place of the key stands in `body`, `query` or `header`, so the model is asked to send it.

Why: the host fills the key's place, always, and replaces what the model put there. A model that is asked for a key
makes one up, and tells its user about a key that was never sent.

Before:

    body: [booking_id, amount, request_id]
    key: field request_id

After:

    body: [booking_id, amount]
    key: field request_id
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, name_element, operation_of, place, with_value, without
from wizard.lint.model import Context, Finding, Related, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = operation_of(context)
    if operation is None or operation.key is None:
        return
    key = operation.key
    related = (Related(place(context, "key"), "the host fills it in"),)
    if key.place == "field":
        for path in operation.body:
            if path.required() == key.path:
                yield Finding(
                    span=element(context, "body", path),
                    message=f"the model is asked for `{path.name}`, which the host fills in",
                    related=related,
                    fix=without(context, "body", path, title=f"Take `{path.name}` out of `body`"),
                )
        return
    names = operation.query if key.place == "query" else operation.header
    for name in names:
        if name == key.name or (key.place == "header" and name.lower() == key.name.lower()):
            kept = [other for other in names if other != name]
            yield Finding(
                span=name_element(context, key.place, name),
                message=f"the model is asked for `{name}`, which the host fills in",
                related=related,
                fix=with_value(
                    context, key.place, kept or None, title=f"Take `{name}` out of `{key.place}`", safety="safe"
                ),
            )


RULE = Rule(
    name="key-in-body",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the model is asked for the key that the host fills in",
    check=check,
    why=__doc__ or "",
)
