"""The recipient keeps an error under its key."""

from __future__ import annotations

from wizard.rehearse.behaviour import Behaviour

BEHAVIOUR = Behaviour(
    name="key-stores-errors",
    says="It keeps the error that a request ended with, and answers it again under the same key.",
    shows="Sent again, the write is answered with the old error, landed or not: a key alone does not settle it.",
    stores_errors=True,
    lacks=lambda facts: "" if facts.key is not None else "it has no key",
)
