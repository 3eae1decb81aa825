"""The probe's URL has a variable that is neither an identity field nor the reference nor a path parameter of the write.

Why: a probe is asked when the answer was lost. An id that the recipient made stood in that answer, so there is nothing
to fill in, and the probe can never be asked.

Before:

    url: https://api.example.com/bookings
    probe:
      url: https://api.example.com/bookings/{booking_id}

After:

    url: https://api.example.com/bookings
    probe:
      url: https://api.example.com/bookings?room_id={room_id}&arrival={arrival}
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import place, write_of
from wizard.lint.model import Context, Finding, Rule
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.source import Span


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.probe is None:
        return
    known = set(operation.path_variables) | {path.name for path in operation.identity}
    if operation.reference is not None:
        known.add(operation.reference.name)
    for name in dict.fromkeys(operation.probe.variables):
        if name and _plain(name) not in known:
            sent = any(path.name == _plain(name) for path in operation.body)
            why = "is not in the identity" if sent else "stood only in the answer that was lost"
            yield Finding(
                span=_variable(context, name), message=f"the probe asks by `{name}`, which {why}: it can never be asked"
            )


def _plain(name: str) -> str:
    try:
        return FieldPath.parse(name).name
    except FieldPathError:
        return name


def _variable(context: Context, name: str) -> Span:
    span = place(context, "probe", "url")
    at = context.source.text.find("{" + name + "}", span.start, span.end)
    return span if at < 0 else Span(at, at + len(name) + 2)


RULE = Rule(
    name="probe-needs-lost-id",
    family="document",
    severity="error",
    confidence="high",
    summary="the probe asks by a value that only the lost answer held",
    check=check,
    why=__doc__ or "",
)
