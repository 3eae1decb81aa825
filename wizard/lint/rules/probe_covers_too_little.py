"""The probe neither covers every identity field nor the reference: not by its URL's variables, and not by `match`.

Why: what it does not compare may differ. The probe then finds another guest's booking of that room, and the host
reports a write as done that never landed.

Before:

    identity: [room_id, guest_name, arrival]
    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [arrival]

After:

    identity: [room_id, guest_name, arrival]
    probe:
      url: https://api.example.com/bookings?room_id={room_id}
      items: $.bookings[*]
      match: [arrival, guest_name]
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, key_place, touches, write_of
from wizard.lint.model import Context, Finding, Related, Rule
from wizard.operation.field_path import FieldPath


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.probe is None or not operation.identity:
        return
    covered = [FieldPath.parse(name) for name in operation.probe.covered if name]
    if operation.reference is not None and any(touches(path, operation.reference.path) for path in covered):
        return
    left = [path for path in operation.identity if not any(touches(path, one) for one in covered)]
    if not left:
        return
    names = " and ".join(f"`{path.name}`" for path in left)
    them = "it" if len(left) == 1 else "them"
    yield Finding(
        span=key_place(context, "probe", "match") if operation.probe.match else key_place(context, "probe"),
        message=f"the probe does not compare {names}, and finds writes that differ in {them}",
        related=tuple(Related(element(context, "identity", path), "in the identity") for path in left),
    )


RULE = Rule(
    name="probe-covers-too-little",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the probe compares fewer fields than the identity has",
    check=check,
    why=__doc__ or "",
)
