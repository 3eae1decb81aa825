"""A version that was read before guards against another writer; it says nothing of what is written."""

from __future__ import annotations

from wizard.infer.roles import by_lists

DETECTOR = by_lists({"lock": 10.0})
