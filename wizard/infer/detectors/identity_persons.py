"""What tells one person from another: e-mail, phone, the number of a document, the day of birth; and the name."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("email", "phone", "document", "birth", "given_name")
