"""The probe has no `since`, and the records that it looks at show when they were made.

Why: without `since` an equal write of last week counts as this one, and the host reports a write as done that never
landed. With it, what was made before the first send is somebody else's. A probe that asks for the state of a thing
that was there before (the booking that a write cancels) needs none.

Before:

    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [room_id, arrival]

After:

    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [room_id, arrival]
      since: created_at
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from wizard.lint.against import made_at, matched, proposal, unique_fields
from wizard.lint.declared import key_place, with_value, write_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.model import Operation, Probe

_MAKES = ("create", "upsert", "bulk")
_BY_ID = re.compile(r"[?&]ids?=\{[^{}]*\}")


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.probe is None or operation.probe.since is not None or operation.method != "POST":
        return  # A change is told by what the thing is now, and not by when it was made.
    if _asks_for_what_was_there(context, operation, operation.probe):
        return
    told = {name for name, _ in operation.probe.match} | set(operation.probe.variables)
    if operation.reference is not None and operation.host_fills_reference and operation.reference.name in told:
        return  # The host's own reference is in no write of last week.
    if _asks_for_the_only_one(context, operation.probe, told):
        return
    shown = made_at(context, operation.probe)
    if shown:
        yield Finding(
            span=key_place(context, "probe"),
            message=f"the answer shows `{shown}`, and without `since` an equal write of last week counts as this one",
            fix=with_value(context, "probe", "since", shown, title=f"Say `since: {shown}`"),
        )


def _asks_for_what_was_there(context: Context, operation: Operation, probe: Probe) -> bool:
    """Whether the probe asks for the state of a thing that was there before the write (a booking that it cancels): that
    was made before the first send, and is no less the one that is asked for."""
    found = matched(context)
    if found is not None and proposal(context, found).kind not in _MAKES:
        return True
    variables = set(probe.variables)
    own = bool(variables) and variables <= set(operation.path_variables)
    return own and (probe.items is None or _BY_ID.search(probe.url) is not None)


def _asks_for_the_only_one(context: Context, probe: Probe, told: set[str]) -> bool:
    """Whether there can be but one that the probe asks for: it is read at an address of its own, or told by a field of
    which the document says that no two are alike."""
    last = urlsplit(probe.url).path.rstrip("/").rpartition("/")[2]
    if probe.items is None and last in {f"{{{name}}}" for name in probe.variables}:
        return True
    found = matched(context)
    return found is not None and bool(told & unique_fields(context, found))


RULE = Rule(
    name="probe-without-since",
    family="declaration",
    severity="warning",
    confidence="medium",
    summary="the answer shows when a record was made, and the probe does not look",
    check=check,
    why=__doc__ or "",
)
