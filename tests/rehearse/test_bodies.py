"""Example requests and answers: complete, valid, the same each time, and another in one field only."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.host.exactjson import read_json, write_json
from wizard.host.forks import SECRETS
from wizard.host.prepare import Arguments, prepare
from wizard.host.record import Call
from wizard.infer.declaration import declare
from wizard.infer.propose import propose_operation
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import METHODS, KeyPlace, Operation, Reference
from wizard.operation.parsing import parse_operation
from wizard.rehearse.answer_bodies import example_answer, fill
from wizard.rehearse.bodies import another, example_request, reordered
from wizard.rehearse.invented import number_of, text_of
from wizard.rehearse.samples import Maker
from wizard.spec.fitting import fits
from wizard.spec.model import Raw
from wizard.spec.plain import PlainSchemas
from wizard.spec.reader import read_bytes, read_document
from wizard.spec.validate import checker

ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", ROOT.parent / "shared" / "corpus"))
INDEX = CORPUS / "INDEX.tsv"
DOCUMENTS = [line.split("\t")[1] for line in INDEX.read_text().splitlines()[1:]] if INDEX.is_file() else []


def api_of(schema, *, media="application/json", answers=None, parameters=(), path="/things", **media_more):
    operation = {
        "parameters": list(parameters),
        "requestBody": {"required": True, "content": {media: {"schema": schema, **media_more}}},
        "responses": answers or {},
    }
    whole = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {path: {"post": operation}}}
    document = read_bytes(json.dumps(whole).encode())
    return document, document.operations[0]


def declared(*body, identity=(), path="/things", **more):
    return Operation(
        method="POST", url=f"https://h.example{path}", body=tuple(map(FieldPath.parse, body)),
        identity=tuple(map(FieldPath.parse, identity)), **more,
    )  # fmt: skip


def refused(document, api, operation, arguments):
    request = prepare("x", operation, Call("w", "s", "t", 0), arguments, SECRETS).request(0)
    return checker(document, api).request(request.method, request.url, request.headers, request.body)


BOOKING = {
    "type": "object",
    "required": ["room_id", "arrival", "departure", "key", "terms"],
    "properties": {
        "room_id": {"type": "string", "pattern": "^R-[0-9]{1,3}$"},
        "arrival": {"type": "string", "format": "date"},
        "departure": {"type": "string", "format": "date"},
        "guests": {"type": "integer", "minimum": 2, "maximum": 3},
        "kind": {"enum": ["stay", "event"]},
        "terms": {"const": "v2"},
        "note": {"type": "string", "maxLength": 5},
        "paid": {"type": "boolean"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["amount_pence"],
                "properties": {"amount_pence": {"type": "integer"}, "sku": {"type": "string"}},
            },
        },
        "key": {"type": "string", "format": "uuid"},
        "ref": {"type": "string"},
        "id": {"type": "string", "readOnly": True},
    },
    "additionalProperties": False,
}
OPERATION = declared(
    "room_id", "arrival", "departure", "guests", "kind", "note", "paid", "lines",
    identity=["room_id", "arrival", "departure", "kind?", "lines[].sku"],
    key=KeyPlace("field", "key"), reference=Reference("ref"),
)  # fmt: skip


def test_a_request_has_what_the_model_fills_in_and_nothing_of_the_hosts():
    document, api = api_of(BOOKING)
    arguments = example_request(OPERATION, api)
    assert set(arguments.body) == {
        "room_id", "arrival", "departure", "guests", "kind", "note", "paid", "lines", "terms",
    }  # fmt: skip
    assert arguments.body["arrival"] < arguments.body["departure"]
    assert arguments.body["lines"][0].keys() == {"amount_pence", "sku"}
    assert refused(document, api, OPERATION, arguments) == ()
    assert example_request(OPERATION, api) == arguments
    other = example_request(OPERATION, api, seed=1)
    assert other != arguments
    assert refused(document, api, OPERATION, other) == ()


@pytest.mark.parametrize(
    "name",
    [
        "room_id",
        "arrival",
        "departure",
        "guests",
        "kind",
        "note",
        "paid",
        "lines",
        "lines[].amount_pence",
        "lines[].sku",
    ],
)
def test_another_value_in_one_field(name):
    document, api = api_of(BOOKING)
    first = example_request(OPERATION, api)
    second = another(first, FieldPath.parse(name), OPERATION, api)
    assert second.body[FieldPath.parse(name).top] != first.body[FieldPath.parse(name).top]
    assert {key: value for key, value in second.body.items() if key != FieldPath.parse(name).top} == {
        key: value for key, value in first.body.items() if key != FieldPath.parse(name).top
    }
    assert refused(document, api, OPERATION, second) == ()


def test_the_nth_other_value_is_yet_another():
    _, api = api_of(BOOKING)
    first = example_request(OPERATION, api)
    days = [another(first, "arrival", OPERATION, api, nth=nth).body["arrival"] for nth in (1, 2, 3)]
    assert len({first.body["arrival"], *days}) == 4


@pytest.mark.parametrize("name", ["terms", "absent", "query:absent", "path:absent", "room_id.deeper"])
def test_no_other_value(name):
    _, api = api_of(BOOKING)
    assert another(example_request(OPERATION, api), name, OPERATION, api) is None


def test_only_so_many_other_values():
    _, api = api_of(BOOKING)
    first = example_request(OPERATION, api)
    assert another(first, "guests", OPERATION, api).body["guests"] == 3
    assert another(first, "guests", OPERATION, api, nth=2) is None


PARAMETERS = [
    {"name": "house", "in": "path", "required": True, "schema": {"type": "string", "enum": ["north", "south"]}},
    {"name": "floor", "in": "query", "required": True, "schema": {"type": "integer", "maximum": 4}},
    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"enum": ["a", "b"]}}},
    {"name": "page", "in": "query", "schema": {"type": "integer"}},
    {"name": "X-Tenant", "in": "header", "required": True, "schema": {"type": "string"}, "example": "acme"},
]


def test_parameters():
    document, api = api_of({"type": "object"}, parameters=PARAMETERS, path="/houses/{house}")
    operation = declared(
        identity=["query:tags?"], path="/houses/{house}", query=("floor", "tags", "page"), header=("X-Tenant",)
    )  # fmt: skip
    arguments = example_request(operation, api)
    assert arguments.variables == {"house": "north"}
    assert arguments.query == {"floor": 1, "tags": ["a"]}
    assert arguments.header == {"X-Tenant": "acme"}
    assert refused(document, api, operation, arguments) == ()
    for name, place in (("path:house", "variables"), ("query:tags", "query"), ("header:x-tenant", "header")):
        changed = another(arguments, name, operation, api)
        assert getattr(changed, place) != getattr(arguments, place)
        assert refused(document, api, operation, changed) == ()


def test_examples_of_the_document_come_first():
    example = {"room_id": "R-7", "arrival": "2027-01-01", "note": "far too long", "extra": 1, "id": "x", "key": "mine"}
    _, api = api_of(BOOKING, example=example)
    body = example_request(OPERATION, api).body
    assert (body["room_id"], body["arrival"]) == ("R-7", "2027-01-01")
    assert len(body["note"]) <= 5
    assert not {"extra", "id", "key"} & set(body)


def test_without_a_document():
    operation = declared("room_id", "customer.email", "amount", identity=["room_id", "lines[].sku", "arrival?"])
    body = example_request(operation, None).body
    assert body["room_id"] == "R-1"
    assert "@" in body["customer"]["email"]
    assert body["lines"][0]["sku"]
    assert body["arrival"] == "2026-11-14"
    changed = another(example_request(operation, None), "room_id", operation, None)
    assert changed.body == {**body, "room_id": "R-2"}
    whole = example_request(declared("$body", identity=["$body"]), None)
    assert isinstance(whole.body, list)
    assert another(whole, "$body", declared("$body", identity=["$body"]), None).body != whole.body


def test_without_a_body():
    assert example_request(declared(path="/things/{id}"), None) == Arguments({"id": "I-1"})


def test_a_form_has_texts_numbers_and_lists_of_them():
    schema = {
        "type": "object",
        "required": ["n"],
        "properties": {
            "n": {"type": "integer"},
            "to": {"type": "array", "items": {"type": "string"}},
            "o": {"type": "object"},
        },
    }
    document, api = api_of(schema, media="application/x-www-form-urlencoded")
    operation = declared("n", "to", "o", identity=["n"], content="application/x-www-form-urlencoded")
    arguments = example_request(operation, api)
    assert set(arguments.body) == {"n", "to"}
    assert refused(document, api, operation, arguments) == ()
    assert refused(document, api, operation, another(arguments, "n", operation, api)) == ()


def test_branches_are_not_mixed():
    schema = {
        "oneOf": [
            {
                "type": "object",
                "required": ["iban"],
                "properties": {"iban": {"type": "string"}},
                "additionalProperties": False,
            },
            {
                "type": "object",
                "required": ["card"],
                "properties": {"card": {"type": "string"}},
                "additionalProperties": False,
            },
        ]
    }
    document, api = api_of(schema)
    operation = declared("iban", "card", identity=["card?"])
    arguments = example_request(operation, api)
    assert set(arguments.body) == {"card"}
    assert refused(document, api, operation, arguments) == ()


def test_reordered_travels_in_the_other_order():
    arguments = Arguments(body={"a": 1, "b": [{"c": 1, "d": "ü"}]})
    assert reordered(arguments).body == '{"b":[{"d":"ü","c":1}],"a":1}'.encode()
    assert read_json(reordered(reordered(arguments)).body) == arguments.body
    assert reordered(Arguments()) == Arguments()


NODE = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
        "secret": {"type": "string", "writeOnly": True}, "made_at": {"type": "string", "format": "date-time"},
        "owner": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Owner"}]},
    },
}  # fmt: skip
OWNER = {"type": "object", "properties": {"name": {"type": "string"}, "thing": {"$ref": "#/components/schemas/Node"}}}


def test_answers_show_all_and_end():
    answers = {
        "201": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}},
        "409": {"description": "", "content": {"application/json": {"example": {"code": "taken"}}}},
        "4XX": {"description": ""},
    }
    whole = {"openapi": "3.1.0", "info": {}, "paths": {"/things": {"post": {"responses": answers}}}}
    whole["components"] = {"schemas": {"Node": NODE, "Owner": OWNER}}
    document = read_bytes(json.dumps(whole).encode())
    api = document.operations[0]
    status, body = example_answer(api)
    assert status == 201
    assert set(body) == {"id", "children", "made_at", "owner"}
    assert len(body["children"]) == 1
    assert "name" in body["owner"]
    assert checker(document, api).answer(201, [("Content-Type", "application/json")], write_json(body)) == ()
    assert example_answer(api, "409") == (409, {"code": "taken"})
    assert example_answer(api, "418") == (418, MISSING)
    assert example_answer(api, "500") is None


def test_an_example_that_does_not_fit_is_not_taken():
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    answers = {
        "200": {"description": "", "content": {"application/json": {"schema": schema, "example": {"id": "one"}}}}
    }
    _, api = api_of({}, answers=answers)
    assert example_answer(api) == (200, {"id": 1})


@pytest.mark.parametrize(
    ("value", "path", "made"),
    [
        ({"a": 1}, "room.id", {"a": 1, "room": {"id": 9}}),
        ({"room": {"id": 1, "x": 2}}, "room.id", {"room": {"id": 9, "x": 2}}),
        ({"lines": [{"n": 1}, {}]}, "lines[].n", {"lines": [{"n": 9}, {"n": 9}]}),
        ({}, "$.rooms[*].id", {"rooms": [{"id": 9}]}),
        ({"rooms": [{"id": 1}, {"id": 2}]}, "$.rooms[1].id", {"rooms": [{"id": 1}, {"id": 9}]}),
        ([], "$body", 9),
    ],
)  # fmt: skip
def test_fill(value, path, made):
    assert fill(value, path, 9) == made


PATTERNS = [
    "^[A-Z]{2}$", r"^\d{3}-[a-z]+$", "^[^/]+$", "(foo|bar)[0-9a-f]{8}", r"^cus_\w{14}$", "^(?!x)[a-z]{4}$",
    r"^[1-9]\d*\.\d{2}$", "^[a-zA-Z0-9_-]{16,20}$",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_that_match_their_pattern(pattern):
    schema = {"type": "string", "pattern": pattern}
    made = [text_of(schema, "room_id", n) for n in range(6)]
    assert all(fits(schema, one) for one in made)
    assert len(set(made)) > 1


def test_the_same_on_every_machine():
    code = (
        f"from wizard.rehearse.invented import text_of; print([text_of({{'pattern': p}}, 'x', 1) for p in {PATTERNS}])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


@given(
    st.integers(-50, 50), st.integers(0, 60), st.sampled_from([1, 2, 5, 0.5, 0.01]), st.booleans(), st.integers(0, 4)
)  # fmt: skip
def test_numbers_within_their_bounds(least, room, step, exclusive, n):
    schema = {"type": "number", "minimum": least, "maximum": least + room + 10, "multipleOf": step}
    if exclusive:
        schema["exclusiveMinimum"] = schema.pop("minimum")
    assert fits(schema, number_of(schema, "amount", n))


LEAVES = st.one_of(
    st.builds(
        lambda a, b: {"type": "string", "minLength": a, "maxLength": a + b}, st.integers(0, 30), st.integers(0, 30)
    ),
    st.sampled_from(["date", "date-time", "uuid", "email"]).map(lambda kind: {"type": "string", "format": kind}),
    st.sampled_from(PATTERNS).map(lambda pattern: {"type": "string", "pattern": pattern}),
    st.builds(lambda a, b: {"type": "integer", "minimum": a, "maximum": a + b}, st.integers(-9, 9), st.integers(0, 9)),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, unique=True).map(lambda listed: {"enum": listed}),
    st.sampled_from([{"type": "boolean"}, {"const": 3}, {"type": ["string", "null"]}, {}]),
)
NAMES = st.sampled_from(["id", "arrival", "amount", "note", "email", "lines", "a.b"])


def objects(inner):
    return st.dictionaries(NAMES, inner, max_size=4).flatmap(
        lambda properties: st.builds(
            lambda required, closed: {
                "type": "object", "properties": properties, "required": required,
                **({"additionalProperties": False} if closed else {}),
            },
            st.lists(st.sampled_from(sorted(properties)), unique=True) if properties else st.just([]),
            st.booleans(),
        )
    )  # fmt: skip


SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: (
        objects(inner)
        | st.builds(lambda items, least: {"type": "array", "items": items, "minItems": least}, inner, st.integers(0, 3))
        | st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches})
        | inner.map(lambda part: {"allOf": [part]})
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(SCHEMAS, st.booleans(), st.integers(0, 3))
def test_what_is_made_fits(schema, everything, n):
    plain = PlainSchemas(Raw(), "request").plain("#", schema)
    made = Maker(everything=everything, n=n).value(plain, "thing")
    assert fits(plain, made)
    assert Maker(everything=everything, n=n).value(plain, "thing") == made


def rehearsed(document):
    """Each write of a document with its declaration and an example request."""
    shared = {}
    for api in document.operations:
        if api.method in METHODS:
            proposal = propose_operation(document, api, shared)
            if proposal.write:
                operation = declare(proposal, document, server="https://h.example")
                yield api, operation, example_request(operation, api)


def test_all_of_hollowbrook():
    document = read_document(ROOT / "samples" / "hollowbrook" / "openapi.yaml")
    fields = 0
    for api, operation, arguments in rehearsed(document):
        assert refused(document, api, operation, arguments) == ()
        for path in operation.identity:
            changed = another(arguments, path.required(), operation, api)
            assert changed is not None
            assert refused(document, api, operation, changed) == ()
            fields += 1
        for response in api.responses:
            status, body = example_answer(api, response.status)
            kinds = [("Content-Type", "application/json")] if response.media_types else []
            data = b"" if body is MISSING else write_json(body)
            assert checker(document, api).answer(status, kinds, data) == ()
    assert fields > 20


@pytest.mark.skipif(not DOCUMENTS, reason="the corpus is not here")
def test_real_documents():
    """Nearly all writes have a request that their document takes; the others cannot be declared as they are."""
    good, bad = 0, []
    for name in DOCUMENTS[1:40:8]:
        document = read_document(CORPUS / name)
        for api, operation, arguments in rehearsed(document):
            try:
                found = refused(document, api, operation, arguments)
            except Exception as error:
                found = (str(error),)
            good += not found
            bad += [(name, api.name, found)] if found else []
    assert good / (good + len(bad)) >= 0.97, bad


WORDS = st.sampled_from([
    "type", "properties", "required", "items", "enum", "const", "minimum", "maximum", "maxLength", "pattern", "format",
    "allOf", "oneOf", "anyOf", "nullable", "readOnly", "discriminator", "additionalProperties", "$ref", "default",
    "examples", "example", "multipleOf", "minItems", "minProperties", "maxProperties", "uniqueItems", "prefixItems",
])  # fmt: skip
SCALARS = st.sampled_from([
    None, True, 0, -1, 2.5, 300, "", "string", "object", "array", "integer", "id", "#/components/schemas/S", "(a+)+$",
])  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS | st.sampled_from(["id", "b", "propertyName", "mapping"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(WORDS, ANYTHING, max_size=6), ANYTHING, ANYTHING)
def test_no_schema_makes_it_fail(schema, parameter, example):
    operation = {
        "parameters": [{"name": "q", "in": "query", "required": True, "schema": parameter}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, "example": example}}},
        "responses": {"200": {"content": {"application/json": {"schema": schema}}}},
    }
    whole = {"openapi": "3.1.0", "paths": {"/a": {"post": operation}}, "components": {"schemas": {"S": schema}}}
    api = read_bytes(json.dumps(whole).encode()).operations[0]
    declaration = declared("id", "b", identity=["id", "b[].id?"], path="/a", query=("q",))
    arguments = example_request(declaration, api)
    assert example_request(declaration, api) == arguments
    for name in ("id", "b[].id", "query:q"):
        changed = another(arguments, name, declaration, api)
        assert changed is None or changed != arguments
    assert example_answer(api) == example_answer(api)


def test_without_a_document_what_is_moved_is_a_number() -> None:
    operation, _ = parse_operation({
        "method": "POST", "url": "http://h.example/charges", "body": ["booking_id", "sum"], "identity": ["booking_id"],
        "money": {"amount": "sum.pence", "currency": "GBP"},
    })  # fmt: skip
    assert operation is not None
    body = example_request(operation, None).body
    assert isinstance(body["sum"]["pence"], int)
