"""What `words/keys.toml` says of names and texts: which speak for an idempotency key, and which against one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wizard.infer.tables import table


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of `words/keys.toml`."""

    match: re.Pattern[str]
    weight: float
    says: str
    places: frozenset[str]
    about_the_write: bool
    """The thing that the name speaks of must be what the write makes."""
    ids_only: bool
    """It counts for places that are called like an id."""
    unless: re.Pattern[str] | None


def key_words() -> Mapping[str, Any]:
    """`words/keys.toml` as it is."""
    return table("keys")


@lru_cache(maxsize=16)
def rules(kind: str) -> tuple[Rule, ...]:
    """The rules of one kind: `name`, `text`, `against`, `against_name`, `tracing`."""
    return tuple(
        Rule(
            re.compile(line["match"]),
            line["weight"],
            line["says"],
            frozenset(line.get("places", ("header", "field", "query"))),
            line.get("about_the_write", False),
            line.get("ids_only", False),
            re.compile(line["unless"]) if "unless" in line else None,
        )
        for line in key_words()[kind]
    )


@lru_cache(maxsize=32768)
def texts_found(kind: str, text: str) -> tuple[Rule, ...]:
    """The rules of one kind that a text meets."""
    if not text:
        return ()
    return tuple(
        rule for rule in rules(kind) if rule.match.search(text) and not (rule.unless and rule.unless.search(text))
    )
