"""Whether two versions of an API document say the same of an operation, told from the raw documents.

Most operations are as they were from one version to the next. To see that costs a walk over what they refer to, once
for each schema of the document; to ask every kind of change costs a hundred times as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from wizard.review.kind import Declared, Pair
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.pointer import join, split

_APART = ("paths", "webhooks", "components", "definitions", "parameters", "responses", "info", "openapi", "swagger")
"""Members of a document that are looked at where an operation leads to them, or that say nothing of one."""
_METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace", "query", "additionalOperations")
_ELSEWHERE = frozenset(["discriminator", "$dynamicRef", "$recursiveRef"])
"""What leads to schemas that no `$ref` names."""

_Targets = tuple[str, str]
"""The pointers of one thing in both documents."""


class _Local(NamedTuple):
    """Two values compared without what their `$ref`s lead to."""

    equal: bool
    leads: tuple[_Targets, ...] = ()


_DIFFERENT = _Local(False)


class Sameness:
    """Tells the pairs of a review in which nothing can have changed."""

    def __init__(self) -> None:
        self._documents: dict[tuple[int, int], _Documents] = {}

    def same(self, pair: Pair) -> bool:
        """Whether both sides have the same skill, and documents that say the same of its operation and its probe.
        False also where that is not plain to see."""
        both = pair.both
        if both is None or pair.drifted or both[0].skill is None or both[0].skill is not both[1].skill:
            return False
        before, after = both
        if (before.name, before.path) != (after.name, after.path):
            return False
        if before.document is after.document:
            return True
        if before.document is None or after.document is None:
            return False
        key = id(before.document), id(after.document)
        if key not in self._documents:
            self._documents[key] = _Documents(before.document, after.document)
        return self._documents[key].same(before, after)


class _Documents:
    """Two versions of a document."""

    def __init__(self, before: ApiDocument, after: ApiDocument) -> None:
        self.before, self.after = before, after
        self.alike = before.servers == after.servers and before.description == after.description
        self._known: dict[_Targets, _Local] = {}
        self._led: dict[tuple[str, str, str], _Targets | None] = {}
        self.alike = self.alike and self._walked("#", _around(before), "#", _around(after)).equal

    def same(self, before: Declared, after: Declared) -> bool:
        if not self.alike or before.api is None or after.api is None or not self._operations(before.api, after.api):
            return False
        if before.operation.probe is None:
            return True
        one, other = before.probed, after.probed
        return one is not None and other is not None and self._operations(one, other)

    def _operations(self, before: ApiOperation, after: ApiOperation) -> bool:
        if (before.name, before.servers) != (after.name, after.servers):
            return False
        waiting = [(before.pointer, after.pointer)]
        if not self._shared(before, after, waiting):
            return False
        seen = set(waiting)
        while waiting:
            local = self._local(waiting.pop())
            if not local.equal:
                return False
            waiting += [one for one in local.leads if one not in seen]
            seen.update(local.leads)
        return True

    def _shared(self, before: ApiOperation, after: ApiOperation, waiting: list[_Targets]) -> bool:
        """Whether the paths say the same of all their methods; what they lead to is for who waits."""
        holders = _holder(before.pointer), _holder(after.pointer)
        one, other = self.before.resolve(holders[0]), self.after.resolve(holders[1])
        if not isinstance(one, Mapping) or not isinstance(other, Mapping):
            return False
        local = self._walked(holders[0], _without(one, _METHODS), holders[1], _without(other, _METHODS))
        waiting += local.leads
        return local.equal

    def _local(self, pointers: _Targets) -> _Local:
        if pointers not in self._known:
            old, new = pointers
            self._known[pointers] = self._walked(old, self.before.resolve(old), new, self.after.resolve(new))
        return self._known[pointers]

    def _walked(self, old: str, before: Any, new: str, after: Any) -> _Local:
        leads: dict[_Targets, None] = {}
        waiting = [(before, after)]
        while waiting:
            one, other = waiting.pop()
            if type(one) is not type(other):
                return _DIFFERENT
            if isinstance(one, dict):
                # The order of members is no matter, but for what is shown.
                if list(one) != list(other) or not _ELSEWHERE.isdisjoint(one):
                    return _DIFFERENT
                ref = one.get("$ref")
                if isinstance(ref, str):
                    led = self._follow(old, new, ref) if ref == other["$ref"] else None
                    if led is None:
                        return _DIFFERENT
                    leads[led] = None
                waiting += [(value, other[name]) for name, value in one.items()]
            elif isinstance(one, list):
                if len(one) != len(other):
                    return _DIFFERENT
                waiting += zip(one, other, strict=True)
            elif one != other:
                return _DIFFERENT
        return _Local(True, tuple(leads))

    def _follow(self, old: str, new: str, ref: str) -> _Targets | None:
        """What a `$ref` leads to in both documents; None where it leads to nothing in one of them."""
        key = old.partition("#")[0], new.partition("#")[0], ref
        if key not in self._led:
            one, other = self.before.raw.follow(old, ref), self.after.raw.follow(new, ref)
            self._led[key] = None if one is None or other is None else (one[0], other[0])
        return self._led[key]


def _around(document: ApiDocument) -> dict[str, Any]:
    """What a document says of all its operations."""
    found = _without(document.root, _APART)
    components = document.root.get("components")
    if isinstance(components, Mapping):
        found["securitySchemes"] = components.get("securitySchemes")
    return found


def _without(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: one for name, one in value.items() if name not in names}


def _holder(pointer: str) -> str:
    """The pointer of what holds a value."""
    file, names = split(pointer)
    return join(f"{file}#", *names[:-1])
