"""Whether a text can hold anything at all, told without reading it: most skills never speak of keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_PAYS = 100_000
"""Characters from which on it pays to look for all signs at once."""
RARE = 5
"""Letters from which on a word is rare enough to be looked for by itself."""
_SEPARATOR = "[-_. ]?"
_SEPARATORS = ("", "-", "_", ".", " ")
_GAP = "\0"
"""Stands for a separator in the beginnings of signs."""
_NAME_END = "(?:e?s)?(?![a-z0-9])"


class Sign(NamedTuple):
    """A few letters, and what tells whether they stand in a name or a phrase that matters."""

    stem: str
    pattern: str
    """The names that begin with the stem, as a regular expression; empty where it has only phrases."""
    phrases: tuple[str, ...]


class AnyOf:
    """Whether any of some texts stands in another: tried one by one, and all at once from where on that pays."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted(set(texts)))
        self._automaton: AhoCorasick | None = None
        self._tried = 0

    def stands_in(self, text: str) -> bool:
        if self._automaton is None:
            self._tried += len(text) * len(self.texts)
            if self._tried < _PAYS * 20:
                return any(one in text for one in self.texts)
            from ahocorasick_rs import AhoCorasick, Implementation

            self._automaton = AhoCorasick(self.texts, implementation=Implementation.DFA)
        try:
            return bool(self._automaton.find_matches_as_indexes(text))
        except UnicodeEncodeError:
            # Half a pair of surrogates, which no UTF-8 holds.
            return any(one in text for one in self.texts)


class Signs:
    """A text that holds none of these says nothing of what they stand for.

    Plain values, compiled when they are needed: a run that finds everything in its cache loads them and no words.
    """

    def __init__(self, signs: Iterable[Sign], latin: str = "", other: str = "", begins: Iterable[str] = ()) -> None:
        """`latin` and `other` are all signs as one pattern for each kind of script; without them it goes by stems.

        `begins` are letters of which some stand wherever `latin` fits; GAP stands for what may be between two words.
        """
        self.signs = tuple(signs)
        self.latin, self.other = latin, other
        self.begins = tuple(begins)
        self._spelled: AnyOf | None = None
        self._latin = tuple(sign for sign in self.signs if sign.stem.isascii())
        self._other = tuple(sign for sign in self.signs if not sign.stem.isascii())
        self._compiled: dict[str, re.Pattern[str]] = {}
        self._looked = 0

    def in_text(self, text: str) -> bool:
        """Whether a text in lower case holds a sign. Costs a few searches for plain texts, and no more."""
        if self.latin or self.other:
            if self._looked > _PAYS:
                return self._by_pattern(text)
            self._looked += len(text)
        if self._any(self._latin, text):
            return True
        return bool(self._other) and not text.isascii() and self._any(self._other, text)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where the signs stand in a text in lower case, in their order; those that overlap are one."""
        found: list[tuple[int, int]] = []
        for pattern in filter(None, (self.latin, "" if text.isascii() else self.other)):
            found += [match.span() for match in self._pattern(pattern).finditer(text)]
        return _apart(sorted(found))

    def _by_pattern(self, text: str) -> bool:
        """The same by one search, which takes a tenth of the time once it is made."""
        if self.latin and self._may_hold(text) and self._pattern(self.latin).search(text):
            return True
        return bool(self.other) and not text.isascii() and self._pattern(self.other).search(text) is not None

    def _may_hold(self, text: str) -> bool:
        """Whether any of the beginnings stands in a text."""
        if not self.begins:
            return True
        if self._spelled is None:
            self._spelled = AnyOf({one for begin in self.begins for one in _spelled(begin)})
        return self._spelled.stands_in(text)

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

    def dump(self) -> dict[str, Any]:
        """As JSON's values."""
        signs = [list(sign) for sign in self.signs]
        return {"signs": signs, "latin": self.latin, "other": self.other, "begins": list(self.begins)}


def _apart(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in stretches:
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def load_signs(value: Any) -> Signs | None:
    """What `dump` gave; None for anything else."""
    try:
        signs = [Sign(stem, pattern, tuple(phrases)) for stem, pattern, phrases in value["signs"]]
        return Signs(signs, value["latin"], value["other"], map(str, value["begins"]))
    except (TypeError, ValueError, KeyError):
        return None


def signs_of(names: Iterable[str], phrases: Iterable[str]) -> Signs:
    """The signs of names (words with one space between them) and of phrases.

    A name's sign is its first two words, whatever stands between them; a phrase is its own.
    """
    said = _shortest({phrase.lower() for phrase in phrases})
    forms: dict[str, set[str]] = {}
    units: list[tuple[str, ...]] = [tuple(phrase) for phrase in said]
    # A phrase of one word finds every name that holds it, whatever stands between the name's words.
    single = [phrase for phrase in said if not re.search(r"[ _.-]", phrase)]
    for words in _shortest_names({tuple(name.lower().split()) for name in names}):
        if any(phrase in " ".join(words) for phrase in single):
            continue
        # Two words that are the whole name end there, but for a plural.
        end = _NAME_END if len(words) == 2 else ""
        pair = _SEPARATOR.join(map(re.escape, words[:2])) + end
        first = len(words[0]) >= RARE or not words[0].isascii()
        stem = words[0] if first else max(words[:2], key=len)
        forms.setdefault(stem, set()).add(pair)
        units.append((*words[0], *((_SEPARATOR, *words[1]) if len(words) > 1 else ()), *((end,) if end else ())))
    phrased = {phrase: next((stem for stem in forms if stem in phrase), "") for phrase in said}
    for stem in _stems([_words(phrase) for phrase, stem in phrased.items() if not stem]):
        phrased.update({phrase: stem for phrase, known in phrased.items() if not known and stem in phrase})
    signs: list[Sign] = []
    for stem in sorted({*forms, *phrased.values()}):
        known = tuple(phrase for phrase, own in phrased.items() if own == stem)
        signs.append(Sign(stem, _joined(stem, forms.get(stem, set())), tuple(sorted(known))))
    latin, other = ([unit for unit in units if unit[0].isascii() is ascii] for ascii in (True, False))
    return Signs(signs, _tree(latin), _tree(other), sorted({_begin(unit) for unit in latin}))


def _begin(unit: tuple[str, ...]) -> str:
    """The letters of a unit, what it ends with aside."""
    return "".join(_GAP if part == _SEPARATOR else part for part in unit if part != _NAME_END)


def _spelled(begin: str) -> Iterator[str]:
    """A beginning in each of its spellings."""
    head, gap, tail = begin.partition(_GAP)
    for between in _SEPARATORS if gap else ("",):
        yield head + between + tail


def _tree(units: Iterable[tuple[str, ...]]) -> str:
    """Any of the units as one pattern in which no letter is tried twice at one place. A part of a unit that is more
    than a letter is a pattern."""
    tree: dict[str, Any] = {}
    for unit in units:
        node = tree
        for part in unit:
            node = node.setdefault(part, {})
        node[""] = {}
    return _branches(tree)


def _branches(tree: dict[str, Any]) -> str:
    if "" in tree:
        return ""
    parts = [(part if len(part) > 1 else re.escape(part)) + _branches(below) for part, below in sorted(tree.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})" if parts else ""


def _joined(stem: str, forms: set[str]) -> str:
    """The forms as one pattern; the stem stands first where it can, so that the search for it is one for plain text."""
    begun = sorted(form.removeprefix(re.escape(stem)) for form in forms if form.startswith(re.escape(stem)))
    other = sorted(form for form in forms if not form.startswith(re.escape(stem)))
    return "|".join([*([f"{re.escape(stem)}(?:{'|'.join(begun)})"] if begun else []), *other])


def _shortest_names(names: set[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Without the names that another one's sign finds as well: those that end with it."""
    return sorted(name for name in names if not any(name[at:] in names for at in range(1, len(name))))


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
