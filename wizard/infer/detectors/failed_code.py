"""A code or a word for how the call went, one value of which is known to stand for success."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.failures import Member, candidate, good_value, meaning, members, named, proposed
from wizard.infer.model import FailedProposal


def detect(subject: Subject) -> Iterator[Candidate]:
    for one in members(subject):
        if one.field.composite or one.field.shape.type not in ("", "string", "integer", "number"):
            continue
        outcome, code = _is_outcome(one), _is_code(one)
        if not (outcome or code):
            continue
        said = good_value(one)
        ill = tuple(value for value in one.field.shape.enum if meaning(value) == "ill")
        if said is not None:
            yield candidate(_not(one, said, f"its text has {_shown(said)} for a call that went well"), 3.0)
        elif ill and len(ill) < len(one.field.shape.enum) and all(meaning(value) for value in one.field.shape.enum):
            yield candidate(_either(one, ill), 3.0)
        elif code:
            yield from _by_convention(one)


def _is_outcome(one: Member) -> bool:
    return bool(named("outcomes").match(one.name))


def _is_code(one: Member) -> bool:
    return bool(named("error_codes").match(one.name) or (named("codes").match(one.name) and one.has_kin))


def _by_convention(one: Member) -> Iterator[Candidate]:
    """The value of all the document's own examples, and the 0 of a numbered list of errors."""
    shown = {repr(value): value for value in one.examples if isinstance(value, int | str) and value != ""}
    numbers = [value for value in one.field.shape.enum if isinstance(value, int)]
    if len(shown) == 1:
        value = next(iter(shown.values()))
        if meaning(value) == "well" or str(value).strip("0") == "":
            yield candidate(_not(one, value, f"the document's example of a success has {_shown(value)}"), 2.5)
    elif numbers and min(numbers) == 0 and len(numbers) > 1 and named("error_codes").match(one.name):
        yield candidate(_not(one, 0, "of a numbered list of errors 0 is none"), 2.0)


def _not(one: Member, good: Any, says: str) -> FailedProposal:
    path = one.field.path
    why = f"`{path}` is not {_shown(good)} where the call went wrong: {says}."
    return proposed(one, f"`{path}`: {says}", kind="is not", good=good, why=why)


def _either(one: Member, ill: tuple[Any, ...]) -> FailedProposal:
    path, values = one.field.path, " or ".join(_shown(value) for value in ill)
    good = next(value for value in one.field.shape.enum if meaning(value) == "well")
    why = f"`{path}` is {values} where the call went wrong, else {_shown(good)}."
    return proposed(one, f"`{path}` says either {_shown(good)} or {values}", kind="is", bad=ill, good=good, why=why)


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


DETECTOR = Detector(question="failed", detect=detect)
