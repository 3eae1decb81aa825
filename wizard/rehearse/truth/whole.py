"""All facts of one operation, put together and kept."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wizard.infer.probes import is_late
from wizard.infer.propose import Looked, look_closely
from wizard.infer.route import Route, parse_path
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.rehearse.bodies import example_request
from wizard.rehearse.facts import Does, Facts, Shown
from wizard.rehearse.truth.answers import (
    again_facts,
    duplicate_facts,
    gone_well,
    reference_facts,
    refusal_facts,
    success_status,
)
from wizard.rehearse.truth.fields import field_facts
from wizard.rehearse.truth.keys import key_facts
from wizard.rehearse.truth.reads import Asked, believed_read, path_of, read_facts
from wizard.rehearse.truth.shown import Write, shown_by
from wizard.rehearse.values import find, steps_of
from wizard.spec.model import ApiDocument, ApiOperation

_MOST_KEPT = 512


class _Kept:
    """What was worked out of one document."""

    def __init__(self) -> None:
        self.shared: dict[str, Any] = {}
        self.facts: dict[tuple[str, str], Facts] = {}


_DOCUMENTS: dict[int, _Kept] = {}
_NO_DOCUMENT = _Kept()


def _kept(document: ApiDocument | None) -> _Kept:
    if document is None:
        return _NO_DOCUMENT
    known = _DOCUMENTS.get(id(document))
    if known is None:
        known = _DOCUMENTS[id(document)] = _Kept()
        weakref.finalize(document, _DOCUMENTS.pop, id(document), None)
    return known


def whole_facts(operation: Operation, api: ApiOperation | None, document: ApiDocument | None) -> Facts:
    """The facts of an operation, made once for each declaration and document."""
    kept = _kept(document)
    name = (api.pointer if api is not None else "", repr(operation))
    if name not in kept.facts:
        if len(kept.facts) >= _MOST_KEPT:
            kept.facts.clear()
        kept.facts[name] = _made(operation, api, document, kept.shared)
    return kept.facts[name]


def _made(
    operation: Operation, api: ApiOperation | None, document: ApiDocument | None, shared: dict[str, Any]
) -> Facts:
    looked = look_closely(document, api, shared) if api is not None and document is not None else None
    notes: list[str] = []
    does = _does(operation, looked)
    status = success_status(api, operation.method)
    fields = field_facts(operation, looked, notes)
    common: dict[str, Any] = {
        "operation": operation, "api": api, "document": document, "does": does, "path": path_of(operation.url),
        "origin": operation.url.partition("://")[0] + "://" + operation.url.partition("://")[2].partition("/")[0],
        "key": key_facts(operation, api, document, looked, notes),
        "reference": reference_facts(operation, looked, api),
        "duplicate": duplicate_facts(api, looked), "again": again_facts(api, looked),
        "refusal": refusal_facts(operation, api, looked, notes), "late": api is not None and is_late(api),
        "repeats": fields.repeats, "matter": fields.matter, "wording": fields.wording, "unsure": fields.unsure,
    }  # fmt: skip
    if api is None or document is None or looked is None:
        believed = (believed_read(operation, operation.probe),) if operation.probe else ()
        if believed:
            notes.append("No document shows the probe's read; the declaration is believed in all of it.")
        answer = Shown(api=None, status=status, base=None if status == 204 else {}, own_id="id")
        return Facts(**common, answer=answer, reads=believed, notes=tuple(dict.fromkeys(notes)))
    identity = tuple(dict.fromkeys((*looked.proposal.identity.fields, *(one.name for one in operation.identity))))
    write = Write(operation, api, identity, Route(api, parse_path(api.path)).subjects)
    creates = does in ("create", "upsert")
    answer = gone_well(shown_by(api, write, {}, notes, status=status, creates=creates), looked)
    base = _base(path_of(operation.url), api.path)
    asked = Asked(operation, document, write, looked, base, creates)
    reads = tuple(replace(one, shown=gone_well(one.shown, looked)) for one in read_facts(asked, notes))
    given = dict(_given(operation, api)) if does == "change" else {}
    return Facts(**common, answer=answer, reads=reads, given=given, notes=tuple(dict.fromkeys(notes)))


def _given(operation: Operation, api: ApiOperation) -> Iterator[tuple[str, Any]]:
    """Each field of an example request with its value."""
    body = example_request(operation, api).body
    for one in api.fields:
        if "[]" not in one.path and one.path != "$body" and isinstance(body, dict):
            value = find(body, steps_of(one.path))
            if value is not MISSING and value is not None:
                yield one.path, value


def _base(path: str, written: str) -> str:
    """What the declared URL has before the document's path."""
    own = written.partition("?")[0].partition("#")[0].rstrip("/")
    bare = path.rstrip("/")
    return bare[: len(bare) - len(own)] if own and bare.endswith(own) else ""


def _does(operation: Operation, looked: Looked | None) -> Does:
    kind = looked.proposal.kind if looked is not None else ""
    if operation.method == "DELETE" or kind == "delete":
        return "delete" if "{" in operation.url else "create"
    if kind == "upsert" or (operation.method == "PUT" and kind == "create"):
        return "upsert"
    if "{" in operation.url and (kind in ("update", "action") or operation.method in ("PUT", "PATCH")):
        return "change"
    return "create"
