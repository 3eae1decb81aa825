"""Which words name an idempotency key: those of the data files, and those that the declaration itself names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

NameClass = Literal["key", "token", "reference", "request"]
"""How surely a name is a key's: nothing else; one where words of making stand beside it; a reference that the caller
chooses; a word of every log."""
CLASSES: tuple[NameClass, ...] = ("key", "token", "reference", "request")

_SEPARATORS = re.compile(r"[-_. ]+")
_ALONE = r"(?<![a-z0-9_])(?<![a-z0-9_]-)"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Name:
    """A name that was met: its class and the stretch of the text."""

    kind: NameClass
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Names:
    """A matcher of key names. Texts are in lower case."""

    pattern: re.Pattern[str]

    def find(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Name]:
        """The names in a text, in their order; the longest where several begin at one place."""
        for found in self.pattern.finditer(text, start, len(text) if end is None else end):
            yield Name(_class(found), found.start(), found.end())


def _class(found: re.Match[str]) -> NameClass:
    return next((kind for kind in CLASSES if found[kind] is not None), "key")


def words_of(name: str) -> str:
    """A name's words in lower case, one space between them: `X-Idempotency-Key`, `clientToken`."""
    return " ".join(_SEPARATORS.split(_CAMEL.sub(" ", name.strip()).lower())).strip()


def same_name(one: str, other: str) -> bool:
    """Whether two names differ in case and separators only, as a flag and the field that it fills do."""
    return _SEPARATORS.sub("", one.strip("-")).lower() == _SEPARATORS.sub("", other.strip("-")).lower()


def _form(words: str) -> str:
    return "[-_. ]?".join(re.escape(word) for word in words.lower().split())


def name_pattern(classes: dict[NameClass, Iterable[str]]) -> re.Pattern[str]:
    """The pattern of names by class, to be used on text in lower case."""
    parts = []
    for kind in CLASSES:
        forms = "|".join(
            _form(words) for words in sorted(set(classes.get(kind, ())), key=lambda words: (-len(words), words))
        )
        if not forms:
            forms = r"(?!)"
        # A key's own name may have words before it (`batch_idempotency_key`); the others must stand alone.
        before = rf"{_ALONE}(?:[a-z0-9]{{1,20}}[-_]){{0,3}}?" if kind == "key" else rf"{_ALONE}(?<!\.)(?:x[-_])?"
        parts.append(rf"(?P<{kind}>{before}(?:{forms})(?:e?s(?![a-z]))?)")
    return re.compile(rf"(?:{'|'.join(parts)})(?![a-z0-9_])")


@lru_cache(maxsize=64)
def declared_names(names: tuple[str, ...], general: re.Pattern[str]) -> Names:
    """The general names and, as surely a key's, those that a declaration names."""
    if not names:
        return Names(general)
    own = "|".join(_form(words_of(name)) for name in sorted(names, key=lambda name: (-len(name), name)))
    return Names(re.compile(rf"(?P<declared>{_ALONE}(?:{own})(?![a-z0-9_]))|{general.pattern}"))
