"""The walk over all states, breadth first, so that the first trace to a broken invariant is a shortest one."""

from __future__ import annotations

from dataclasses import dataclass

from wizard.host.explorer.model import Here, Model, Step, can_still, swapped
from wizard.host.record import State

INVARIANTS = {
    "I1": "the write is committed at most once",
    "I2": "completed means that the recipient did it",
    "I3": "absent means that it was not done and nothing of ours can still do it",
    "I4": "nothing leaves attempted but by an answer, a probe or a named person",
}
BY = {"settle": "answer", "probe": "probe", "person": "person:"}
"""The steps that may move a record out of attempted, and how its `by` begins then."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken invariant, and the steps that lead to it."""

    invariant: str
    trace: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found."""

    states: int
    steps: int
    broken: Broken | None = None


Came = dict[Here, tuple[Here, str, int, bool] | None]
"""From where a state was reached first, by which step of which worker, and whether the workers were swapped then."""


def walk(model: Model, invariants: frozenset[str] = frozenset(INVARIANTS), most: int = 10_000_000) -> Walk:
    """Visits every state that can be reached, or ends at the first one that breaks one of these invariants.

    States that differ only in which worker is which are visited once. Raises RuntimeError after `most` states.
    """
    start = Here(0)
    came: Came = {start: None}
    ahead, taken = [start], 0
    while ahead:
        following: list[Here] = []
        for here in ahead:
            for step in model.steps(here):
                taken += 1
                there = step.there
                if there in came:
                    continue
                if (name := broken(model, here, step)) and name in invariants:
                    said, turned = _trace(came, here)
                    return Walk(len(came), taken, Broken(name, (*said, _said(step.said, step.who, turned))))
                swap = there.b < there.a
                if swap:
                    there = swapped(there)
                    if there in came:
                        continue
                came[there] = (here, step.said, step.who, swap)
                following.append(there)
        if len(came) > most:
            raise RuntimeError(f"more than {most} states")
        ahead = following
    return Walk(len(came), taken)


def broken(model: Model, here: Here, step: Step) -> str:
    """The invariant that a step breaks, empty where it breaks none."""
    there = step.there
    if there.commits > 1:
        return "I1"
    before, after = model.record(here), model.record(there)
    if before is not None and before.state is State.ATTEMPTED and (after is None or after.state is not State.ATTEMPTED):
        by = after.by if after is not None else None
        if by is None or not by.startswith(BY.get(step.kind, "nobody")):
            return "I4"
    if after is None:
        return ""
    if after.state is State.COMPLETED and not there.commits:
        return "I2"
    # What has expired is absent by name only: it happened, and no fingerprint is left of it.
    if after.state is State.ABSENT and after.fingerprint and (there.commits or can_still(there)):
        return "I3"
    return ""


def _trace(came: Came, here: Here) -> tuple[list[str], bool]:
    """The steps to a state, and whether its workers stand the other way round than at the beginning."""
    path: list[tuple[str, int, bool]] = []
    while (before := came[here]) is not None:
        path.append(before[1:])
        here = before[0]
    said, turned = [], False
    for text, who, swap in reversed(path):
        said.append(_said(text, who, turned))
        turned ^= swap
    return said, turned


def _said(text: str, who: int, turned: bool) -> str:
    return text.replace("{}", "AB"[who ^ turned]) if who >= 0 else text
