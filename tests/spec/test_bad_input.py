"""A small document of its own for each kind of fault that real and hostile documents have."""

import os

import orjson
import pytest

from wizard.errors import DocumentError, LimitError
from wizard.operation.field_path import FieldPath
from wizard.spec import fetch, limits
from wizard.spec.reader import read_bytes, read_document

MINIMAL = b'{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}}'
HTML = b"<!DOCTYPE html>\n<html><head><title>openapi.yaml at main</title></head><body>openapi: 3.0.0</body></html>"


@pytest.mark.parametrize(
    ("data", "said", "remedy"),
    [
        (b"", "the document is empty", "JSON or YAML"),
        (b" \n\t\n", "the document is empty", "JSON or YAML"),
        (b"\xef\xbb\xbf", "the document is empty", "JSON or YAML"),
        (b"# only a comment\n", "this is nothing", "mapping with `openapi`"),
        (bytes(range(256)) * 4, "this is a binary file", "JSON or YAML"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "this is a binary file", "JSON or YAML"),
        (b"\x1f\x8b\x08\x00abc", "this is a gzip file", "Unpack"),
        (b"PK\x03\x04abc", "this is a zip file", "Unpack"),
        (b"%PDF-1.7", "this is a PDF", "OpenAPI document itself"),
        (HTML, "this is a web page", "raw JSON or YAML"),
        (b'<?xml version="1.0"?><wsdl/>', "this is XML", ""),
        (b"just some words", "this is a text", "mapping with `openapi`"),
        (b"- a\n- b\n", "this is a list", "mapping with `openapi`"),
        (b"42", "this is a single value", "mapping with `openapi`"),
        (b"asyncapi: 2.6.0\n", "an AsyncAPI document", "OpenAPI document"),
        (b"overlay: 1.0.0\nactions: []\n", "an OpenAPI Overlay", "the document that it applies to"),
        (b'{"swaggerVersion": "1.2"}', "a Swagger 1 document", "Convert"),
        (b'{"$schema": "https://json-schema.org/draft/2020-12/schema"}', "a JSON Schema", "OpenAPI document"),
        (b'{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/"}}', "a Postman", "Convert"),
        (b'{"name": "left-pad", "version": "1.0.0"}', "none of `openapi`, `swagger` and `paths`", "`paths`"),
        (b'{"openapi": "3.1.0", "paths": {"/a": {', "the JSON ends before it is complete", "get it again"),
        (b"openapi: 3.1.0\npaths:\n  /a:\n    get: {summary: 'x", "a quoted text does not end", "Close the quotes"),
        (b"openapi: 3.1.0\npaths:\n  /a:\n    get: {summary: x", "braces does not end", "Close it"),
    ],
)  # fmt: skip
def test_what_is_no_document_is_refused_in_one_clear_sentence(data, said, remedy):
    with pytest.raises(DocumentError) as caught:
        read_bytes(data, "api")
    assert said in caught.value.message
    assert remedy in caught.value.remedy
    assert caught.value.place.startswith("api")
    assert "\n" not in str(caught.value)


def test_a_document_that_does_not_say_its_version_is_read():
    document = read_bytes(b"paths:\n  /a:\n    get: {responses: {200: {description: x}}}\n")
    assert [found.name for found in document.operations] == ["GET /a"]
    assert document.problems[0].message == "it does not say its version; it is read as 3.0"


def test_an_unknown_version_is_read_and_said():
    document = read_bytes(b"openapi: 4.0.0\npaths: {/a: {get: {}}}\n")
    assert document.openapi == "4.0.0"
    assert [found.name for found in document.operations] == ["GET /a"]
    assert "version `4.0.0` is not known" in document.problems[0].message


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_every_unicode_encoding_is_read(encoding):
    for text in (
        '{"openapi": "3.1.0", "info": {"title": "Zimmer für Gäste 😀"}}',
        "openapi: 3.1.0\ninfo: {title: Zimmer für Gäste 😀}\n",
    ):
        assert read_bytes(text.encode(encoding)).title == "Zimmer für Gäste 😀"


def test_a_few_bytes_that_are_no_utf8_are_replaced_and_said():
    data = b"openapi: 3.1.0\ninfo:\n  title: Caf\xe9 with a name that is long enough\n"
    document = read_bytes(data)
    assert document.title == "Caf\ufffd with a name that is long enough"
    assert document.problems[0].message == "line 3: bytes that are no UTF-8 were replaced"


@pytest.mark.parametrize(
    "text", ["# a comment\n\n{head}", "// a comment\n{head}", "/* a\ncomment */ {head}", "\n\n  {head}"]
)
def test_a_leading_comment_does_not_hide_the_syntax(text):
    assert read_bytes(text.replace("{head}", MINIMAL.decode()).encode()).openapi == "3.1.0"


def test_the_syntax_is_told_by_content(tmp_path):
    yaml_in_json = tmp_path / "openapi.json"
    yaml_in_json.write_text("openapi: 3.1.0\npaths: {}\n")
    json_in_yaml = tmp_path / "openapi.yaml"
    json_in_yaml.write_bytes(MINIMAL)
    assert read_document(yaml_in_json).openapi == "3.1.0"
    assert read_document(str(json_in_yaml)).title == "T"


@pytest.mark.parametrize(
    "data",
    [
        b'{"openapi": "3.1.0", "paths": ' + b'{"a":' * 200 + b"1" + b"}" * 201,
        b"openapi: 3.1.0\npaths: " + b"{a: " * 200 + b"1" + b"}" * 200,
        b"openapi: 3.1.0\npaths:\n" + b"".join(b" " * level + b"a:\n" for level in range(1, 201)),
        b"openapi: 3.1.0\na0: &a0 {b: 1}\n" + b"".join(b"a%d: &a%d {b: *a%d}\n" % (n, n, n - 1) for n in range(1, 200)),
    ],
)
def test_two_hundred_levels_are_refused(data):
    with pytest.raises(LimitError, match="nested deeper than 128 levels"):
        read_bytes(data)


def test_schemas_that_nest_as_deep_as_we_read_are_cut():
    schema = {"type": "string"}
    for level in range(40):
        schema = {"type": "object", "properties": {f"p{level}": schema}}
    document = posting(schema)
    assert document.operations[0].body.cut
    assert max(field.depth for field in document.operations[0].fields) < 40


def posting(schema, **components):
    root = {
        "openapi": "3.1.0",
        "paths": {"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": schema}}}}}},
        "components": {"schemas": components},
    }
    return read_bytes(orjson.dumps(root))


def test_an_alias_bomb_is_refused():
    lines = ["openapi: 3.1.0", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(LimitError, match="aliases stand for"):
        read_bytes("\n".join(lines).encode())


def test_a_ref_bomb_ends():
    schemas = {
        f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{n + 1}"}] * 9, "properties": {f"p{n}": {}}}
        for n in range(60)
    }
    document = posting({"$ref": "#/components/schemas/S0"}, **schemas, S60={"type": "object"})
    assert len(document.operations[0].fields) < 100


def test_a_bomb_of_members_is_cut():
    schemas = {
        f"S{n}": {"properties": {f"p{k}": {"$ref": f"#/components/schemas/S{n + 1}"} for k in range(10)}}
        for n in range(20)
    }
    body = posting({"$ref": "#/components/schemas/S0"}, **schemas).operations[0].body
    assert body.cut
    assert len(body.fields) == limits.MAX_FIELDS
    assert {field.path for field in body.fields if field.depth == 0} == {f"p{k}" for k in range(10)}


def test_a_bomb_of_subtypes_ends():
    """Every type lists all types, and each inherits from all."""
    names = [f"T{n}" for n in range(12)]
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    schemas = {name: {"allOf": refs, "oneOf": refs, "anyOf": refs, "properties": {name: {}}} for name in names}
    document = posting({"$ref": "#/components/schemas/T0"}, **schemas)
    assert "T0" in {field.path for field in document.operations[0].fields}


@pytest.mark.parametrize(
    "schemas",
    [
        {"A": {"$ref": "#/components/schemas/A"}},
        {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}},
        {"A": {"allOf": [{"$ref": "#/components/schemas/A"}]}},
        {"A": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/A"}]}},
        {"A": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}},
    ],
)
def test_a_schema_that_is_only_itself_has_no_fields(schemas):
    document = posting({"$ref": "#/components/schemas/A"}, **schemas)
    assert [field.path for field in document.operations[0].fields] in ([], ["$body"])


def test_a_recursive_schema_ends_where_it_begins_again():
    node = {"properties": {"value": {"type": "string"}, "next": {"$ref": "#/components/schemas/Node"},
                           "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}}  # fmt: skip
    body = posting({"$ref": "#/components/schemas/Node"}, Node=node).operations[0].body
    assert [(field.path, field.composite) for field in body.fields] == [
        ("value", False), ("next", False), ("children", False),
    ]  # fmt: skip
    assert body.cut


def test_path_items_parameters_and_answers_that_lead_in_circles_are_passed_over():
    data = b"""
openapi: 3.1.0
paths:
  /a: {$ref: '#/paths/~1b'}
  /b: {$ref: '#/paths/~1a'}
  /c:
    get:
      parameters: [{$ref: '#/components/parameters/P'}]
      requestBody: {$ref: '#/components/requestBodies/R'}
      responses: {'200': {$ref: '#/components/responses/S'}}
components:
  parameters: {P: {$ref: '#/components/parameters/P'}}
  requestBodies: {R: {$ref: '#/components/requestBodies/R'}}
  responses: {S: {$ref: '#/components/responses/S'}}
"""
    document = read_bytes(data)
    assert [found.name for found in document.operations] == ["GET /c"]
    found = document.operations[0]
    assert (found.parameters, found.body, found.responses) == ((), None, ())
    assert {problem.message for problem in document.problems} == {"its `$ref`s lead to each other without end"}


def test_a_document_that_is_too_large_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(limits.MAX_BYTES + 1)
    with pytest.raises(LimitError, match="larger than the 100 MB"):
        read_document(path)


def test_files_together_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("wizard.spec.files.MAX_BYTES", 1_000)
    (tmp_path / "openapi.yaml").write_text("openapi: 3.1.0\npaths: {/a: {$ref: other.yaml}}\n")
    (tmp_path / "other.yaml").write_text("#" * 2_000)
    with pytest.raises(LimitError, match="larger than"):
        read_document(tmp_path / "openapi.yaml")


def test_the_number_of_files_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr("wizard.spec.files.MAX_FILES", 3)
    refs = "".join(f"  /{n}: {{$ref: f{n}.yaml}}\n" for n in range(5))
    (tmp_path / "openapi.yaml").write_text("openapi: 3.1.0\npaths:\n" + refs)
    for n in range(5):
        (tmp_path / f"f{n}.yaml").write_text("get: {}\n")
    with pytest.raises(LimitError, match="spread over more than 3 files"):
        read_document(tmp_path / "openapi.yaml")


NAMES = [
    "a[b]",
    "filter[x][]",
    'say "hi"',
    "line\nbreak",
    "nul\0",
    "esc\x1b[31m",
    "a.b",
    "a:b",
    "a?",
    "",
    "~/",
    "$body",
    "\u202e",
    "%7B",
    "a\\b",
]


def test_names_with_every_sort_of_sign_are_kept():
    parameters = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in NAMES if name]
    schema = {"type": "object", "required": NAMES, "properties": {name: {"type": "string"} for name in NAMES}}
    root = {
        "openapi": "3.1.0",
        "paths": {
            "/a": {
                "post": {"parameters": parameters, "requestBody": {"content": {"application/json": {"schema": schema}}}}
            },
            **{f"/{name}": {"get": {}} for name in NAMES if name},
        },
    }
    document = read_bytes(orjson.dumps(root))
    post = document.operations[0]
    assert [found.name for found in post.parameters] == [name for name in NAMES if name]
    assert [found.name for found in post.fields] == NAMES
    assert [found.path for found in document.operations[1:]] == [f"/{name}" for name in NAMES if name]
    for field, name in zip(post.fields, NAMES, strict=True):
        path = FieldPath.parse(field.path)
        assert str(path) == field.path
        assert path.get({name: 7}) == 7
        assert document.resolve(field.pointer) == {"type": "string"}
        assert document.place(field.pointer).position is not None


def test_values_of_the_wrong_kind_everywhere_are_passed_over():
    for wrong in (None, 1, "x", [], {}, [1], {"a": 1}, True):
        root = {
            "openapi": "3.1.0",
            "info": wrong,
            "servers": wrong,
            "tags": wrong,
            "security": wrong,
            "webhooks": wrong,
            "components": wrong,
            "paths": {
                "/0": wrong,
                "/1": {"get": wrong, "parameters": wrong, "servers": wrong, "$ref": wrong, "x-a": wrong},
                "/2": {
                    "post": {
                        "parameters": wrong,
                        "requestBody": wrong,
                        "responses": wrong,
                        "tags": wrong,
                        "security": wrong,
                        "callbacks": wrong,
                        "servers": wrong,
                        "summary": wrong,
                        "operationId": wrong,
                        "deprecated": wrong,
                    }
                },
                "/3": {
                    "post": {
                        "parameters": [
                            wrong,
                            {"name": "a", "in": "query", "schema": wrong},
                            {"name": wrong, "in": wrong},
                            {"name": "b", "in": "query", "content": wrong},
                        ],
                        "requestBody": {"content": {"application/json": wrong}},
                        "responses": {"200": wrong, "default": {"content": wrong, "headers": wrong, "links": wrong}},
                    }
                },
                "/4": {
                    "post": {"requestBody": {"content": {"application/json": {"schema": wrong, "examples": wrong}}}}
                },
                "/5": {
                    "post": {
                        "requestBody": {
                            "content": {
                                "application/json": {
                                    "schema": {
                                        "type": wrong,
                                        "properties": wrong,
                                        "required": wrong,
                                        "items": wrong,
                                        "allOf": wrong,
                                        "oneOf": wrong,
                                        "anyOf": wrong,
                                        "enum": wrong,
                                        "discriminator": wrong,
                                        "$ref": wrong,
                                        "then": wrong,
                                        "else": wrong,
                                        "examples": wrong,
                                        "maxLength": wrong,
                                        "title": wrong,
                                    }
                                }
                            }
                        }
                    }
                },
                "/6": {
                    "post": {
                        "requestBody": {
                            "content": {
                                "application/json": {
                                    "schema": {
                                        "properties": {"a": wrong},
                                        "allOf": [wrong],
                                        "oneOf": [wrong, wrong],
                                        "discriminator": {"mapping": wrong},
                                    }
                                }
                            }
                        }
                    }
                },
            },
        }
        swagger = dict.fromkeys(("host", "basePath", "schemes", "consumes", "produces", "definitions"), wrong)
        for version in ({"openapi": "3.1.0"}, {"swagger": "2.0", **swagger}):
            document = read_bytes(orjson.dumps({**root, **version}))
            for found in document.operations:
                assert found.fields is not None
                for answer in found.responses:
                    assert answer.body is None or answer.body.fields is not None
            for problem in document.problems:
                assert document.place(problem.pointer).position is not None


@pytest.mark.parametrize("name", ["missing.yaml", "folder", "bad\0name", "x" * 5000, "loop.yaml"])
def test_a_path_that_cannot_be_read_is_said(tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.symlink("loop.yaml", tmp_path / "loop.yaml")
    with pytest.raises(DocumentError) as caught:
        read_document(f"{tmp_path}/{name}")
    assert caught.value.remedy


def test_standard_input_is_read(monkeypatch):
    class Input:
        class buffer:
            @staticmethod
            def read(most):
                return MINIMAL[:most]

    monkeypatch.setattr(fetch.sys, "stdin", Input)
    document = read_document("-")
    assert (document.source, document.title) == ("-", "T")
