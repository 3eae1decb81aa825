"""What really landed at a recipient: the oracle of every story."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Landing:
    """One effect of one request."""

    at: datetime
    """When it was carried out."""
    matter: str
    """What tells the write apart from others, as one text: equal for two that are the same."""
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes | None
    key: str
    """The key that came with it; empty where none did."""
    id: str
    """Of what it made or changed."""


@dataclass(slots=True)
class Ledger:
    """All landings in their order. What was seeded is not among them."""

    landings: list[Landing] = field(default_factory=list)

    def landed(self, matter: str | None = None) -> int:
        """How many landed: all, or those of one matter."""
        return len(self.landings) if matter is None else sum(one.matter == matter for one in self.landings)

    @property
    def counts(self) -> dict[str, int]:
        """Each matter that landed, to how often."""
        found: dict[str, int] = {}
        for one in self.landings:
            found[one.matter] = found.get(one.matter, 0) + 1
        return found
