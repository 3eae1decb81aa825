"""The list of an API's operations as lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from wizard.session.advice import could_go_wrong
from wizard.session.state import FILTERS, Entry, Session, progress
from wizard.tui.lines import Line, Piece, column, heading, middle, wrapped
from wizard.tui.look import CONFIDENCE, SIGNS

_METHOD, _LEVEL, _SURE, _MARK = 7, 11, 7, 12


@dataclass(slots=True)
class Drawn:
    """Lines that were made before, by operation; one stands for as long as its entry and the width are the same."""

    width: int = 0
    lines: dict[str, tuple[Entry, Line]] = field(default_factory=dict)

    def line(self, entry: Entry, width: int) -> Line:
        if width != self.width:
            self.width = width
            self.lines.clear()
        known = self.lines.get(entry.api.name)
        if known is None or known[0] is not entry:
            known = self.lines[entry.api.name] = (entry, operation_line(entry, width))
        return known[1]


def operation_lines(
    groups: Iterable[tuple[str, tuple[Entry, ...]]], width: int, about: Iterable[str] = (), drawn: Drawn | None = None
) -> list[Line]:
    """The operations by group; `about` is shown where there is none."""
    lines: list[Line] = []
    for group, entries in groups:
        left = sum(entry.mark == "to do" for entry in entries)
        said = f"  {left} to do" if left else ""
        lines.append(heading(f" {group}", [(said, "muted")]))
        lines += [drawn.line(entry, width) if drawn else operation_line(entry, width) for entry in entries]
    return lines or [Line.of(f" {text}", "muted") for said in about for text in wrapped(said, max(width - 2, 10))]


def operation_line(entry: Entry, width: int) -> Line:
    """`○ POST   /bookings   Book a room   cached    high   to do`."""
    sign, look = SIGNS[entry.mark]
    api = entry.api
    rest = max(width - 2 - _METHOD - _LEVEL - _SURE - _MARK, 12)
    sure, sure_look = CONFIDENCE.get(
        entry.confidence or "", ("edited" if entry.edited and entry.is_write else "", "muted")
    )
    pieces: list[Piece] = [(f"{sign} ", look), (column(api.method, _METHOD), "")]
    if rest >= 64:
        path = min(max(len(api.path) + 2, 36), rest // 2)
        pieces += [
            (middle(api.path, path - 1) + " ", "strong"),
            (column(api.summary or api.operation_id, rest - path - 1) + " ", "muted"),
        ]
    else:
        pieces.append((middle(api.path, rest - 1) + " ", "strong"))
    level = entry.level
    level_look = {"keyed": "good", "repeatable": "good", "cached": "", "call only": "warn"}.get(level, "muted")
    mark = "no server" if entry.problem and entry.mark == "to do" else str(entry.mark)
    pieces += [
        (column(level, _LEVEL), level_look), (column(sure, _SURE), sure_look), (column(mark, _MARK), look),
    ]  # fmt: skip
    return Line(tuple(pieces), entry.name)


def head(session: Session, width: int) -> tuple[Piece, ...]:
    """How far the author has come, with a bar."""
    done = progress(session)
    title = session.document.title or session.document.source
    version = f" {session.document.version}" if session.document.version else ""
    decided = done.confirmed + done.skipped
    room = 20 if width >= 110 else 10
    filled = round(room * decided / done.writes) if done.writes else 0
    pieces: list[Piece] = [
        (f" {column(title + version, min(len(title + version), 30))}  ", "strong"),
        ("█" * filled + "░" * (room - filled), "accent"),
        (f" {decided} of {done.writes} writes decided", ""),
    ]
    unwritten = len(session.unwritten)
    if done.written:
        pieces.append((f" · {done.written} written", "good"))
    if unwritten:
        pieces.append((f" · {unwritten} not written", "warn"))
    if done.pending:
        pieces.append((f" · looking at {done.pending} more", "muted"))
    if session.read_only:
        pieces.append((" · read only", "warn"))
    return tuple(pieces)


def filter_pieces(active: frozenset[str], reads: bool) -> tuple[Piece, ...]:
    """The filters, those that hold marked with a sign."""
    pieces: list[Piece] = [(" show ", "muted")]
    for name in FILTERS:
        on = name in active
        pieces.append((f"{'▣' if on else '□'} {name}  ", "accent strong" if on else "muted"))
    pieces.append((f"{'▣' if reads else '□'} reads", "accent strong" if reads else "muted"))
    return tuple(pieces)


def summary_lines(entry: Entry | None, width: int) -> list[Line]:
    """What stands beside the list: the operation under the cursor in short."""
    if entry is None:
        return []
    width = max(width - 2, 10)
    lines = [Line(((f" {entry.name}", "strong"),))]
    said = entry.api.summary or entry.api.description
    lines += [Line.of(f" {text}", "muted") for text in wrapped(said, width)[:4]]
    proposal = entry.proposal
    if proposal is None:
        return [*lines, Line(), Line.of(" The proposal is on its way.", "muted")]
    lines.append(Line())
    reason = proposal.why if not entry.is_write else proposal.identity.why
    lines += [Line.of(f" {text}") for text in wrapped(reason or proposal.why, width)]
    operation = entry.declaration
    if entry.problem:
        lines += [Line(), *(Line.of(f" {text}", "bad") for text in wrapped(entry.problem, width))]
    if operation is None or not entry.is_write:
        return lines
    if entry.harmless:
        said = "It only replaces: sent twice it leaves what one leaves, and nothing is recorded of it."
        return [*lines, Line(), *(Line.of(f" {text}", "muted") for text in wrapped(said, width))]
    lines.append(Line())
    names = ", ".join(str(path) for path in operation.identity)
    facts = [
        ("identity", names or ("the call alone" if operation.record_scope == "call" else "all arguments")),
        ("key", f"{operation.key.place} {operation.key.name}" if operation.key else "none"),
        ("reference", operation.reference.name if operation.reference else ""),
        ("probe", f"GET {operation.probe.url.partition('://')[2].partition('/')[2]}" if operation.probe else "none"),
    ]
    for name, value in facts:
        if not value:
            continue
        for index, text in enumerate(wrapped(value, max(width - 11, 10))):
            lines.append(Line(((f" {name if not index else '':11}", "muted"), (text, ""))))
    wrong = could_go_wrong(entry)
    if wrong:
        lines += [Line(), Line.of(" What could go wrong", "heading")]
        for one in wrong:
            lines += [
                Line(((" ! " if not index else "   ", "warn"), (text, "")))
                for index, text in enumerate(wrapped(one, max(width - 3, 10)))
            ]
    return lines
