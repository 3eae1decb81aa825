"""Idempotency keys: where a request could carry one, and which of the candidates is proposed.

The detectors `key_*` weigh one kind of evidence each; `choose_key` adds up. A place taken for a key that is none writes
twice, so what speaks against a place weighs more than what speaks for it, and a name that means several things needs a
text beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from wizard.infer.detector import Candidate, Subject
from wizard.infer.key_words import key_words, rules
from wizard.infer.model import Confidence, Evidence, KeyProposal
from wizard.infer.naming import stems
from wizard.operation.pattern import matches
from wizard.spec.model import ApiDocument, Field, Parameter, Shape

Place = Literal["header", "field", "query"]

PROPOSED_FROM = 1.5
"""The sum of weights from which on a place is proposed."""
SURE_FROM = 3.0
PLAIN_NAME = 2.5
"""Names of this weight mean nothing else, wherever they stand."""
_DEEPEST = 4
_LONGEST_TEXT = 4000
_ADDRESS = re.compile(r"\(?https?://[^\s()]+\)?")
_QUALIFIED = re.compile(r"\b(?:[A-Za-z]\w*\.){2,}(\w+)")
"""`google.cloud.Operation`: its dots end no sentence."""
_NO_KEY_FORMATS = frozenset(
    {"date", "date-time", "time", "binary", "byte", "uri", "url", "email", "password", "duration"}
)


@dataclass(frozen=True, slots=True)
class KeySite:
    """A place of a request that could hold a key: a header, a query parameter or a text field of the body."""

    place: Place
    name: str
    """As FORMAT 2 names it: a header's name, a field's path."""
    joined: str
    """The words of its own name, in the singular, joined by `_`."""
    text: str
    """What the document says of it, in lower case."""
    shape: Shape
    required: bool
    pointer: str
    depth: int = 0

    @property
    def proposal(self) -> KeyProposal:
        return KeyProposal(place=self.place, name=self.name)


@lru_cache(maxsize=1)
def _ids() -> re.Pattern[str]:
    return re.compile(key_words()["ids"]["match"])


def is_id_like(site: KeySite) -> bool:
    """Whether a place is called like an id, a key or a reference."""
    return _ids().search(site.joined) is not None or "idempot" in site.joined


def sites(subject: Subject) -> tuple[KeySite, ...]:
    """The places of the subject's request that could hold a key, worked out once."""
    known: dict[str, tuple[KeySite, ...]] = subject.shared.setdefault("key sites", {})
    pointer = subject.operation.pointer
    if pointer not in known:
        known[pointer] = tuple(_sites(subject))
    return known[pointer]


def _sites(subject: Subject) -> Iterator[KeySite]:
    for parameter in subject.operation.parameters:
        if parameter.location in ("header", "query") and _could_be(parameter.shape, parameter.name):
            yield _of_parameter(parameter)
    seen = set()
    for field in subject.operation.fields:
        if field.composite or field.depth > _DEEPEST or field.path.count("[]") > 1 or field.path in seen:
            continue
        if _could_be(field.shape, field.name) and not field.shape.read_only:
            seen.add(field.path)
            yield _of_field(field)


def _could_be(shape: Shape, name: str) -> bool:
    """A text; a number only where its name means nothing else than a key."""
    texty = shape.type in ("", "string") and shape.format not in _NO_KEY_FORMATS
    if shape.type in ("integer", "number"):
        plain = "_".join(stems(name))
        texty = any(rule.weight >= PLAIN_NAME and rule.match.search(plain) for rule in rules("name"))
    return texty and not shape.enum and shape.const is None


def _of_parameter(parameter: Parameter) -> KeySite:
    place: Place = "header" if parameter.location == "header" else "query"
    text = _text(parameter.description, parameter.shape)
    return KeySite(
        place,
        parameter.name,
        "_".join(stems(parameter.name)),
        text,
        parameter.shape,
        parameter.required,
        parameter.pointer,
    )


def _of_field(field: Field) -> KeySite:
    text = _text("", field.shape)
    return KeySite(
        "field", field.path, "_".join(stems(field.name)), text, field.shape, field.always, field.pointer, field.depth
    )


def _text(description: str, shape: Shape) -> str:
    said = [description, shape.title, shape.description]
    text = "\n".join(dict.fromkeys(part for part in said if part))[:_LONGEST_TEXT]
    return _QUALIFIED.sub(r"\1", _ADDRESS.sub("", text)).lower()


def seen(site: KeySite, weight: float, because: str, says: str | None = None, at: str | None = None) -> Candidate:
    """A candidate for a place: what was seen of it, and how much that weighs."""
    evidence = Evidence(says or f"`{site.name}`: {because}", at or site.pointer)
    return Candidate(value=site.proposal, weight=weight, because=because, evidence=evidence)


def choose_key(subject: Subject, candidates: Iterable[Candidate]) -> KeyProposal | None:
    """The key to propose from what the `key_*` detectors saw, None where nothing is sure enough.

    Where several places qualify, a header goes before a query parameter before a field: servers that take two take the
    header, and some fail when both are sent.
    """
    if subject.write is False:
        return None
    sums = weigh(candidates)
    by_name: dict[tuple[str, str], KeySite] = {(site.place, site.name.lower()): site for site in sites(subject)}
    good = [(place, found) for place, found in sums.items() if sum(one.weight for one in found) >= PROPOSED_FROM]
    if not good:
        return None
    order = {"header": 0, "query": 1, "field": 2}

    def rank(item: tuple[tuple[str, str], list[Candidate]]) -> tuple[int, int, float]:
        (where, name), found = item
        return (order[where], "[]" in name, -sum(one.weight for one in found))

    good.sort(key=rank)
    (where, name), found = good[0]
    others = [found[0].value.name for place, found in good[1:] if place[0] != where]
    return _finish(by_name.get((where, name)), found, others)


def weigh(candidates: Iterable[Candidate]) -> dict[tuple[str, str], list[Candidate]]:
    """Candidates by place and name (in lower case), the heaviest of each first."""
    sums: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in candidates:
        sums.setdefault((candidate.value.place, candidate.value.name.lower()), []).append(candidate)
    for found in sums.values():
        found.sort(key=lambda one: (-one.weight, one.because))
    return sums


def _finish(site: KeySite | None, found: list[Candidate], others: list[str]) -> KeyProposal:
    total = sum(one.weight for one in found)
    against = [one for one in found if one.weight < 0]
    speaking = [one for one in found if one.weight > 0]
    if total >= SURE_FROM and not against:
        confidence = Confidence.HIGH
    elif total >= 2.0:
        confidence = Confidence.MEDIUM
    else:
        confidence = Confidence.LOW
    proposal: KeyProposal = found[0].value
    reasons = list(dict.fromkeys(one.because for one in speaking))[:3]
    what = {"header": "header", "query": "query parameter", "field": "field"}[proposal.place]
    why = f"The {what} `{proposal.name}` is taken for the key: {_and(reasons)}."
    if against:
        why += f" Against it: {_and(list(dict.fromkeys(one.because for one in against)))}."
    if site is not None and not fits_any(site.shape, site.text):
        why += " No key that the host makes fits there: it is not declared."
    if others:
        why += f" {_and([f'`{name}`' for name in others])} could hold one too; only one is sent."
    evidence = tuple(dict.fromkeys(one.evidence for one in found))
    if site is None:
        return replace(proposal, confidence=confidence, evidence=evidence, why=why)
    return replace(
        proposal,
        shape=fitting_shape(site.shape, site.text),
        remembers_for=remembered_for(site.text),
        remembers="success" if remembers_success(site.text) else "",
        required=site.required,
        fits=fits_any(site.shape, site.text),
        confidence=confidence,
        evidence=evidence,
        why=why,
    )


def _and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# What a key may look like --------------------------------------------------------------------------------------------

_SAMPLES = {
    "uuid": "5b1c6f0e-3f2a-5d47-9c1e-8a4b2f6d7e90",
    "uuid4": "5b1c6f0e-3f2a-4d47-9c1e-8a4b2f6d7e90",
    "hex32": "5b1c6f0e3f2a5d479c1e8a4b2f6d7e90",
    "hex64": "5b1c6f0e3f2a5d479c1e8a4b2f6d7e905b1c6f0e3f2a5d479c1e8a4b2f6d7e90",
}
_INSISTS_ON_4 = re.compile(
    r"\b(must|should|shall|has to|needs to|required|valid|in the form of|format)\b[^.]{0,60}"
    r"\b(uuid ?-?v? ?4|uuid version 4|v4 uuid)|\b(v4 uuids?|uuid ?v?4 format)\b"
)
_PERHAPS = re.compile(r"\b(typically|recommend\w*|e\.?g|for example|such as|suggest\w*|we advise)\b")
_NAMED_LENGTH = re.compile(
    r"\b(?:max(?:imum)?|limit(?:ed)?|up to|at most|no more than|not exceed)\b[^.\d]{0,40}(\d{1,4}) (?:\w+ )?char"
    r"|\b(\d{1,4}) char\w* (?:max|or (?:less|fewer))"
)


def fitting_shape(shape: Shape, text: str = "") -> str:
    """The first shape of FORMAT 3 whose keys fit: `uuid`, `uuid4`, `hex32`, `hex64`; `uuid` where none does."""
    if _INSISTS_ON_4.search(text) and not _PERHAPS.search(text):
        return "uuid4"
    return next((name for name in _SAMPLES if _fits(_SAMPLES[name], shape, text)), "uuid")


def fits_any(shape: Shape, text: str = "") -> bool:
    """Whether any of the host's keys fits a place."""
    return shape.type in ("", "string") and any(_fits(sample, shape, text) for sample in _SAMPLES.values())


def fits(shape_name: str, shape: Shape, text: str = "") -> bool:
    """Whether a key of that shape fits a place."""
    return _fits(_SAMPLES[shape_name], shape, text)


def _fits(sample: str, shape: Shape, text: str) -> bool:
    longest = shape.max_length
    if longest is None and (named := _NAMED_LENGTH.search(text)):
        longest = int(named[1] or named[2])
    if longest is not None and len(sample) > longest:
        return False
    if shape.min_length is not None and len(sample) < shape.min_length:
        return False
    if shape.format == "uuid" and len(sample) != 36:
        return False
    return not shape.pattern or matches(shape.pattern, sample) is not False


# How long it is remembered -------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def _memory(name: str) -> re.Pattern[str]:
    return re.compile(key_words()["memory"][name])


def remembered_for(text: str) -> str:
    """How long the recipient remembers keys, as FORMAT writes durations; empty where the text does not say."""
    if _memory("forever").search(text):
        return "forever"
    for sentence in re.split(r"(?<=[.!?])\s|\n|<br", text):
        lengths = [one for one in _memory("length").finditer(sentence) if not _is_a_wait(sentence[: one.start()])]
        found = lengths[0] if lengths else None
        if found and _memory("sentence").search(sentence):
            number = found[1] or found[3]
            count = int(number) if number.isdigit() else int(key_words()["memory"]["numbers"].get(number, 0))
            if count:
                return _duration(count, found[2] or found[4])
    return ""


def _is_a_wait(before: str) -> bool:
    """Whether the words before a length of time say that it is waited for."""
    return _memory("other").search(before) is not None


def _duration(count: int, unit: str) -> str:
    units = {"second": (1, "s"), "minute": (1, "m"), "min": (1, "m"), "hour": (1, "h"), "hr": (1, "h"), "h": (1, "h")}
    times, letter = units.get(unit, ({"day": 1, "d": 1, "week": 7, "month": 30, "year": 365}.get(unit, 1), "d"))
    return f"{count * times}{letter}"


def remembers_success(text: str) -> bool:
    """Whether only requests that succeeded are remembered."""
    return bool(_memory("success").search(text))


# Headers of the whole document ---------------------------------------------------------------------------------------


def share_of_reads(document: ApiDocument, shared: dict[str, Any]) -> Mapping[str, float]:
    """Header name in lower case to the share of the document's GETs that list it."""
    if "headers of reads" not in shared:
        counts: dict[str, int] = {}
        reads = [found for found in document.operations if found.method in ("GET", "HEAD")]
        for operation in reads:
            for name in {found.name.lower() for found in operation.parameters if found.location == "header"}:
                counts[name] = counts.get(name, 0) + 1
        shared["headers of reads"] = {name: count / len(reads) for name, count in counts.items()}
    found: Mapping[str, float] = shared["headers of reads"]
    return found
