"""The recipient does not narrow its lists."""

from __future__ import annotations

from dataclasses import replace

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _change(facts: Facts) -> Facts:
    return replace(facts, reads=tuple(replace(read, filters=()) for read in facts.reads))


def _lacks(facts: Facts) -> str:
    return "" if any(read.filters for read in facts.reads) else "no read of it has a filter"


BEHAVIOUR = Behaviour(
    name="filter-ignored",
    says="It takes no notice of the filters of its lists, and answers with all records.",
    shows="A probe that trusts a filter takes somebody else's record for its own, unless `match` compares it, too.",
    change=_change,
    lacks=_lacks,
)
