"""Whether a text can hold anything at all, told without reading it: most skills never speak of keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

_SEPARATOR = "[-_. ]?"
_OTHER_SCRIPT = re.compile("[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


class Sign(NamedTuple):
    """A few letters, and what tells whether they stand in a name or a phrase that matters."""

    stem: str
    pattern: str
    """The names that begin with the stem, as a regular expression; empty where it has only phrases."""
    phrases: tuple[str, ...]


class Signs:
    """A text that holds none of these says nothing of what they stand for.

    Plain values, compiled when they are needed: a run that finds everything in its cache loads them and no words.
    """

    def __init__(self, signs: Iterable[Sign]) -> None:
        self.signs = tuple(signs)
        self._latin = tuple(sign for sign in self.signs if sign.stem.isascii())
        self._other = tuple(sign for sign in self.signs if not sign.stem.isascii())
        self._compiled: dict[str, re.Pattern[str]] = {}

    def in_text(self, text: str) -> bool:
        """Whether a text in lower case holds a sign. Costs a few searches for plain texts, and no more."""
        if self._any(self._latin, text):
            return True
        other = bool(self._other) and not text.isascii() and _OTHER_SCRIPT.search(text) is not None
        return other and self._any(self._other, text)

    def _any(self, signs: tuple[Sign, ...], text: str) -> bool:
        for sign in signs:
            if sign.stem in text:
                if sign.pattern and self._pattern(sign.pattern).search(text):
                    return True
                for phrase in sign.phrases:
                    if phrase in text:
                        return True
        return False

    def _pattern(self, text: str) -> re.Pattern[str]:
        known = self._compiled.get(text)
        if known is None:
            known = self._compiled[text] = re.compile(text)
        return known

    def dump(self) -> list[Any]:
        """As JSON's values."""
        return [list(sign) for sign in self.signs]


def load_signs(value: Any) -> Signs | None:
    """What `dump` gave; None for anything else."""
    try:
        return Signs([Sign(stem, pattern, tuple(phrases)) for stem, pattern, phrases in value])
    except (TypeError, ValueError):
        return None


def signs_of(names: Iterable[str], phrases: Iterable[str]) -> Signs:
    """The signs of names (words with one space between them) and of phrases.

    A name's sign is two words of it that stand together; a phrase is its own.
    """
    said = _shortest({phrase.lower() for phrase in phrases})
    # A phrase of one word finds every name that holds it, whatever stands between the name's words.
    single = [phrase for phrase in said if not re.search(r"[ _.-]", phrase)]
    pairs = {_pair(name) for name in names if not any(phrase in name.lower() for phrase in single)}
    behind: dict[str, set[str]] = {}
    for pair in sorted(pairs):
        behind.setdefault(pair[0], set()).update(pair[1:])
    phrased = {phrase: next((stem for stem in behind if stem in phrase), "") for phrase in sorted(said)}
    for stem in _stems([_words(phrase) for phrase, stem in phrased.items() if not stem]):
        phrased.update({phrase: stem for phrase, known in phrased.items() if not known and stem in phrase})
    signs: list[Sign] = []
    for stem in sorted({*behind, *phrased.values()}):
        words = "|".join(map(re.escape, sorted(behind.get(stem, ()))))
        # The stem comes first, so that the search for it is one for plain text.
        pattern = f"{re.escape(stem)}{_SEPARATOR}(?:{words})" if stem in behind else ""
        signs.append(Sign(stem, pattern, tuple(sorted(phrase for phrase, known in phrased.items() if known == stem))))
    return Signs(signs)


def _pair(name: str) -> tuple[str, ...]:
    """Two words of a name that stand together, the first of them one that is long enough to be rare."""
    words = name.lower().split()
    at = words.index(max(words[:-1], key=len)) if len(words) > 1 and len(words[0]) < 5 else 0
    return tuple(words[at : at + 2])


def _words(phrase: str) -> set[str]:
    """The words of a phrase that may stand for it; of a script without spaces its first two characters."""
    if not phrase.isascii():
        return {phrase[:2]}
    return {word for word in re.split(r"[ -]", phrase) if len(word) > 3} or {phrase}


def _stems(wanted: list[set[str]]) -> list[str]:
    """Few words so that each set has one of them, or a word that holds one of them."""
    left = wanted
    stems: list[str] = []
    while left:
        counted = Counter(word for words in left for word in words)
        stem = min(counted, key=lambda word: (-counted[word], -len(word), word))
        stems.append(stem)
        left = [words for words in left if not any(stem in word for word in words)]
    return stems


def _shortest(phrases: set[str]) -> set[str]:
    """Without what another one finds as well, so that fewer searches are made."""
    kept: list[str] = []
    for phrase in sorted(phrases, key=lambda phrase: (len(phrase), phrase)):
        if not any(shorter in phrase for shorter in kept):
            kept.append(phrase)
    return set(kept)
