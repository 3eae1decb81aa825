"""The API document changed the operation since its declaration was made.

The lock file beside the skills (`skill-wizard.lock.json`) holds a digest of each operation as it was then, with all
that it refers to.

Why: what made the declaration right may be gone: a field that is now optional, a key header that was taken out, a
filter that the probe asks by. `skill-wizard review` says what the change does; `emit` makes the skill anew.

Before:

    openapi.yaml    guest_name is no longer required
    booking.md      identity: [room_id, guest_name, arrival]

After:

    booking.md      identity: [room_id, 'guest_name?', arrival]     (read, confirmed, and locked anew)
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import matched
from wizard.lint.declared import place
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    found = matched(context)
    if found is None or context.document is None or not context.locked:
        return
    from wizard.emit.digests import of_operation

    if of_operation(found, context.document) != context.locked:
        yield Finding(
            span=place(context),
            message=f"{found.name} changed in {context.document.source} since this was declared; look at it again",
        )


RULE = Rule(
    name="document-changed",
    family="document",
    needs_document=True,
    severity="warning",
    confidence="high",
    summary="the document changed the operation since it was declared",
    check=check,
    why=__doc__ or "",
)
