"""The text tells the model to look whether the write is there: right, and better declared as a `probe`.

Why: check, then act is the right way with a recipient that takes no key. But a model checks when it thinks of it,
reads the answer as it likes, and takes an error for "not there". The host asks after every attempt that got no
answer, knows three answers (there, not there, cannot tell), and settles the record by them.

Before:

    If the call times out, list the bookings of the room and look whether it was made.

After:

    operation:
      probe:
        url: https://hotel.example.com/bookings?room_id={room_id}
        items: $.bookings[*]
        match: [room_id, arrival]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from wizard.lint.keyprose.found import declared
from wizard.lint.keyprose.sayings import Saying, sayings_of
from wizard.lint.model import Context, Finding, Fix, Related, Rule
from wizard.operation.field_path import url_variables
from wizard.operation.model import Operation

_GET = re.compile(r"\bGET[ \t`]{1,4}(https?://[^\s`\"'<>()|]{1,400}|/[^\s`\"'<>()|]{1,400})")


def check(context: Context) -> Iterator[Finding]:
    operation = declared(context)
    if operation is not None and operation.probe is not None:
        return
    for saying in sayings_of(context, "probe-in-prose"):
        place = context.skill.operation_key_span() if operation is not None else None
        yield Finding(
            span=saying.span,
            message="the model is told to look whether the write is there; declared as `probe`, the host does it",
            related=(Related(place, "the declaration has no `probe`"),) if place else (),
            fix=_fix(context, operation, saying),
        )


def _fix(context: Context, operation: Operation | None, saying: Saying) -> Fix | None:
    """The fix that declares the GET that the sentence names, where the write's own fields fill its URL."""
    found = _GET.search(context.source.text, saying.unit.start, saying.unit.end)
    if operation is None or found is None:
        return None
    from wizard.lint.declared import with_value

    url = found[1].rstrip(".,;")
    if url.startswith("/"):
        base = urlsplit(operation.url)
        url = f"{base.scheme}://{base.netloc}{url}"
    known = {path.name for path in operation.identity} | set(operation.path_variables)
    variables = url_variables(url)
    if not variables or not set(variables) <= known:
        return None
    return with_value(context, "probe", {"url": url}, title="Declare it as `probe`")


RULE = Rule(
    name="probe-in-prose",
    family="prose",
    severity="info",
    confidence="medium",
    summary="the model is told to look whether the write is there",
    check=check,
    why=__doc__ or "",
)
