"""A review as the comment of a pull request: who sees only this has to understand what the change does to money.

It begins with a hidden marker, by which a workflow finds its comment again. What comes from skills and documents is
escaped and bounded. A comment has a limit; what has no room is counted, the safest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wizard.layout import Look
from wizard.lint.words_of import counted, listed
from wizard.review.escaping import cell_code, code, fenced, one_line, plain, prose
from wizard.review.formatting import Format
from wizard.review.model import Change, Example, Grade, OperationReview, Review
from wizard.review.wording import (
    approve_command,
    approved_by,
    declared_excerpts,
    declared_lines,
    headline,
    key_table,
    levels,
    outcome,
    side_word,
    totals,
)

MARKER = "<!-- skill-wizard review -->"
LIMIT = 65_000
"""Characters: GitHub refuses a comment of more than 65,536."""
_ROWS = 40
_MOST = 15

_WORDS = """\
<details>
<summary>What the words mean</summary>

- **breaks**: a write can land twice, be left out, or be refused because of the change. **risky**: it holds under a \
condition that somebody has to look at, or a person is asked more often. **safe**: nothing that was kept single is \
less so.
- **identity**: the fields whose values together say which write it is. The host derives a key from them; two \
requests with equal values are one write, and the second is not made.
- **keyed**: the host sends that key, and the recipient makes one write of all repeats. **cached**: the recipient \
takes no key; the host answers a repeat from its record. **none**: not a write.
- **attempted**: a write that was sent, and whose answer nobody saw. It waits for evidence (a repeat under its key, or \
a probe that reads back) or for a person.
- The keys above are derived under an example secret: what counts is which of them are equal.

</details>"""


def render(review: Review, look: Look) -> str:
    """The whole comment, with a line end at its end."""
    first, *rest = headline(review)
    head = [MARKER, f"### {prose(first)}"]
    if rest:
        head.append(" ".join(f"**{prose(one)}**" if number == 0 else prose(one) for number, one in enumerate(rest)))
    head.append(f"**{prose(outcome(review))}**" if review.failed else prose(outcome(review)))
    if review.changes:
        head.append("\n".join(_table(review)))
    tail = [*_lists(review)]
    if any(one.approved is None and one.grade is not Grade.SAFE for one in review.changes):
        tail.append("An approval stands in `skill-wizard.approvals.yaml`; commit it with the change that it allows.")
    if review.changes:
        tail.append(_WORDS)
    tail.append(f"<sub>{_compared(review)}</sub>")
    budget = LIMIT - sum(len(part) + 2 for part in (*head, *tail))
    return "\n\n".join([*head, *_body(review, budget), *tail]) + "\n"


def _compared(review: Review) -> str:
    sides = f"{plain(review.base, 200)} → {plain(review.head, 200)}"
    return f"skill-wizard review, {sides}. {totals(review)}"


def _table(review: Review) -> Iterator[str]:
    met = [one for one in review.operations if one.changes]
    yield "| grade | operation | level | money it moves |"
    yield "| --- | --- | --- | --- |"
    for one in met[:_ROWS]:
        grade = _grade(one)
        money = cell_code(one.moves.partition(" in ")[0], 80) if one.moves else "yes" if one.money else ""
        currency = plain(one.moves.partition(" in ")[2], 80)
        currency = f" in {currency}" if currency else ""
        name = f"{cell_code(one.name, 100)}<br>{cell_code(one.request, 200)}"
        yield f"| {grade} | {name} | {levels(one, '→')} | {money}{currency} |"
    if len(met) > _ROWS:
        yield f"| | and {len(met) - _ROWS:,} more operations | | |"


def _grade(operation: OperationReview) -> str:
    if all(one.approved for one in operation.changes):
        return "approved"
    return f"**{operation.grade}**" if operation.grade is not Grade.SAFE else "safe"


def _body(review: Review, budget: int) -> Iterator[str]:
    """The changes that have room, the worst first, and a sentence on those that have none."""
    open_ones = [
        (operation, change)
        for operation in review.operations
        for change in operation.changes
        if change.approved is None and change.grade is not Grade.SAFE
    ]
    room = budget - 1_000
    left: list[Change] = []
    last = ""
    for operation, change in open_ones:
        parts = [] if operation.name == last else [f"---\n\n### {code(operation.name, 100)}"]
        parts += list(_change(change, review.asked))
        size = sum(len(part) + 2 for part in parts)
        if left or size > room:
            left.append(change)
            continue
        room -= size
        last = operation.name
        yield from parts
    if len(open_ones) > len(left):
        yield "---"
    for title, chosen in (
        ("safe", [one for one in review.changes if one.approved is None and one.grade is Grade.SAFE]),
        ("approved", [one for one in review.changes if one.approved is not None]),
    ):
        if not chosen:
            continue
        lines = []
        room -= 200
        for one in chosen:
            line = _line(one)
            if len(line) + 1 > room:
                left.append(one)
                continue
            room -= len(line) + 1
            lines.append(line)
        if lines:
            summary = f"{counted(len(chosen), f'{title} change')}"
            yield f"<details>\n<summary>{summary}</summary>\n\n" + "\n".join(lines) + "\n\n</details>"
    if left:
        sides = review.asked or f"{review.base} {review.head}"
        yield f"**{_left_out(left)}** `skill-wizard review` {code(sides, 200)} shows all."


def _left_out(left: Sequence[Change]) -> str:
    words = []
    for grade, word in ((Grade.BREAKS, "breaking"), (Grade.RISKY, "risky"), (Grade.SAFE, "safe")):
        count = sum(one.grade is grade for one in left)
        if count:
            words.append(f"{count:,} {word}")
    money = sum(one.money for one in left)
    moved = f", {money:,} of them in operations that move money," if money else ""
    return (
        f"Left out here, because a comment has no room for more: {listed(words)}"
        f" change{'s' if len(left) > 1 else ''}{moved.rstrip(',')}."
    )


def _change(change: Change, asked: str) -> Iterator[str]:
    yield f"#### {change.grade}: {prose(change.title, 300)}"
    yield prose(change.effect)
    value = _values(change)
    if value:
        yield value
    places = _places(change)
    if places:
        yield places
    if change.example is not None:
        yield from _example(change.example)
    if change.remedy:
        yield f"**What to do:** {prose(change.remedy)}"
    if change.fingerprint:
        command = approve_command(one_line(change.fingerprint, 80), one_line(asked, 300))
        yield f"If it is meant: {code(command, 500)}"


def _values(change: Change) -> str:
    """Before and after as a small diff."""
    before, after = declared_lines(change)
    if before == after:
        return fenced([f"  {line}" for line in before[:7]], "diff") if before else ""
    told = [f"- {line}" for line in before[:7]] + ["- …"] * (len(before) > 7)
    told += [f"+ {line}" for line in after[:7]] + ["+ …"] * (len(after) > 7)
    return fenced(told, "diff")


def _places(change: Change) -> str:
    """`path`, line 8 before and line 9 after; and what is declared where the document changed."""
    told: dict[str, dict[int, list[str]]] = {}
    met = declared_excerpts(change)
    for one in change.excerpts:
        if one not in met:
            sides = told.setdefault(one.path, {}).setdefault(one.line, [])
            if side_word(change, one) not in sides:
                sides.append(side_word(change, one))
    places = [
        f"{code(path, 200)}, {listed([f'line {line} {listed(sides)}' for line, sides in lines.items()])}"
        for path, lines in told.items()
    ]
    for one in met[:2]:
        line = one.lines[0].strip() if one.lines else ""
        declared = f" {code(line, 200)}" if line and not line.endswith(":") else ""
        places.append(f"declared{declared} in {code(one.path, 200)}, line {one.line}")
    return "; ".join(places)


def _example(example: Example) -> Iterator[str]:
    yield f"**Example:** {prose(example.says)}"
    table = key_table(example)
    if not table.rows:
        return
    lines = ["| | request | key before | key after |", "| --- | --- | --- | --- |"]
    for row in table.rows[:_MOST]:
        keys = (row.before, row.after)
        before, after = ("none" if key == "none" else cell_code(key, 80) for key in keys)
        lines.append(f"| {plain(row.label, 40)} | {cell_code(row.request, 400)} | {before} | {after} |")
    if table.writes_before or table.writes_after:
        lines.append(f"| makes | | **{table.writes_before or '?'}** | **{table.writes_after or '?'}** |")
    yield "\n".join(lines)


def _line(change: Change) -> str:
    """A change in a list: what, and what it does; of an approved one who approved it and why."""
    name = code(change.operation, 100)
    if change.approved is not None:
        said = prose(approved_by(change.approved), 600)
        return f"- {name}, {change.grade}: {prose(change.title, 300)} {said}"
    return f"- {name}: {prose(change.title, 300)} {prose(change.effect, 600)}"


def _lists(review: Review) -> Iterator[str]:
    if review.problems:
        yield _list(
            f"**{counted(len(review.problems), 'file')} could not be read whole:**",
            [prose(one, 400) for one in review.problems],
        )
    new = [code(one.operation, 150) for one in review.undeclared if one.new]
    if new:
        yield _list("**New writes of the document that no skill declares** (a repeat of one is not recognised):", new)
    if review.stale_approvals:
        yield _list(
            "**Approvals of changes that are not here any more**, which can go from `skill-wizard.approvals.yaml`:",
            [f"{code(one.fingerprint, 80)} by {plain(one.who, 100)}: {plain(one.why, 300)}"
             for one in review.stale_approvals],
        )  # fmt: skip
    if review.notes:
        yield _list("**Notes:**", [prose(one, 400) for one in review.notes.values()])


def _list(title: str, lines: Sequence[str]) -> str:
    told = [title, "", *(f"- {line}" for line in lines[:_MOST])]
    if len(lines) > _MOST:
        told.append(f"- and {len(lines) - _MOST:,} more")
    return "\n".join(told)


FORMAT = Format("markdown", "text/markdown", render)
