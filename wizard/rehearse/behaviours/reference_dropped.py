"""The recipient does not keep the reference."""

from __future__ import annotations

from dataclasses import replace

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _change(facts: Facts) -> Facts:
    return replace(facts, reference=None)


BEHAVIOUR = Behaviour(
    name="reference-dropped",
    says="It takes the reference and does not keep it.",
    shows="A probe that looks for the reference never finds the write, and takes it for absent.",
    change=_change,
    lacks=lambda facts: "" if facts.reference is not None else "it has no reference",
)
