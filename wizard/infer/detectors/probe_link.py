"""Link objects of the write's answer that are filled from the request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.feeds import Known
from wizard.infer.lookups import Lookup
from wizard.infer.model import Confidence
from wizard.infer.probes import Seen, compare, look, propose
from wizard.infer.route import Route

_FROM_REQUEST = re.compile(r"\$request\.(?:body#/(?P<body>.+)|(?P<place>path|query)\.(?P<name>.+))")


def detect(subject: Subject) -> Iterator[Candidate]:
    if subject.write is False:
        return
    seen = look(subject)
    for response in subject.operation.responses:
        for name, link in response.links.items():
            found = _followed(seen, link) if isinstance(link, Mapping) else None
            if found is not None:
                answer = seen.index.answer(found.route)
                compared = compare(seen, found, answer)
                yield propose(
                    seen,
                    found,
                    "exact",
                    answer,
                    compared,
                    why=f"The link `{name}` leads to `{found.route.operation.name}` by values of the request.",
                    because="the document's own link",
                    weight=9.3,
                    confidence=Confidence.HIGH,
                )


def _followed(seen: Seen, link: Mapping[str, Any]) -> Lookup | None:
    route = _target(seen, link)
    given = link.get("parameters")
    if route is None or not isinstance(given, Mapping):
        return None
    fed: dict[str, Known] = {}
    for name, expression in given.items():
        known = _known(seen, str(expression))
        place = _place(route, str(name))
        if known is None or place is None:
            return None
        fed[place] = known
    needed = {
        f"{one.location}:{one.name}"
        for one in route.operation.parameters
        if one.required and one.location in ("path", "query")
    }
    return Lookup(route, fed, dict.fromkeys(fed, 1.0)) if fed and needed <= set(fed) else None


def _target(seen: Seen, link: Mapping[str, Any]) -> Route | None:
    wanted = link.get("operationId")
    for operation in seen.subject.document.operations:
        named = wanted and operation.operation_id == wanted
        if operation.method == "GET" and (named or (link.get("operationRef") == operation.pointer)):
            return seen.index.route(operation)
    return None


def _place(route: Route, name: str) -> str | None:
    location, _, bare = name.partition(".")
    for parameter in route.operation.parameters:
        if parameter.location in ("path", "query") and (
            parameter.name == name or (location, bare) == (parameter.location, parameter.name)
        ):
            return f"{parameter.location}:{parameter.name}"
    return None


def _known(seen: Seen, expression: str) -> Known | None:
    said = _FROM_REQUEST.fullmatch(expression.strip("{}"))
    if said is None:
        return None
    path = said["body"].replace("/", ".") if said["body"] else f"{said['place']}:{said['name']}"
    return next((one for one in seen.known if one.path == path), None)


DETECTOR = Detector(question="probe", detect=detect)
