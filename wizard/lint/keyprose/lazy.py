"""Patterns that are compiled when they are first asked for: of the hundreds that there are, most texts need a few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
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
        if self._needs:
            # To look for a few letters first is quicker than the search, which has to begin at each of the text's.
            self.__dict__.update(search=partial(_search, made, self._needs), finditer=partial(_each, made, self._needs))
        return made

    def _may_match(self, text: str) -> bool:
        return _may_match(self._needs, text)

    def _search(self, text: str, *within: int) -> re.Match[str] | None:
        return self._compiled().search(text, *within) if self._may_match(text) else None

    def _finditer(self, text: str, *within: int) -> Iterator[re.Match[str]]:
        return self._compiled().finditer(text, *within) if self._may_match(text) else iter(())


def _may_match(needs: Needs, text: str) -> bool:
    for group in needs:
        for need in group:
            if need in text:
                break
        else:
            return False
    return True


def _search(made: re.Pattern[str], needs: Needs, text: str, *within: int) -> re.Match[str] | None:
    return made.search(text, *within) if _may_match(needs, text) else None


def _each(made: re.Pattern[str], needs: Needs, text: str, *within: int) -> Iterator[re.Match[str]]:
    return made.finditer(text, *within) if _may_match(needs, text) else iter(())


def lazily(text: str, flags: int = 0, needs: Needs = ()) -> re.Pattern[str]:
    """The pattern of a text. Raises re.error when it is first used, not here.

    `needs` are sets of texts: where the pattern matches, one of each set stands in the text.
    """
    return cast("re.Pattern[str]", _Lazy(text, flags, needs))
