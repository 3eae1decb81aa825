"""The recipient refuses an equal write."""

from __future__ import annotations

from wizard.rehearse.behaviour import Behaviour

BEHAVIOUR = Behaviour(
    name="duplicates-refused",
    says="A write that is equal in all that tells two apart is refused with 409.",
    shows="Sent again after a lost answer, the write is answered 409, which speaks of its own first sending.",
    refuses_equal=409,
    breaks_document=True,
    lacks=lambda facts: "" if facts.does == "create" and facts.matter else "nothing is made that could be equal",
)
