"""Which fields tell two writes apart, and which do not: the document's evidence weighed against the declaration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from wizard.infer.lexicon import says
from wizard.infer.model import Confidence
from wizard.infer.picking import Weighed
from wizard.infer.probe_words import joined
from wizard.infer.propose import Looked
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation
from wizard.rehearse.truth.words import pattern, words


@dataclass(frozen=True)
class FieldFacts:
    """The write's fields by what they are to it."""

    matter: tuple[str, ...] = ()
    wording: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    repeats: bool = False


_NO_REPEATS = ("repeats", "log")


def field_facts(declared: Operation, looked: Looked | None, notes: list[str]) -> FieldFacts:
    """The fields of the write, sorted; where declaration and document surely disagree the document is followed and
    `notes` says so."""
    said = tuple(path.name for path in declared.identity)
    if looked is None or looked.composed is None:
        rest = [path.name for path in declared.body if not _touches(path.name, said)]
        if said:
            notes.append("No document shows what tells two of these writes apart; the declaration is believed.")
        return FieldFacts(said, (), tuple(rest))
    composed, proposal = looked.composed, looked.proposal
    key = proposal.key.name if proposal.key and proposal.key.place != "header" else ""
    repeats = composed.by in _NO_REPEATS
    sure = () if repeats else _surely(looked)
    never = _never(composed.weighed, sure, said, looked)
    matter, wording, unsure = list(sure), list(never), list[str]()
    for name in said:
        if name in (key, declared.key.name if declared.key else "") or name == f"query:{key}":
            continue
        if _touches(name, never):
            notes.append(f"`{name}` is declared as identity, and the document shows that it tells no two writes apart.")
        elif not _touches(name, matter):
            matter.append(name)
    if said:
        for name in sure:
            if not _touches(name, said):
                notes.append(
                    f"`{name}` is not in the declared identity, and the document shows that it tells two apart."
                )
    for one in composed.weighed:
        path = one.unit.path
        if not _touches(path, matter) and path not in wording and path not in (key, f"query:{key}"):
            unsure.append(path)
    return FieldFacts(tuple(dict.fromkeys(matter)), tuple(wording), tuple(unsure), repeats and not said)


def _surely(looked: Looked) -> tuple[str, ...]:
    """What the document shows to be of the matter."""
    assert looked.composed is not None
    identity, found = looked.proposal.identity, list[str]()
    telling = frozenset(words()["fields"]["matter"])
    if identity.confidence is not Confidence.LOW:
        guessed = [
            one.unit.path
            for one in looked.composed.chosen
            if identity.confidence is not Confidence.HIGH
            and looked.proposal.kind != "update"
            and not one.unit.always
            and not one.roles.keys() & telling
        ]
        found += [name for name in identity.fields if not _touches(name, guessed)]
    for one in looked.composed.weighed:
        plain = one.unit.always and not one.barred and not one.doubt and one.score > 0
        if plain and one.roles.keys() & telling and not _touches(one.unit.path, found):
            found.append(one.unit.path)
    return tuple(found)


@cache
def _wording_says() -> frozenset[str]:
    return frozenset(says(heading) for heading in words()["fields"]["wording"])


def _never(weighed: Iterable[Weighed], sure: tuple[str, ...], said: tuple[str, ...], looked: Looked) -> tuple[str, ...]:
    """What the document shows never to be of the matter, where the matter is known.

    A change of a note is a change: where something that is there is changed, no text is beside the matter.
    """
    creates = looked.proposal.kind in ("create", "upsert", "bulk")
    known = bool(sure or said) and creates
    taken = looked.proposal.key.name if looked.proposal.key else ""
    return tuple(
        one.unit.path
        for one in weighed
        if known
        and _is_wording(one)
        and not _touches(one.unit.path, (*sure, *looked.proposal.identity.fields))
        and one.unit.path != taken
    )


def _is_wording(one: Weighed) -> bool:
    if one.doubt in _wording_says():
        return True
    flag = one.unit.shape.type == "boolean" and not one.required
    return flag and bool(pattern("fields", "telling_flags").search(joined(one.unit.name)))


def _touches(name: str, others: Iterable[str]) -> bool:
    """Whether a field is one of others, a part of one or has one as a part."""
    own = FieldPath.parse(name)
    return any(one == name or own.covers(other := FieldPath.parse(one)) or other.covers(own) for one in others)
