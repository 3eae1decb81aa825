"""`query` names a parameter that the operation in the API document does not have.

Why: the recipient ignores it, and the model believes it said something. Headers are not looked at: documents seldom
list all that a recipient takes.

Before:

    query: [notfy]

After:

    query: [notify]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched
from wizard.lint.declared import name_element, operation_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.parsing import nearest


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None:
        return
    known = [parameter.name for parameter in found.parameters_in("query")]
    for name in operation.query:
        if any(name == one or name.split("[")[0] == one.split("[")[0] for one in known):
            continue
        near = nearest(name, known)
        hint = f"; did you mean `{near}`?" if near else ""
        yield Finding(
            span=name_element(context, "query", name), message=f"{found.name} takes no query parameter `{name}`{hint}"
        )


RULE = Rule(
    name="parameter-unknown",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="high",
    summary="`query` names a parameter that the document does not have",
    check=check,
    why=__doc__ or "",
)
