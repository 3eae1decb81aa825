"""The API document has writes that no skill of the run declares. It is said once for each document.

Why: a write without a declaration is sent as it is. A crash or a repeat of the model then makes a second one, and
nothing records it. `skill-wizard author` goes through them.

Before:

    skills/operations/create-booking.md     (and nothing for POST /charges)

After:

    skills/operations/create-booking.md
    skills/operations/create-charge.md
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched, proposal
from wizard.lint.model import Context, Finding, Rule
from wizard.lint.words_of import counted, listed
from wizard.operation.model import WRITING_METHODS
from wizard.source import Span

_SHOWN = 5


def check(context: Context) -> Iterator[Finding]:
    document = context.document
    if not context.whole or document is None:
        return
    declared = {id(found) for other in context.others if (found := matched(other)) is not None}
    left = [
        found
        for found in document.operations
        if id(found) not in declared
        and found.name not in context.decided
        and found.method in WRITING_METHODS
        and proposal(context, found).write
    ]
    if not left:
        return
    shown = listed(
        [f"`{found.name}`" for found in left[:_SHOWN]] + ([f"{len(left) - _SHOWN} more"] if len(left) > _SHOWN else [])
    )
    place = document.place(left[0].pointer)
    start = context.source.offset(place.position) if place.position is not None else 0
    line = context.source.line(place.position.line) if place.position is not None else ""
    end = start + max(1, len(line.strip())) if line else start
    number = counted(len(left), "write")
    yield Finding(span=Span(start, end), message=f"no skill declares {number} of this document: {shown}")


RULE = Rule(
    name="write-undeclared",
    family="document",
    needs_document=True,
    severity="info",
    confidence="medium",
    summary="the API document has writes that no skill declares",
    check=check,
    why=__doc__ or "",
)
