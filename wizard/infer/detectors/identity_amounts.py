"""An amount, its currency, a quantity."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("amount", "currency", "quantity")
