"""What the reports of a rehearsal say alike: counts, the names of the columns, how a story is told again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from wizard.layout import shown
from wizard.rehearse.model import VERDICTS, Declared, Ended, Moment, OperationRehearsal, Rehearsal, StoryRun, Verdict

OUTCOMES: tuple[tuple[str, Ended], ...] = (
    ("landed once", Ended.ONCE),
    ("refused", Ended.REFUSED),
    ("asked a person", Ended.PERSON),
    ("landed twice or wrong", Ended.WRONG),
)
"""The rows of what a declaration bought, best first."""

AS_DOCUMENTED = "as documented"

_SHAPED = {"fault": ("fault",), "killed": ("kill", "halt")}
"""Kinds that a reader must find in words, too, and words that say them."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 story`, `3 stories`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def stories(number: int) -> str:
    """`1 story`, `1,200 stories`."""
    return counted(number, "story", "stories")


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def told(run: StoryRun) -> str:
    """What the caller was told, call by call: `outcome not observed (12 times) and done`."""
    said = [(words, sum(1 for _ in alike)) for words, alike in groupby(run.told)]
    return listed([words if times == 1 else f"{words} ({times:,} times)" for words, times in said])


def told_of(runs: Sequence[StoryRun], verdict: Verdict) -> int:
    """How many of them ended with the verdict."""
    return sum(run.verdict is verdict for run in runs)


def counts(operation: OperationRehearsal) -> list[tuple[str, int]]:
    """How its own stories ended, those that cannot be told apart: `run`, the outcomes, `weak`, `skipped`."""
    own = operation.own
    skipped = told_of(own, Verdict.SKIPPED)
    return [
        ("run", len(own) - skipped),
        ("landed once", operation.count(Ended.ONCE)),
        ("refused", operation.count(Ended.REFUSED)),
        ("asked a person", operation.count(Ended.PERSON)),
        ("failed", told_of(own, Verdict.FAILED)),
        ("weak", told_of(own, Verdict.WEAK)),
        ("skipped", skipped),
    ]


def counts_said(operation: OperationRehearsal, *, skips: bool = True) -> str:
    """The counts as a sentence: `12 stories: 10 landed once, 1 asked a person, 1 failed; 2 cannot be told of it.`
    `skips` false: the last part is left out."""
    (_, run), *rest, (_, weak), (_, skipped) = counts(operation)
    asked = operation.count(Ended.PERSON)
    # A weak one that did not end with a person rests on something that no answer shows.
    resting = sum(run.verdict is Verdict.WEAK and run.ended is not Ended.PERSON for run in operation.own)
    weak -= resting
    rest.append((str(Verdict.WEAK), resting))
    of_them = f" ({'all' if weak == asked else f'{weak:,}'} of them weak)" if weak else ""
    said = [f"{number:,} {name}{of_them if name == Ended.PERSON else ''}" for name, number in rest if number]
    tail = f"; {skipped:,} cannot be told of it" if skipped and skips else ""
    if not run and not skips:
        return "No story was told."
    return f"{stories(run)}{': ' if said else ''}{', '.join(said)}{tail}."


def summary(rehearsal: Rehearsal) -> str:
    """`2 operations rehearsed: 1 passed, 1 failed. 90 stories, 12 asked a person, 2 failed, 1 weak.`"""
    verdicts = [operation.verdict for operation in rehearsal.operations]
    blocked = counted(len(rehearsal.blocked), "declaration")
    tail = f" {blocked} could not be rehearsed." if rehearsal.blocked else ""
    if not verdicts:
        return f"Nothing was rehearsed.{tail}"
    said = [f"{verdicts.count(verdict):,} {verdict}" for verdict in reversed(VERDICTS) if verdict in verdicts]
    own = [run for operation in rehearsal.operations for run in operation.own if run.verdict is not Verdict.SKIPPED]
    bad = [f"{told_of(own, verdict):,} {verdict}" for verdict in VERDICTS[:2] if told_of(own, verdict)]
    asked = sum(run.ended is Ended.PERSON for run in own)
    numbers = ", ".join([stories(len(own)), *([f"{asked:,} asked a person"] if asked else []), *bad])
    return f"{counted(len(verdicts), 'operation')} rehearsed: {listed(said)}. {numbers}.{tail}"


def columns(operation: OperationRehearsal) -> tuple[Declared, ...]:
    """The levels that stories were told at, least declared first."""
    return tuple(level for level in Declared if operation.at(level))


def bought(operation: OperationRehearsal) -> list[tuple[str, list[int]]]:
    """Each outcome with how many stories ended so, one number a column."""
    levels = columns(operation)
    return [(name, [operation.count(ended, level) for level in levels]) for name, ended in OUTCOMES]


def level_said(operation: OperationRehearsal) -> str:
    """`cached`, and that nobody has confirmed it."""
    return operation.declared.value + ("" if operation.confirmed else ", not confirmed")


def unconfirmed(number: int, of: int) -> str:
    """That so many of all are only proposed, and what a host makes of that."""
    if number == of == 1:
        return UNCONFIRMED
    if number == 1:
        return "One is `status: proposed`: until somebody confirms it, a host treats it as undeclared."
    return f"{number:,} are `status: proposed`: until somebody confirms them, a host treats them as undeclared."


UNCONFIRMED = "It is `status: proposed`: until somebody confirms it, a host treats it as undeclared."


def again(run: StoryRun, rehearsal: Rehearsal, operation: OperationRehearsal) -> str:
    """The command that tells only this story, exactly so: `skill-wizard rehearse charge.md --only 429 --seed 7`."""
    from shlex import quote

    words = ["skill-wizard rehearse", quote(shown(operation.skill)), f"--only {quote(shown(run.story))}"]
    words.append(f"--seed {run.seed}")
    if run.recipient != AS_DOCUMENTED:
        words.append(f"--recipient {quote(shown(run.recipient))}")
    if rehearsal.asked:
        words.append(shown(rehearsal.asked))
    return " ".join(words)


def odd(run: StoryRun, rehearsal: Rehearsal) -> str:
    """The behaviour of a story's recipient, where it is not that of the whole rehearsal; else empty."""
    return "" if run.recipient in (AS_DOCUMENTED, rehearsal.recipient) else run.recipient


def untold(operation: OperationRehearsal) -> list[str]:
    """How many of its own stories cannot be told, reason by reason: `5 cannot be told of it: it has no key.`"""
    why = Counter({run.story: run.why for run in operation.own if run.verdict is Verdict.SKIPPED}.values())
    return [f"{number:,} cannot be told of it: {reason.rstrip('.')}." for reason, number in why.most_common()]


def span(seconds: float) -> str:
    """A time in one unit: `0.2 s`, `6 min`, `1.5 h`, `2 d`."""
    if round(seconds, 1) < 60:
        return f"{_short(seconds, 2 if seconds < 0.1 else 1)} s"
    for size, unit, most in ((60, "min", 90), (3600, "h", 48)):
        if seconds / size < most:
            return f"{_short(seconds / size, 1)} {unit}"
    days = seconds / 86400
    return f"{_short(days, 1 if days < 100 else 0)} d"


def _short(number: float, digits: int) -> str:
    return f"{number:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{number:.0f}"


def spoken(moment: Moment) -> str:
    """The words of a moment, and for a fault and a kill its kind where they do not say it."""
    text = " ".join(shown(moment.text).split())
    needs = _SHAPED.get(moment.kind, ())
    if needs and not any(word in text.lower() for word in needs):
        return f"{moment.kind}: {text}" if text else moment.kind
    return text or moment.kind


def way(moment: Moment) -> str:
    """Where it happens: `host`, `host to recipient`."""
    return f"{moment.lane} to {moment.to}" if moment.to and moment.to != moment.lane else moment.lane


def account(run: StoryRun) -> tuple[Moment, ...]:
    """The shortest account of what went wrong: the faults, and what it failed for."""
    return tuple(moment for moment in run.moments if moment.bad)
