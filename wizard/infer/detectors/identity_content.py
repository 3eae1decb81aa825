"""What is said or handed over where that is the thing: a message's text, a file, an address that is called."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("content", "content_id", "file", "address")
