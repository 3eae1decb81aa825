"""How the fields of two identities stand to each other."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import NamedTuple

from wizard.operation.field_path import FieldPath
from wizard.review.kind import Declared, Pair, Step

_ALIKE = 0.6
"""From which likeness on two names are taken for one field under another name."""


class IdentityChange(NamedTuple):
    """What left and what came, without `?`."""

    removed: tuple[FieldPath, ...] = ()
    added: tuple[FieldPath, ...] = ()
    renamed: tuple[tuple[FieldPath, FieldPath], ...] = ()
    optional: tuple[tuple[FieldPath, FieldPath], ...] = ()
    """The same field, once with `?` and once without."""


def both(pair: Pair) -> tuple[Declared, Declared] | None:
    """Both declarations, where both are of writes with an identity."""
    found = pair.writes
    return found if found is not None and all(one.operation.identity for one in found) else None


def change(pair: Pair) -> IdentityChange:
    """What changed in the identity, where both sides have one."""
    if "identity" not in pair.shared:
        found = both(pair)
        pair.shared["identity"] = IdentityChange() if found is None else _change(*found)
    kept: IdentityChange = pair.shared["identity"]
    return kept


def _change(before: Declared, after: Declared) -> IdentityChange:
    old = {path.required(): path for path in before.operation.identity}
    new = {path.required(): path for path in after.operation.identity}
    removed = [path for path in old if path not in new]
    added = [path for path in new if path not in old]
    renamed = []
    for path in removed:
        other = _under_another_name(path, added, before, after)
        if other is not None:
            renamed.append((old[path], new[other]))
            added.remove(other)
    gone = {one.required() for one, _ in renamed}
    return IdentityChange(
        tuple(path for path in removed if path not in gone),
        tuple(new[path] for path in added),
        tuple(renamed),
        tuple((old[path], new[path]) for path in old if path in new and old[path].optional != new[path].optional),
    )


def _under_another_name(
    path: FieldPath, added: list[FieldPath], before: Declared, after: Declared
) -> FieldPath | None:  # fmt: skip
    """The field of the new identity that is the old one under another name: the old document has only the one and the
    new one only the other, or the skills' bodies had and have; and they look alike, or nothing else left or came."""
    fits = []
    for other in added:
        if other.covers(path) or path.covers(other) or path.place != other.place:
            continue
        left = _names(before) - _names(after)
        came = _names(after) - _names(before)
        if path.name not in left or other.name not in came:
            continue
        one, two = before.fields.get(path.name), after.fields.get(other.name)
        if one is not None and two is not None and one.shape.type != two.shape.type:
            continue
        alike = SequenceMatcher(None, path.name.lower(), other.name.lower()).ratio()
        alone = sum(name not in _names(after) for name in _names(before)) == 1 and len(came) == 1
        if alike >= _ALIKE or alone:
            fits.append((alike, other))
    return max(fits, key=lambda one: one[0])[1] if fits else None


def _names(side: Declared) -> set[str]:
    """The fields that a request can have: the document's, else the skill's."""
    if side.fields:
        return set(side.fields)
    operation = side.operation
    return {
        *(path.name for path in (*operation.body, *operation.identity)),
        *(f"query:{name}" for name in operation.query),
        *(f"header:{name}" for name in operation.header),
    }


def place(side: Declared, path: FieldPath) -> tuple[Step, ...]:
    """The path of a field's name in the declaration."""
    for index, one in enumerate(side.operation.identity):
        if one.required() == path.required():
            return ("identity", index)
    return ("identity",)
