"""A review for a person at a terminal: the worst first, each change with its source, its keys and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wizard.layout import BLUE, Look, Stretch, marked, paint, shown, width_of, wrapped
from wizard.lint.words_of import counted
from wizard.review.formatting import Format
from wizard.review.model import Change, Example, Excerpt, Grade, OperationReview, Review
from wizard.review.wording import (
    KeyRow,
    approve_command,
    approved_by,
    grade_word,
    headline,
    key_table,
    levels,
    outcome,
    shown_excerpts,
    side_word,
    totals,
    value_lines,
    values_shown,
)  # fmt: skip

COLORS = {Grade.BREAKS: "31", Grade.RISKY: "33", Grade.SAFE: "32"}
_BOLD, _DIM, _RED, _GREEN = "1", "2", "31", "32"
_MARKS = {"before": ("-", _RED), "after": ("^", _GREEN), "declared": ("^", BLUE)}
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
        yield from _where(change, look)
        yield from _noted("approved", approved_by(change.approved).removeprefix("Approved "), look)
        return
    if change.grade is Grade.SAFE:
        yield from _where(change, look)
        return
    yield from _excerpts(change, look)
    yield from _values(change, look)
    if change.example is not None:
        yield from _example(change.example, change.grade, look)
    if change.remedy or change.fingerprint:
        yield ""
    if change.remedy:
        yield from _noted("do", change.remedy, look)
    if change.fingerprint:
        yield from _noted("fingerprint", change.fingerprint, look)


def _where(change: Change, look: Look) -> Iterator[str]:
    """The place only: the newer side's, where there is one."""
    for one in sorted(change.excerpts, key=lambda one: one.side == "base")[:1]:
        yield f"  {paint('-->', BLUE, look)} {_place(change, one)}"


def _place(change: Change, excerpt: Excerpt) -> str:
    return f"{shown(excerpt.path)}:{excerpt.line}:{excerpt.column} ({side_word(change, excerpt)})"


def _excerpts(change: Change, look: Look) -> Iterator[str]:
    excerpts = shown_excerpts(change)
    if not excerpts:
        return
    gutter = max(len(str(one.line + max(0, len(one.lines) - 1))) for one in excerpts)
    gutter = max(2, gutter)
    bar = paint(" " * gutter + " |", BLUE, look)
    yield ""
    for number, one in enumerate(excerpts):
        arrow = "-->" if number == 0 else ":::"
        yield f"{' ' * gutter}{paint(arrow, BLUE, look)} {_place(change, one)}"
        if not any(line.strip() for line in one.lines):
            continue
        yield bar
        mark, color = _MARKS[side_word(change, one)]
        stretch = Stretch(one.line, one.column, one.end_line, one.end_column, one.lines)
        yield from marked(stretch, "", mark, color, gutter, look)


def _values(change: Change, look: Look) -> Iterator[str]:
    """The declared values, where the source that is shown does not show them."""
    if values_shown(change):
        return
    told = []
    before, after = value_lines(change)
    for value, sign, color in ((before, "-", _RED), (after, "+", _GREEN)):
        lines = [part for line in value if line.strip() for part in _folded(shown(line.rstrip()), look.width - 6)]
        told += [
            paint(f"  {sign} {'  ' * bool(number)}{line}", color, look) for number, line in enumerate(lines[:_VALUE])
        ]
        if len(lines) > _VALUE:
            told.append(f"  {sign} … {counted(len(lines) - _VALUE, 'line')} more")
    if told:
        yield ""
        yield from told


def _folded(line: str, room: int) -> Iterator[str]:
    """A line in parts of at most `room` cells, broken at spaces where there are some."""
    for part in wrapped(line, room):
        rest = part
        while width_of(rest) > room:
            cut = _cut(rest, room)[:-1]
            yield cut
            rest = rest[len(cut) :]
        yield rest


def _example(example: Example, grade: Grade, look: Look) -> Iterator[str]:
    yield ""
    yield from _prose(f"Example: {example.says}", look, indent=2)
    table = key_table(example)
    if not table.rows:
        return
    if len(table.rows) == 1:
        yield from _one_request(table.rows[0], look)
        return
    label = max(len("makes"), *(width_of(shown(row.label)) for row in table.rows))
    before = max(len("key before"), *(width_of(row.before) for row in table.rows), len(table.writes_before))
    lead = " " * (4 + label + 2)
    yield ""
    for row in table.rows:
        first, *rest = _request(row.request, look, len(lead))
        yield f"    {_padded(shown(row.label), label)}  {first}".rstrip()
        for line in rest:
            yield f"{lead}{line}"
    yield ""
    yield paint(f"{lead}{_padded('key before', before)}  key after", _DIM, look)
    for row in table.rows:
        yield f"    {_padded(shown(row.label), label)}  {_padded(row.before, before)}  {row.after}"
    if table.writes_before or table.writes_after:
        changed = table.writes_before != table.writes_after
        style = f"1;{COLORS[grade]}" if changed else _BOLD
        counts = f"{_padded(table.writes_before or '?', before)}  {table.writes_after or '?'}"
        yield f"    {_padded('makes', label)}  {paint(counts, style, look)}"


def _one_request(row: KeyRow, look: Look) -> Iterator[str]:
    yield ""
    for line in _request(row.request, look, 4):
        yield f"    {line}"
    yield f"    {paint('key before', _DIM, look)}  {row.before}"
    yield f"    {paint('key after', _DIM, look)}   {row.after}"


def _request(request: str, look: Look, indent: int) -> list[str]:
    # A member and its value stay together.
    told = _cut(shown(request), _REQUEST).replace('": ', '":\0')
    return [line.replace("\0", " ") for line in wrapped(told, max(20, min(look.width, _PROSE) - indent))]


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
    new = [one.operation for one in review.undeclared if one.new]
    return [
        "\n".join(_list(title, lines, look))
        for title, lines in (
            ("Not read, or not all of it", list(review.problems)),
            ("Writes that the newer document adds and no skill declares", new),
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
    yield from _prose(f"{totals(review)} {outcome(review)}", look, style=_BOLD)
    others = sum(not one.new for one in review.undeclared)
    if others:
        # They are no matter of this change.
        many = others != 1
        said = (
            f"{counted(others, 'write')} that the document had before {'are' if many else 'is'} declared by no skill."
        )
        yield from _prose(f"{said} `skill-wizard lint` lists {'them' if many else 'it'}.", look)
    open_ones = [one for one in review.changes if one.approved is None and one.grade is not Grade.SAFE]
    if open_ones and open_ones[0].fingerprint:
        yield from _prose("Where a change is meant, approve it by its fingerprint:", look)
        command = shown(approve_command("FINGERPRINT", review.asked))
        if width_of(command) + 2 <= look.width:
            yield f"  {command}"
        else:
            first, who, rest = command.partition(" --who ")
            yield f"  {first} \\"
            yield f"   {who}{rest}"


FORMAT = Format("text", "text/plain", render)
