"""How a story ended: what was meant, what landed, what was told. Pure.

A story fails when a write landed more than once, when something was claimed that did not happen (or denied, and it
did), when a write that was meant was swallowed, or when it can never be made. It ends with a person when the last that
was told is that nobody knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from wizard.host.calls import APPLIED, Plain
from wizard.host.state import Telling
from wizard.rehearse.model import Ended

DENIED = frozenset({Telling.REFUSED, Telling.GATEWAY_REFUSED, Telling.NOT_SENT, Telling.NOT_THERE, Plain.INVALID})
"""The caller is told that nothing was done."""
SILENT = frozenset({Plain.WAITING, Plain.NOT_RUN})
"""Nothing is said of the write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """One write that somebody wants made."""

    what: Hashable
    """What tells it apart from others; equal for two that are meant and look the same."""
    differs: str = ""
    """In what it differs from the first: a field's name, or when it was asked for; empty for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the caller was told of one write, and what was true then."""

    meant: int
    """Its place among those that were meant."""
    ending: Telling | Plain
    landed: int
    """How many equal to it had landed when this was said."""
    status: int | None = None
    """The recipient's, where it refused."""
    detail: str = ""

    @property
    def applied(self) -> bool:
        return self.ending in APPLIED

    @property
    def denied(self) -> bool:
        return self.ending in DENIED


@dataclass(frozen=True, slots=True)
class Judgement:
    """How it ended, and what is wrong, in one sentence."""

    ended: Ended
    why: str = ""
    fault: str = ""
    """`twice`, `claimed`, `denied`, `swallowed`, `never`, `stray`; empty where nothing is wrong."""
    field: str = ""
    """The field that it turns on, where there is one."""


def judge(meant: Sequence[Meant], landed: Mapping[Hashable, int], told: Sequence[Told]) -> Judgement:
    """The judgement of a story. `landed` counts what landed by what tells writes apart."""
    wanted = Counter(one.what for one in meant)
    return (
        _swallowed(meant, landed, told)
        or _twice(meant, wanted, landed)
        or _claimed(meant, told)
        or _denied(meant, wanted, landed, told)
        or _ended(meant, landed, told)
    )


def _twice(meant: Sequence[Meant], wanted: Mapping[Hashable, int], landed: Mapping[Hashable, int]) -> Judgement | None:
    for what, count in landed.items():
        if what not in wanted:
            return Judgement(Ended.WRONG, "A write landed that nobody had asked for.", "stray")
        if count > wanted[what]:
            asked = "once" if wanted[what] == 1 else f"{wanted[what]} times"
            return Judgement(Ended.WRONG, f"It was meant {asked} and landed {_times(count)}.", "twice")
    return None


def _swallowed(
    meant: Sequence[Meant], landed: Mapping[Hashable, int], told: Sequence[Told]
) -> Judgement | None:  # fmt: skip
    for place, one in enumerate(meant):
        if not one.differs:
            continue
        before = sum(other.what == one.what for other in meant[:place])
        applied = [said for said in told if said.meant == place and said.applied]
        if applied and landed.get(one.what, 0) <= before:
            if before:
                why = f"It was meant again, {one.differs}, and was answered `{applied[-1].ending}`: nothing was sent."
            else:
                why = (
                    f"The write that differs in {one.differs} was answered `{applied[-1].ending}` and never made: it"
                    " was taken for the first one."
                )
            return Judgement(Ended.WRONG, why, "swallowed", "" if before else one.differs)
    return None


def _claimed(meant: Sequence[Meant], told: Sequence[Told]) -> Judgement | None:
    for said in told:
        if said.applied and said.landed == 0:
            return Judgement(
                Ended.WRONG, f"The caller was told `{said.ending}`, and nothing had landed.", "claimed"
            )  # fmt: skip
    return None


def _denied(
    meant: Sequence[Meant], wanted: Mapping[Hashable, int], landed: Mapping[Hashable, int], told: Sequence[Told]
) -> Judgement | None:
    for place, one in enumerate(meant):
        last = _last(place, told)
        if last is not None and last.denied and wanted[one.what] == 1 and landed.get(one.what, 0):
            return Judgement(
                Ended.WRONG, f"The caller was told `{last.ending}`, and the write had landed.", "denied"
            )  # fmt: skip
    first = _last(0, told)
    if first is not None and first.denied and not landed.get(meant[0].what, 0):
        said = f": {first.status}" if first.status else f": {first.detail}" if first.detail else ""
        return Judgement(Ended.WRONG, f"It never lands: the last that was told is `{first.ending}`{said}.", "never")
    return None


def _ended(meant: Sequence[Meant], landed: Mapping[Hashable, int], told: Sequence[Told]) -> Judgement:
    lasts = [last for place in range(len(meant)) if (last := _last(place, told)) is not None]
    if not lasts or not all(last.applied or last.denied for last in lasts):
        return Judgement(Ended.PERSON, "What became of it is not known to the host; a person has to look.")
    if not any(landed.values()):
        return Judgement(Ended.REFUSED)
    return Judgement(Ended.ONCE)


def _last(place: int, told: Sequence[Told]) -> Told | None:
    return next((said for said in reversed(told) if said.meant == place and said.ending not in SILENT), None)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
