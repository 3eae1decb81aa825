"""The recipient takes no notice of keys."""

from __future__ import annotations

from dataclasses import replace

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _change(facts: Facts) -> Facts:
    return replace(facts, key=None)


BEHAVIOUR = Behaviour(
    name="key-ignored",
    says="It takes no notice of the key: each request is a write of its own.",
    shows="A write that is sent again under its key lands a second time.",
    change=_change,
    lacks=lambda facts: "" if facts.key is not None else "it has no key",
)
