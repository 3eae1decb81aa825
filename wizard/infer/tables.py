"""The word lists that proposals go by: TOML, in `words`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from wizard import wordlists

WORDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "words")


def table(name: str) -> Mapping[str, Any]:
    """What a list's file says, as it stands. Raises OSError where there is none."""
    return wordlists.table(WORDS, name)
