"""Probes: every parameter exists and is filled from what was known before the write; paths; answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import jsonpath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.infer.answers import read_answer
from wizard.infer.declaration import declare
from wizard.infer.detector import Subject
from wizard.infer.feeds import bare_name, name_strength
from wizard.infer.lexicon import phrase
from wizard.infer.model import IdentityProposal, ProbeProposal
from wizard.infer.probes import choose_probe
from wizard.infer.propose import propose_document, seen
from wizard.infer.route import parse_path
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.spec.reader import read_document

sys.path.insert(0, str(Path(__file__).parent))
from detector_cases import read_cases, read_small, subject_of

CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))
REAL = [
    "easyappointments/openapi.yml",
    "hostex/openapi.json",
    "torlet/schema.yml",
    "vetclinic/swagger.json",
    "klarna/klarna.com.json",
    "fulfillment/fulfillment.com.json",
    "cabbooking/swagger.json",
    "uytap/openapi.json",
]


def keeps_its_promises(document: ApiDocument, write: ApiOperation, probe: ProbeProposal) -> None:
    """A probe is a GET of the document whose parameters exist and are filled from the request, none from the answer."""
    read = document.by_name[f"GET {probe.path}"]
    there = {f"{one.location}:{one.name}" for one in read.parameters}
    variables = {f"path:{part.text}" for part in parse_path(probe.path) if part.variable}
    assert set(probe.parameters) <= there | variables
    assert variables <= set(probe.parameters)
    assert {f"query:{name}" for name in probe.fixed} <= there
    known = {one.path for one in write.fields} | {f"{one.location}:{one.name}" for one in write.parameters}
    known |= {f"path:{part.text}" for part in parse_path(write.path) if part.variable}
    assert set(probe.parameters.values()) <= known
    assert set(probe.match) <= known | {"$body"}
    if probe.items:
        jsonpath.compile(probe.items)
    assert len(probe.absent) <= 1
    assert ("empty" not in probe.absent) or probe.items
    assert ("404" not in probe.absent) or not probe.items
    assert probe.why.endswith(".")
    assert all(document.resolve(one.at) is not None for one in probe.evidence)


NAMES = st.sampled_from(
    [
        "id",
        "name",
        "email",
        "code",
        "room_id",
        "roomId",
        "external_id",
        "start",
        "end",
        "status",
        "amount",
        "number",
        "items",
    ]
)
THINGS = st.sampled_from(["rooms", "bookings", "order", "customers.json", "list", "users/search", "tags"])


@st.composite
def small_documents(draw: st.DrawFn) -> dict[str, Any]:
    def schema(names: list[str]) -> dict[str, Any]:
        return {"type": "object", "properties": {name: {"type": "string"} for name in names}}

    def answer(names: list[str]) -> dict[str, Any]:
        inner = schema(names)
        kinds = [
            inner,
            {"type": "array", "items": inner},
            {"type": "object", "properties": {"data": {"type": "array", "items": inner}}},
        ]
        return {"200": {"description": "ok", "content": {"application/json": {"schema": draw(st.sampled_from(kinds))}}}}

    paths: dict[str, Any] = {}
    for thing in draw(st.lists(THINGS, min_size=1, max_size=4, unique=True)):
        fields = draw(st.lists(NAMES, unique=True, max_size=5))
        shown = draw(st.lists(NAMES, unique=True, max_size=5))
        query = [
            {"name": name, "in": "query", "required": draw(st.booleans()), "schema": {"type": "string"}}
            for name in draw(st.lists(NAMES, unique=True, max_size=3))
        ]
        body = {"content": {"application/json": {"schema": schema(fields)}}}
        paths[f"/{thing}"] = {
            "get": {"parameters": query, "responses": answer(shown)},
            "post": {"requestBody": body, "responses": answer(shown)},
        }
        variable = draw(NAMES)
        own = [{"name": variable, "in": "path", "required": True, "schema": {"type": "string"}}]
        paths[f"/{thing}/{{{variable}}}"] = {
            "parameters": own,
            draw(st.sampled_from(["get", "head"])): {"responses": answer(shown)},
            "put": {"requestBody": body, "responses": answer(shown)},
            "delete": {"responses": {"204": {"description": "gone"}}},
        }
    return {"paths": paths}


@settings(max_examples=60, deadline=None)
@given(small_documents(), st.data())
def test_a_probe_is_filled_from_what_was_known_before(document: dict[str, Any], data: st.DataObject) -> None:
    read = read_small(document)
    for operation in read.operations:
        if operation.method in ("GET", "HEAD"):
            continue
        names = [one.path for one in operation.fields]
        identity = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        kind = {"POST": "create", "PUT": "update", "DELETE": "delete"}[operation.method]
        subject = Subject(
            document=read, operation=operation, write=True, kind=kind, identity=IdentityProposal(fields=tuple(identity))
        )
        for candidate in seen(subject, "probe"):
            keeps_its_promises(read, operation, candidate.value)
            allowed = {*identity, *(f"path:{part.text}" for part in parse_path(operation.path))}
            outside = set(candidate.value.parameters.values()) - allowed
            assert not outside or any("would have to be in the identity" in one for one in candidate.value.cannot_tell)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not here")
@pytest.mark.parametrize("name", REAL)
def test_the_probes_of_a_real_document_keep_their_promises(name: str) -> None:
    document = read_document(CORPUS / "specs" / name)
    probed = [one for one in propose_document(document) if one.probe is not None]
    assert probed
    for one in probed:
        assert one.probe is not None
        keeps_its_promises(document, one.operation, one.probe)


PROBE_CASES = [case for name in ("probe_exact", "probe_list", "probe_state") for case in read_cases(name)]


@pytest.mark.parametrize("case", PROBE_CASES, ids=lambda case: case.title)
def test_a_tracing_header_changes_no_probe(case: Any) -> None:
    before = subject_of(case)
    document = {**case.document, "paths": {}}
    header = {"name": "X-Request-Id", "in": "header", "schema": {"type": "string"}}
    for path, item in case.document["paths"].items():
        document["paths"][path] = {**item, "parameters": [*item.get("parameters", []), header]}
    after = subject_of(case, read_small(document))
    ours, theirs = (choose_probe(one, seen(one, "probe")) for one in (before, after))
    assert (ours and (ours.path, ours.parameters, ours.match)) == (
        theirs and (theirs.path, theirs.parameters, theirs.match)
    )


@pytest.mark.parametrize("case", PROBE_CASES, ids=lambda case: case.title)
def test_no_write_needs_no_probe(case: Any) -> None:
    subject = subject_of(case)
    read = Subject(document=subject.document, operation=subject.operation, write=False, kind="read")
    assert choose_probe(read, seen(read, "probe")) is None


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/orders/{id}.json", ["orders", "{id}"]),
        ("/orders.json", ["orders"]),
        ("/things/{id}:cancel", ["things", "{id}", "cancel"]),
        ("/v2/things:search", ["v2", "things", "search"]),
        ("/Customers('{id}')", ["Customers", "{id}"]),
        ("/#Action=GetQueueUrl", ["GetQueueUrl"]),
        ("/#X-Target=Service_2014.CreateService", ["CreateService"]),
        ("/spans/{from}-{to}/", ["spans", "{from}", "{to}"]),
        ("/v1/{parent=projects/*}/topics", ["v1", "{parent}", "topics"]),
        ("/", []),
    ],
)
def test_a_path_taken_apart(path: str, parts: list[str]) -> None:
    assert [f"{{{part.text}}}" if part.variable else part.text for part in parse_path(path)] == parts


@given(st.text(max_size=60))
def test_any_path_is_taken_apart(path: str) -> None:
    assert all(part.text for part in parse_path(path) if not part.variable)


@pytest.mark.parametrize(
    ("wanted", "own", "about", "fits"),
    [
        ("property_ids[]", "propertyId", "stays", True),
        ("filter[room_id]", "room_id", "bookings", True),
        ("project_name", "name", "project", True),
        ("customer", "customer_id", "charges", True),
        ("origClientOrderId", "newClientOrderId", "order", True),
        ("tag", "tag_name", "tag", True),
        ("id", "plan_id", "subscription", False),
        ("domestic_payment_id", "consent_id", "domestic payment", False),
        ("id", "contact_id", "firm contact", False),
        ("customer", "name", "customer", False),
        ("invoice_line_id", "invoice_id", "invoice line", False),
    ],
)
def test_which_name_means_which_value(wanted: str, own: str, about: str, fits: bool) -> None:
    strength = name_strength(phrase(bare_name(wanted)), phrase(own), phrase(own), phrase(about))
    assert (strength >= 0.7) is fits


RECORDS = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
LINK = {"type": "string", "format": "uri"}


@pytest.mark.parametrize(
    ("properties", "items", "pages"),
    [
        ({"data": RECORDS}, "$.data[*]", "none"),
        ({"bookings": RECORDS, "total": {"type": "integer"}}, "$.bookings[*]", "none"),
        ({"next": LINK, "results": RECORDS}, "$.results[*]", "$.next"),
        ({"links": {"type": "object", "properties": {"next": LINK}}, "items": RECORDS}, "$.items[*]", "$.links.next"),
        ({"_embedded": {"type": "object", "properties": {"bookings": RECORDS}}}, "$._embedded.bookings[*]", "none"),
        ({"id": {"type": "string"}, "tags": RECORDS}, "", "none"),
        ({"odd-name": RECORDS}, "$['odd-name'][*]", "none"),
    ],
)
def test_where_the_records_of_an_answer_lie(properties: dict[str, Any], items: str, pages: str) -> None:
    schema = {"type": "object", "properties": properties}
    responses = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    read = read_small({"paths": {"/bookings": {"get": {"responses": responses}}}})
    answer = read_answer(read.by_name["GET /bookings"], ("booking",), ends_in_variable=False)
    assert answer is not None
    assert (answer.items, answer.pages) == (items, pages)
    assert answer.is_list is bool(items)


def test_what_a_read_demands_stands_in_the_declared_address() -> None:
    def answer(schema: dict[str, Any]) -> dict[str, Any]:
        return {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}

    part = {"type": "object", "required": ["IPN"], "properties": {"IPN": {"type": "string"}}}
    limit = {"name": "limit", "in": "query", "required": True, "schema": {"type": "integer", "default": 100}}
    asked = {"name": "IPN", "in": "query", "schema": {"type": "string"}}
    read = {"parameters": [asked, limit], "responses": answer({"type": "array", "items": part})}
    write = {"requestBody": {"content": {"application/json": {"schema": part}}}, "responses": answer(part)}
    document = read_small(
        {"servers": [{"url": "https://parts.example"}], "paths": {"/parts": {"get": read, "post": write}}}
    )
    proposal = next(one for one in propose_document(document) if one.write)
    operation = declare(proposal, document)
    assert operation.probe is not None
    assert operation.probe.url == "https://parts.example/parts?IPN={IPN}&limit=100"
