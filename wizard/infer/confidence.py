"""How sure an identity is. High means that a reviewer would hardly correct it: each request must have these fields, and
they are what such a thing is told apart by."""

from __future__ import annotations

from wizard.infer.compose import Composed
from wizard.infer.model import Confidence, Kind
from wizard.infer.picking import Weighed

_STRONG = frozenset(
    {"reference", "name", "email", "content", "file", "address", "document", "login", "subject", "line"}
)
_TELLING = _STRONG | {
    "phone", "amount", "start", "date", "party", "resource", "origin", "other", "quantity", "kind", "place", "process",
    "measure", "recipient", "counterparty", "public_key", "person_name", "given_name", "end", "changed", "target",
}  # fmt: skip


def identity_confidence(kind: Kind, composed: Composed) -> Confidence:
    """The confidence of the identity that was put together."""
    chosen = composed.chosen
    if kind in ("action", "delete"):
        return _of_action(composed)
    if kind == "update":
        return Confidence.MEDIUM if chosen else Confidence.LOW
    if not chosen:
        return Confidence.MEDIUM if composed.by == "path" else Confidence.LOW
    telling = [one for one in chosen if one.roles.keys() & _TELLING]
    if composed.by == "required":
        known = composed.about.thing is not None and composed.about.at != "guess"
        enough = len(telling) > 1 or any(one.roles.keys() & _STRONG for one in telling)
        if not composed.missing and enough and (known or len(telling) > 1):
            return Confidence.HIGH
        return Confidence.MEDIUM
    strong = any(one.roles.keys() & _STRONG for one in telling)
    if len(composed.missing) > 1 or not telling or (composed.by == "guess" and (composed.missing or not strong)):
        return Confidence.LOW
    return Confidence.MEDIUM


def _of_action(composed: Composed) -> Confidence:
    if not composed.chosen:
        return Confidence.HIGH if not _optional_rest(composed) else Confidence.MEDIUM
    return Confidence.HIGH if all(one.required for one in composed.chosen) else Confidence.MEDIUM


def _optional_rest(composed: Composed) -> list[Weighed]:
    return [one for one in composed.weighed if not one.doubt]
