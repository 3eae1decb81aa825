"""The recipient takes a key together with its body."""

from __future__ import annotations

from wizard.rehearse.behaviour import Behaviour

BEHAVIOUR = Behaviour(
    name="key-with-body",
    says="The same key with another body is another write.",
    shows="A write that is sent again with another note lands a second time, unless the host sends the stored request.",
    key_with_body=True,
    lacks=lambda facts: "" if facts.key is not None else "it has no key",
)
