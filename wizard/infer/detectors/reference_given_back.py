"""A field that reads give back, or that a list can be narrowed by."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.comparing import match_fields
from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.feeds import bare_name, name_strength
from wizard.infer.lexicon import phrase
from wizard.infer.model import Evidence
from wizard.infer.probes import Seen, look
from wizard.infer.references import Named, named, rules
from wizard.infer.route import Route
from wizard.spec.model import Parameter

_NEAR = 0.65
_SURE = 0.85


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.kind not in ("create", "upsert"):
        return
    wanted = [one for one in named(subject) if any(rule[0].search(one.joined) for rule in rules("name"))]
    if not wanted:
        return
    seen = look(subject)
    reads = [route for route, near in seen.near if near >= _NEAR][:4]
    for one in wanted:
        yield from _asked(one, reads)
        yield from _shown(one, reads, seen)


def _asked(one: Named, reads: list[Route]) -> Iterator[Candidate]:
    words = phrase(one.path.rpartition(".")[2].removeprefix("query:"))
    for route in reads:
        for parameter in route.operation.parameters:
            if _picks(parameter, route):
                strength = name_strength(phrase(bare_name(parameter.name)), words, words, route.subjects)
                if strength >= _SURE:
                    yield _seen(one, 1.2, f"`{route.operation.name}` can be asked for it", parameter.pointer)
                    return


def _picks(parameter: Parameter, route: Route) -> bool:
    last = route.parts[-1].text if route.ends_in_variable else ""
    return parameter.location == "query" or (parameter.location == "path" and parameter.name == last)


def _shown(one: Named, reads: list[Route], seen: Seen) -> Iterator[Candidate]:
    for route in reads:
        answer = seen.index.answer(route)
        if answer is None:
            continue
        found, _ = match_fields([one.path], answer, seen.subject.operation, route.subjects)
        if found:
            at = answer.fields[found[one.path]].pointer
            yield _seen(one, 1.0, f"`{route.operation.name}` gives it back", at)
            return


def _seen(one: Named, weight: float, says: str, at: str) -> Candidate:
    return Candidate(value=one.path, weight=weight, because=says, evidence=Evidence(f"`{one.path}`: {says}", at))


DETECTOR = Detector(question="reference", detect=detect)
