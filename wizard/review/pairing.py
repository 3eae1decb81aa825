"""Which declaration of the one side is which of the other: by name, then by what it sends to, then by its file."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from wizard.lint.matching import target
from wizard.review.kind import Declared, Pair


def pairs(base: Iterable[Declared], head: Iterable[Declared]) -> tuple[Pair, ...]:
    """The operations of both sides, in the order of the newer one; what is only in the older one stands at the end."""
    before, after = list(base), list(head)
    found: dict[int, Declared] = {}
    rules: tuple[Callable[[Declared], Hashable], ...] = (
        lambda one: (one.name, one.path),
        lambda one: (one.name, one.operation.method, target(one.operation)),
        lambda one: one.name,
        lambda one: (one.operation.method, target(one.operation), one.path),
        lambda one: (one.operation.method, target(one.operation)),
        lambda one: one.path,
    )
    for rule in rules:
        left: dict[Hashable, list[Declared]] = {}
        for old in before:
            left.setdefault(rule(old), []).append(old)
        for index, new in enumerate(after):
            if index not in found and (same := left.get(rule(new))):
                found[index] = same.pop(0)
        taken = {id(old) for old in found.values()}
        before = [old for old in before if id(old) not in taken]
    indexes: dict[int, dict[str, Any]] = {}
    return (
        *(Pair(before=found.get(index), after=new, indexes=indexes) for index, new in enumerate(after)),
        *(Pair(before=old, after=None, indexes=indexes) for old in before),
    )
