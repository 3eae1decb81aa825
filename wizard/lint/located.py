"""Findings as a report shows them: with paths, lines and columns, the lines of the source, and a fingerprint.

Named tuples: a run that finds everything in its cache starts without loading anything heavier, and they go through
JSON as they are.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wizard.lint.model import Finding, Rule
    from wizard.source import Source, Span

MAX_LINES = 6
"""How many lines of a long stretch a report shows."""
MAX_LINE = 2_000
"""Characters that are kept of one line."""

OWN = ""
"""The path of the file that was looked at, until the report knows its name."""


class Spot(NamedTuple):
    """A stretch of a file. Lines and columns count from 1, columns in code points; the end is not included."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    lines: tuple[str, ...] = ()
    """The source's lines from `line` on, without their line ends, at most MAX_LINES."""


class LocatedEdit(NamedTuple):
    """The text between two offsets of a file becomes `text`."""

    path: str
    start: int
    end: int
    spot: Spot
    text: str


class LocatedFix(NamedTuple):
    title: str
    safety: str
    edits: tuple[LocatedEdit, ...]


class LocatedRelated(NamedTuple):
    spot: Spot
    message: str


class LocatedFinding(NamedTuple):
    """What a report shows of one finding."""

    rule: str
    family: str
    severity: str
    confidence: str
    spot: Spot
    message: str
    related: tuple[LocatedRelated, ...] = ()
    fix: LocatedFix | None = None
    mark: str = ""
    """What stays the same when lines move: a digest of the marked text and the lines around it."""
    fingerprint: str = ""
    """`mark` with rule, path and the ordinal among equals; told apart within one run."""
    suppressed: str = ""
    """Why it is not reported: `comment`, `configuration`, `baseline`; empty where it is."""
    reason: str = ""
    """What the suppression gives as its reason."""


def locate(source: Source, rule: Rule, finding: Finding) -> LocatedFinding:
    """A finding of a rule with its places worked out; the file's own path stays OWN."""
    spot = spot_of(source, finding.span, OWN)
    related = tuple(
        LocatedRelated(
            spot_of(other.source or source, other.span, other.source.name if other.source else OWN), other.message
        )
        for other in finding.related
    )
    fix = None
    if finding.fix is not None:
        edits = tuple(
            LocatedEdit(
                edit.name or OWN,
                edit.span.start,
                edit.span.end,
                spot_of(source, edit.span, OWN, lines=False),
                edit.text,
            )
            for edit in sorted(finding.fix.edits)
        )
        fix = LocatedFix(finding.fix.title, finding.fix.safety, edits)
    return LocatedFinding(
        rule.name, rule.family, finding.severity or rule.severity, finding.confidence or rule.confidence, spot,
        finding.message, related, fix, _print(source, finding.span),
    )  # fmt: skip


def spot_of(source: Source, span: Span, path: str, *, lines: bool = True) -> Spot:
    """The place of a span, with the source's lines."""
    start = source.position(span.start)
    end = source.position(max(span.start, span.end))
    shown: tuple[str, ...] = ()
    if lines:
        last = min(end.line, start.line + MAX_LINES - 1)
        if end.column == 1 and end.line > start.line:
            last = min(last, end.line - 1)
        shown = tuple(source.line(number)[:MAX_LINE] for number in range(start.line, last + 1))
    return Spot(path, start.line, start.column, end.line, end.column, shown)


def _print(source: Source, span: Span) -> str:
    """Of the marked text and the whole lines it stands in, white space aside."""
    line = source.line(source.position(span.start).line)
    marked = source.text[span.start : span.end][:MAX_LINE]
    said = " ".join(line[:MAX_LINE].split()) + "\0" + " ".join(marked.split())
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def with_fingerprints(findings: Iterable[LocatedFinding], root: str) -> list[LocatedFinding]:
    """The findings with fingerprints of their own: equal ones are counted in their order. Their paths count from
    `root`, so that a run from another folder gives the same."""
    counts: dict[tuple[str, str, str], int] = {}
    told = []
    for found in findings:
        key = (found.rule, rooted(found.spot.path, root), found.mark)
        counts[key] = counts.get(key, 0) + 1
        said = "\0".join((*key, str(counts[key])))
        told.append(
            found._replace(fingerprint=hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=16).hexdigest())
        )
    return told


def rooted(path: str, root: str) -> str:
    """A report's path as it stands below `root`, with slashes; as it is where it lies elsewhere."""
    whole = os.path.abspath(path)
    below = root.rstrip(os.sep) + os.sep
    return whole.removeprefix(below).replace(os.sep, "/") if whole.startswith(below) else path


def at_path(found: LocatedFinding, path: str) -> LocatedFinding:
    """The finding with the file's own path filled in everywhere."""

    def filled(spot: Spot) -> Spot:
        return spot._replace(path=path) if spot.path == OWN else spot

    fix = found.fix
    if fix is not None:
        edits = tuple(edit._replace(path=edit.path or path, spot=filled(edit.spot)) for edit in fix.edits)
        fix = fix._replace(edits=edits)
    related = tuple(LocatedRelated(filled(other.spot), other.message) for other in found.related)
    return found._replace(spot=filled(found.spot), related=related, fix=fix)


def from_json(value: list[Any]) -> LocatedFinding:
    """The finding that `json.dumps` wrote as a list. Raises ValueError, TypeError, IndexError for other lists."""
    rule, family, severity, confidence, spot, message, related, fix, mark, *rest = value
    made = None
    if fix is not None:
        title, safety, edits = fix
        made = LocatedFix(
            title, safety, tuple(LocatedEdit(path, start, end, _spot(at), text) for path, start, end, at, text in edits)
        )
    others = tuple(LocatedRelated(_spot(at), said) for at, said in related)
    return LocatedFinding(rule, family, severity, confidence, _spot(spot), message, others, made, mark, *rest)


def _spot(value: list[Any]) -> Spot:
    path, line, column, end_line, end_column, lines = value
    return Spot(path, line, column, end_line, end_column, tuple(lines))
