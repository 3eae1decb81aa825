"""The identity names a free text: a note, a description, a reason.

Where the text is the thing itself (a message, a comment) it belongs to the identity.

Why: a model words a text anew when it asks again. The same booking with another remark is then another write, with
another key.

Before:

    identity: [room_id, arrival, notes]

After:

    identity: [room_id, arrival]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, without_field, write_of
from wizard.lint.fieldnames import is_a, is_the_thing, name_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None:
        return
    for path in operation.identity:
        name = name_of(path)
        # The text of a line (`lines[].text`) says what the line is for.
        if not is_a(name, "note") or path.in_array or is_the_thing(operation, name):
            continue
        yield Finding(
            span=element(context, "identity", path),
            message=f"`{path.name}` is free text: worded anew, the same write gets another key",
            fix=without_field(context, path),
        )


RULE = Rule(
    name="identity-free-text",
    family="declaration",
    severity="warning",
    confidence="medium",
    summary="the identity names a free text",
    check=check,
    why=__doc__ or "",
)
