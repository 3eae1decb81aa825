"""The identity put together: which of the fields that the detectors looked at tell two writes apart.

A create begins with its required fields that nothing speaks against; then what such a thing is told apart by
(`words/things.toml`) is looked for, among the required ones first and then among the others. An update is what it
changes, an action what it is done to; the path is part of every key and is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable

from wizard.infer.changing import act, update
from wizard.infer.composed import ENOUGH, Composed
from wizard.infer.creating import create
from wizard.infer.detector import Candidate, Subject
from wizard.infer.lexicon import pattern
from wizard.infer.picking import Weighed, enough, weigh_units
from wizard.infer.things import About, about_of
from wizard.infer.units import units
from wizard.spec.model import ApiOperation


def compose(subject: Subject, candidates: Iterable[Candidate]) -> Composed:
    """Chooses among the units of the subject's operation."""
    weighed = weigh_units(units(subject), candidates)
    what = about_of(subject)
    free = [one for one in weighed if not one.barred]
    if subject.kind in ("create", "action") and repeats_said(subject.operation) and not _own_numbers(free):
        return Composed((), weighed, what, by="repeats")
    if subject.kind in ("create", "upsert") or _makes_something(subject, free, what):
        return create(subject, free, weighed, what)
    if subject.kind == "update":
        return update(subject, free, weighed, what)
    return act(subject, free, weighed, what)


def repeats_said(operation: ApiOperation) -> bool:
    """Whether the operation's text says that an equal one made again means something."""
    text = f"{operation.summary}. {operation.description[:1500]}"
    return pattern("grammar", "repeats_said").search(text) is not None


def _own_numbers(free: list[Weighed]) -> bool:
    """Whether a number of its own tells two equal ones apart all the same."""
    return any(one.required and enough(one) for one in free)


def _makes_something(subject: Subject, free: list[Weighed], what: About) -> bool:
    """Whether an action names no one thing, by path or by id, and has the fields of something that it makes."""
    if subject.kind != "action" or "{" in subject.operation.path or what.thing is None:
        return False
    if any("target" in one.roles for one in free):
        return False
    return what.thing.name in ("payment", "message", "booking", "document") and len(free) > ENOUGH
