"""The word lists of `words/probes.toml`: what GETs, their parameters and their answers are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from wizard.infer.naming import stems
from wizard.infer.tables import table


def probe_words() -> Mapping[str, Any]:
    """`words/probes.toml` as it is."""
    return table("probes")


@lru_cache(maxsize=64)
def pattern(section: str, name: str) -> re.Pattern[str]:
    """A pattern of `words/probes.toml`."""
    return re.compile(probe_words()[section][name])


@lru_cache(maxsize=64)
def word_set(section: str, name: str) -> frozenset[str]:
    """A list of words of `words/probes.toml`."""
    return frozenset(probe_words()[section][name])


@lru_cache(maxsize=65536)
def joined(name: str) -> str:
    """The words of a name in the singular, joined by `_`."""
    return "_".join(stems(name))
