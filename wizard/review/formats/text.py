"""A review for a person at a terminal: the worst first, each change with its source, its keys and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wizard.layout import BLUE, Look, Stretch, marked, paint, shown, width_of, wrapped
from wizard.lint.words_of import counted
from wizard.review.formatting import Format
from wizard.review.model import Change, Example, Excerpt, Grade, OperationReview, Review
from wizard.review.wording import (
    approve_command,
    approved_by,
    grade_word,
    headline,
    key_table,
    levels,
    side_word,
    totals,
    values_shown,
)  # fmt: skip

COLORS = {Grade.BREAKS: "31", Grade.RISKY: "33", Grade.SAFE: "32"}
_BOLD, _DIM, _RED, _GREEN = "1", "2", "31", "32"
_PROSE = 100
"""The widest that a sentence runs, however wide the terminal is."""
_MOST = 10
"""How many lines of a list are shown."""
_VALUE = 12
"""How many lines of a value are shown."""
_REQUEST = 400
"""How many characters of a request are shown."""


def render(review: Review, look: Look) -> str:
    """What the review comes to, the operations with their changes, and what else a reviewer has to know."""
    parts = ["\n".join(_head(review, look))]
    parts += ["\n".join(_operation(one, look)) for one in review.operations if one.changes]
    lists = _lists(review, look)
    parts += lists
    if review.changes or lists:
        parts.append("\n".join(_summary(review, look)))
    return "\n\n".join(parts) + "\n"


def _head(review: Review, look: Look) -> Iterator[str]:
    yield from _prose(f"{review.base} -> {review.head}", look, style=_DIM)
    worst = next((grade for grade in Grade if review.count(grade)), Grade.SAFE)
    first, *rest = headline(review)
    yield from _prose(first, look, style=f"1;{COLORS[worst]}")
    for sentence in rest:
        yield from _prose(sentence, look, style=_BOLD)


def _operation(operation: OperationReview, look: Look) -> Iterator[str]:
    width = min(look.width, _PROSE)
    name = _cut(shown(operation.name), width - 24)
    open_ones = any(one.approved is None for one in operation.changes)
    word = str(operation.grade) if open_ones else "approved"
    rule = "=" * max(2, width - width_of(name) - len(word) - 8)
    color = COLORS[operation.grade]
    yield (
        f"{paint('==', BLUE, look)} {paint(name, _BOLD, look)} {paint(rule, BLUE, look)}"
        f" {paint(word, f'1;{color}', look)} {paint('==', BLUE, look)}"
    )
    yield from _prose(operation.request, look, indent=3)
    money = f"moves money: {operation.moves}" if operation.moves else "moves money"
    yield from _prose(f"{levels(operation)}{f'; {money}' if operation.money else ''}", look, indent=3)
    for change in operation.changes:
        yield ""
        yield from _change(change, look)


def _change(change: Change, look: Look) -> Iterator[str]:
    color = COLORS[change.grade]
    head = f"{grade_word(change)}[{change.kind}]"
    message = wrapped(shown(f"{head}: {change.title}"), min(look.width, _PROSE))
    # A word that is longer than the terminal stands alone, as wide as it is; the head is one of ours and shorter.
    yield paint(head, f"1;{color}", look) + paint(message[0][len(head) :], _BOLD, look)
    for line in message[1:]:
        yield paint(line, _BOLD, look)
    yield from _prose(change.effect, look, indent=2)
    if change.approved is not None:
        yield from _where(change.excerpts, look)
        yield from _noted("approved", approved_by(change.approved).removeprefix("Approved "), look)
        return
    if change.grade is Grade.SAFE:
        yield from _where(change.excerpts, look)
        return
    yield from _excerpts(change, look)
    yield from _values(change, look)
    if change.example is not None:
        yield from _example(change.example, change.grade, look)
    if change.remedy:
        yield ""
        yield from _noted("do", change.remedy, look)
    if change.fingerprint:
        yield from _noted("fingerprint", change.fingerprint, look)


def _where(excerpts: Sequence[Excerpt], look: Look) -> Iterator[str]:
    """The place only: the newer side's, where there is one."""
    for one in sorted(excerpts, key=lambda one: one.side == "base")[:1]:
        yield f"  {paint('-->', BLUE, look)} {_place(one)}"


def _place(excerpt: Excerpt) -> str:
    return f"{shown(excerpt.path)}:{excerpt.line}:{excerpt.column} ({side_word(excerpt)})"


def _excerpts(change: Change, look: Look) -> Iterator[str]:
    if not change.excerpts:
        return
    gutter = max(len(str(one.line + max(0, len(one.lines) - 1))) for one in change.excerpts)
    gutter = max(2, gutter)
    bar = paint(" " * gutter + " |", BLUE, look)
    yield ""
    for number, one in enumerate(change.excerpts):
        arrow = "-->" if number == 0 else ":::"
        yield f"{' ' * gutter}{paint(arrow, BLUE, look)} {_place(one)}"
        if not any(line.strip() for line in one.lines):
            continue
        yield bar
        old = one.side == "base"
        stretch = Stretch(one.line, one.column, one.end_line, one.end_column, one.lines)
        yield from marked(stretch, "", "-" if old else "^", _RED if old else _GREEN, gutter, look)


def _values(change: Change, look: Look) -> Iterator[str]:
    """The declared values, where the source that is shown does not show them."""
    if values_shown(change):
        return
    told = []
    for value, sign, color in ((change.before, "-", _RED), (change.after, "+", _GREEN)):
        if value:
            lines = value.split("\n")
            told += [paint(f"  {sign} {_cut(shown(line), look.width - 4)}", color, look) for line in lines[:_VALUE]]
            if len(lines) > _VALUE:
                told.append(f"  {sign} … {counted(len(lines) - _VALUE, 'line')} more")
    if told:
        yield ""
        yield from told


def _example(example: Example, grade: Grade, look: Look) -> Iterator[str]:
    yield ""
    yield from _prose(f"Example: {example.says}", look, indent=2)
    table = key_table(example)
    if not table.rows:
        return
    label = max(len("writes"), *(width_of(shown(row.label)) for row in table.rows))
    before = max(len("key before"), *(width_of(row.before) for row in table.rows), len(table.writes_before))
    lead = " " * (4 + label + 2)
    yield ""
    for row in table.rows:
        # A member and its value stay together.
        request = _cut(shown(row.request), _REQUEST).replace('": ', '":\0')
        first, *rest = wrapped(request, max(20, min(look.width, _PROSE) - len(lead)))
        yield f"    {_padded(shown(row.label), label)}  {first}".replace("\0", " ").rstrip()
        for line in rest:
            yield f"{lead}{line}".replace("\0", " ")
    yield ""
    yield paint(f"{lead}{_padded('key before', before)}  key after", _DIM, look)
    for row in table.rows:
        yield f"    {_padded(shown(row.label), label)}  {_padded(row.before, before)}  {row.after}"
    if table.writes_before or table.writes_after:
        changed = table.writes_before != table.writes_after
        style = f"1;{COLORS[grade]}" if changed else _BOLD
        counts = f"{_padded(table.writes_before or '?', before)}  {table.writes_after or '?'}"
        yield f"    {_padded('makes', label)}  {paint(counts, style, look)}"


def _padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def _cut(text: str, room: int) -> str:
    """A text of at most `room` cells."""
    if width_of(text) <= room:
        return text
    cut = text[: max(1, room - 1)]
    while width_of(cut) > room - 1:
        cut = cut[:-1]
    return f"{cut}…"


def _prose(text: str, look: Look, *, indent: int = 0, style: str = "") -> Iterator[str]:
    for line in wrapped(shown(" ".join(text.split())), max(20, min(look.width, _PROSE) - indent)):
        yield " " * indent + (paint(line, style, look) if style else line)


def _noted(label: str, text: str, look: Look) -> Iterator[str]:
    lead = f"  = {label}: "
    first, *rest = wrapped(shown(" ".join(text.split())), max(20, min(look.width, _PROSE) - len(lead)))
    yield f"  {paint('=', BLUE, look)} {paint(f'{label}:', _BOLD, look)} {first}"
    for line in rest:
        yield " " * len(lead) + line


def _lists(review: Review, look: Look) -> list[str]:
    undeclared = sorted(review.undeclared, key=lambda one: not one.new)
    return [
        "\n".join(_list(title, lines, look))
        for title, lines in (
            ("Not read, and not compared", list(review.problems)),
            (
                "Writes of the document that no skill declares",
                [f"{one.operation}{' (new)' if one.new else ''}" for one in undeclared],
            ),
            (
                "Approvals of changes that are not here (they can go from skill-wizard.approvals.yaml)",
                [f"{one.fingerprint} by {one.who}: {one.why}" for one in review.stale_approvals],
            ),
            ("Notes", list(review.notes.values())),
        )
        if lines
    ]


def _list(title: str, lines: Sequence[str], look: Look) -> Iterator[str]:
    yield from _prose(f"{title}:", look, style=_BOLD)
    for line in lines[:_MOST]:
        first, *rest = wrapped(shown(" ".join(line.split())), max(20, min(look.width, _PROSE) - 4))
        yield f"  - {first}"
        for more in rest:
            yield f"    {more}"
    if len(lines) > _MOST:
        yield f"    and {len(lines) - _MOST:,} more"


def _summary(review: Review, look: Look) -> Iterator[str]:
    yield from _prose(totals(review), look, style=_BOLD)
    open_ones = [one for one in review.changes if one.approved is None and one.grade is not Grade.SAFE]
    if open_ones and open_ones[0].fingerprint:
        yield from _prose("Where a change is meant, approve it by its fingerprint:", look)
        yield f"  {shown(approve_command('FINGERPRINT'))}"


FORMAT = Format("text", "text/plain", render)
