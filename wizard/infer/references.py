"""References: a field of the write that the recipient stores and gives back, and by which it can be found again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from wizard.infer.detector import Candidate, Subject
from wizard.infer.model import Confidence, ReferenceProposal
from wizard.infer.naming import stems
from wizard.infer.tables import table
from wizard.spec.model import Field, Parameter, Shape

PROPOSED_FROM = 2.0
SURE_FROM = 3.2
_SHORTEST = 16
"""A place for fewer characters is no place for a reference that the host could fill."""
_NO_FORMATS = frozenset({"date", "date-time", "time", "email", "uri", "url", "binary", "byte", "password"})


@dataclass(frozen=True, slots=True)
class Named:
    """A text field or query parameter that could be a reference."""

    path: str
    joined: str
    text: str
    shape: Shape
    pointer: str
    required: bool


def _words() -> Mapping[str, Any]:
    return table("references")


@lru_cache(maxsize=8)
def rules(kind: str) -> tuple[tuple[re.Pattern[str], float, str], ...]:
    """The lines of `name`, `text` or `against`: pattern, weight, what it says."""
    return tuple((re.compile(line["match"]), line["weight"], line["says"]) for line in _words()[kind])


def named(subject: Subject) -> tuple[Named, ...]:
    """The fields that could be references: texts in the body, one or two levels down, and query parameters."""
    kept: dict[str, tuple[Named, ...]] = subject.shared.setdefault("could be references", {})
    pointer = subject.operation.pointer
    if pointer not in kept:
        fields = [_of_field(one) for one in subject.operation.fields if _field_could_be(one)]
        given = [_of_parameter(one) for one in subject.operation.parameters if one.location == "query"]
        kept[pointer] = (*fields, *(one for one in given if _texty(one.shape)))
    return kept[pointer]


def _field_could_be(field: Field) -> bool:
    return not field.composite and field.depth <= 2 and "[]" not in field.path and _texty(field.shape)


def _texty(shape: Shape) -> bool:
    long = shape.max_length is None or shape.max_length >= _SHORTEST
    return (
        shape.type in ("", "string")
        and not shape.enum
        and long
        and not shape.read_only
        and shape.format not in _NO_FORMATS
    )


def _of_field(field: Field) -> Named:
    text = f"{field.shape.title}\n{field.shape.description}".lower()[:3000]
    return Named(field.path, "_".join(stems(field.name)), text, field.shape, field.pointer, field.always)


def _of_parameter(one: Parameter) -> Named:
    text = f"{one.description}\n{one.shape.description}".lower()[:3000]
    return Named(f"query:{one.name}", "_".join(stems(one.name)), text, one.shape, one.pointer, one.required)


def choose_reference(subject: Subject, candidates: Iterable[Candidate]) -> ReferenceProposal | None:
    """The reference to propose from what the `reference_*` detectors saw; None where nothing is given back."""
    if subject.write is False or subject.kind not in ("create", "upsert"):
        return None
    sums: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        sums.setdefault(candidate.value, []).append(candidate)
    key = subject.key.name if subject.key else ""
    ranked = sorted(
        ((sum(one.weight for one in seen), path) for path, seen in sums.items() if path != key),
        key=lambda one: (-one[0], one[1].count("."), one[1]),
    )
    if not ranked or ranked[0][0] < PROPOSED_FROM:
        return None
    total, path = ranked[0]
    field = next((one for one in named(subject) if one.path == path), None)
    return ReferenceProposal(
        name=path,
        unique=uniqueness(subject, field) if field else "unknown",
        confidence=Confidence.HIGH if total >= SURE_FROM else Confidence.MEDIUM,
        evidence=tuple(dict.fromkeys(one.evidence for one in sums[path])),
    )


def uniqueness(subject: Subject, field: Named) -> Literal["yes", "no", "unknown"]:
    """Whether the document says that no two may have the same value."""
    told = _words()["unique"]
    if re.search(told["no"], field.text):
        return "no"
    if re.search(told["yes"], field.text):
        return "yes"
    for response in subject.operation.responses:
        said = response.description.lower()
        words = field.joined.replace("_", " ")
        if response.status in ("409", "422", "400") and words in said and re.search(told["yes"], said):
            return "yes"
    return "unknown"
