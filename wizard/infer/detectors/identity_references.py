"""A number or reference of its own is what people tell such things apart by."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("reference")
