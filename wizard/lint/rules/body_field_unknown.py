"""`body` names a field that the operation's request body in the API document does not have.

Why: the recipient ignores an unknown field or refuses the request. Ignored is worse: the model believes it said
something.

Before:

    body: [room_id, guest]          (the document has guest_name)

After:

    body: [room_id, guest_name]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wizard.lint.against import matched
from wizard.lint.declared import element, operation_of, quoted_name
from wizard.lint.model import Edit, Finding, Fix, Rule
from wizard.operation.field_path import FieldPath, Segment
from wizard.operation.parsing import nearest

if TYPE_CHECKING:
    from wizard.lint.model import Context
    from wizard.spec.model import Body


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None or found.body is None:
        return
    body = found.body
    known = [field.path for field in body.fields]
    open_ended = body.cut or not known or body.shape.type not in ("", "object")
    if open_ended:
        return
    for path in operation.body:
        if path.whole_body or path.name in body.by_path or _inside_open(body, path):
            continue
        span = element(context, "body", path)
        near = nearest(path.name, known)
        hint = f"; did you mean `{near}`?" if near else ""
        fix = Fix(f"Write `{near}`", (Edit(span, quoted_name(near)),), "unsafe") if near else None
        yield Finding(span=span, message=f"the request body of {found.name} has no field `{path.name}`{hint}", fix=fix)


def _inside_open(body: Body, path: FieldPath) -> bool:
    """Whether the path lies in a field whose members the document does not list."""
    for field in body.fields:
        if not field.composite and field.shape.type in ("", "object", "array"):
            outer = FieldPath.parse(field.path)
            inside = FieldPath(outer.place, (*outer.segments[:-1], _open(outer, path)))
            if inside.covers(path) and len(path.segments) >= len(outer.segments):
                return True
    return False


def _open(outer: FieldPath, path: FieldPath) -> Segment:
    last = outer.segments[-1] if outer.segments else Segment("")
    at = len(outer.segments) - 1
    each = path.segments[at].each if 0 <= at < len(path.segments) else 0
    return Segment(last.name, each)


RULE = Rule(
    name="body-field-unknown",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="`body` names a field that the document does not have",
    check=check,
    why=__doc__ or "",
)
