"""The patterns and lists of `words/facts.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def words() -> Mapping[str, Any]:
    """`words/facts.toml` as it is."""
    return tomllib.loads((files("wizard.rehearse") / "words" / "facts.toml").read_text(encoding="utf-8"))


@cache
def pattern(section: str, name: str) -> re.Pattern[str]:
    return re.compile(words()[section][name], re.IGNORECASE)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, at most some hundreds of letters each; a clause after a colon or semicolon is one."""
    for one in re.split(r"(?<=[.!?])\s|[\n;]|<br", text[:8000]):
        if one.strip():
            yield one.strip()[:600]
