"""The recipient forgets keys sooner than it says."""

from __future__ import annotations

from dataclasses import replace

from wizard.operation.duration import Duration
from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts

_MINUTE = Duration(60)


def _change(facts: Facts) -> Facts:
    return facts if facts.key is None else replace(facts, key=replace(facts.key, memory=_MINUTE))


BEHAVIOUR = Behaviour(
    name="key-forgotten",
    says="It forgets a key after a minute, whatever it says.",
    shows="A write that is sent again later than that lands a second time: `for:` is longer than what is kept.",
    change=_change,
    lacks=lambda facts: "" if facts.key is not None else "it has no key",
)
