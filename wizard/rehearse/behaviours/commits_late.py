"""The recipient accepts a write first and carries it out later."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts

_AFTER = timedelta(minutes=8)


def _change(facts: Facts) -> Facts:
    return replace(facts, late=True, answer=replace(facts.answer, status=202))


BEHAVIOUR = Behaviour(
    name="commits-late",
    says="It answers 202 and carries the write out eight minutes later; nothing shows it before.",
    shows="A probe that waits less takes it for absent, and the write is sent again: `after` is too short.",
    change=_change,
    commits_after=_AFTER,
    breaks_document=True,
)
