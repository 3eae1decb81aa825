"""What an author can choose from beside the fields: places for the key, the reference, the probe, what is a refusal."""

from __future__ import annotations

from dataclasses import dataclass

from wizard.infer.model import Evidence, KeyProposal
from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import KeyPlace, Probe, Reference
from wizard.session.state import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChoice:
    """A place where the recipient takes, or may take, a key."""

    key: KeyPlace
    chosen: bool
    origin: str
    """`the document`, `known, not declared`, `you`."""
    why: str = ""
    evidence: tuple[Evidence, ...] = ()
    source: str = ""
    """The address of the page that promises a key which the document does not show."""
    required: bool = False


def key_choices(entry: Entry) -> tuple[KeyChoice, ...]:
    """The document's key, then those that are known from elsewhere, then the author's own."""
    operation, proposal = entry.declaration, entry.proposal
    if operation is None or not entry.is_write:
        return ()
    declared = operation.key
    found: list[KeyChoice] = []
    places: list[KeyProposal] = []
    if proposal is not None:
        places = [*([proposal.key] if proposal.key is not None else []), *proposal.offered_keys]
    for place in places:
        key = key_of(place)
        if key is None:
            continue
        chosen = declared is not None and (declared.place, declared.name) == (key.place, key.name)
        source = "" if place.declared else next((one.at for one in place.evidence), "")
        found.append(
            KeyChoice(
                key=declared if chosen and declared is not None else key, chosen=chosen, why=place.why,
                origin="the document" if place.declared else "known, not declared", evidence=place.evidence,
                source=source, required=place.required,
            )
        )  # fmt: skip
    if declared is not None and not any(one.chosen for one in found):
        source = entry.key_source
        found.append(KeyChoice(key=declared, chosen=True, origin="you", source=source, why="you named it"))
    return tuple(found)


def key_of(place: KeyProposal) -> KeyPlace | None:
    """The place as a declaration has it; None where no declaration can name it."""
    try:
        if place.place == "field":
            FieldPath.parse(place.name)
        return KeyPlace(
            place=place.place,
            name=place.name,
            shape=place.shape if place.shape in ("uuid", "uuid4", "hex32", "hex64") else "uuid",  # type: ignore[arg-type]
            remembered_for=Duration.parse(place.remembers_for) if place.remembers_for else None,
            remembers="success" if place.remembers == "success" else "all",
        )
    except (FieldPathError, ValueError):
        return None


def reference_of(entry: Entry) -> Reference | None:
    """The reference that is declared or, where there is none, the one that was proposed."""
    if entry.declaration is not None and entry.declaration.reference is not None:
        return entry.declaration.reference
    return entry.proposed.reference if entry.proposed is not None else None


def probe_of(entry: Entry) -> Probe | None:
    """The probe that is declared or, where there is none, the one that was proposed."""
    if entry.declaration is not None and entry.declaration.probe is not None:
        return entry.declaration.probe
    return entry.proposed.probe if entry.proposed is not None else None


def failed_of(entry: Entry) -> str:
    """The JSONPath of a refusal in an answer of success: the declared one or, where there is none, what the document
    shows, be it not plain about it; empty where that is nothing."""
    if entry.declaration is not None and entry.declaration.failed is not None:
        return entry.declaration.failed
    if entry.proposed is not None and entry.proposed.failed is not None:
        return entry.proposed.failed
    shown = entry.proposal.failed if entry.proposal is not None else None
    return shown.path if shown is not None else ""


def absence(probe: Probe) -> str:
    """What an answer looks like that proves that the write is not there."""
    match probe.absent:
        case "empty":
            return f"an answer in which `{probe.items}` is an empty list, or holds only others, after {probe.wait}"
        case "404":
            return f"a 404, after {probe.wait}"
    return "nothing proves that it is not there; what is found counts"


def evidence_of(entry: Entry) -> tuple[Evidence, ...]:
    """All that the proposal was made from, each once, with its place in the document (or a page's address)."""
    proposal = entry.proposal
    if proposal is None:
        return ()
    seen = [*proposal.write_evidence, *proposal.identity.evidence]
    for part in (proposal.key, proposal.reference, proposal.probe, proposal.failed, *proposal.offered_keys):
        if part is not None:
            seen += part.evidence
    return tuple(dict.fromkeys(seen))
