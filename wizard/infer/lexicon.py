"""What names mean: word lists (TOML, beside this module) and the roles that a field's name gives it.

A name is taken apart (`naming`), its short and foreign words are replaced by plain English ones, and what is left is
looked up by the whole name, by its last words, or by words anywhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from wizard.infer.naming import singular, words
from wizard.infer.tables import table

Phrase = tuple[str, ...]

_GLUED_ENDS = (
    "number", "address", "amount", "reference", "date", "time", "name", "type", "code", "key", "url", "uri", "id",
)  # fmt: skip
"""Words that are written onto the word before them (`startdate`, `customerid`), the longest first."""

_LONG_WORD = 7
_NO_ID = ("oid", "grid", "paid", "aid", "valid", "fluid", "liquid", "solid", "acid", "squid", "amid", "covid", "fluid")
"""How long words end whose last letters are no `id` written onto them."""
_SHORTEST_HALF = 4
"""Letters that each half of a glued word has: `invoiceitem`, not `infant`."""


@cache
def _plain() -> Mapping[str, Phrase]:
    lists = table("abbreviations")
    return {word: tuple(plain.split()) for part in ("foreign", "short") for word, plain in lists[part].items()}


@cache
def _vocabulary() -> frozenset[str]:
    known: set[str] = set()
    for lists in (table("fields"), table("things")):
        for entry in lists.values():
            for value in entry.values():
                if isinstance(value, list):
                    known.update(word for phrase in value if isinstance(phrase, str) for word in phrase.split())
    known.update(word for phrase in _plain().values() for word in phrase)
    return frozenset(known)


@lru_cache(maxsize=65536)
def plain(word: str) -> Phrase:
    """One word in plain English: `qty` is `quantity`, `betrag` is `amount`, `startdate` is `start`, `date`."""
    known = _plain().get(word)
    if known:
        return known
    if len(word) > 4 and word.isascii() and word not in _vocabulary():
        for end in _GLUED_ENDS:
            front = word[: -len(end)]
            if word.endswith(end) and len(front) > 2 and (front in _vocabulary() or front in _plain()):
                return (*plain(front), *plain(end))
        if len(word) > _LONG_WORD and word.endswith("id") and not word.endswith(_NO_ID):
            return (*plain(word[:-2]), "id")
        for at in range(_SHORTEST_HALF, len(word) - _SHORTEST_HALF + 1):
            if word[:at] in _vocabulary() and word[at:] in _vocabulary():
                return (word[:at], word[at:])
    return (word,)


def _turned(parts: Phrase) -> Phrase:
    """The words of a name with what it is behind what it is of, as English has it: `fechaEntrega` as `entregaFecha`."""
    head, rest = parts[0], tuple(word for word in parts[1:] if word not in small_words("links"))
    if head in small_words("heads_first") and rest:
        return (*rest, head)
    if head in small_words("heads_first_too") and rest and rest[0] in table("abbreviations")["foreign"]:
        return (*rest, "date" if head == "data" else head)
    return parts


@lru_cache(maxsize=65536)
def phrase(name: str) -> Phrase:
    """The plain English words of a name, each in the singular: `custEmailAddr` is `customer`, `email`, `address`."""
    found: list[str] = []
    parts = words(name)
    turned = _turned(parts) if len(parts) > 1 else parts
    for whole, word in zip(turned, map(singular, turned), strict=True):
        plain_words = plain(whole) if whole in _plain() else plain(word)
        found.extend(singular(each) for each in plain_words)
    if len(found) > 1 and found[0] == found[1]:
        del found[0]
    return tuple(found)


@lru_cache(maxsize=65536)
def compact(name: str) -> str:
    """A name for comparing: its plain words with spaces."""
    return " ".join(phrase(name))


@dataclass(frozen=True)
class WordList:
    """Phrases, and whether a name has one of them."""

    whole: frozenset[Phrase] = frozenset()
    ends: frozenset[Phrase] = frozenset()
    has: frozenset[Phrase] = frozenset()
    has_not: frozenset[Phrase] = frozenset()
    longest: int = field(default=3)

    def match(self, name: Phrase) -> str:
        """The phrase that the name has, empty where it has none."""
        found = self._match(name)
        if found and self.has_not and _contains(name, self.has_not, self.longest):
            return ""
        return found

    def _match(self, name: Phrase) -> str:
        if name in self.whole:
            return " ".join(name)
        for length in range(min(self.longest, len(name)), 0, -1):
            if name[-length:] in self.ends:
                return " ".join(name[-length:])
        if self.has:
            return _contains(name, self.has, self.longest)
        return ""


def _contains(name: Phrase, phrases: frozenset[Phrase], longest: int) -> str:
    for length in range(min(longest, len(name)), 0, -1):
        for start in range(len(name) - length + 1):
            if name[start : start + length] in phrases:
                return " ".join(name[start : start + length])
    return ""


@lru_cache(maxsize=8192)
def _phrase_of_list(text: str) -> Phrase:
    """A phrase of a list, brought to the form that names have."""
    return tuple(singular(word) for word in text.split())


def _phrases(texts: Iterable[str]) -> frozenset[Phrase]:
    return frozenset(_phrase_of_list(text) for text in texts)


@cache
def word_list(file: str, entry: str) -> WordList:
    """The list under one heading of a file."""
    read = table(file)[entry]
    lists = {name: _phrases(read.get(name, ())) for name in ("is", "ends", "has", "not", "stems", "nouns", "verbs")}
    lists["ends"] |= lists["stems"]
    longest = max((len(one) for group in lists.values() for one in group), default=1)
    return WordList(lists["is"], lists["ends"], lists["has"], lists["not"], longest)


@cache
def small_words(entry: str) -> frozenset[str]:
    """A set of single words of `grammar.toml`."""
    return frozenset(table("grammar")[entry]["is"])


@cache
def pattern(file: str, entry: str) -> re.Pattern[str]:
    """The pattern under one heading of a file; case does not matter."""
    return re.compile(table(file)[entry]["pattern"], re.IGNORECASE)


@cache
def says(role: str) -> str:
    """What a role of `fields.toml` says of a field, in a few words."""
    return str(table("fields")[role]["says"])
