"""The sentences of a review that every format says: what it comes to, who approved, what the keys of an example show.

Names of fields and operations stand in backticks; what else a text holds is a format's to escape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wizard.lint.words_of import counted, listed
from wizard.review.model import Approval, Change, Example, Excerpt, Grade, Harm, OperationReview, Review

NAMED = 3
"""How many operations a sentence of the headline names."""
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
        sentences.append(f"{counted(count, 'file')} could not be read; {what} not part of this.")
    new = sum(one.new for one in review.undeclared)
    if new:
        writes = "write that the newer document adds is" if new == 1 else "writes that the newer document adds are"
        sentences.append(f"{new:,} {writes} declared by no skill.")
    return tuple(sentences)


def _counted(review: Review) -> str:
    total = len(review.changes)
    if not total:
        same = f": {counted(review.unchanged, 'operation')} compared" if review.unchanged else ""
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
            harms = tuple(harm for harm in _HARMS if harm in met)
            if harms and operation.money == money:
                groups.setdefault(harms, []).append(operation)
        parts = []
        for harms, chosen in sorted(groups.items(), key=lambda item: tuple(map(tuple(Harm).index, item[0]))):
            if money:
                subject = _either([f"{_amount(one)} of `{one.name}`" for one in chosen])
            else:
                subject = f"a write of {_either([f'`{one.name}`' for one in chosen])}"
            parts.append(f"{subject} {' or '.join(_HARMS[harm][money] for harm in harms)}")
        if parts:
            yield f"{lead} {listed(parts)}."
            lead = "Besides,"


def _either(names: Sequence[str]) -> str:
    rest = len(names) - NAMED
    if rest > 0:
        return f"{', '.join(names[:NAMED])} or {rest:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _amount(operation: OperationReview) -> str:
    """`the amount in `amount_pence``, from what the operation says of the money it moves."""
    return f"the amount in `{operation.moves.partition(' in ')[0]}`" if operation.moves else "the money"


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
        f"{listed(said)} {'change' if total == 1 else 'changes'}{known} in {counted(met, 'operation')};"
        f" {review.unchanged:,} unchanged."
    )


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


def approve_command(fingerprint: str) -> str:
    """The command that writes an approval of a change."""
    return f'skill-wizard review --approve {fingerprint} --who "NAME" --why "REASON"'


def side_word(excerpt: Excerpt) -> str:
    return "before" if excerpt.side == "base" else "after"


def values_shown(change: Change) -> bool:
    """Whether the source that is shown shows the values of both sides."""

    def in_source(side: str, value: str) -> bool:
        source = " ".join(" ".join(line for one in change.excerpts if one.side == side for line in one.lines).split())
        return " ".join(value.split()) in source

    return in_source("base", change.before) and in_source("head", change.after)


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
    keys = example.keys
    every = {key for one in keys for key in (one.before, one.after) if key}
    size = _KEY
    while len({key[:size] for key in every}) < len(every):
        size += 8
    rows = tuple(
        KeyRow(one.label or ("request" if len(keys) == 1 else str(number)), one.request, _cut(one.before, size),
               _cut(one.after, size))
        for number, one in enumerate(keys, 1)
    )  # fmt: skip
    return KeyTable(rows, _writes([one.before for one in keys]), _writes([one.after for one in keys]))


def _cut(key: str, size: int) -> str:
    if not key:
        return "none"
    return key if len(key) <= size + 1 else f"{key[:size]}…"


def _writes(keys: Sequence[str]) -> str:
    return counted(len(set(keys)), "write") if len(keys) > 1 and all(keys) else ""
