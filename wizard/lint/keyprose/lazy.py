"""Patterns that are compiled when they are first asked for: of the hundreds that there are, most texts need a few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

Needs = tuple[tuple[str, ...], ...]
_METHODS = ("match", "fullmatch", "findall", "split", "sub", "subn", "pattern", "flags", "groups")


class _Lazy:
    """Stands in for a compiled pattern. It is neither compiled nor tried for a text that holds none of what it needs:
    to look for a few letters is quicker than the search, which has to begin at each of the text's."""

    def __init__(self, text: str, flags: int, needs: Needs) -> None:
        self._text, self._flags, self._needs = text, flags, needs
        self._made: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        return getattr(self._compiled(), name)

    def search(self, text: str, *within: int) -> re.Match[str] | None:
        return self._compiled().search(text, *within) if self._may_match(text) else None

    def finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        return self._compiled().finditer(text, *within) if self._may_match(text) else iter(())

    def _compiled(self) -> re.Pattern[str]:
        if self._made is None:
            self._made = re.compile(self._text, self._flags)
        return self._made

    def _may_match(self, text: str) -> bool:
        for group in self._needs:
            for need in group:
                if need in text:
                    break
            else:
                return False
        return True


def lazily(text: str, flags: int = 0, needs: Needs = ()) -> re.Pattern[str]:
    """The pattern of a text. Raises re.error when it is first used, not here.

    `needs` are sets of texts: where the pattern matches, one of each set stands in the text.
    """
    return cast("re.Pattern[str]", _Lazy(text, flags, needs))
