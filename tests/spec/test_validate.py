"""Requests and answers checked against a document cut down to their operation."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.spec.fitting import shown
from wizard.spec.reader import read_bytes, read_document
from wizard.spec.validate import checker

JSON = [("Content-Type", "application/json")]


def document(operation, *, path="/things", method="post", openapi="3.1.0", **more):
    whole = {"openapi": openapi, "info": {"title": "T", "version": "1"}, "paths": {path: {method: operation}}, **more}
    return read_bytes(json.dumps(whole).encode())


def swagger(operation, *, path="/things", method="post", **more):
    whole = {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "paths": {path: {method: operation}}, **more}
    return read_bytes(json.dumps(whole).encode())


def taking(schema, *, openapi="3.1.0", media="application/json", required=True, **more):
    body = {"required": required, "content": {media: {"schema": schema}}}
    return document({"requestBody": body, "responses": {}}, openapi=openapi, **more)


def of(doc):
    (operation,) = doc.operations
    made = checker(doc, operation)
    assert made.cannot == ""
    return made


def sent(doc, body, headers=JSON, url="https://h.example/things", method="POST"):
    made = of(doc)
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    found = made.request(method, url, headers, data)
    assert made.cannot == ""
    return found


BOOKING = {
    "type": "object",
    "required": ["room", "arrival"],
    "properties": {
        "room": {"type": "string", "maxLength": 4},
        "arrival": {"type": "string", "format": "date"},
        "guests": {"type": "integer", "minimum": 1},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["sku"],
                "properties": {"sku": {"enum": ["A", "B"]}},
            },
        },
    },
}


def test_a_request_that_is_fine():
    assert sent(taking(BOOKING), {"room": "R-1", "arrival": "2026-11-14", "guests": 2, "more": True}) == ()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"arrival": "2026-11-14"}, "`room` is missing, and the schema requires it"),
        ({"room": 1, "arrival": "2026-11-14"}, "`room` is 1; the schema asks for a text"),
        (
            {"room": "R-100", "arrival": "2026-11-14"},
            '`room` is "R-100"; the schema asks for at most 4 characters, and it has 5',
        ),
        ({"room": "R", "arrival": "2026-02-30"}, '`arrival` is "2026-02-30"; the schema asks for a day as 2026-11-14'),
        ({"room": "R", "arrival": "2026-11-14", "guests": 0}, "`guests` is 0; the schema asks for 1 or more"),
        (
            {"room": "R", "arrival": "2026-11-14", "lines": [{"sku": "A"}, {"sku": "C"}]},
            '`lines[1].sku` is "C"; the schema asks for one of "A" and "B"',
        ),
        (
            {"room": "R", "arrival": "2026-11-14", "lines": [{}]},
            "`lines[0].sku` is missing, and the schema requires it",
        ),
        ([], "the body is an empty array; the schema asks for an object"),
        (b"{", "the body cannot be read as JSON"),
        (b'{"room": NaN}', "the body cannot be read as JSON"),
        (None, "the request has no body, and the document requires one"),
    ],
)
def test_each_problem_is_one_sentence(body, says):
    assert sent(taking(BOOKING), body) == (says,)


def test_the_media_type():
    body = b'{"room": "R", "arrival": "2026-11-14"}'
    assert sent(taking(BOOKING), body, [("content-type", "application/JSON; charset=utf-8")]) == ()
    assert sent(taking(BOOKING), body, [("content-type", "text/plain")]) == (
        "the body is `text/plain`; the document has `application/json`",
    )
    assert sent(taking(BOOKING), body, []) == ("the body has no `Content-Type`; the document has `application/json`",)
    assert sent(taking(BOOKING, media="*/*"), {"room": "R"}) == ("`arrival` is missing, and the schema requires it",)
    assert sent(taking(BOOKING, media="application/vnd.api+json"), {}, [("content-type", "application/vnd.api+json")])
    assert sent(taking(BOOKING, media="application/xml"), b"<a/>", [("content-type", "application/xml")]) == ()


def test_method_and_path():
    doc = document({"responses": {}}, path="/rooms/{id}.json", method="delete")
    made = of(doc)
    assert made.request("DELETE", "http://any:1/base/rooms/R%2F1.json?x=1#f", [], None) == ()
    assert made.path_variables("http://any/rooms/R%2F1.json") == {"id": "R/1"}
    assert made.request("POST", "http://any/rooms/1.json", [], None) == (
        "the method is POST, and the operation's is DELETE",
    )
    assert made.request("DELETE", "http://any/rooms/1/2.json", [], None) == (
        "the path `/rooms/1/2.json` is not the operation's `/rooms/{id}.json`",
    )


PARAMETERS = [
    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
    {"name": "page", "in": "query", "required": True, "deprecated": True, "schema": {"type": "integer", "minimum": 1}},
    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}},
    {"name": "filter", "in": "query", "required": True, "style": "deepObject", "schema": {"type": "object"}},
    {"name": "X-Tenant", "in": "header", "required": True, "schema": {"type": "string", "minLength": 2}},
    {"name": "Authorization", "in": "header", "required": True, "schema": {"type": "string"}},
    {"name": "X-Secret-Place", "in": "header", "required": True, "schema": {"type": "string"}},
    {"name": "on", "in": "query", "schema": {"type": ["boolean", "null"]}},
]
KEYS = {"securitySchemes": {"k": {"type": "apiKey", "in": "header", "name": "X-Secret-Place"}}}


@pytest.mark.parametrize(
    ("url", "headers", "says"),
    [
        ("/rooms/1?page=1&tags=a&tags=b&on=true", [("x-tenant", "T1")], ()),
        (
            "/rooms/x?page=1",
            [("x-tenant", "T1")],
            ('the path parameter `id` is "x"; the schema asks for a whole number',),
        ),
        ("/rooms/1", [("x-tenant", "T1")], ("the query parameter `page` is missing, and the document requires it",)),
        ("/rooms/1?page=0", [("x-tenant", "T1")], ("the query parameter `page` is 0; the schema asks for 1 or more",)),
        (
            "/rooms/1?page=1&on=maybe",
            [("x-tenant", "T1")],
            ('the query parameter `on` is "maybe"; the schema asks for true or false',),
        ),
        ("/rooms/1?page=1", [], ("the header `X-Tenant` is missing, and the document requires it",)),
        (
            "/rooms/1?page=1",
            [("X-Tenant", "T")],
            ('the header `X-Tenant` is "T"; the schema asks for at least 2 characters, and it has 1',),
        ),
    ],
)
def test_parameters_and_what_is_the_transports(url, headers, says):
    doc = document({"parameters": PARAMETERS, "responses": {}}, path="/rooms/{id}", method="get", components=KEYS)
    assert of(doc).request("GET", f"http://h{url}", headers, None) == says


def test_read_only_and_write_only():
    schema = {
        "type": "object",
        "required": ["id", "name", "pin"],
        "properties": {
            "id": {"allOf": [{"$ref": "#/components/schemas/Id"}]},
            "name": {"type": "string"},
            "pin": {"type": "string", "writeOnly": True},
        },
    }
    operation = {
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}},
    }
    doc = document(operation, components={"schemas": {"Id": {"type": "string", "readOnly": True}}})
    assert sent(doc, {"name": "a", "pin": "1"}) == ()
    assert sent(doc, {"id": "1", "name": "a", "pin": "1"}) == ("`id` is read-only, and stands there",)
    made = of(doc)
    assert made.answer(200, JSON, b'{"id": "1", "name": "a"}') == ()
    assert made.answer(200, JSON, b'{"id": "1", "name": "a", "pin": "1"}') == ("`pin` is write-only, and stands there",)


def test_what_one_part_of_an_all_of_keeps_out_no_other_part_requires():
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"required": ["id", "kind"], "properties": {"id": {"const": "x"}}},
        ]
    }
    base = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "readOnly": True}}}
    doc = taking(schema, components={"schemas": {"Base": base}})
    assert sent(doc, {"kind": 1}) == ()
    assert sent(doc, {"kind": 1, "id": "y"}) == ("`id` is read-only, and stands there",)


def test_a_name_that_a_closed_object_does_not_have():
    schema = {"type": "object", "properties": {"amount": {}}, "additionalProperties": False}
    assert sent(taking(schema), {"amont": 1}) == ("`amont` is no member that the schema has; it has `amount`",)
    typed = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert sent(taking(typed), {"a": 1, "b.c": "x"}) == ('`"b.c"` is "x"; the schema asks for a whole number',)


def test_nullable_of_each_version():
    for openapi, schema in (
        ("3.0.3", {"type": "string", "nullable": True, "enum": ["a"]}),
        ("3.1.0", {"type": ["string", "null"]}),
        ("3.0.3", {"nullable": True, "allOf": [{"type": "string"}]}),
        ("3.1.0", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ):
        doc = taking({"properties": {"note": schema}}, openapi=openapi)
        assert sent(doc, {"note": None}) == ()
        assert sent(doc, {"note": "a"}) == ()
        assert sent(doc, {"note": 1})


BRANCHES = {
    "Card": {
        "type": "object",
        "required": ["kind", "number"],
        "properties": {"kind": {"const": "card"}, "number": {"type": "string"}},
    },
    "Bank": {
        "type": "object",
        "required": ["kind", "iban"],
        "properties": {"kind": {"const": "bank"}, "iban": {"type": "string"}},
    },
}
REFS = [{"$ref": "#/components/schemas/Card"}, {"$ref": "#/components/schemas/Bank"}]


@pytest.mark.parametrize(
    "discriminator",
    [
        None,
        {"propertyName": "kind"},
        {"propertyName": "kind", "mapping": {"card": "Card", "bank": "#/components/schemas/Bank"}},
    ],
)
def test_branches(discriminator):
    schema = {"oneOf": REFS, **({"discriminator": discriminator} if discriminator else {})}
    doc = taking({"properties": {"pay": schema}}, components={"schemas": BRANCHES})
    assert sent(doc, {"pay": {"kind": "card", "number": "1"}}) == ()
    assert sent(doc, {"pay": {"kind": "bank"}}) == ("`pay.iban` is missing, and the schema requires it",)
    assert len(sent(doc, {"pay": {"kind": "cash"}})) == 1


def test_branches_that_overlap_refuse_nothing():
    schema = {"oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}
    assert sent(taking(schema), {"a": 1}) == ()


def test_branches_of_other_types():
    schema = {"properties": {"at": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}}
    assert sent(taking(schema), {"at": []}) == ("`at` is an empty array; the schema asks for a text or a whole number",)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "file"}, "x"),
        ({"type": "string", "minLength": 9, "maxLength": 3}, "x"),
        ({"type": "integer", "enum": ["1", "2"]}, "1"),
        ({"type": "number", "minimum": 5, "maximum": 1}, 3),
        ({"type": "string", "pattern": "(["}, "x"),
        ({"type": "string", "pattern": "^(a+)+$"}, "a" * 60 + "!"),
        ({"type": "string", "pattern": r"^\p{L}+$"}, "1"),
        ({"type": "string", "maxLength": "many"}, "x"),
        ({"type": "number", "multipleOf": 0.01}, 19.99),
        ({"type": "array", "items": [{"type": "string"}]}, ["x", 1]),
        ({"$ref": "#/components/schemas/Nowhere"}, 1),
        ({"required": True, "type": "string"}, "x"),
        ({"type": "object", "required": ["gone"], "properties": {"a": {}}}, {"a": 1}),
        (
            {"allOf": [{"additionalProperties": False, "properties": {"a": {}}}, {"properties": {"b": {}}}]},
            {"a": 1, "b": 2},
        ),
        ({"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False}, {"xy": 1}),
        ({"type": "string", "format": "date-time"}, "2026-11-14T09:30:00.5+01:00"),
        ({"type": "string", "format": "color"}, "x"),
    ],
)
def test_what_no_value_could_meet_refuses_nothing(schema, value):
    assert sent(taking({"type": "object", "properties": {"v": schema}}), {"v": value}) == ()


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("date", "2026-02-28", "2026-02-29"),
        ("date-time", "2026-11-14T09:30:00Z", "2026-11-14T09:30:00"),
        ("date-time", "2026-11-14T23:59:60z", "2026-11-14T25:00:00Z"),
        ("email", "a@b.c", "a b"),
        ("uuid", "8c7f1f7e-3f0b-4b7e-9d2c-5a1e0c9b6a10", "8c7f1f7e3f0b4b7e9d2c5a1e0c9b6a10"),
        ("int32", 2**31 - 1, 2**31),
    ],
)
def test_formats(kind, good, bad):
    doc = taking({"properties": {"v": {"format": kind}}})
    assert sent(doc, {"v": good}) == ()
    assert len(sent(doc, {"v": bad})) == 1


def test_schemas_that_lead_to_themselves():
    node = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "parent": {"$ref": "#/components/schemas/Node"},
        },
    }
    loop = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
    own = {"Own": {"allOf": [{"$ref": "#/components/schemas/Own"}]}}
    doc = taking({"$ref": "#/components/schemas/Node"}, components={"schemas": {"Node": node, **loop, **own}})
    assert sent(doc, {"name": "a", "parent": {"name": "b", "parent": {}}}) == (
        "`parent.parent.name` is missing, and the schema requires it",
    )
    for name in ("A", "Own"):
        doc = taking({"$ref": f"#/components/schemas/{name}"}, components={"schemas": {**loop, **own}})
        (operation,) = doc.operations
        made = checker(doc, operation)
        assert made.request("POST", "http://h/things", JSON, b"{}") == ()


def test_swagger_2():
    parameters = [
        {"name": "body", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}},
        {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "csv"},
        {"name": "X-N", "in": "header", "type": "integer", "maximum": 3},
    ]
    pet = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "age": {"type": "integer", "x-nullable": True}},
    }
    answer = {"description": "", "schema": {"$ref": "#/definitions/Pet"}}
    doc = swagger({"parameters": parameters, "responses": {201: answer}}, definitions={"Pet": pet})
    assert sent(doc, {"name": "a", "age": None}, url="http://h/things?ids=1,2") == ()
    assert sent(doc, {}, url="http://h/things?ids=1,x", headers=[*JSON, ("x-n", "4")]) == (
        'the query parameter `ids` is "x"; the schema asks for a whole number',
        "the header `X-N` is 4; the schema asks for 3 or less",
        "`name` is missing, and the schema requires it",
    )
    made = of(doc)
    assert made.answer(201, JSON, b'{"name": 1}') == ("`name` is 1; the schema asks for a text",)


FORM = [
    {"name": "amount", "in": "formData", "type": "integer", "required": True},
    {"name": "photo", "in": "formData", "type": "file"},
]


def test_forms():
    doc = swagger({"consumes": ["application/x-www-form-urlencoded"], "parameters": FORM, "responses": {}})
    form = [("Content-Type", "application/x-www-form-urlencoded")]
    assert sent(doc, b"amount=5", form) == ()
    assert sent(doc, b"other=5", form) == ("`amount` is missing, and the schema requires it",)
    assert sent(doc, b"amount=x", form)
    nested = {
        "type": "object",
        "required": ["card", "n"],
        "properties": {"card": {"type": "object"}, "n": {"type": "number"}},
    }
    three = taking(nested, media="application/x-www-form-urlencoded")
    assert sent(three, b"card[number]=4&n=1.5", form) == ()


def test_multipart():
    kinds = {
        "type": "object",
        "required": ["n", "s"],
        "properties": {
            "n": {"type": "integer"},
            "s": {"type": "string", "maxLength": 2},
            "file": {"type": "string", "format": "binary"},
        },
    }
    doc = taking(kinds, media="multipart/form-data")

    def parts(**values):
        text = "".join(f'--b1\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in values.items())
        return f"{text}--b1--\r\n".encode()

    multi = [("Content-Type", "multipart/form-data; boundary=b1")]
    assert sent(doc, parts(n=5, s="ä", file="bytes"), multi) == ()
    assert sent(doc, parts(n=5), multi) == ("`s` is missing, and the schema requires it",)
    assert sent(doc, parts(n=5, s="long"), multi) == (
        '`s` is "long"; the schema asks for at most 2 characters, and it has 4',
    )
    assert sent(doc, b"no parts", multi) == ("the body cannot be read as `multipart/form-data`",)


def test_answers():
    ok = {"description": "", "content": {"application/json": {"schema": BOOKING}}}
    doc = document({"responses": {200: ok, "204": {"description": ""}, "4XX": {"description": ""}}})
    made = of(doc)
    assert made.answer(200, JSON, b'{"room": "R", "arrival": "2026-11-14"}') == ()
    assert made.answer(200, JSON, b'{"room": "R"}') == ("`arrival` is missing, and the schema requires it",)
    assert made.answer(200, JSON, b"[]") == ("the answer is an empty array; the schema asks for an object",)
    assert made.answer(200, JSON, b"") == ("the answer has no body, and the document shows one",)
    assert made.answer(204, [], b"") == ()
    assert made.answer(422, JSON, b"{}") == ()
    assert made.answer(500, JSON, b"{}") == (
        "the answer is 500, which the document does not have; it has 200, 204, 4XX",
    )


def test_a_document_of_several_files(tmp_path):
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "booking.json").write_text(
        json.dumps(
            {
                "type": "object",
                "required": ["money"],
                "properties": {"money": {"$ref": "money.json#/Money"}},
            }
        )
    )
    (tmp_path / "schemas" / "money.json").write_text(json.dumps({"Money": {"type": "integer"}}))
    whole = {
        "openapi": "3.0.0",
        "info": {},
        "paths": {
            "/things": {
                "post": {
                    "responses": {},
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "schemas/booking.json"}}},
                    },
                }
            }
        },
    }
    (tmp_path / "api.json").write_text(json.dumps(whole))
    doc = read_document(tmp_path / "api.json")
    assert sent(doc, {"money": 1}) == ()
    assert sent(doc, {"money": "1"}) == ('`money` is "1"; the schema asks for a whole number',)


def test_only_a_checker_imports_openapi_core():
    code = """
import sys
import wizard.cli, wizard.spec.reader, wizard.spec.validate, wizard.spec.fitting, wizard.rehearse.bodies
assert not {"openapi_core", "werkzeug", "jsonschema", "rstr"} & set(sys.modules), sorted(sys.modules)
text = b'{"openapi": "3.1.0", "paths": {"/a": {"post": {"responses": {}}}}}'
document = wizard.spec.reader.read_bytes(text)
wizard.spec.validate.checker(document, document.operations[0])
assert "openapi_core" in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_document_that_openapi_core_cannot_take_lets_everything_through(monkeypatch):
    doc = taking(BOOKING)
    monkeypatch.setattr("wizard.spec.validate.cut_down", lambda *_: {"paths": {}})
    made = checker(doc, doc.operations[0])
    assert made.cannot.startswith("the operation is not checked against its document: ")
    assert made.request("POST", "http://h/things", JSON, b"{") == ()
    assert made.answer(200, JSON, b"{") == ()


WORDS = st.sampled_from(
    [
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "minimum",
        "maxLength",
        "pattern",
        "format",
        "allOf",
        "oneOf",
        "anyOf",
        "not",
        "nullable",
        "readOnly",
        "discriminator",
        "additionalProperties",
        "$ref",
        "default",
        "if",
        "exclusiveMinimum",
        "multipleOf",
        "prefixItems",
        "uniqueItems",
        "dependentRequired",
        "minProperties",
        "x-nullable",
    ]
)
SCALARS = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        2.5,
        "",
        "string",
        "object",
        "array",
        "a",
        "#/components/schemas/S",
        "#/nowhere",
        "(a+)+$",
    ]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS | st.sampled_from(["a", "b", "propertyName", "mapping"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(WORDS, ANYTHING, max_size=6), ANYTHING, ANYTHING)
def test_no_schema_and_no_body_makes_it_fail(schema, parameter, body):
    operation = {
        "parameters": [{"name": "q", "in": "query", "schema": parameter}],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"default": {"content": {"application/json": {"schema": schema}}}},
    }
    doc = document(operation, components={"schemas": {"S": schema}})
    made = checker(doc, doc.operations[0])
    data = json.dumps(body).encode()
    for found in (made.request("POST", "http://h/things?q=1&q=x", JSON, data), made.answer(200, JSON, data)):
        assert all("\n" not in one and one for one in found)
    assert made.cannot == ""


def test_a_long_text_is_shown_in_its_quotes() -> None:
    assert shown("a" * 58) == f'"{"a" * 58}"'
    assert shown("a" * 59) == f'"{"a" * 57}…"'
    assert len(shown("a" * 500)) == len(shown("a" * 58))
