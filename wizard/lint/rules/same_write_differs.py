"""Two skills declare the same method and URL, and derive different keys: another identity, another scope, another place
or shape of the key.

Why: the model may take either skill. The repeat that goes through the other one has another key, and the write lands
twice.

Before:

    pay.md        identity: [booking_id]
    charge.md     identity: [booking_id, amount_pence]

After:

    pay.md        identity: [booking_id, amount_pence]
    charge.md     identity: [booking_id, amount_pence]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import key_place, place, raw, write_of
from wizard.lint.matching import target
from wizard.lint.model import Context, Finding, Related, Rule
from wizard.lint.words_of import listed
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.source import Span


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None:
        return
    for other in context.others:
        theirs = write_of(other) if other is not context else None
        if theirs is None or (theirs.method, target(theirs)) != (operation.method, target(operation)):
            continue
        differs = _difference(operation, theirs)
        if differs:
            member, what = differs
            yield Finding(
                span=_at(context, member),
                message=f"another skill declares this write with {what}: one write gets two keys",
                related=(Related(_at(other, member), "declared here, too", other.source),),
            )
            return


def _at(context: Context, member: str) -> Span:
    return place(context) if raw(context).get(member) is None else key_place(context, member)


def _difference(ours: Operation, theirs: Operation) -> tuple[str, str] | None:
    """The first member that makes the keys differ, and in what."""
    if ours.status != theirs.status and (ours.identity or theirs.identity):
        return None  # The host treats a proposal as none; confirming it is another matter.
    mine, other = ({path.name for path in one.identity} for one in (ours, theirs))
    if mine != other:
        names = listed([f"`{name}`" for name in sorted(mine ^ other)])
        return "identity", f"another identity ({names})"
    if ours.record_scope != theirs.record_scope:
        return "scope", f"the scope `{theirs.record_scope}`"
    for member, what in (("key", "another key"), ("reference", "another reference")):
        if _printed(ours, member) != _printed(theirs, member):
            return member, what
    return None


def _printed(operation: Operation, member: str) -> object:
    value = print_operation(operation).get(member)
    if member == "key" and operation.key is not None:
        # How long a recipient remembers is no matter of the key's text.
        return (operation.key.place, operation.key.name, operation.key.shape, operation.key.quoted)
    return value


RULE = Rule(
    name="same-write-differs",
    family="repository",
    severity="error",
    confidence="high",
    summary="two skills declare one write and derive different keys",
    check=check,
    why=__doc__ or "",
)
