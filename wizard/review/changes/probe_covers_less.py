"""The probe no longer compares a field of the identity, neither by its URL nor by `match`.

It then finds a record that differs in that field and takes it for the write: a write that never landed is told as done.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.effects import probe_shown, quoted
from wizard.review.kind import Declared, Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def uncovered(side: Declared) -> list[FieldPath]:
    """The identity's fields that the probe neither fixes nor compares; none where it goes by the reference."""
    operation = side.operation
    if operation.probe is None:
        return []
    covered = [FieldPath.parse(name) for name in operation.probe.covered if name]
    if operation.reference is not None and any(_touch(path, operation.reference.path) for path in covered):
        return []
    return [path for path in operation.identity if not any(_touch(path, one) for one in covered)]


def _touch(one: FieldPath, other: FieldPath) -> bool:
    return one.required().covers(other.required()) or other.required().covers(one.required())


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or any(one.operation.probe is None for one in both):
        return
    before, after = both
    old = {path.required() for path in uncovered(before)}
    new = [path for path in uncovered(after) if path.required() not in old]
    if not new:
        return
    names = quoted(path.name for path in new)
    removed = after.operation.method == "DELETE"
    yield Found(
        grade=Grade.BREAKS,
        harm=Harm.TWICE if removed else Harm.SWALLOWED,
        subject=", ".join(path.name for path in new),
        title=f"The probe does not compare {names}.",
        effect=(
            f"A record at the recipient that differs only in {names} is taken for the write. "
            + (
                "A delete that was done counts as not done, and is sent again."
                if removed
                else "A write that was sent and never landed is then told as done, and is not made."
            )
        ),
        remedy=f"Add {names} to `match`.",
        before=probe_shown(before.operation.probe),
        after=probe_shown(after.operation.probe),
        at=(InSkill("base", ("probe", "match")), InSkill("head", ("probe", "match"))),
    )


KIND = Kind(
    name="probe-covers-less",
    summary="the probe no longer compares all of the identity",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
