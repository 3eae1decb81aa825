"""Findings with the lines they speak of, for a person at a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import LocatedFinding, Spot
from wizard.lint.words_of import counted, listed

COLORS = {"error": "31", "warning": "33", "info": "36"}
_TAB = 4


def render(report: Report, look: Look) -> str:
    """Each finding with its lines, and a summary at the end."""
    parts = [_finding(found, look) for found in report.findings]
    parts.append(_summary(report, look))
    return "\n".join(parts)


def _paint(text: str, style: str, look: Look) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if look.color and text else text


def _finding(found: LocatedFinding, look: Look) -> str:
    color = COLORS[found.severity]
    sure = "" if found.confidence == "high" else f" ({found.confidence} confidence)"
    head = f"{found.severity}[{found.rule}]"
    message = wrapped(f"{head}: {found.message}{sure}", look.width)
    lines = [_paint(head, f"1;{color}", look) + _paint(message[0][len(head) :], "1", look)]
    lines += [_paint(line, "1", look) for line in message[1:]]
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
    bar = _paint(" " * gutter + " |", "34", look)
    places = _places(found)
    yield f"{' ' * gutter}{_paint('-->', '34', look)} {found.spot.path}:{found.spot.line}:{found.spot.column}"
    for path, group in groupby(places, key=lambda one: one[0].path):
        chosen = list(group)
        if path != found.spot.path:
            first = chosen[0][0]
            yield f"{' ' * gutter}{_paint(':::', '34', look)} {path}:{first.line}:{first.column}"
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
                yield _paint(" " * gutter + " :", "34", look)
            color = COLORS[found.severity] if main else "34"
            yield from _shown(spot, message, "^" if main else "-", color, gutter, look, skip=spot.line == last)
            last = spot.line + max(0, len(spot.lines) - 1)
    if found.fix is not None:
        yield bar


def _shown(
    spot: Spot, message: str, mark: str, color: str, gutter: int, look: Look, *, skip: bool
) -> Iterator[str]:  # fmt: skip
    """The lines of a place with marks under them; `skip` leaves out the first line, which was shown just before."""
    room = max(20, look.width - gutter - 3)
    for index, line in enumerate(spot.lines):
        number = spot.line + index
        start = spot.column - 1 if index == 0 else len(line) - len(line.lstrip())
        whole = number < spot.end_line
        end = len(line) if whole else min(len(line), spot.end_column - 1)
        text, start_cell, end_cell = window(line, start, max(end, start), room)
        if not (skip and index == 0):
            yield f"{_paint(f'{number:>{gutter}} |', '34', look)} {text}".rstrip()
        marks = " " * start_cell + mark * max(1, end_cell - start_cell)
        final = index == len(spot.lines) - 1
        said = wrapped(message, max(20, room - end_cell - 1)) if final and message else []
        if said and (len(said) == 1 and end_cell + 1 + len(said[0]) <= room):
            yield f"{_paint(' ' * gutter + ' |', '34', look)} {_paint(f'{marks} {said[0]}', color, look)}"
            continue
        yield f"{_paint(' ' * gutter + ' |', '34', look)} {_paint(marks, color, look)}".rstrip()
        if final and message:
            for part in (
                wrapped(message, max(20, room - start_cell)) if start_cell < room // 2 else wrapped(message, room)
            ):
                indent = " " * (start_cell if start_cell < room // 2 else 0)
                yield f"{_paint(' ' * gutter + ' |', '34', look)} {indent}{_paint(part, color, look)}"


def width_of(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def window(line: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """A line as it is shown, cut to `room` cells around what is marked, and the cells where that begins and ends."""
    clean = "".join(" " * _TAB if sign == "\t" else sign if sign.isprintable() else "�" for sign in line)
    shift = (_TAB - 1) * line.count("\t", 0, start)
    inner = (_TAB - 1) * line.count("\t", start, end)
    first, last = start + shift, end + shift + inner
    if width_of(clean) <= room:
        return clean, width_of(clean[:first]), width_of(clean[:last])
    begin = 0
    if width_of(clean[:last]) > room - 2:
        # Some of what stands before the mark, as far as the mark still fits.
        begin = first
        while begin > 0 and first - begin < 20 and width_of(clean[begin - 1 : last]) <= room - 4:
            begin -= 1
    head = "…" if begin else ""
    cut = head
    at = begin
    while at < len(clean) and width_of(cut) + _cells(clean[at]) <= room - (1 if at + 1 < len(clean) else 0):
        cut += clean[at]
        at += 1
    if at < len(clean):
        cut += "…"
    start_cell = width_of(head + clean[begin:first])
    end_cell = width_of(head + clean[begin : min(last, at)])
    return cut, min(start_cell, room - 1), min(max(end_cell, start_cell), room)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` cells, broken at spaces; a word that is longer stands alone."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and width_of(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _wrapped_note(label: str, text: str, gutter: int, look: Look) -> Iterator[str]:
    lead = " " * gutter + " = "
    room = max(20, look.width - len(lead))
    lines = wrapped(f"{label}: {text}", room)
    yield _paint(lead, "34", look) + _paint(label, "1", look) + lines[0][len(label) :]
    for line in lines[1:]:
        yield " " * (len(lead) + len(label) + 2) + line


def _summary(report: Report, look: Look) -> str:
    files = counted(len(report.files), "file")
    findings = report.findings
    quiet = f" {counted(len(report.suppressed), 'finding')} allowed." if report.suppressed else ""
    if not findings:
        return _paint(f"{files} checked, nothing found.", "32", look) + quiet + "\n"
    counts = {severity: sum(found.severity == severity for found in findings) for severity in COLORS}
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    said = [
        _paint(counted(count, nouns[severity]), COLORS[severity], look) for severity, count in counts.items() if count
    ]
    hit = len({found.spot.path for found in findings})
    lines = [f"{listed(said)} in {counted(hit, 'file')}; {len(report.files):,} checked.{quiet}"]
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
