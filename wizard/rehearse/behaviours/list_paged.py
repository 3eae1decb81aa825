"""The recipient cuts lists though nothing says so."""

from __future__ import annotations

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _lacks(facts: Facts) -> str:
    return "" if any(read.shown.is_list for read in facts.reads) else "no list shows it"


BEHAVIOUR = Behaviour(
    name="list-paged",
    says="An answer of a list has two records at most, though nothing says that there are more.",
    shows="A probe with `pages: none` takes a first page for all there is.",
    page_size=2,
    lacks=_lacks,
)
