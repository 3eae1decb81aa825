"""Patterns that are compiled when they are first asked for: of the hundreds that there are, most texts need a few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

Needs = tuple[tuple[str, ...], ...]
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern", "flags", "groups")


class _Lazy:
    """Stands in for a compiled pattern. It is not compiled for a text that holds none of what it needs."""

    def __init__(self, text: str, flags: int, needs: Needs) -> None:
        self._text, self._flags, self._needs = text, flags, needs

    def __getattr__(self, name: str) -> Any:
        # Called only for what is not there yet: from then on the pattern's own methods are.
        if name not in _METHODS:
            raise AttributeError(name)
        if self._needs and name in ("search", "finditer"):
            return self._search if name == "search" else self._finditer
        return getattr(self._compiled(), name)

    def _compiled(self) -> re.Pattern[str]:
        made = re.compile(self._text, self._flags)
        self.__dict__.update({method: getattr(made, method) for method in _METHODS})
        return made

    def _may_match(self, text: str) -> bool:
        return all(any(need in text for need in needs) for needs in self._needs)

    def _search(self, text: str, *within: int) -> re.Match[str] | None:
        return self._compiled().search(text, *within) if self._may_match(text) else None

    def _finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        return self._compiled().finditer(text, *within) if self._may_match(text) else iter(())


def lazily(text: str, flags: int = 0, needs: Needs = ()) -> re.Pattern[str]:
    """The pattern of a text. Raises re.error when it is first used, not here.

    `needs` are sets of texts: where the pattern matches, one of each set stands in the text.
    """
    return cast("re.Pattern[str]", _Lazy(text, flags, needs))
