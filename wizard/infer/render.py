"""Proposals as the JSON that `corpus/README.md` fixes (with more members), as YAML, and as text for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Protocol

from wizard.errors import UsageError
from wizard.infer.declaration import declare, key_of, why_no_key
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
from wizard.operation.model import Cursor, Level
from wizard.operation.printing import print_operation
from wizard.spec.model import ApiDocument

VERSION = 1


class Paint(Protocol):
    """Colours words, or leaves them as they are."""

    def __call__(self, text: str, *styles: str) -> str: ...


def plain(text: str, *styles: str) -> str:
    """No colour."""
    return text


# ---- JSON ------------------------------------------------------------------------------------------------------------


def as_data(document: ApiDocument, proposals: Iterable[Proposal]) -> dict[str, Any]:
    """The proposals as plain JSON values."""
    return {
        "version": VERSION,
        "document": {"title": document.title, "openapi": document.openapi, "source": document.source},
        "operations": [proposal_data(document, proposal) for proposal in proposals],
        "problems": [{"message": problem.message, "at": problem.pointer} for problem in document.problems],
    }


def proposal_data(document: ApiDocument, proposal: Proposal) -> dict[str, Any]:
    """One proposal as plain JSON values. What does not apply is null or empty, never absent."""
    operation = proposal.operation
    return {
        "method": operation.method,
        "path": operation.path,
        "operation_id": operation.operation_id or None,
        "write": proposal.write,
        "kind": proposal.kind,
        "level": level_of(proposal).value,
        "write_evidence": _evidence(proposal.write_evidence),
        "identity": _identity(proposal.identity) if proposal.write else None,
        "key": {**_key(proposal.key), "undeclared": why_no_key(proposal) or None} if proposal.key else None,
        "reference": _reference(proposal.reference) if proposal.reference else None,
        "probe": _probe(proposal.probe) if proposal.probe else None,
        "failed": _failed(proposal.failed) if proposal.failed else None,
        "money": {"amount": proposal.money[0], "currency": proposal.money[1]} if proposal.money else None,
        "keep": proposal.keep or None,
        "warnings": list(proposal.warnings),
        "why": proposal.why,
        "offered_keys": [_key(key) for key in proposal.offered_keys],
        "declared": proposal.declared,
        "at": operation.pointer,
        "declaration": _declaration(document, proposal),
    }


def level_of(proposal: Proposal) -> Level:
    """The level that the proposal, once confirmed, would have."""
    if not proposal.write:
        return Level.NONE
    return Level.KEYED if key_of(proposal) is not None else Level.CACHED


def _declaration(document: ApiDocument, proposal: Proposal) -> dict[str, Any] | None:
    """The mapping that would be written; none for reads, and where the document names no server."""
    if not proposal.write:
        return None
    try:
        return print_operation(declare(proposal, document))
    except UsageError:
        return None


def _evidence(seen: Iterable[Evidence]) -> list[dict[str, str]]:
    return [{"says": one.says, "at": one.at} for one in seen]


def _identity(identity: IdentityProposal) -> dict[str, Any]:
    return {
        "fields": list(identity.fields),
        "optional": [name for name in identity.fields if name in identity.optional],
        "confidence": identity.confidence.value,
        "why": identity.why,
        "unsure": list(identity.unsure),
        "left_out": dict(identity.left_out),
        "evidence": _evidence(identity.evidence),
    }


def _key(key: KeyProposal) -> dict[str, Any]:
    return {
        "in": key.place,
        "name": key.name,
        "shape": key.shape,
        "for": key.remembers_for or None,
        "remembers": key.remembers or None,
        "required": key.required,
        "declared": key.declared,
        "confidence": key.confidence.value,
        "why": key.why,
        "evidence": _evidence(key.evidence),
    }


def _reference(reference: ReferenceProposal) -> dict[str, Any]:
    return {
        "in": "field",
        "name": reference.name,
        "unique": reference.unique,
        "confidence": reference.confidence.value,
        "evidence": _evidence(reference.evidence),
    }


def _probe(probe: ProbeProposal) -> dict[str, Any]:
    return {
        "method": "GET",
        "path": probe.path,
        "parameters": dict(probe.parameters),
        "match": dict(probe.match),
        "items": probe.items or None,
        "since": probe.since or None,
        "absent": list(probe.absent),
        "pages": _pages(probe.pages),
        "confidence": probe.confidence.value,
        "why": probe.why,
        "cannot_tell": list(probe.cannot_tell),
        "evidence": _evidence(probe.evidence),
    }


def _failed(failed: FailedProposal) -> dict[str, Any]:
    return {
        "path": failed.path,
        "member": failed.member or None,
        "confidence": failed.confidence.value,
        "why": failed.why,
        "evidence": _evidence(failed.evidence),
    }


def _pages(pages: str | Cursor) -> str | dict[str, str] | None:
    return {"at": pages.at, "as": f"query:{pages.parameter}"} if isinstance(pages, Cursor) else pages or None


def as_json(document: ApiDocument, proposals: Iterable[Proposal]) -> bytes:
    """JSON, indented, in UTF-8, with a line end at its end."""
    import orjson

    return orjson.dumps(as_data(document, proposals), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def as_yaml(document: ApiDocument, proposals: Iterable[Proposal]) -> str:
    """The JSON's values as YAML in block style."""
    import yaml

    return yaml.safe_dump(as_data(document, proposals), sort_keys=False, allow_unicode=True, width=100)


# ---- text ------------------------------------------------------------------------------------------------------------

_MARGIN = 2
_LABEL = 11


def as_text(
    document: ApiDocument,
    proposals: Sequence[Proposal],
    *,
    paint: Paint = plain,
    width: int = 80,
    reads: bool = True,
) -> Iterator[str]:
    """Lines for a person, at most `width` wide where the words allow it; `reads` adds what was taken for no write."""
    writes = [proposal for proposal in proposals if proposal.write]
    others = [proposal for proposal in proposals if not proposal.write]
    yield _head(document, writes, others, paint)
    for proposal in writes:
        yield ""
        yield from _operation(proposal, paint, width)
    if reads and others:
        yield ""
        yield paint("No writes", "bold")
        for proposal in others:
            yield from _no_write(proposal, paint, width)
    if document.problems:
        yield ""
        count = len(document.problems)
        yield paint(f"{count} {'place' if count == 1 else 'places'} of the document could not be read:", "yellow")
        for problem in document.problems[:_MOST_PROBLEMS]:
            yield from _wrapped(f"{problem.message} ({problem.pointer})", width, " " * _MARGIN)
        if count > _MOST_PROBLEMS:
            yield f"{' ' * _MARGIN}and {count - _MOST_PROBLEMS} more"


_MOST_PROBLEMS = 10


def _head(document: ApiDocument, writes: Sequence[Proposal], others: Sequence[Proposal], paint: Paint) -> str:
    title = " ".join(part for part in (document.title or document.source, document.version) if part)
    keyed = sum(key_of(proposal) is not None for proposal in writes)
    counts = [_count(len(writes), "write")]
    if keyed:
        counts.append(f"{keyed} with a key")
    counts.append(_count(len(others), "other"))
    return f"{paint(title, 'bold')}: {', '.join(counts)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_LEVEL_COLORS = {"keyed": "green", "cached": "cyan", "none": "dim"}
_CONFIDENCE_COLORS = {"high": "green", "medium": "yellow", "low": "red"}


def _operation(proposal: Proposal, paint: Paint, width: int) -> Iterator[str]:
    operation, identity = proposal.operation, proposal.identity
    level = level_of(proposal).value
    yield paint(operation.name, "bold")
    # Without an identity the record stands for the one call, and `cached` would promise more than that.
    covers = "call only" if level == "cached" and not identity.fields else level
    state = [paint(covers, _LEVEL_COLORS[level]), proposal.kind]
    if proposal.declared:
        state.append("declared by the document")
    if operation.operation_id and len(operation.operation_id) < width - 40:
        state.append(operation.operation_id)
    yield f"{' ' * _MARGIN}{paint(' · ', 'dim').join(state)}"
    sure = identity.confidence.value
    names = [f"{name}?" if name in identity.optional else name for name in identity.fields]
    yield from _row(
        "identity", ", ".join(names) or _nothing(proposal), width, paint, mark=(sure, _CONFIDENCE_COLORS[sure])
    )
    if proposal.key is not None:
        yield from _row("key", _key_text(proposal.key), width, paint, mark=_mark(proposal.key.confidence.value))
    for offered in proposal.offered_keys:
        yield from _row("known key", f"{offered.place} {offered.name}: {offered.why}", width, paint)
    if proposal.reference is not None:
        unique = {"yes": ", unique", "no": ", not unique"}.get(proposal.reference.unique, "")
        text = f"{proposal.reference.name}{unique}"
        yield from _row("reference", text, width, paint, mark=_mark(proposal.reference.confidence.value))
    if proposal.probe is not None:
        yield from _row("probe", _probe_text(proposal.probe), width, paint, mark=_mark(proposal.probe.confidence.value))
    if proposal.failed is not None:
        yield from _row("failed", proposal.failed.path, width, paint, mark=_mark(proposal.failed.confidence.value))
    yield from _row("why", identity.why, width, paint)
    if undeclared := why_no_key(proposal):
        yield from _row("unsure", f"The key is not declared: {undeclared}.", width, paint)
    for text in identity.unsure:
        yield from _row("unsure", text, width, paint)
    if proposal.probe is not None:
        for text in proposal.probe.cannot_tell:
            yield from _row("unsure", f"the probe cannot tell when {text}" if _is_clause(text) else text, width, paint)
    if proposal.failed is not None and proposal.failed.confidence is Confidence.LOW:
        yield from _row("unsure", f"not declared as `failed`: {proposal.failed.why}", width, paint)
    for text in proposal.warnings:
        yield from _row("warning", text, width, paint, color="yellow")


def _is_clause(text: str) -> bool:
    return text[:1].islower()


def _mark(confidence: str) -> tuple[str, str]:
    return confidence, _CONFIDENCE_COLORS[confidence]


def _nothing(proposal: Proposal) -> str:
    alone = "{" in proposal.operation.path and proposal.kind in ("action", "delete", "update", "upsert")
    return "(the path alone)" if alone else "(none: recorded per call)"


def _key_text(key: KeyProposal) -> str:
    more = [key.shape] if key.shape != "uuid" else []
    if key.remembers_for:
        more.append(f"remembered for {key.remembers_for}")
    if key.remembers == "success":
        more.append("successes only")
    aside = f" ({', '.join(more)})" if more else ""
    return f"{key.place} {key.name}{aside}"


def _probe_text(probe: ProbeProposal) -> str:
    path, query = probe.path, []
    for name, value in probe.parameters.items():
        place, _, parameter = name.partition(":")
        if place == "path":
            path = path.replace(f"{{{parameter}}}", f"{{{value.removeprefix('path:')}}}")
        else:
            query.append(f"{parameter}={{{value.removeprefix('path:')}}}")
    text = f"GET {path}{'?' if query else ''}{'&'.join(query)}"
    if probe.match:
        text += f", compares {', '.join(probe.match)}"
    if probe.absent:
        text += f"; absent: {' or '.join(probe.absent)}"
    return text


def _no_write(proposal: Proposal, paint: Paint, width: int) -> Iterator[str]:
    text = f"{proposal.kind:4} {proposal.operation.name}"
    yield f"{' ' * _MARGIN}{paint(text, 'dim')}"
    if proposal.operation.method not in ("GET", "HEAD", "OPTIONS"):
        yield from _wrapped(proposal.why, width, " " * (_MARGIN + 5))
    for warning in proposal.warnings:
        yield from _row("warning", warning, width, paint, color="yellow")


def _row(
    name: str, text: str, width: int, paint: Paint, *, mark: tuple[str, str] | None = None, color: str = ""
) -> Iterator[str]:
    """A label and its text, wrapped under itself; the mark stands behind the label."""
    indent = " " * (_MARGIN + _LABEL)
    lines = wrap(text, max(width - len(indent), 20), break_long_words=False, break_on_hyphens=False) or [""]
    label = f"{name:{_LABEL}}"
    if mark is not None:
        shown = paint(f"({mark[0]})", mark[1])
        if len(indent) + len(lines[-1]) + len(mark[0]) + 4 > width:
            lines.append(shown)
        else:
            lines[-1] = f"{lines[-1]}  {shown}"
    yield f"{' ' * _MARGIN}{paint(label, color or 'dim')}{lines[0]}"
    for line in lines[1:]:
        yield f"{indent}{line}"


def _wrapped(text: str, width: int, indent: str) -> Iterator[str]:
    for line in wrap(text, max(width - len(indent), 20), break_long_words=False, break_on_hyphens=False):
        yield f"{indent}{line}"


__all__ = ["VERSION", "Mapping", "as_data", "as_json", "as_text", "as_yaml", "level_of", "proposal_data"]
