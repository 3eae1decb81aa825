"""Whether a value is a secret, card data or a one-time token: never part of an identity, and never shown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wizard.infer.lexicon import pattern, small_words, word_list

if TYPE_CHECKING:
    from wizard.infer.lexicon import Phrase
    from wizard.infer.units import Unit


_NO_SECRET = frozenset({"id", "name", "coin", "asset", "currency", "symbol", "contract", "address", "type"})
"""Words of a name that stand with a token of another kind: one that is traded, or its name."""


@lru_cache(maxsize=16384)
def secret_name(words: Phrase) -> str:
    """`secret`, `card` or nothing, by the name alone."""
    if len(words) > 1 and (words[-1] in ("id", "ids") or words[0] in small_words("flag_of_a_secret")):
        return ""
    for kind in ("secret", "card"):
        if word_list("fields", kind).match(words):
            return kind
    return ""


def is_secret(unit: Unit) -> str:
    """`secret`, `card` or nothing, by name, format, form and description."""
    if unit.shape.type == "boolean":
        return ""
    named = secret_name(unit.words)
    if (
        named == "secret"
        and unit.words[-1:] == ("token",)
        and pattern("grammar", "device_said").search(unit.description[:100])
    ):
        return ""  # whom a push message is for
    if named:
        return named
    if unit.shape.format == "password":
        return "secret"
    whole = pattern("grammar", "secret_whole").search(unit.description[:100])
    if whole and unit.shape.type in ("", "string") and (whole["key"] or not set(unit.words) & _NO_SECRET):
        return "secret"
    if unit.composite and not unit.is_array and word_list("fields", "card_object").match(unit.words):
        return "card"
    if (
        not unit.composite
        and unit.words[-1:] in (("key",), ("code",), ("token",), ("hash",))
        and pattern("grammar", "secret_said").search(unit.description[:300])
    ):
        return "secret"
    return ""
