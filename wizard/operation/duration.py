"""Durations as a declaration writes them: `30s`, `5m`, `24h`, `30d`, `forever`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

_FORM = re.compile(r"(\d{1,9})(s|m|h|d)")
LONGEST = timedelta(days=36500)
"""A hundred years: an instant that much later is still one that can be written."""
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A length of time in whole seconds; None is for ever."""

    seconds: int | None

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Reads a duration. Raises ValueError, whose text says the form."""
        if text == "forever":
            return cls(None)
        found = _FORM.fullmatch(text)
        if found is None:
            raise ValueError("a duration is a whole number with s, m, h or d (`30s`, `5m`, `24h`, `30d`), or `forever`")
        seconds = int(found[1]) * _SECONDS[found[2]]
        if seconds > LONGEST.total_seconds():
            raise ValueError(f"a duration is at most {LONGEST.days}d, or `forever`")
        return cls(seconds)

    @property
    def delta(self) -> timedelta | None:
        """As a timedelta, None for ever."""
        return None if self.seconds is None else timedelta(seconds=self.seconds)

    def __str__(self) -> str:
        if self.seconds is None:
            return "forever"
        if self.seconds % 86400 == 0 and self.seconds > 86400:
            return f"{self.seconds // 86400}d"
        for unit in ("h", "m"):
            if self.seconds and self.seconds % _SECONDS[unit] == 0:
                return f"{self.seconds // _SECONDS[unit]}{unit}"
        return f"{self.seconds}s"
