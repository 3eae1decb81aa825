"""The lines of an order, an invoice, a delivery."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("line")
