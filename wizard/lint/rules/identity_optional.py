"""The identity names a field that the API document does not require, and does not mark it as optional with `?`.

Why: the host refuses a call that lacks an identity field before anything is sent. With `departure?` a request without
it goes out, and one without is another write than one with.

Before:

    identity: [room_id, arrival, departure]     (departure is optional)

After:

    identity: [room_id, arrival, 'departure?']
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import field_of, matched, parameter_of
from wizard.lint.declared import element, quoted_name, write_of
from wizard.lint.model import Context, Edit, Finding, Fix, Rule


def check(context: Context) -> Iterator[Finding]:
    operation, found = write_of(context), matched(context)
    if operation is None or found is None:
        return
    for path in operation.identity:
        if path.optional:
            continue
        if path.place == "body":
            field = field_of(found, path.name)
            missing = field is not None and not field.always and not field.shape.read_only
        else:
            parameter = parameter_of(found, path.place, path.segments[0].name)
            missing = parameter is not None and not parameter.required
        if missing:
            span = element(context, "identity", path)
            new = quoted_name(f"{path.name}?")
            yield Finding(
                span=span,
                message=f"{found.name} does not require `{path.name}`; without `?` a request that lacks it is refused",
                fix=Fix(f"Write {new}", (Edit(span, new),), "unsafe"),
            )


RULE = Rule(
    name="identity-optional",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="high",
    summary="an identity field may be missing from a request",
    check=check,
    why=__doc__ or "",
)
