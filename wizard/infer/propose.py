"""The proposal for an operation: the detectors run question by question, their evidence weighed, the sentences put."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from wizard.discover import modules
from wizard.infer import detectors, wording
from wizard.infer.compose import compose
from wizard.infer.composed import Composed
from wizard.infer.confidence import identity_confidence
from wizard.infer.declaration import uncarried
from wizard.infer.declared import as_declared
from wizard.infer.detector import QUESTIONS, Candidate, Detector, Question, Subject
from wizard.infer.failures import choose_failed
from wizard.infer.keys import choose_key
from wizard.infer.kinds import Weighed, weigh
from wizard.infer.known_keys import offered_keys
from wizard.infer.model import Confidence, Evidence, IdentityProposal, KeyProposal, Proposal
from wizard.infer.parts import paths_of
from wizard.infer.probes import choose_probe
from wizard.infer.references import choose_reference
from wizard.spec.model import ApiDocument, ApiOperation


@cache
def _detectors() -> Mapping[Question, tuple[Detector, ...]]:
    found: dict[Question, list[Detector]] = {question: [] for question in QUESTIONS}
    for module in modules(detectors).values():
        found[module.DETECTOR.question].append(module.DETECTOR)
    return {question: tuple(listed) for question, listed in found.items()}


def seen(subject: Subject, question: Question) -> Iterable[Candidate]:
    """What the detectors of one question saw."""
    for detector in _detectors()[question]:
        yield from detector.detect(subject)


def propose_document(document: ApiDocument) -> tuple[Proposal, ...]:
    """A proposal for each operation of the document, in its order."""
    shared: dict[str, Any] = {}
    return tuple(propose_operation(document, operation, shared) for operation in document.operations)


def propose_operation(document: ApiDocument, operation: ApiOperation, shared: dict[str, Any] | None = None) -> Proposal:
    """The proposal for one operation. `shared` keeps indexes over the document from one call to the next."""
    return as_declared(document, look_closely(document, operation, shared).proposal)


@dataclass(frozen=True)
class Looked:
    """A proposal with what was seen on the way to it."""

    proposal: Proposal
    """As inferred: what the document declares by extensions of ours is not in it."""
    subject: Subject
    """With the answers to all questions."""
    composed: Composed | None = None
    """How the identity was put together; None for what is no write."""


def look_closely(document: ApiDocument, operation: ApiOperation, shared: dict[str, Any] | None = None) -> Looked:
    """What the document itself shows of one operation, with the weights of its fields."""
    subject = Subject(document=document, operation=operation, shared={} if shared is None else shared)
    kind = weigh(seen(subject, "kind"))
    subject = replace(subject, write=kind.write, kind=kind.kind)
    if not kind.write:
        return Looked(_no_write(operation, kind), subject)
    key = choose_key(subject, seen(subject, "key"))
    subject = replace(subject, key=key)
    composed = compose(subject, seen(subject, "identity"))
    identity = _identity(subject, composed)
    subject = replace(subject, identity=identity)
    reference = choose_reference(subject, seen(subject, "reference"))
    subject = replace(subject, reference=reference)
    keep = composed.about.thing.keep if composed.about.thing and identity.fields and kind.kind == "create" else ""
    subject = replace(subject, keep=keep)
    probe = choose_probe(subject, seen(subject, "probe"))
    proposal = Proposal(
        operation=operation,
        write=True,
        kind=kind.kind,
        write_evidence=kind.evidence,
        identity=identity,
        key=key,
        reference=reference,
        probe=probe,
        failed=choose_failed(subject, seen(subject, "failed")),
        money=_money(composed, identity),
        keep=keep,
        warnings=_warnings(kind, composed, identity, key, operation),
        offered_keys=offered_keys(subject),
        why=wording.whole(kind.kind, operation, identity, key, probe is not None),
    )
    return Looked(proposal, subject, composed)


def _no_write(operation: ApiOperation, kind: Weighed) -> Proposal:
    says = {
        "read": "Reads and changes nothing",
        "auth": "Signs in or hands out a token",
        "hook": "Receives calls of others",
    }
    because = f": {kind.evidence[0].says}" if kind.evidence else ""
    doubts = (
        (f"Could be a write all the same: {kind.against[0]}.",)
        if kind.against and operation.method != "GET" and kind.confidence != "high"
        else ()
    )
    return Proposal(
        operation=operation, write=False, kind=kind.kind, write_evidence=kind.evidence, warnings=doubts,
        why=f"{says.get(kind.kind, 'No write')}{because}.",
    )  # fmt: skip


def _identity(subject: Subject, composed: Composed) -> IdentityProposal:
    assert subject.kind is not None
    fields: list[str] = []
    optional: set[str] = set()
    evidence: list[Evidence] = []
    for one in composed.chosen:
        paths = paths_of(one.unit, changes=subject.kind in ("update", "delete", "action"))
        fields += paths
        whole = paths == (one.unit.path,)
        optional.update(path for path in paths if not one.unit.always or not (whole or _always(one.unit.members, path)))
        if one.seen:
            evidence.append(next((found for found in one.seen if found.says.startswith("required")), one.seen[0]))
    chosen = tuple(dict.fromkeys(fields))
    known = frozenset(optional)
    return IdentityProposal(
        fields=chosen,
        optional=known,
        confidence=identity_confidence(subject.kind, composed),
        evidence=tuple(evidence),
        left_out=wording.left_out(composed),
        why=wording.why(subject.kind, composed, chosen, subject.operation),
        unsure=wording.unsure(subject.kind, composed, chosen, known, subject.operation),
    )


def _always(members: Iterable[Any], path: str) -> bool:
    return any(member.path == path and member.always for member in members)


def _warnings(
    kind: Weighed, composed: Composed, identity: IdentityProposal, key: KeyProposal | None, operation: ApiOperation
) -> tuple[str, ...]:
    said = list(wording.warnings(kind.kind, composed, identity, key, operation))
    if stuck := uncarried(operation, identity.fields):
        kind_of_body = operation.body.media_type if operation.body is not None else "this kind"
        said.append(
            f"No identity is declared: in a body of {kind_of_body} `{stuck}` is no value of its own. Calls with equal"
            " arguments are one write."
        )
    if kind.confidence is Confidence.LOW and kind.against:
        said.append(f"Perhaps no write at all: {kind.against[0]}.")
    return tuple(said)


_CURRENCY_WORDS = {
    **{code.lower(): code for code in ("USD", "EUR", "GBP", "INR", "JPY", "CAD", "AUD", "CHF", "BRL", "MXN")},
    "pence": "GBP",
}
"""What an amount's name says of its currency: `amount_pence`."""


def _money(composed: Composed, identity: IdentityProposal) -> tuple[str, str] | None:
    """The amount and the currency of a write that moves money."""
    thing = composed.about.thing
    if thing is None or not thing.money:
        return None
    usable = [one for one in composed.weighed if not one.barred]
    amounts = [one for one in usable if "amount" in one.roles]
    amounts.sort(key=lambda one: one.unit.path not in identity.fields)
    if not amounts:
        return None
    unit = amounts[0].unit
    if unit.members:
        inner = {member.name.lower(): member.path for member in unit.members}
        amount = next((inner[name] for name in ("value", "amount", "total") if name in inner), None)
        currency = next((path for name, path in inner.items() if "currency" in name), None)
        return (amount, currency) if amount and currency else None
    spoken = _CURRENCY_WORDS.get(unit.words[-1], "")
    if spoken:
        return (unit.path, spoken)
    currency_unit = next((one.unit.path for one in usable if "currency" in one.roles), None)
    return (unit.path, currency_unit) if currency_unit else None
