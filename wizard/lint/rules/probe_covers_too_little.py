"""The probe neither covers every identity field nor the reference: not by its URL's variables, and not by `match`.
A part of a field is not the field: `customer.email` leaves the rest of `customer` uncompared.

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

from wizard.lint.against import matched
from wizard.lint.declared import element, key_place, write_of
from wizard.lint.model import Context, Finding, Related, Rule
from wizard.operation.field_path import FieldPath


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.probe is None or not operation.identity:
        return
    covered = [FieldPath.parse(name) for name in operation.probe.covered if name]
    if operation.reference is not None and _is_covered(operation.reference.path, covered):
        return
    left = [path.required() for path in operation.identity]
    left = [path for path in left if not (_is_covered(path, covered) or _by_its_parts(context, path, covered))]
    if not left:
        return
    names = " and ".join(_said(path, covered) for path in left)
    them = "it" if len(left) == 1 else "them"
    yield Finding(
        span=key_place(context, "probe", "match") if operation.probe.match else key_place(context, "probe"),
        message=f"the probe does not compare {names}, and finds writes that differ in {them}",
        related=tuple(Related(element(context, "identity", path), "in the identity") for path in left),
    )


def _is_covered(path: FieldPath, covered: list[FieldPath]) -> bool:
    """Whether a field is compared as a whole, by itself or in what holds it."""
    return any(one.required().covers(path) for one in covered)


def _by_its_parts(context: Context, path: FieldPath, covered: list[FieldPath]) -> bool:
    """Whether the document shows parts of a field, and every one of them is compared."""
    found = matched(context)
    if found is None or found.body is None or found.body.cut or path.place != "body":
        return False
    parts = [FieldPath.parse(field.path) for field in found.body.fields if not field.composite]
    inside = [part for part in parts if part != path and path.covers(part)]
    return bool(inside) and all(_is_covered(part, covered) for part in inside)


def _said(path: FieldPath, covered: list[FieldPath]) -> str:
    parts = [f"`{one.name}`" for one in covered if path.covers(one)]
    return f"`{path.name}` (only {' and '.join(sorted(parts))})" if parts else f"`{path.name}`"


RULE = Rule(
    name="probe-covers-too-little",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the probe compares fewer fields than the identity has",
    check=check,
    why=__doc__ or "",
)
