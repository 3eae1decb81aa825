"""Changes of plain values: a path of member names and indexes, with its new value or REMOVED."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

Path = tuple[str | int, ...]


class Removed(Enum):
    """What takes a member away."""

    REMOVED = "removed"


REMOVED: Final = Removed.REMOVED


class EditError(ValueError):
    """An edit that this text does not take."""


def changed(value: Any, changes: Mapping[Path, Any]) -> Any:
    """The value with the changes made."""
    value = _copy(value)
    for path, new in changes.items():
        if not path:
            value = {} if new is REMOVED else new
            continue
        holder: Any = value
        step: Any
        for step in path[:-1]:
            if isinstance(holder, dict) and not isinstance(holder.get(step), dict | list) and new is not REMOVED:
                holder[step] = {}
            try:
                holder = holder[step]
            except (KeyError, IndexError, TypeError):
                holder = None
                break
        last: Any = path[-1]
        if new is REMOVED:
            if (isinstance(holder, dict) and last in holder) or isinstance(holder, list):
                del holder[last]
        elif holder is None or not isinstance(holder, dict | list):
            raise EditError(f"there is nothing to put `{last}` into")
        else:
            holder[last] = new
    return value


def _copy(value: Any) -> Any:
    """A copy in which nothing is shared: what an alias repeats is changed in one place only."""
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


def same(one: Any, other: Any) -> bool:
    """Whether two plain values mean the same; 1, 1.0 and true are three values, a tuple is a list."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (
        one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))
    )


class Branch(dict[str | int, Any]):
    """Changes below a member."""

    def kept(self) -> dict[str, Any]:
        """What there is of it where the member is missing."""
        inner = {name: one.kept() if isinstance(one, Branch) else one for name, one in self.items()}
        return {str(name): one for name, one in inner.items() if one is not REMOVED and one != {}}

    def paths(self) -> dict[Path, Any]:
        found: dict[Path, Any] = {}
        for name, one in self.items():
            inner = one.paths() if isinstance(one, Branch) else {(): one}
            found.update({(name, *path): value for path, value in inner.items()})
        return found
