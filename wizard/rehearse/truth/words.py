"""The patterns and lists of `words/facts.toml`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from wizard.wordlists import table

_WORDS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "words")


def words() -> Mapping[str, Any]:
    """`words/facts.toml` as it is."""
    return table(_WORDS, "facts")


@cache
def pattern(section: str, name: str) -> re.Pattern[str]:
    return re.compile(words()[section][name], re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, at most some hundreds of letters each; a clause after a colon or semicolon is one."""
    for one in re.split(r"(?<=[.!?])\s|[\n;]|<br", text[:8000]):
        if one.strip():
            yield one.strip()[:600]
