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

from wizard.lint.declared import no_identity
from wizard.lint.fieldnames import is_a, is_the_thing, name_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation


def check(context: Context) -> Iterator[Finding]:
    return no_identity(context, _fault, by_name=True)


def _fault(operation: Operation, path: FieldPath) -> str:
    name = name_of(path)
    # The text of a line (`lines[].text`) says what the line is for.
    if not is_a(name, "note") or path.in_array or is_the_thing(operation, name):
        return ""
    return "free text: worded anew, the same write gets another key"


RULE = Rule(
    name="identity-free-text",
    family="declaration",
    severity="warning",
    confidence="medium",
    summary="the identity names a free text",
    check=check,
    why=__doc__ or "",
)
