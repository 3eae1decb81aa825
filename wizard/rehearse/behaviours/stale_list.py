"""A list shows a write later than it is made."""

from __future__ import annotations

from datetime import timedelta

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts

_AFTER = timedelta(minutes=2)


def _lacks(facts: Facts) -> str:
    return "" if any(read.shown.is_list for read in facts.reads) else "no list shows it"


BEHAVIOUR = Behaviour(
    name="stale-list",
    says="A list shows a write two minutes after it was made.",
    shows="A probe that is asked at once does not find what is there; `after` is what it is for.",
    list_after=lambda facts: _AFTER,
    lacks=_lacks,
)
