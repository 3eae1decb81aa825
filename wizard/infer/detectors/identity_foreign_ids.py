"""The other things that a write is about, by their ids: whom it is with, what it is for, what it follows from."""

from __future__ import annotations

from wizard.infer.roles import by_roles

DETECTOR = by_roles("party", "resource", "origin", "container", "recipient", "sender", "reply_to")
