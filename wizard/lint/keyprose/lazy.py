"""Patterns that are compiled when they are first asked for: of the hundreds that there are, most texts need a few."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern", "flags", "groups")


class _Lazy:
    """Stands in for a compiled pattern."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        # Called only for what is not there yet: from then on the pattern's own methods are.
        if name not in _METHODS:
            raise AttributeError(name)
        made = re.compile(self._text, self._flags)
        self.__dict__.update({method: getattr(made, method) for method in _METHODS})
        return self.__dict__[name]


def lazily(text: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a text. Raises re.error when it is first used, not here."""
    return cast("re.Pattern[str]", _Lazy(text, flags))
