"""Texts without one of which a pattern cannot match, so that most patterns are never compiled.

Worked out when the words are released and kept beside them: parsing a pattern takes most of what compiling it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from typing import Any

Asked = list[frozenset[str]]
"""Sets of texts, of each of which one has to be there."""

parser: Any = import_module("re._parser")
"""Python's own reader of patterns, which has no public name."""

MOST = 48
"""Of so many texts the search takes longer than it spares."""
GROUPS = 3
_SETS = 6


def needs_of(pattern: str, flags: int = 0, groups: int = GROUPS) -> tuple[tuple[str, ...], ...]:
    """Sets of texts: a text in which the pattern matches holds one of each set. Empty where nothing can be told."""
    best = sorted(set(_sequence(parser.parse(pattern, flags))), key=_worth, reverse=True)[:groups]
    return tuple(tuple(sorted(texts)) for texts in best)


def _sequence(parts: Iterable[tuple[Any, Any]]) -> Asked:
    """What the parts of a sequence ask for: each of them has to match."""
    found: Asked = []
    run = ""
    for operator, value in parts:
        if operator is parser.LITERAL:
            run += chr(value)
            continue
        if run:
            found.append(frozenset([run]))
            run = ""
        found.extend(_part(operator, value))
    if run:
        found.append(frozenset([run]))
    return found


def _part(operator: Any, value: Any) -> Asked:
    if operator is parser.IN:
        literal = all(kind is parser.LITERAL for kind, _ in value) and len(value) <= _SETS
        return [frozenset(chr(char) for _, char in value)] if literal else []
    if operator is parser.BRANCH:
        return _any(value[1])
    if operator is parser.SUBPATTERN:
        return _sequence(value[3])
    if operator in (parser.MAX_REPEAT, parser.MIN_REPEAT, parser.POSSESSIVE_REPEAT):
        return _sequence(value[2]) if value[0] else []
    if operator is parser.ASSERT:
        return _sequence(value[1])
    if operator is parser.ATOMIC_GROUP:
        return _sequence(value)
    return []


def _any(branches: Sequence[Any]) -> Asked:
    together: set[str] = set()
    for branch in branches:
        asked = _sequence(branch)
        if not asked:
            return []
        together |= max(asked, key=_worth)
    return [frozenset(together)] if len(together) <= MOST else []


def _worth(texts: AbstractSet[str]) -> tuple[float, int, list[str]]:
    """Long texts are rare, and so are the marks of what was recognised; few are found sooner than many."""
    rare = min(8 if any(char > "\u2fff" for char in text) else len(text) for text in texts)
    return min(rare, 8) - len(texts) / 12, -len(texts), sorted(texts)
