"""The API document declares this operation too, by `x-outturn-…` extensions, and says something else.

Why: one of the two is stale. A host that goes by the document and one that goes by the skill derive different keys for
the same write, and both writes land.

Before:

    identity: [room_id, arrival]
    # openapi.yaml: x-outturn-identity: [room_id, guest_name, arrival]

After:

    identity: [room_id, guest_name, arrival]
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from wizard.lint.against import matched
from wizard.lint.declared import operation_of, place, with_value
from wizard.lint.model import Finding, Related, Rule
from wizard.operation.printing import print_operation
from wizard.source import Source, Span
from wizard.spec.extensions import declared

if TYPE_CHECKING:
    from wizard.lint.model import Context
    from wizard.spec.model import ApiDocument


def check(context: Context) -> Iterator[Finding]:
    operation, found = operation_of(context), matched(context)
    if operation is None or found is None or context.document is None:
        return
    said = declared(found, context.document)
    if said is None or said.operation is None:
        return
    theirs, ours = print_operation(said.operation), print_operation(operation)
    for member, pointer in said.members.items():
        if _same(member, theirs.get(member), ours.get(member)):
            continue
        yield Finding(
            span=place(context, member),
            message=f"`{member}` is not what the document says: {json.dumps(theirs.get(member), ensure_ascii=False)}",
            related=_there(context, context.document, pointer, member),
            fix=with_value(context, member, theirs.get(member), title=f"Take the document's `{member}`"),
        )


def _there(context: Context, document: ApiDocument, pointer: str, member: str) -> tuple[Related, ...]:
    """The place in the document, where its text can be read."""
    found = document.place(pointer)
    source = Source(found.name or document.source, _text(context, found.name or document.source))
    if found.position is None or not source.text:
        return ()
    start = source.offset(found.position)
    end = start + max(1, len(source.line(found.position.line).rstrip()) - found.position.column + 1)
    return (Related(Span(start, end), f"the document's `x-outturn-{member}`", source),)


def _same(member: str, theirs: object, ours: object) -> bool:
    if member == "identity":
        # The order of the fields is no matter of the key.
        return sorted(map(str, theirs or ())) == sorted(map(str, ours or ()))  # type: ignore[call-overload]
    return theirs == ours


def _text(context: Context, name: str) -> str:
    """The text of the document's file, where it can be read."""
    texts: dict[str, str] = context.shared.setdefault("texts", {})
    if name not in texts:
        texts[name] = ""
        with suppress(OSError), open(name, encoding="utf-8", errors="replace") as file:
            texts[name] = file.read()
    return texts[name]


RULE = Rule(
    name="extension-differs",
    family="document",
    needs_document=True,
    severity="error",
    confidence="high",
    summary="the skill and the API document declare the same operation differently",
    check=check,
    why=__doc__ or "",
)
