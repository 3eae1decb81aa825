"""A name, title, code or subject."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("name", "person_name", "subject", "login", "public_key")
