"""One call by a value that was known before: the id was the client's choice, or there is a lookup by a natural key."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.answers import Answer
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.feeds import Known
from wizard.infer.lookups import Lookup
from wizard.infer.model import Confidence
from wizard.infer.probe_words import joined, word_set
from wizard.infer.probes import Seen, compare, left_to_server, look, lookup, propose
from wizard.infer.route import Route

_TOLD = 0.8
"""The strength of what a text names."""
_CREATES = ("create", "upsert", "bulk")


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False:
        return
    seen = look(subject)
    for route, near in seen.near:
        found = lookup(seen, route)
        if found is None or not found.fed:
            continue
        value = _by(seen, route, found)
        if value is None:
            continue
        answer = seen.index.answer(route)
        if answer.is_list if answer is not None else route.parts[-1].is_plural:
            continue  # a list with a filter
        if answer is not None and route.ends_in_variable and _is_beside(route, value[1], found, answer):
            continue
        yield _proposal(seen, found, value, near)


def _by(seen: Seen, route: Route, found: Lookup) -> tuple[str, Known] | None:
    """The parameter that picks out the one record, and the value it is filled with."""
    if route.ends_in_variable:
        name = f"path:{route.parts[-1].text}"
        known = found.fed[name]
        own = known.role == "path" and route.form == seen.route.form
        if known.role == "path" and not own:
            return None
        if (seen.subject.kind == "bulk" and known.role != "key") or (own and seen.subject.kind not in _CREATES):
            return None
        if seen.subject.kind in _CREATES or own:
            return name, known
        return (name, known) if known.role == "identity" else None
    order = ("key", "reference", "identity")
    picks = [name for name in found.filters if found.fed[name].role in order]
    best = min(picks, key=lambda name: (order.index(found.fed[name].role), -found.strengths[name]), default=None)
    return (best, found.fed[best]) if best else None


def _is_beside(route: Route, known: Known, found: Lookup, answer: Answer) -> bool:
    """Whether the record shows the value beside its own id: a template's `script_id` is not the template's `id`."""
    own, given = route.parts[-1].text, known.path.rpartition(".")[2]
    by_name = found.strengths[f"path:{own}"] > _TOLD and known.role not in ("path", "key")
    envelopes = word_set("answers", "envelopes")
    near = (path for path in answer.fields if "." not in path or path.partition(".")[0].lower() in envelopes)
    names = {joined(path.rpartition(".")[2]) for path in near if path.count(".") <= 1 and "[]" not in path}
    return by_name and joined(own) != joined(given) and {joined(own), joined(given)} <= names


def _proposal(seen: Seen, found: Lookup, by: tuple[str, Known], near: float) -> Candidate:
    name, known = by
    strength = found.strengths[name]
    answer = seen.index.answer(found.route)
    compared = compare(seen, found, answer)
    weight = {"key": 9.6, "path": 9.0, "reference": 8.6}.get(known.role, 8.4)
    weight -= (1 - near) * 4 + (1 - strength) * 3 + 2.0 * known.many
    weight -= 2.0 * left_to_server(seen, found)
    told = answer is not None or found.route.ends_in_variable
    sure = strength >= 0.85 and near >= 0.9 and not known.many and told and not left_to_server(seen, found)
    said = "path parameter" if name.startswith("path:") else "query parameter"
    what = {"key": "the key", "path": "the id in the path", "reference": "the reference"}.get(
        known.role, f"`{known.path}`"
    )
    why = (
        f"`{found.route.operation.name}` gives the one record by {what}, which was chosen before the write was sent "
        f"(its {said} `{name.partition(':')[2]}`)."
    )
    return propose(
        seen,
        found,
        "exact",
        answer,
        compared,
        why=why,
        because=f"a lookup by {what}",
        weight=weight,
        confidence=Confidence.LOW if known.many else Confidence.HIGH if sure else Confidence.MEDIUM,
    )


DETECTOR = Detector(question="probe", detect=detect)
