"""The recipient does not show when something was made."""

from __future__ import annotations

from dataclasses import replace

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts, ReadFacts
from wizard.rehearse.values import steps_of, without


def _bare(read: ReadFacts) -> ReadFacts:
    element = read.shown.element
    for path in read.shown.made:
        element = without(element, steps_of(path))
    return replace(read, shown=replace(read.shown, element=element, made=()))


def _change(facts: Facts) -> Facts:
    return replace(facts, reads=tuple(_bare(read) for read in facts.reads))


BEHAVIOUR = Behaviour(
    name="created-time-missing",
    says="Its reads do not show when something was made.",
    shows="With `since`, a probe cannot tell an equal write of last week from this one, and asks a person.",
    change=_change,
    breaks_document=True,
    lacks=lambda facts: "" if any(read.shown.made for read in facts.reads) else "no read shows a time of creation",
)
