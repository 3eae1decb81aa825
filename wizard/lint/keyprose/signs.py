"""Whether a text can hold anything at all, told without reading it: most skills never speak of keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SEPARATORS = ("", " ", "-", "_", ".")
"""What may stand between two words of a name."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A word, and what tells whether it stands in a name or a phrase that matters."""

    stem: str
    pattern: re.Pattern[str] | None
    """The name's words from the stem on; None where the stem says it all or has only phrases."""
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signs:
    """A text that holds none of these says nothing of keys."""

    signs: tuple[Sign, ...]

    def in_text(self, text: str) -> bool:
        """Whether a text in lower case holds a sign. Costs a few searches for plain texts, and no more."""
        ascii_only = text.isascii()
        for sign in self.signs:
            if (ascii_only and not sign.stem.isascii()) or sign.stem not in text:
                continue
            if sign.pattern is not None and sign.pattern.search(text):
                return True
            if any(phrase in text for phrase in sign.phrases):
                return True
        return False


def signs_of(names: Iterable[str], phrases: Iterable[str]) -> Signs:
    """The signs of names (words with one space between them) and of phrases.

    A name's sign is one word of it and the word behind that; a phrase is its own.
    """
    said = _shortest({phrase.lower() for phrase in phrases})
    words = {tuple(name.lower().split()) for name in names}
    by_stem: dict[str, tuple[set[str], set[str]]] = {}
    for phrase in said:
        by_stem.setdefault(_stem(phrase), (set(), set()))[1].add(phrase)
    for stem, named in _stems({name for name in words if not any(phrase in " ".join(name) for phrase in said)}):
        behind, phrased = by_stem.setdefault(stem, (set(), set()))
        for name in named:
            if stem in name and name.index(stem) + 1 < len(name):
                behind.add(name[name.index(stem) + 1])
            else:
                phrased.update([name[0]] if len(name) == 1 else (name[0] + between + name[1] for between in SEPARATORS))
    return Signs(tuple(_sign(stem, *found) for stem, found in sorted(by_stem.items())))


def _sign(stem: str, behind: set[str], phrases: set[str]) -> Sign:
    words = "|".join(map(re.escape, sorted(behind)))
    pattern = re.compile(f"{re.escape(stem)}[-_. ]?(?:{words})") if behind else None
    return Sign(stem, pattern, tuple(sorted(phrases)))


def _stem(phrase: str) -> str:
    """The longest word of a phrase; of a script without spaces its first two characters."""
    return max(re.split(r"[ -]", phrase), key=len) if phrase.isascii() else phrase[:2]


def _stems(names: set[tuple[str, ...]]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Few words that all names have one of, each with the names left to it; the one that most names have first."""
    left = set(names)
    while left:
        counted = Counter(word for name in left for word in _choices(name))
        stem = min(counted, key=lambda word: (-counted[word], -len(word), word))
        named = sorted(name for name in left if stem in _choices(name))
        left.difference_update(named)
        yield stem, named


def _choices(name: tuple[str, ...]) -> set[str]:
    """The first word of a name; where it is short, the other ones that are long enough to be rare; never the last."""
    if not name[0].isascii():
        return {name[0][:2]}
    before = name[:-1] or name
    if len(name[0]) > 4:
        return {name[0]}
    return {word for word in before if len(word) > 4} or {max(before, key=len)}


def _shortest(phrases: set[str]) -> set[str]:
    """Without what another one finds as well, so that fewer searches are made."""
    kept: list[str] = []
    for phrase in sorted(phrases, key=lambda phrase: (len(phrase), phrase)):
        if not any(shorter in phrase for shorter in kept):
            kept.append(phrase)
    return set(kept)
