"""A list that is narrowed by known values, or read whole, and compared."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.answers import Answer
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import phrase
from wizard.infer.lookups import Lookup
from wizard.infer.model import Confidence
from wizard.infer.probe_words import word_set
from wizard.infer.probes import Compared, Seen, Way, compare, look, lookup, names_of, propose
from wizard.infer.route import Route

_OWN_LIST = 0.85
"""From this nearness on a list is the one that the write adds to."""


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False or subject.kind == "delete":
        return
    seen = look(subject)
    for route, near in seen.near:
        found = lookup(seen, route)
        if found is None:
            continue
        answer = seen.index.answer(route)
        if answer is not None and not answer.is_list:
            if route.ends_in_variable or not _is_collection(seen, route) or answer.shows_record:
                continue
            answer = None  # the document says too little of it
        if answer is None and route.ends_in_variable:
            continue
        candidate = _proposal(seen, found, answer, near)
        if candidate is not None:
            yield candidate


def _is_collection(seen: Seen, route: Route) -> bool:
    """Whether a path is a list by its form: the place that the write creates in, called by a plural."""
    last = route.parts[-1] if route.parts else None
    return last is not None and last.is_plural and route.base == seen.route.base


def _proposal(seen: Seen, found: Lookup, answer: Answer | None, near: float) -> Candidate | None:
    compared = compare(seen, found, answer)
    filters = [name for name in found.filters if name not in found.windows]
    unique = [name for name in filters if found.fed[name].role in ("key", "reference")]
    own = [name for name in filters if found.fed[name].role in ("key", "identity", "reference")]
    given = [name for name in found.fed if name.startswith("path:") and found.fed[name].role != "path"]
    way: Way = "filter"
    if unique:
        weight = 7.6
    elif own:
        weight = 6.4 + 0.3 * min(len(own), 3) if near >= _OWN_LIST else 5.6
    elif found.windows:
        weight = 6.2
    elif filters:
        weight = 5.6  # by the id in the write's path
    elif found.searched:
        weight, way = 5.2, "search"
    elif given:
        weight, way = 5.6, "scan"
    else:
        weight, way = 4.6, "scan"
    many = bool(own) and all(found.fed[name].many and "[]" in found.fed[name].path for name in own)
    if many:
        weight = 4.7
    shows_much = answer is not None and bool(answer.fields)
    if way == "scan" and not given and not seen.identity and shows_much:
        return None  # nothing tells the write from what else is listed
    if way == "scan" and shows_much and seen.identity and not _tells(compared):
        return None
    elsewhere = near < _OWN_LIST or bool(given)
    if elsewhere and shows_much and seen.identity and not own and not compared.match and not compared.also:
        return None  # a list elsewhere that shows nothing of the write
    if seen.subject.kind in ("action", "bulk", "update") and not _suits(seen, found, way, own, answer, compared):
        return None
    if found.route.operation.deprecated and not seen.subject.operation.deprecated:
        weight -= 1.5
    shown = len(compared.match) > 1 and not compared.missing
    if way == "scan" and near < _OWN_LIST and not given and not shown:
        return None
    weight -= (1 - near) * 5 + 0.6 * len(given)
    plain = [name for name in compared.match if "[]" not in name]
    weight += 0.4 if plain else 0.1 if compared.match else 0.0
    weight -= 0.3 * (len(compared.missing) > 0)
    return propose(
        seen,
        found,
        way,
        answer,
        compared,
        why=_why(found, way, compared),
        because="a list that can be narrowed and compared" if way == "filter" else "a list that can be compared",
        weight=weight,
        confidence=_confidence(seen, found, way, answer, compared, near, many),
    )


def _tells(compared: Compared) -> bool:
    """Whether what a candidate shows of the write is more than its sort: a `kind` or a `status` that many have."""
    broad = word_set("names", "broad")
    shown = {**compared.match, **compared.also}
    telling = any(not set(phrase(name.rpartition(".")[2])[-1:]) & broad for name in shown)
    return telling or not shown or not compared.missing


def _suits(seen: Seen, found: Lookup, way: Way, own: list[str], answer: Answer | None, compared: Compared) -> bool:
    """An action or a change of many is seen in a list only where the list is about the very things."""
    last = seen.route.parts[-1]
    adds = last.is_verb and last.stems[:1] == ("add",) and found.route.form == seen.route.base
    same_path = found.route.form == seen.route.form or adds
    if seen.subject.kind == "action":
        return (same_path and bool(own or compared.match)) or (bool(own) and seen.route.base == found.route.base)
    if seen.subject.kind == "bulk":
        if seen.route.base != found.route.base:
            return False
        return (same_path and seen.subject.operation.method != "DELETE") or (way == "filter" and bool(own))
    return same_path


def _confidence(
    seen: Seen, found: Lookup, way: Way, answer: Answer | None, compared: Compared, near: float, many: bool
) -> Confidence:
    if many or near < _OWN_LIST or answer is None:
        return Confidence.LOW
    whole = not compared.missing and bool(seen.identity)
    if way == "filter" and whole and not found.searched:
        return Confidence.HIGH if near >= 0.95 else Confidence.MEDIUM
    if way == "search":
        return Confidence.MEDIUM if whole else Confidence.LOW
    return Confidence.MEDIUM if compared.match or way == "filter" else Confidence.LOW


def _why(found: Lookup, way: Way, compared: Compared) -> str:
    operation = found.route.operation
    if way == "filter":
        by = names_of(name.partition(":")[2] for name in found.filters)
        head = f"`{operation.name}` lists what is there and can be narrowed by {by}"
    elif way == "search":
        head = f"`{operation.name}` can be searched for `{found.fed[f'query:{found.searched}'].path}`"
    else:
        head = f"`{operation.name}` lists what is there"
    if compared.match:
        return f"{head}; {names_of(compared.match)} {'is' if len(compared.match) == 1 else 'are'} compared."
    return f"{head}."


DETECTOR = Detector(question="probe", detect=detect)
