"""A declaration against its API document: which operation it means, and what proposals make of that one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from wizard.lint.declared import operation_of
from wizard.lint.matching import operation_of as operation_in
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import Operation

if TYPE_CHECKING:
    from wizard.lint.model import Context
    from wizard.operation.model import KeyPlace, Probe
    from wizard.spec.model import ApiOperation, Field, Parameter


def matched(context: Context) -> ApiOperation | None:
    """The document's operation that the declaration means; None without a document, or where it has none."""
    if "operation of the document" not in context.shared:
        operation = operation_of(context)
        found = None
        if operation is not None and context.document is not None:
            found = operation_in(context.document, operation)
        context.shared["operation of the document"] = found
    kept: ApiOperation | None = context.shared["operation of the document"]
    return kept


def _shared(context: Context) -> dict[str, Any]:
    """What proposals keep of a document, for as long as the document lives."""
    document = context.document
    if document is None:
        return {}
    kept: dict[str, Any] = _INDEXES.setdefault(id(document), {"document": document})
    return kept


_INDEXES: dict[int, dict[str, Any]] = {}


def proposal(context: Context, found: ApiOperation) -> Any:
    """What we would propose for the operation."""
    from wizard.infer.propose import propose_operation

    assert context.document is not None
    kept = context.shared.setdefault("proposals", {})
    if found.pointer not in kept:
        kept[found.pointer] = propose_operation(context.document, found, _shared(context))
    return kept[found.pointer]


def key_weight(context: Context, found: ApiOperation, key: KeyPlace) -> tuple[float, str]:
    """How the document's words weigh for a key's place (below 0: against it), and what weighs most against it.

    (0, "") where the document does not show the place.
    """
    from wizard.infer.detector import Subject
    from wizard.infer.keys import sites, weigh

    assert context.document is not None
    subject = Subject(document=context.document, operation=found, shared=_shared(context), write=True, kind="create")
    own = (key.place, key.name.lower())
    if own not in {(site.place, site.name.lower()) for site in sites(subject)}:
        return 0.0, ""
    seen = [candidate for detector in key_detectors() for candidate in detector.detect(subject)]
    candidates = weigh(seen).get(own, [])
    against = min(candidates, key=lambda one: one.weight, default=None)
    because = against.because if against is not None and against.weight < 0 else ""
    return sum(one.weight for one in candidates), because


@cache
def key_detectors() -> tuple[Any, ...]:
    from wizard.discover import modules
    from wizard.infer import detectors

    found = [module.DETECTOR for module in modules(detectors).values()]
    return tuple(detector for detector in found if detector.question == "key")


def field_of(found: ApiOperation, path: str) -> Field | None:
    """A field of the document's request body by its path without `?`."""
    return found.body.by_path.get(path) if found.body is not None else None


def parameter_of(found: ApiOperation, place: str, name: str) -> Parameter | None:
    """A parameter of the document's operation; headers whatever their case."""
    for parameter in found.parameters:
        same = parameter.name == name or (place == "header" and parameter.name.lower() == name.lower())
        if parameter.location == place and same:
            return parameter
    return None


def places_of(found: ApiOperation, name: str) -> list[tuple[str, str]]:
    """Where the document's operation has something of a key's name: pairs of `header`, `query` or `field`, and the
    name there. Fields are told by the last name of their path."""
    own = FieldPath.parse(name).segments[-1].name if _is_path(name) else name
    places: list[tuple[str, str]] = []
    for parameter in found.parameters:
        if parameter.location in ("header", "query") and parameter.name.lower() == own.lower():
            places.append((parameter.location, parameter.name))
    for field in found.fields:
        if field.name == own and not field.composite and ("field", field.path) not in places:
            places.append(("field", field.path))
    return places


def _is_path(name: str) -> bool:
    try:
        return bool(FieldPath.parse(name).segments)
    except FieldPathError:
        return False


def probed(context: Context, probe: Probe) -> ApiOperation | None:
    """The document's GET that a probe calls; None where there is none, or no document."""
    if context.document is None:
        return None
    return operation_in(context.document, Operation(method="GET", url=probe.url))


def query_of(url: str) -> list[tuple[str, str]]:
    """The query parameters of a declared URL with their values, variables as they stand."""
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def made_at(context: Context, probe: Probe) -> str:
    """The path of a candidate's time of creation in the probe's answer; empty where the document shows none.

    What counts as one is what a proposal would take (`wizard.infer.answers.created_in`): the time of another thing
    that a candidate holds (`price.created`) is none.
    """
    from wizard.infer.answers import created_in

    found = probed(context, probe)
    answer = found.success.body if found is not None and found.success is not None else None
    base = items_path(probe.items)
    if answer is None or base is None:
        return ""
    fields = answer.element if base == "" and answer.element else answer.fields
    return created_in({one.path.removeprefix(base): one for one in fields if one.path.startswith(base)})


def unique_fields(context: Context, found: ApiOperation) -> frozenset[str]:
    """The body fields of which the document says that no two may be alike, by path."""
    from wizard.infer.detector import Subject
    from wizard.infer.detectors import identity_conflicts

    assert context.document is not None
    subject = Subject(document=context.document, operation=found, shared=_shared(context), write=True, kind="create")
    return frozenset(str(candidate.value) for candidate in identity_conflicts.DETECTOR.detect(subject))


def items_path(items: str | None) -> str | None:
    """The field path in front of a candidate's fields, for JSONPaths that are a plain way to an array's elements:
    `$.bookings[*]` is `bookings[].`; None for others."""
    if items is None:
        return ""
    path = items.removeprefix("$").removeprefix(".")
    if path in ("[*]", ""):
        return ""
    if not path.endswith("[*]") or any(sign in path[:-3] for sign in "?*@()'\"["):
        return None
    return path[:-3] + "[]."
