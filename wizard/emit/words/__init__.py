"""Words and patterns as data, read once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from wizard.wordlists import table

_HERE = os.path.dirname(os.path.abspath(__file__))


def words(name: str) -> Mapping[str, Any]:
    """The table in `name`.toml beside this file."""
    return table(_HERE, name)
