"""Numbers and lists in words."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """`1 error`, `3 errors`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
