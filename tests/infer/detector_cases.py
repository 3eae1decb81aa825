"""Cases of the detectors: one YAML file a detector, each case under a title that a person would say.

the key in a header:
  paths: {…}                  the document's paths; other members (components, info, x-…) may stand beside it
  write: POST /charges        the operation that is asked about
  kind: create                (default: create)
  identity: [a, b]            what was found before, for the later questions
  key: field request_id
  reference: number
  seen: [header X +]          what this detector saw: for a key `PLACE NAME +` or `-`, for a reference `FIELD +` or `-`,
                              for a probe the GET with what fills it (`GET /charges?number={number}`), for a
                              success that is none its JSONPath or, against it, its member; [] for nothing
  chosen: header X            what is proposed in the end, null for nothing; for a probe a mapping of what is looked at
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from wizard.infer.detector import Candidate, Subject
from wizard.infer.failures import choose_failed
from wizard.infer.keys import choose_key
from wizard.infer.model import IdentityProposal, KeyProposal, ProbeProposal, ReferenceProposal
from wizard.infer.probes import choose_probe
from wizard.infer.propose import seen as seen_by_all
from wizard.infer.references import choose_reference
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes

FOLDER = Path(__file__).with_name("cases")
UNSAID: Any = object()
_MEMBERS = {"write", "kind", "identity", "key", "reference", "seen", "chosen"}
_DOCUMENT = {"paths", "components", "info", "servers", "swagger", "definitions"}


@dataclass(frozen=True)
class Case:
    detector: str
    title: str
    document: dict[str, Any]
    write: str
    seen: tuple[str, ...]
    kind: str = "create"
    identity: tuple[str, ...] = ()
    key: str = ""
    reference: str = ""
    chosen: Any = field(default=UNSAID)

    @property
    def question(self) -> str:
        return self.detector.partition("_")[0]


def read_cases(detector: str) -> list[Case]:
    path = FOLDER / f"{detector}.yml"
    cases = []
    for title, members in (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).items():
        document = {name: members.pop(name) for name in list(members) if name in _DOCUMENT or name.startswith("x-")}
        strange = set(members) - _MEMBERS
        assert not strange, f"{path.name}: {title}: no case has {strange}"
        members["seen"] = tuple(members.get("seen", ()))
        members["identity"] = tuple(members.get("identity", ()))
        cases.append(Case(detector, title, document, **members))
    return cases


def read_small(document: dict[str, Any]) -> ApiDocument:
    """A small document as the reader sees it."""
    whole = {} if "swagger" in document else {"openapi": "3.0.3"}
    whole |= {"info": {"title": "A small API", "version": "1"}, **document}
    return read_bytes(yaml.safe_dump(whole, sort_keys=False).encode(), "openapi.yaml")


def subject_of(case: Case, document: ApiDocument | None = None) -> Subject:
    read = document or read_small(case.document)
    place, _, name = case.key.partition(" ")
    return Subject(
        document=read,
        operation=read.by_name[case.write],
        write=True,
        kind=case.kind,
        identity=IdentityProposal(fields=case.identity),
        key=KeyProposal(place=place, name=name) if name else None,
        reference=ReferenceProposal(name=case.reference) if case.reference else None,
    )


def saw(case: Case) -> list[str]:
    """What the case's own detector saw, as cases write it."""
    detector = import_module(f"wizard.infer.detectors.{case.detector}").DETECTOR
    return [_said(case.question, one) for one in detector.detect(subject_of(case))]


def _said(question: str, one: Candidate) -> str:
    sign = "+" if one.weight > 0 else "-"
    if question == "failed":
        return f"{one.value.path or one.value.member} {sign}"
    if question == "key":
        return f"{one.value.place} {one.value.name} {sign}"
    return f"{one.value} {sign}" if question == "reference" else address(one.value)


def address(probe: ProbeProposal) -> str:
    """A probe's GET with what fills it: `GET /rooms/{room_id}/bookings?from={arrival}&limit=100`."""
    path, query = probe.path, []
    for name, known in probe.parameters.items():
        place, _, bare = name.partition(":")
        if place == "path":
            path = path.replace(f"{{{bare}}}", f"{{{known}}}")
        else:
            query.append(f"{bare}={{{known}}}")
    query += [f"{name}={value}" for name, value in probe.fixed.items()]
    return f"GET {path}" + (f"?{'&'.join(query)}" if query else "")


def chosen(case: Case) -> Any:
    """What all detectors of the question together lead to."""
    subject = subject_of(case)
    candidates = list(seen_by_all(subject, case.question))
    if case.question == "key":
        key = choose_key(subject, candidates)
        return None if key is None else _key(key, case.chosen)
    if case.question == "reference":
        reference = choose_reference(subject, candidates)
        return None if reference is None else f"{reference.name} {reference.unique}"
    if case.question == "failed":
        failed = choose_failed(subject, candidates)
        told = None if failed is None else {"path": failed.path, "confidence": str(failed.confidence)}
        return None if told is None else {name: told[name] for name in case.chosen or ()} or None
    probe = choose_probe(subject, candidates)
    return None if probe is None else _probe(probe, case.chosen)


def _key(key: KeyProposal, wanted: Any) -> Any:
    if not isinstance(wanted, dict):
        return f"{key.place} {key.name}"
    told = {"in": key.place, "name": key.name, "shape": key.shape, "for": key.remembers_for, "remembers": key.remembers,
            "required": key.required, "confidence": str(key.confidence)}  # fmt: skip
    return {name: told[name] for name in wanted}


def _probe(probe: ProbeProposal, wanted: Any) -> Any:
    if not isinstance(wanted, dict):
        return address(probe)
    pages = (
        probe.pages if isinstance(probe.pages, str) else {"at": probe.pages.at, "as": f"query:{probe.pages.parameter}"}
    )
    told = {"get": address(probe), "items": probe.items, "match": dict(probe.match), "since": probe.since,
            "absent": list(probe.absent), "pages": pages, "confidence": str(probe.confidence),
            "cannot_tell": list(probe.cannot_tell)}  # fmt: skip
    return {name: told[name] for name in wanted}
