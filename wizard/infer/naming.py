"""Names taken apart: `propertyIDsToView`, `check-in_date`, `X-Request-ID` as words, and words brought to one form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_CHUNK = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "data": "data", "series": "series",
    "statuses": "status", "addresses": "address", "aliases": "alias", "indices": "index", "news": "news",
    "moves": "move", "leaves": "leave", "taxes": "tax", "cookies": "cookie",
    "alias": "alias", "canvas": "canvas", "bias": "bias", "atlas": "atlas", "lens": "lens",
}  # fmt: skip


_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "œ": "oe", "ł": "l", "Ł": "L", "ı": "i", "đ": "d"})


def _folded(name: str) -> str:
    """A name in Latin letters without their accents: `descrição` as `descricao`; other scripts as they are."""
    apart = unicodedata.normalize("NFD", name.translate(_LETTERS))
    plain = "".join(letter for letter in apart if not "\u0300" <= letter <= "\u036f")
    return plain if plain.isascii() else name


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `propertyIDsToView` is `property`, `ids`, `to`, `view`."""
    found: list[str] = []
    for chunk in _CHUNK.findall(name if name.isascii() else _folded(name)):
        found.extend(piece.lower() for piece in (_CAMEL.findall(chunk) if chunk.isascii() else [chunk]))
    return tuple(found)


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """An English word without its plural ending; other words as they are."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3:
        return {"ids": "id", "ips": "ip", "pks": "pk", "nos": "no"}.get(word, word)
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=65536)
def stems(name: str) -> tuple[str, ...]:
    """The words of a name, each in the singular: `property_ids` and `propertyId` are both `property`, `id`."""
    return tuple(singular(word) for word in words(name))


_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ers", "er", "ed", "es", "s", "e", "y")


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """What is left of a word without its endings, so that `booking` meets `book` and `cancelled` meets `cancel`."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word
