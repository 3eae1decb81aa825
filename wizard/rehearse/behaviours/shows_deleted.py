"""The recipient still shows what was deleted."""

from __future__ import annotations

from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts


def _lacks(facts: Facts) -> str:
    return "" if facts.does == "delete" else "it deletes nothing"


BEHAVIOUR = Behaviour(
    name="shows-deleted",
    says="What was deleted is still there for who asks.",
    shows="A probe that waits for a 404 never sees that a DELETE is done.",
    shows_deleted=True,
    lacks=_lacks,
)
