"""A rehearsal for a person at a terminal: what failed first, the rest as counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from wizard.layout import BLUE, Look, paint, shown, width_of, wrapped
from wizard.rehearse.behaviour import behaviour, behaviour_names
from wizard.rehearse.formatting import Asked, Format
from wizard.rehearse.model import (
    VERDICTS,
    Declared,
    Finding,
    OperationRehearsal,
    Rehearsal,
    StoryRun,
    Verdict,
)
from wizard.rehearse.wording import (
    AS_DOCUMENTED,
    account,
    again,
    bought,
    columns,
    counts_said,
    level_said,
    listed,
    odd,
    span,
    spoken,
    stories,
    summary,
    told,
    unconfirmed,
    untold,
    way,
)

COLORS = {Verdict.FAILED: "31", Verdict.WEAK: "33", Verdict.PASSED: "32", Verdict.SKIPPED: "2"}
_FALL = 10
"""How wide the longest verdict is, with blanks after it."""
_UNDER = "    "


def render(rehearsal: Rehearsal, asked: Asked) -> str:
    """Operation by operation, findings and failed stories before what else there is to say, and a summary."""
    parts = [list(_recipient(rehearsal, asked.look))]
    parts += [list(_operation(operation, rehearsal, asked)) for operation in rehearsal.operations]
    parts.append(list(_summary(rehearsal, asked)))
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _said(text: str, look: Look, lead: str = "", under: str | None = None, style: str = "") -> Iterator[str]:
    """A text wrapped behind `lead`, its further lines behind blanks as wide."""
    begin = " " * width_of(lead) if under is None else under
    first, *more = wrapped(shown(text), max(20, look.width - width_of(lead)))
    for line in (first, *(wrapped(" ".join(more), max(20, look.width - width_of(begin))) if more else ())):
        rest = line
        while (cut := _fitting(rest, max(20, look.width - width_of(lead)))) < len(rest):
            yield lead + paint(rest[:cut], style, look)
            rest, lead = rest[cut:], begin
        yield lead + (paint(rest, style, look) if style else rest)
        lead = begin


def _fitting(text: str, room: int) -> int:
    """How many letters of a word that is too long fit."""
    taken = 0
    for number, sign in enumerate(text):
        taken += width_of(sign)
        if taken > room:
            return max(1, number)
    return len(text)


def _recipient(rehearsal: Rehearsal, look: Look) -> Iterator[str]:
    """Which recipient it is, where it is not the one that the documents describe."""
    if rehearsal.recipient == AS_DOCUMENTED:
        return
    says = ""
    if rehearsal.recipient in behaviour_names():
        says = f". {behaviour(rehearsal.recipient).says} What fails with it rests on a recipient that does not do so."
    yield from _said(f"Recipient: {rehearsal.recipient}{says}", look, style="1")


def _whole(text: str, look: Look, lead: str, style: str = "") -> str:
    """A text that is copied (an address, a path, a command) in one line, however long it is."""
    return lead + paint(shown(text), style, look)


def _operation(operation: OperationRehearsal, rehearsal: Rehearsal, asked: Asked) -> Iterator[str]:
    look = asked.look
    color = COLORS[operation.verdict]
    head = f"{operation.verdict}: {operation.name} ({level_said(operation)})"
    yield from _said(head, look, style=f"1;{color}")
    yield _whole(operation.request, look, "  ")
    yield _whole(operation.skill, look, "  ", style="2")
    if operation.document:
        yield _whole(f"document: {operation.document}", look, "  ", style="2")
    else:
        yield from _said("document: none, so the recipient is as the declaration says", look, "  ", style="2")
    for finding in operation.findings:
        yield ""
        yield from _finding(finding, look)
    yield ""
    yield from _said(counts_said(operation, skips=False), look, "  ")
    for line in untold(operation):
        yield from _said(line, look, "  ")
    if any(run.ended for run in operation.runs) and (len(columns(operation)) > 1 or asked.verbose):
        yield ""
        yield from _table(operation, look)
    for run, others in _alike(operation, apart=asked.verbose):
        yield ""
        yield from _story(run, others, operation, rehearsal, look)
    if asked.verbose:
        yield from _rest(operation, rehearsal, look)
    if operation.notes:
        yield ""
    for note in operation.notes:
        yield from _said(note, look, "  note: ")


def _finding(finding: Finding, look: Look) -> Iterator[str]:
    place = f"{finding.place}: " if finding.place else ""
    first, *more = _said(f"{place}{finding.message}", look, "  finding: ")
    yield "  " + paint("finding:", f"1;{COLORS[Verdict.FAILED]}", look) + first[len("  finding:") :]
    yield from more
    if finding.remedy:
        yield from _said(finding.remedy, look, _UNDER + "remedy: ")


def _table(operation: OperationRehearsal, look: Look) -> Iterator[str]:
    """What each part of the declaration bought, the deciding level in bold."""
    levels = columns(operation)
    rows = bought(operation)
    first = max(width_of(name) for name, _ in rows)
    wide = [max(len(level), len(str(len(operation.at(level))))) for level in levels]

    def line(name: str, cells: Iterable[str], styles: Iterable[str]) -> str:
        told = "".join(
            "  " + " " * (room - len(cell)) + (paint(cell, style, look) if style else cell)
            for room, cell, style in zip(wide, cells, styles, strict=True)
        )
        return f"{_UNDER}{name:<{first}}{told}"

    def style(level: Declared) -> str:
        return "1" if level is operation.declared else ""

    yield line("", levels, [style(level) or "2" for level in levels])
    for name, numbers in rows:
        wrong = name == rows[-1][0]
        styles = [
            ";".join(filter(None, [style(level), COLORS[Verdict.FAILED] if wrong and number else ""]))
            for level, number in zip(levels, numbers, strict=True)
        ]
        yield line(name, map(str, numbers), styles)


def _name(run: StoryRun, rehearsal: Rehearsal) -> str:
    recipient = odd(run, rehearsal)
    return f"{run.story} ({recipient})" if recipient else run.story


def _verdict(run: StoryRun, rehearsal: Rehearsal, look: Look) -> Iterator[str]:
    lead = f"  {run.verdict:<{_FALL - 2}}"
    first, *more = _said(_name(run, rehearsal), look, lead, style="1")
    yield paint(lead.rstrip(), f"1;{COLORS[run.verdict]}", look) + first[len(lead.rstrip()) :]
    yield from more


def _alike(operation: OperationRehearsal, *, apart: bool) -> list[tuple[StoryRun, list[StoryRun]]]:
    """The stories that failed or were weak, worst first; those that say the same of one declaration with the first
    of them, unless they are wanted `apart`."""
    groups: dict[object, list[StoryRun]] = {}
    for number, run in enumerate(operation.own):
        if run.verdict in (Verdict.FAILED, Verdict.WEAK):
            said = (run.verdict, run.why, run.mend.line if run.mend is not None else None)
            groups.setdefault(number if apart else said, []).append(run)
    return sorted(((first, rest) for first, *rest in groups.values()), key=lambda pair: VERDICTS.index(pair[0].verdict))


def _story(
    run: StoryRun, others: Sequence[StoryRun], operation: OperationRehearsal, rehearsal: Rehearsal, look: Look
) -> Iterator[str]:
    """A story that failed or was weak: what happens, what went wrong, where, what mends it, and which others say the
    same."""
    yield from _verdict(run, rehearsal, look)
    yield from _said(run.says, look, _UNDER)
    yield from _said(run.why, look, _UNDER, style=COLORS[run.verdict])
    moments = account(run)
    times = [span(moment.at) for moment in moments]
    ways = [way(moment) for moment in moments]
    for moment, time, place in zip(moments, times, ways, strict=True):
        lead = f"{_UNDER}  {time:>{max(map(len, times))}}  {place:<{max(map(len, ways))}}  "
        yield from _said(spoken(moment), look, lead)
    if run.told:
        yield from _said(f"{told(run)}", look, f"{_UNDER}The caller was told: ", _UNDER)
    yield from _said("Only this one again:", look, _UNDER, style="2")
    yield _whole(again(run, rehearsal, operation), look, f"{_UNDER}  ", style="2")
    if run.mend is not None:
        yield from _said(run.mend.says, look, f"{_UNDER}What mends it: ", _UNDER)
        for line in run.mend.line.splitlines():
            # What begins with `#` is said about the declaration, and is no line of it.
            said = shown(line).removeprefix("# ") if line.startswith("# ") else f"+ {shown(line)}"
            yield f"{_UNDER}  {paint(said, COLORS[Verdict.PASSED], look)}"
        yield from _said(run.mend.shown, look, _UNDER)
    if others:
        names = listed(list(dict.fromkeys(_name(other, rehearsal) for other in others)))
        yield from _said(names, look, f"{_UNDER}The same in {len(others):,} more: ", _UNDER)


def _rest(operation: OperationRehearsal, rehearsal: Rehearsal, look: Look) -> Iterator[str]:
    """All others, one line each, and why some could not be told."""
    for verdict in (Verdict.PASSED, Verdict.SKIPPED):
        runs = [run for run in operation.own if run.verdict is verdict]
        if runs:
            yield ""
        for run in runs:
            yield from _verdict(run, rehearsal, look)
            yield from _said(run.why if verdict is Verdict.SKIPPED else run.says, look, _UNDER)
    for level in columns(operation):
        runs = [run for run in operation.at(level) if run.verdict in (Verdict.FAILED, Verdict.WEAK)]
        if level is operation.declared or not runs:
            continue
        yield ""
        yield f"  {level}, to compare: {stories(len(runs))} failed or weak."
        for run in runs:
            yield from _said(f"{_name(run, rehearsal)}: {run.why}", look, f"{_UNDER}{run.verdict:<{_FALL - 2}}")


def _summary(rehearsal: Rehearsal, asked: Asked) -> Iterator[str]:
    look = asked.look
    if rehearsal.created:
        yield from _said(f"Created in {rehearsal.recipient}:", look, style="1")
        for one in rehearsal.created:
            yield from _said(f"{one.request}: {one.answer}", look, "  ")
        yield ""
    if rehearsal.passed_over:
        if asked.verbose:
            for name, why in rehearsal.passed_over.items():
                yield from _said(f"{name}: {why}", look, "not rehearsed: ", style="2")
        else:
            for why, group in groupby(sorted(rehearsal.passed_over.items(), key=_reason), key=_reason):
                names = [name for name, _ in group]
                said = ", ".join(names[:4]) + (f" and {len(names) - 4:,} more" if len(names) > 4 else "")
                yield from _said(f"{said}: {why}", look, "not rehearsed: ", style="2")
    for name, why in rehearsal.blocked.items():
        yield from _said(f"{name}: {why}", look, "could not be rehearsed: ", "  ", style=COLORS[Verdict.FAILED])
    own = [run for operation in rehearsal.operations for run in operation.own]
    worst = next((verdict for verdict in VERDICTS if any(one.verdict is verdict for one in rehearsal.operations)), None)
    if rehearsal.blocked:
        worst = Verdict.FAILED
    yield from _said(summary(rehearsal), look, style=f"1;{COLORS[worst]}" if worst else BLUE)
    proposed = sum(not operation.confirmed for operation in rehearsal.operations)
    if proposed:
        said = unconfirmed(proposed, len(rehearsal.operations))
        shown_so = any(len(columns(one)) > 1 for one in rehearsal.operations if not one.confirmed)
        yield from _said(f"{said} The column `undeclared` shows that." if shown_so else said, look)
    mended = sum(run.mend is not None for run in own)
    if mended:
        where = "it" if mended == 1 else "each"
        yield from _said(
            f"{stories(mended)} would have ended better; the line that was tried stands under {where}.", look
        )
    hints = [] if asked.verbose else ["`-v` tells all stories"]
    hints += [] if asked.drawn else ["`--report page.html` draws them"]
    if own and hints:
        yield from _said("; ".join(hints) + ".", look)


def _reason(pair: tuple[str, str]) -> str:
    return pair[1]


FORMAT = Format("text", "what failed, what mends it and what a declaration bought, for people", render)
