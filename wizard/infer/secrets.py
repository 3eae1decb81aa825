"""Whether a value is a secret, card data or a one-time token: never part of an identity, and never shown."""

from __future__ import annotations

import re
from functools import lru_cache

from wizard.infer.lexicon import Phrase, word_list
from wizard.infer.units import Unit

_SAID = re.compile(
    r"\b(one-time (token|password|code)|single-use token|integration key|api key|secret key|your (client )?secret|card verification|security code|"
    r"string being verified|verification code|code (that was )?(sent|received)|payment method (token|nonce)|password (of|for|to))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=16384)
def secret_name(words: Phrase) -> str:
    """`secret`, `card` or nothing, by the name alone."""
    if words[-1:] in (("id",), ("ids",)) and len(words) > 1:
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
    if named:
        return named
    if unit.shape.format == "password":
        return "secret"
    if unit.composite and not unit.is_array and word_list("fields", "card_object").match(unit.words):
        return "card"
    if (
        not unit.composite
        and unit.words[-1:] in (("key",), ("code",), ("token",))
        and _SAID.search(unit.description[:300])
    ):
        return "secret"
    return ""
