"""A field that the API document requires, and that tells two writes apart, is not in the identity.

Why: two different writes then have one key. The second is answered from the first one's record, or the recipient takes
it for a repeat; either way it is never carried out.

Before:

    identity: [room_id, guest_name]     (two stays of one guest)

After:

    identity: [room_id, guest_name, arrival, departure]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from wizard.lint.against import field_of, matched, proposal
from wizard.lint.declared import key_place, touches, write_of
from wizard.lint.fieldnames import name_of, own_number
from wizard.lint.model import Finding, Rule
from wizard.lint.words_of import listed
from wizard.operation.field_path import FieldPath

if TYPE_CHECKING:
    from wizard.lint.model import Context
    from wizard.spec.model import ApiOperation


def check(context: Context) -> Iterator[Finding]:
    operation, found = write_of(context), matched(context)
    if operation is None or found is None or not operation.identity:
        return
    if any(own_number(name_of(path)) for path in operation.identity):
        return  # A number of its own tells it apart from every other.
    proposed = proposal(context, found).identity
    if not proposed.fields or proposed.confidence == "low":
        return
    paths = [FieldPath.parse(name) for name in proposed.fields]
    ours = [path for path in operation.identity if not any(touches(path, other) for other in paths)]
    left = [path for path in paths if not any(touches(path, own) for own in operation.identity)]
    left = [path for path in left if _always(found, path)]
    if left and not ours:
        them = "it" if len(left) == 1 else "them"
        names = listed([f"`{path.name}`" for path in left])
        yield Finding(
            span=key_place(context, "identity"),
            message=f"two writes that differ in {names} have one key, and {found.name} requires {them}",
        )


def _always(found: ApiOperation, path: FieldPath) -> bool:
    if path.place != "body":
        return False
    field = field_of(found, path.name)
    return field is not None and field.always


RULE = Rule(
    name="identity-too-narrow",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="medium",
    summary="a required field that tells writes apart is not in the identity",
    check=check,
    why=__doc__ or "",
)
