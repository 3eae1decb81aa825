"""Two skills that declare operations have the same `name`.

Why: the host holds an operation's declaration and its records by that name. Under a name that two share it refuses the
claims of one, or holds the operation until a person settles it.

Before:

    pay/charge.md      name: charge
    hotel/charge.md    name: charge

After:

    pay/charge.md      name: charge-account
    hotel/charge.md    name: charge-room
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import operation_of, place
from wizard.lint.model import Context, Finding, Related, Rule


def check(context: Context) -> Iterator[Finding]:
    if operation_of(context) is None or not context.skill.name:
        return
    for other in context.others:
        if other is context or operation_of(other) is None or other.skill.name != context.skill.name:
            continue
        yield Finding(
            span=context.skill.span("name") or place(context),
            message=f"another operation is called `{context.skill.name}`, too; the host keeps records by this name",
            related=(Related(other.skill.span("name") or place(other), "the other one", other.source),),
        )
        return


RULE = Rule(
    name="operation-name-taken",
    family="repository",
    severity="error",
    confidence="high",
    summary="two declarations have one name",
    check=check,
    why=__doc__ or "",
)
