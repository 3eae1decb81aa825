"""Names that mean the same: `mobile` and `phone_number`, `room_id` and `room`."""

from __future__ import annotations

from functools import lru_cache

from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import probe_words, word_set

Phrase = tuple[str, ...]


@lru_cache(maxsize=4)
def _same() -> dict[Phrase, Phrase]:
    found: dict[Phrase, Phrase] = {}
    for group in probe_words()["names"]["same"]:
        first = tuple(group[0].split("_"))
        for name in group:
            found[tuple(name.split("_"))] = first
            found[phrase(name)] = first
    return found


@lru_cache(maxsize=65536)
def canonical(words: Phrase) -> Phrase:
    """One name for names that mean the same: `mobile`, `phone_number` and `msisdn` are `phone`."""
    for length in range(min(3, len(words)), 0, -1):
        found = _same().get(words[-length:])
        if found is not None:
            return (*words[:-length], *found)
    return words


@lru_cache(maxsize=65536)
def without_ids(words: Phrase) -> Phrase:
    """A name without the words that only say that it is an id."""
    ids = word_set("names", "ids")
    return tuple(word for word in words if word not in ids)
