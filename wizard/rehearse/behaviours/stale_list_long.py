"""A list shows a write later than the declaration waits."""

from __future__ import annotations

from datetime import timedelta

from wizard.operation.model import DEFAULT_AFTER
from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _long(facts: Facts) -> timedelta:
    """Three times as long as the probe waits."""
    probe = facts.operation.probe
    wait = (probe.wait if probe is not None else DEFAULT_AFTER).delta or timedelta(minutes=5)
    return 3 * wait


def _lacks(facts: Facts) -> str:
    return "" if any(read.shown.is_list for read in facts.reads) else "no list shows it"


BEHAVIOUR = Behaviour(
    name="stale-list-long",
    says="A list shows a write only when three times `after` have gone by.",
    shows="A probe takes a list that lags for absence, and the write is sent again: `after` is too short.",
    list_after=_long,
    lacks=_lacks,
)
