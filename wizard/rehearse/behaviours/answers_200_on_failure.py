"""The recipient refuses with a 2xx."""

from __future__ import annotations

from dataclasses import replace

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts, RefusalFacts


def _change(facts: Facts) -> Facts:
    if facts.refusal.in_success:
        return facts
    status = facts.answer.status if facts.answer.status not in (202, 204) else 200
    return replace(facts, refusal=RefusalFacts(status=status, member=("ok",), bad=False, good=True))


BEHAVIOUR = Behaviour(
    name="answers-200-on-failure",
    says="What it refuses it answers with a 2xx and `ok: false`.",
    shows="A refusal is told as done, unless `failed` says what one looks like.",
    change=_change,
    breaks_document=True,
    lacks=lambda facts: "it does so as documented" if facts.refusal.in_success else "",
)
