"""The dates of the matter: when it begins and ends, when it is due."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("start", "end", "date")
