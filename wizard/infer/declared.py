"""What a document declares of an operation itself (`x-outturn-…`): stronger than anything we could propose."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from wizard.infer.model import (
    Confidence,
    Evidence,
    FailedProposal,
    IdentityProposal,
    KeyProposal,
    ProbeProposal,
    Proposal,
    ReferenceProposal,
)
from wizard.operation.model import KeyPlace, Operation, Probe
from wizard.spec.extensions import PREFIX, declared
from wizard.spec.model import ApiDocument


def as_declared(document: ApiDocument, proposal: Proposal) -> Proposal:
    """The proposal with what the document's own extensions say in place of what was inferred."""
    operation = proposal.operation
    if not any(name.startswith(PREFIX) for name in operation.extensions):
        return proposal
    found = declared(operation, document)
    if found is None:
        return proposal
    problems = tuple(f"{problem.message} ({problem.pointer})" for problem in found.problems)
    if found.operation is None:
        return replace(proposal, warnings=proposal.warnings + problems)
    said, at = found.operation, found.members
    changed = replace(proposal, declared=True, warnings=proposal.warnings + problems)
    if "write" in at:
        write = said.is_write
        kind = proposal.kind if write == proposal.write else "action" if write else "read"
        changed = replace(changed, write=write, kind=kind, write_evidence=(_evidence("write", at["write"]),))
    if "identity" in at:
        changed = replace(changed, identity=_identity(said, at["identity"]), warnings=problems)
    elif "scope" in at:
        why = f"Declared as `scope: {said.scope}`."
        identity = IdentityProposal(confidence=Confidence.HIGH, evidence=(_evidence("scope", at["scope"]),), why=why)
        changed = replace(changed, identity=identity, warnings=problems)
    if "key" in at and said.key is not None:
        changed = replace(changed, key=_key(said.key, at["key"]))
    if "reference" in at and said.reference is not None:
        reference = ReferenceProposal(
            name=said.reference.name, confidence=Confidence.HIGH, evidence=(_evidence("reference", at["reference"]),)
        )
        changed = replace(changed, reference=reference)
    if "probe" in at and said.probe is not None:
        changed = replace(changed, probe=_probe(said.probe, document, at["probe"]))
    if "failed" in at and said.failed is not None:
        failed = FailedProposal(
            path=said.failed, confidence=Confidence.HIGH, evidence=(_evidence("failed", at["failed"]),),
            why="The document declares it.",
        )  # fmt: skip
        changed = replace(changed, failed=failed)
    if "keep" in at and said.keep is not None:
        changed = replace(changed, keep=str(said.keep))
    return changed


def _evidence(name: str, at: str) -> Evidence:
    return Evidence(f"declared in {PREFIX}{name}", at)


def _identity(said: Operation, at: str) -> IdentityProposal:
    return IdentityProposal(
        fields=tuple(path.name for path in said.identity),
        optional=frozenset(path.name for path in said.identity if path.optional),
        confidence=Confidence.HIGH,
        evidence=(_evidence("identity", at),),
        why="The document declares it.",
    )


def _key(key: KeyPlace, at: str) -> KeyProposal:
    return KeyProposal(
        place=key.place, name=key.name, shape=key.shape, remembers_for=str(key.remembered_for or ""),
        remembers=key.remembers if key.remembers != "all" else "", confidence=Confidence.HIGH,
        evidence=(_evidence("key", at),), why="The document declares it.",
    )  # fmt: skip


def _probe(probe: Probe, document: ApiDocument, at: str) -> ProbeProposal:
    parts = urlsplit(probe.url)
    path = parts.path
    for server in document.servers:
        base = urlsplit(server).path.rstrip("/")
        if base and path.startswith(f"{base}/"):
            path = path[len(base) :]
            break
    parameters = {f"query:{name}": value.strip("{}") for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    return ProbeProposal(
        path=path, parameters=parameters, match=dict(probe.match), items=probe.items or "", since=probe.since or "",
        absent=(probe.absent,) if probe.absent else (),
        pages=probe.pages or "",
        confidence=Confidence.HIGH, evidence=(_evidence("probe", at),), why="The document declares it.",
    )  # fmt: skip
