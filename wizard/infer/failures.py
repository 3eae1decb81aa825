"""Answers with a status of success that say that the call went wrong (FORMAT's `failed`).

A refusal that is read as done loses a write; a write that is read as refused is made again. So a member counts for more
than a perhaps only where the document is plain about its values, and never where it may be a property of the thing that
was made or of work that goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from wizard.infer.detector import Candidate, Subject
from wizard.infer.model import Confidence, Evidence, FailedProposal
from wizard.infer.probe_words import joined
from wizard.infer.tables import table
from wizard.operation.field_path import FieldPath
from wizard.spec.model import Body, Field, Response

DECLARED_FROM = 2.0
SURE_FROM = 3.0


def words() -> Mapping[str, Any]:
    """`words/failures.toml` as it is."""
    return table("failures")


@lru_cache(maxsize=32)
def named(kind: str) -> re.Pattern[str]:
    """What members of a kind are called."""
    return re.compile(words()["members"][kind])


@lru_cache(maxsize=8)
def _said(kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one) for one in words()["said"][kind])


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the answer that could say how the call went."""

    field: Field
    name: str
    """Its words in the singular, joined by `_`."""
    beside: tuple[Field, ...]
    """The members of the same object, without itself."""
    text: str
    """What the document says of it, in lower case."""
    examples: tuple[Any, ...]
    """Its values in the document's examples of this answer."""

    @property
    def has_kin(self) -> bool:
        """Whether a text of what went wrong stands beside it."""
        return any(named("texts").match(joined(one.name)) for one in self.beside)


def members(subject: Subject) -> tuple[Member, ...]:
    """The members of the success answer that could say it: those at its top, and in an envelope's head."""
    success = subject.operation.success
    body = success.body if success is not None and success.status.startswith("2") else None
    if success is None or body is None or "json" not in body.media_type.lower():
        return ()
    kept: dict[str, tuple[Member, ...]] = subject.shared.setdefault("answers that could tell", {})
    if success.pointer not in kept:
        kept[success.pointer] = tuple(_members(body))
    return kept[success.pointer]


def _members(body: Body) -> Iterator[Member]:
    holders = {one.path for one in body.fields if one.depth == 0 and named("holders").match(joined(one.name))}
    for one in body.fields:
        if (one.depth == 0 or one.parent in holders) and not one.in_array:
            beside = tuple(other for other in body.fields if other.parent == one.parent and other is not one)
            text = f"{one.shape.title}\n{one.shape.description}".lower()[:3000]
            yield Member(one, joined(one.name), beside, text, tuple(_shown(body, one)))


def _shown(body: Body, one: Field) -> Iterator[Any]:
    for value in (one.shape.const, *one.shape.examples):
        if value is not None:
            yield value
    path = FieldPath.parse(one.path)
    for example in body.examples:
        value = path.get(example) if isinstance(example, dict) else None
        if isinstance(value, str | int | float | bool | list | dict):
            yield value


def good_value(member: Member) -> Any:
    """The one value that stands for a call that went well, as the document's text has it; None where it names none."""
    for pattern in _said("good"):
        found = pattern.search(member.text)
        if found:
            text = found["value"].strip("\"'`*")
            text = "0" if text == "zero" else text
            if member.field.shape.type in ("integer", "number"):
                return int(text) if re.fullmatch(r"-?\d+", text) else None
            return _as_written(text, member)
    return None


def _as_written(text: str, member: Member) -> str:
    """A word as the schema or the document's text has it: descriptions are read in lower case."""
    shape = member.field.shape
    whole = re.search(rf"(?<!\w){re.escape(text)}(?!\w)", shape.description, re.IGNORECASE)
    known = [str(one) for one in (*shape.enum, *member.examples) if str(one).lower() == text]
    return known[0] if known else whole[0] if whole else text


def says_only_on_failure(member: Member) -> bool:
    """Whether the document's text says that the member is there only where something went wrong."""
    return any(pattern.search(member.text) for pattern in _said("only_on_failure"))


def meaning(value: Any) -> str:
    """`well`, `ill`, or empty for a value that says neither."""
    text = re.sub(r"[\s_-]+", " ", str(value)).strip().lower()
    return next((kind for kind in ("well", "ill") if text in words()["values"][kind]), "")


def in_each_answer(subject: Subject, member: Member) -> bool:
    """Whether all answers of success show the member: where one has no body, nobody could say how it ended."""
    return all(_has(one, member.field.path) for one in subject.operation.responses if _is_success(one))


def _is_success(one: Response) -> bool:
    return one.status.startswith("2") and one.status != "207"


def _has(one: Response, path: str) -> bool:
    return one.body is not None and path in one.body.by_path


# The JSONPath ---------------------------------------------------------------------------------------------------------


def failed_path(path: str, *, kind: str, bad: Any = None, good: Any = None, nullable: bool = True) -> str:
    """The JSONPath that selects something where the member at `path` says that it failed.

    `kind`: `is` (its value is `bad`), `is not` (it is there, and its value is not `good`), `there` (it is there, and
    not null, empty or an empty text), `any` (a list that is not empty). A filter asks for the member from the root:
    what it selects does not matter, only whether it does.
    """
    at = "$" + "".join(_step(segment.name) for segment in FieldPath.parse(path).segments)
    match kind:
        case "is":
            values = bad if isinstance(bad, tuple) else (bad,)
            return f"$[?{' || '.join(f'{at} == {_literal(one)}' for one in values)}]"
        case "is not":
            null = f" && {at} != null" if nullable else ""
            return f"$[?{at}{null} && {at} != {_literal(good)}]"
        case "any":
            return f"{at}[*]"
        case _:
            return f"$[?{at} && {at} != null && {at} != '']"


def _step(name: str) -> str:
    if re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        return f".{name}"
    return f"[{_quoted(name)}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        return str(value)
    return _quoted(str(value))


# Choosing -------------------------------------------------------------------------------------------------------------


def proposed(
    member: Member, says: str, *, kind: str, why: str, bad: Any = None, good: Any = None
) -> FailedProposal:  # fmt: skip
    """What a detector proposes of a member; `says` is its evidence."""
    nullable = member.field.shape.nullable or not member.field.required
    return FailedProposal(
        path=failed_path(member.field.path, kind=kind, bad=bad, good=good, nullable=nullable),
        member=member.field.path,
        bad=bad[0] if isinstance(bad, tuple) else bad,
        good=good,
        evidence=(Evidence(says, member.field.pointer),),
        why=why,
    )


def candidate(found: FailedProposal, weight: float) -> Candidate:
    """A detector's word for a member, or with a weight below 0 against it."""
    return Candidate(value=found, weight=weight, because=found.why, evidence=found.evidence[0])


def choose_failed(subject: Subject, candidates: Iterable[Candidate]) -> FailedProposal | None:
    """The member to go by from what the `failed_*` detectors saw; None where no answer says it."""
    if subject.write is False:
        return None
    spoken: dict[str, list[Candidate]] = {}
    for one in candidates:
        spoken.setdefault(one.value.member, []).append(one)
    best: FailedProposal | None = None
    most = 0.0
    for seen in spoken.values():
        total = sum(one.weight for one in seen)
        leading = max(seen, key=lambda one: one.weight)
        if leading.weight <= 0 or total <= most:
            continue
        most = total
        evidence = tuple(dict.fromkeys(one.evidence for one in (leading, *seen) if one.evidence.says))
        doubts = [one.because for one in seen if one.weight < 0]
        why = f"{leading.because} But {'; '.join(doubts)}." if doubts else leading.because
        sure = (
            Confidence.HIGH if total >= SURE_FROM else Confidence.MEDIUM if total >= DECLARED_FROM else Confidence.LOW
        )
        best = replace(leading.value, confidence=sure, evidence=evidence, why=why)
    return best


__all__ = ["FailedProposal", "Member", "candidate", "choose_failed", "failed_path", "good_value", "members", "proposed"]
