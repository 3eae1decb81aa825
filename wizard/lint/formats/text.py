"""Findings with the lines they speak of, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from wizard.layout import BLUE, Stretch, marked, paint, wrapped
from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import LocatedFinding, Spot
from wizard.lint.words_of import counted, listed

COLORS = {"error": "31", "warning": "33", "info": "36"}


def render(report: Report, look: Look) -> str:
    """Each finding with its lines, and a summary at the end."""
    parts = [_finding(found, look) for found in report.findings]
    parts.append(_summary(report, look))
    return "\n".join(parts)


def _finding(found: LocatedFinding, look: Look) -> str:
    color = COLORS[found.severity]
    sure = "" if found.confidence == "high" else f" ({found.confidence} confidence)"
    head = f"{found.severity}[{found.rule}]"
    message = wrapped(f"{head}: {found.message}{sure}", look.width)
    lines = [paint(head, f"1;{color}", look) + paint(message[0][len(head) :], "1", look)]
    lines += [paint(line, "1", look) for line in message[1:]]
    lines += _excerpts(found, look)
    if found.fix is not None:
        how = "--fix" if found.fix.safety == "safe" else "--unsafe-fixes"
        lines += _wrapped_note("fix", f"{found.fix.title} ({how})", _gutter(found), look)
    return "\n".join(lines) + "\n"


def _places(found: LocatedFinding) -> list[tuple[Spot, str, bool]]:
    """The places to show: the main one, and the related ones with their words."""
    return [(found.spot, "", True), *((other.spot, other.message, False) for other in found.related)]


def _gutter(found: LocatedFinding) -> int:
    """How many columns the line numbers take."""
    return max(len(str(spot.line + max(0, len(spot.lines) - 1))) for spot, _, _ in _places(found))


def _excerpts(found: LocatedFinding, look: Look) -> Iterator[str]:
    gutter = _gutter(found)
    bar = paint(" " * gutter + " |", BLUE, look)
    places = _places(found)
    yield f"{' ' * gutter}{paint('-->', BLUE, look)} {found.spot.path}:{found.spot.line}:{found.spot.column}"
    for path, group in groupby(places, key=lambda one: one[0].path):
        chosen = list(group)
        if path != found.spot.path:
            first = chosen[0][0]
            yield f"{' ' * gutter}{paint(':::', BLUE, look)} {path}:{first.line}:{first.column}"
        if not any(spot.lines and any(line.strip() for line in spot.lines) for spot, _, _ in chosen):
            for _, message, _ in chosen:
                if message:
                    yield from _wrapped_note("note", message, gutter, look)
            continue
        yield bar
        last = 0
        # The places of one file in the order of their lines, as one reads them.
        for spot, message, main in sorted(chosen, key=lambda one: (one[0].line, one[0].column)):
            if last and spot.line > last + 1:
                yield paint(" " * gutter + " :", BLUE, look)
            color = COLORS[found.severity] if main else BLUE
            yield from marked(
                Stretch(*spot[1:]), message, "^" if main else "-", color, gutter, look, skip=spot.line == last
            )
            last = spot.line + max(0, len(spot.lines) - 1)
    if found.fix is not None:
        yield bar


def _wrapped_note(label: str, text: str, gutter: int, look: Look) -> Iterator[str]:
    lead = " " * gutter + " = "
    room = max(20, look.width - len(lead))
    lines = wrapped(f"{label}: {text}", room)
    yield paint(lead, BLUE, look) + paint(label, "1", look) + lines[0][len(label) :]
    for line in lines[1:]:
        yield " " * (len(lead) + len(label) + 2) + line


def _summary(report: Report, look: Look) -> str:
    files = counted(len(report.files), "file")
    findings = report.findings
    quiet = f" {counted(len(report.suppressed), 'finding')} allowed." if report.suppressed else ""
    if not findings and report.broken:
        return f"{files} checked, nothing found there; not all could be looked at.{quiet}\n"
    if not findings:
        return paint(f"{files} checked, nothing found.", "32", look) + quiet + "\n"
    counts = {severity: sum(found.severity == severity for found in findings) for severity in COLORS}
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    said = [
        paint(counted(count, nouns[severity]), COLORS[severity], look) for severity, count in counts.items() if count
    ]
    hit = len({found.spot.path for found in findings})
    lines = [f"{listed(said)} in {counted(hit, 'file')}; {len(report.files):,} checked.{quiet}"]
    if report.broken:
        lines.append("Not all could be looked at.")
    safe = sum(found.fix is not None and found.fix.safety == "safe" for found in findings)
    unsafe = sum(found.fix is not None and found.fix.safety != "safe" for found in findings)
    if safe:
        lines.append(f"`--fix` puts {safe:,} right.")
    if unsafe:
        lines.append(f"`--fix --unsafe-fixes` puts {unsafe:,}{' more' if safe else ''} right; look at what it did.")
    rule = findings[0].rule
    lines.append(f"`skill-wizard rules {rule}` explains a rule.")
    return "\n".join(lines) + "\n"


FORMAT = Format("text", "with the lines of the source, for people", render)
