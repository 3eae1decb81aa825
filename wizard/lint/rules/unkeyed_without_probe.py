"""A write declares neither a `key` nor a `probe`. That is allowed, and costs a person's time.

Why: a write that was sent and not answered may have landed. The host never sends it again by itself, so it waits
until somebody looks. A probe, a GET that shows whether it is there, settles most of them alone.

Before:

    method: POST
    url: https://api.example.com/bookings
    identity: [room_id, arrival]

After:

    method: POST
    url: https://api.example.com/bookings
    identity: [room_id, arrival]
    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [room_id, arrival]
      absent: empty
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import misspelt, place, raw, write_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    written = raw(context)
    if operation is None or written.get("key") is not None or written.get("probe") is not None:
        return
    if misspelt(context, "key", "probe"):
        return
    yield Finding(
        span=place(context),
        message="no `key` and no `probe`: when an answer is lost, only a person can tell whether this landed",
    )


RULE = Rule(
    name="unkeyed-without-probe",
    family="declaration",
    severity="info",
    confidence="high",
    summary="nothing can tell whether an unanswered write landed",
    check=check,
    why=__doc__ or "",
)
