"""The sentences of a review that every format says: what it comes to, who approved, what the keys of an example show.

Names of fields and operations stand in backticks; what else a text holds is a format's to escape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from wizard.layout import shown
from wizard.lint.words_of import counted, listed
from wizard.review.model import Approval, Change, Example, Excerpt, Grade, Harm, OperationReview, Review

NAMED = 3
"""How many operations a sentence of the headline names."""
_QUOTES = str.maketrans("", "", "'\"")
_KEY = 13
"""Characters of a key that are shown: they tell the keys of an example apart."""

_GRADES = {
    Grade.BREAKS: ("breaks something", "break something"),
    Grade.RISKY: ("is risky", "are risky"),
    Grade.SAFE: ("is safe", "are safe"),
}
_HARMS = {
    Harm.TWICE: ("can land twice", "can be moved twice"),
    Harm.SWALLOWED: (
        "can be left out although it was meant (it is taken for another)",
        "can stay unmoved although it was meant (the write is taken for another)",
    ),
    Harm.REFUSED: ("can be refused", "can stay unmoved (the write is refused)"),
    Harm.ASKED: ("waits for a person more often", "waits for a person more often"),
}
"""What can happen to a write, and to the money that one moves."""


def headline(review: Review) -> tuple[str, ...]:
    """What the review comes to, in one to four sentences, the worst first.

    `2 of 5 changes break something.`, `After this change, the amount in `amount_pence` of `charge` can be moved twice.`
    """
    sentences = [_counted(review)]
    sentences += _harms(review)
    if review.problems:
        count = len(review.problems)
        what = "what it declares is" if count == 1 else "what they declare is"
        tail = ", and that fails this review" if review.lost and review.failed else ""
        sentences.append(f"{counted(count, 'file')} could not be read whole; {what} not all compared{tail}.")
    new = sum(one.new for one in review.undeclared)
    if new:
        writes = "write that the newer document adds is" if new == 1 else "writes that the newer document adds are"
        sentences.append(f"{new:,} {writes} declared by no skill.")
    return tuple(sentences)


def _counted(review: Review) -> str:
    total = len(review.changes)
    if not total:
        same = f": {counted(review.unchanged, 'operation')} compared" if review.unchanged else ""
        if review.lost:
            return f"No change was found in what could be compared{same}."
        return f"Nothing changes in what the declarations do{same}."
    approved = sum(one.approved is not None for one in review.changes)
    for grade in (Grade.BREAKS, Grade.RISKY):
        count = review.count(grade)
        if count:
            said = _of(count, total, grade)
            break
    else:
        rest = total - approved
        if not rest:
            return "The one change is approved." if total == 1 else f"All {total:,} changes are approved."
        said = "The one change is safe" if total == 1 else f"{_whole(rest, total)} {_GRADES[Grade.SAFE][rest != 1]}"
    if grade is Grade.BREAKS and (risky := review.count(Grade.RISKY)):
        said += f", {risky:,} {_GRADES[Grade.RISKY][risky != 1]}"
    if approved:
        said += f"; {approved:,} {'is' if approved == 1 else 'are'} approved"
    return f"{said}."


def _of(count: int, total: int, grade: Grade) -> str:
    if total == 1:
        return f"The one change {_GRADES[grade][0]}"
    return f"{_whole(count, total)} {_GRADES[grade][count != 1]}"


def _whole(count: int, total: int) -> str:
    return f"All {total:,} changes" if count == total else f"{count:,} of {total:,} changes"


def _harms(review: Review) -> Iterator[str]:
    """A sentence on money, and one on the rest: what the worst changes that nobody approved can do."""
    lead = "After this change,"
    for money in (True, False):
        groups: dict[tuple[Harm, ...], list[OperationReview]] = {}
        for operation in review.operations:
            open_ones = [one for one in operation.changes if one.approved is None and one.grade is not Grade.SAFE]
            met = {one.harm for one in open_ones if one.grade is operation.grade}
            # Of money all that can happen to it, of the rest the worst: this is a headline.
            harms = tuple(harm for harm in _HARMS if harm in met)[: None if money else 1]
            if harms and operation.money == money:
                groups.setdefault(harms, []).append(operation)
        parts = []
        for harms, chosen in sorted(groups.items(), key=lambda item: tuple(map(tuple(Harm).index, item[0]))):
            subject = _amounts(chosen) if money else f"a write of {_either([f'`{one.name}`' for one in chosen])}"
            parts.append(f"{subject} {' or '.join(_HARMS[harm][money] for harm in harms)}")
        if parts:
            yield f"{lead} {'; '.join(parts)}."
            lead = "Besides,"


def _amounts(operations: Sequence[OperationReview]) -> str:
    """`the amount in `amount_pence` of `charge` or `refund``."""
    named: dict[str, list[str]] = {}
    for one in operations[:NAMED]:
        amount = f"the amount in `{one.moves.partition(' in ')[0]}`" if one.moves else "the money"
        named.setdefault(amount, []).append(f"`{one.name}`")
    rest = len(operations) - NAMED
    parts = [f"{amount} of {_either(names)}" for amount, names in named.items()]
    return " or ".join([*parts, f"that of {rest:,} more"] if rest > 0 else parts)


def _either(names: Sequence[str]) -> str:
    rest = len(names) - NAMED
    if rest > 0:
        return f"{', '.join(names[:NAMED])} or {rest:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def totals(review: Review) -> str:
    """`2 breaking, 1 risky and 2 safe changes (1 approved) in 3 operations; 12 unchanged.`"""
    counts = {grade: review.count(grade) + review.count(grade, approved=True) for grade in Grade}
    words = {Grade.BREAKS: "breaking", Grade.RISKY: "risky", Grade.SAFE: "safe"}
    said = [f"{count:,} {words[grade]}" for grade, count in counts.items() if count]
    total = sum(counts.values())
    approved = sum(one.approved is not None for one in review.changes)
    if not total:
        return f"No change; {counted(review.unchanged, 'operation')} compared."
    known = f" ({approved:,} approved)" if approved else ""
    met = sum(bool(one.changes) for one in review.operations)
    return (
        f"{listed(said)} {'change' if said[-1].startswith('1 ') else 'changes'}{known} in {counted(met, 'operation')};"
        f" {review.unchanged:,} unchanged."
    )


def outcome(review: Review) -> str:
    """Whether the review fails, by the grade that was asked for: `The check fails (`--fail-on breaks`): …`"""
    option = f"`--fail-on {review.fail_on}`"
    bad = {"breaks": ("breaks something", "break something"), "risky": ("breaks something or is risky",
           "break something or are risky")}.get(review.fail_on)  # fmt: skip
    if bad is None:
        return f"The check passes whatever is found ({option})."
    count, lost = review.failing, bool(review.lost)
    if not count and not lost:
        return f"The check passes ({option}): no unapproved change {bad[0]}."
    why = [f"{counted(count, 'change')} that nobody approved {bad[count != 1]}"] if count else []
    why += ["what could be read before cannot be read any more"] if lost else []
    return f"The check fails ({option}): {', and '.join(why)}."


def levels(operation: OperationReview, arrow: str = "->") -> str:
    """`keyed -> cached`; `keyed`; `new: cached`; `gone: was keyed`."""
    before, after = operation.level_before, operation.level_after
    if before == after:
        return after or "not declared"
    if not before:
        return f"new: {after}"
    return f"{before} {arrow} {after}" if after else f"gone: was {before}"


def grade_word(change: Change) -> str:
    """`breaks`, or `breaks, approved`."""
    return f"{change.grade}, approved" if change.approved else str(change.grade)


def approved_by(approval: Approval) -> str:
    """`Approved by Ada Byron on 2026-11-30: the charges of one stay differ in it.`"""
    when = f" on {approval.when}" if approval.when else ""
    return f"Approved by {approval.who}{when}: {approval.why}"


def approve_command(fingerprint: str, asked: str = "") -> str:
    """The command that writes an approval of a change; `asked` are the sides, as they were named."""
    sides = f"{asked} " if asked else ""
    return f'skill-wizard review {sides}--approve {fingerprint} --who "NAME" --why "REASON"'


def side_word(change: Change, excerpt: Excerpt) -> str:
    """`before`, `after`; `declared` for the unchanged declaration that a change of the document meets."""
    if excerpt in declared_excerpts(change):
        return "declared"
    return "before" if excerpt.side == "base" else "after"


def declared_excerpts(change: Change) -> tuple[Excerpt, ...]:
    """What the skill declares, where the change is one of the document."""
    skill = [one for one in change.excerpts if one.where == "skill"]
    of_document = len(skill) < len(change.excerpts) and len({one.side for one in skill}) == 1
    return tuple(skill) if of_document else ()


def values_shown(change: Change) -> bool:
    """Whether the source that is shown says what was declared on both sides."""
    whole = _bare(" ".join(line for one in change.excerpts for line in one.lines))
    return all(_bare(value) in whole or _said(change, side, value) for side, value in _valued(change))


def declared_lines(change: Change) -> tuple[list[str], list[str]]:
    """What was declared before and after in lines: the source where it says it, else the value. Where the change has
    no value (a sentence of the prose), the source."""
    if not change.before and not change.after:
        return _source(change, "base"), _source(change, "head")
    if declared_excerpts(change):
        before, after = (_source(change, side) or value.split("\n") if value else [] for side, value in _valued(change))
        return before, after
    parts = change.members[0] == change.members[1] != "" and not all(
        any(f"{change.members[0].rpartition('.')[2]}:" in line for line in _source(change, side)[:1])
        for side, value in _valued(change)
        if value
    )
    # A part of the one beside all of the other would read as if much more had come, or gone.
    if not parts and all(not value or _said(change, side, value) for side, value in _valued(change)):
        before, after = (_source(change, side) if value else [] for side, value in _valued(change))
        return before, after
    return value_lines(change)


def value_lines(change: Change) -> tuple[list[str], list[str]]:
    """The values before and after in lines, with the member that has them in front."""
    before, after = (
        (f"{member}: {value}" if member else value).split("\n") if value else []
        for member, value in zip(change.members, (change.before, change.after), strict=True)
    )
    return before, after


def _valued(change: Change) -> tuple[tuple[str, str], tuple[str, str]]:
    return (("base", change.before), ("head", change.after))


def _said(change: Change, side: str, value: str) -> bool:
    """Whether the source of a side has a value: as it is printed, or as the skill has it."""
    lines = [line for one in change.excerpts if one.side == side for line in one.lines]
    if _bare(value) in _bare(" ".join(lines)):
        return True
    # The head of a mapping is the place where something is missing.
    skill = [line for one in change.excerpts if one.side == side and one.where == "skill" for line in one.lines]
    return any(line.strip() and not line.rstrip().endswith(":") for line in skill)


def _bare(text: str) -> str:
    return "".join(text.translate(_QUOTES).split())


def _source(change: Change, side: str) -> list[str]:
    """The lines of a side: of the document where the change is one of it, else of the skill."""
    met = declared_excerpts(change)
    chosen = [one for one in change.excerpts if one.side == side and one not in met]
    where = "skill" if any(one.where == "skill" for one in chosen) else "document"
    lines = [line for one in chosen if one.where == where for line in one.lines]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[indent:] for line in lines]


def shown_excerpts(change: Change) -> tuple[Excerpt, ...]:
    """The excerpts as they are shown: of the place where something is missing on one side only its first line."""
    valued = {"base": change.before, "head": change.after}
    missing = {side for side, value in valued.items() if not value} if any(valued.values()) else set()
    return tuple(
        replace(one, lines=one.lines[:1], end_line=one.line, end_column=len(one.lines[0]) + 1)
        if one.side in missing and len(one.lines) > 1
        else one
        for one in change.excerpts
    )


class KeyRow(NamedTuple):
    label: str
    request: str
    before: str
    after: str


class KeyTable(NamedTuple):
    """The keys of an example, short, and how many writes they stand for on both sides."""

    rows: tuple[KeyRow, ...]
    writes_before: str
    """`2 writes`; empty where it cannot be said or nothing is compared."""
    writes_after: str


def key_table(example: Example) -> KeyTable:
    """The keys of an example as people read them: cut to what tells them apart, equal ones equal."""
    keys = [replace(one, before=_flat(one.before), after=_flat(one.after)) for one in example.keys]
    every = {key for one in keys for key in (one.before, one.after) if key}
    size = _KEY
    while len({key[:size] for key in every}) < len(every):
        size += 8
    rows = tuple(
        KeyRow(one.label or ("" if len(keys) == 1 else str(number)), one.request, _cut(one.before, size),
               _cut(one.after, size))
        for number, one in enumerate(keys, 1)
    )  # fmt: skip
    return KeyTable(rows, _writes([one.before for one in keys]), _writes([one.after for one in keys]))


def _flat(key: str) -> str:
    return shown("".join(key.split()))


def _cut(key: str, size: int) -> str:
    if not key:
        return "none"
    return key if len(key) <= size + 1 else f"{key[:size]}…"


def _writes(keys: Sequence[str]) -> str:
    return counted(len(set(keys)), "write") if len(keys) > 1 and all(keys) else ""
