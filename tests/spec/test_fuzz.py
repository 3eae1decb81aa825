"""Whatever the bytes: a document, or an error of ours; never anything else, and soon."""

import copy
import json

import orjson
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from wizard.errors import WizardError
from wizard.operation.field_path import FieldPath
from wizard.spec.extensions import declared
from wizard.spec.reader import read_bytes

FUZZ = settings(max_examples=150, deadline=5_000, suppress_health_check=[HealthCheck.too_slow])

HOUSE = yaml.safe_load("""
openapi: 3.1.0
info: {title: House, version: '1.0'}
servers: [{url: 'https://{h}.example/', variables: {h: {default: a}}}]
security: [{key: []}]
tags: [{name: rooms, description: d}]
webhooks: {w: {post: {}}}
paths:
  /rooms/{id}:
    $ref: '#/components/pathItems/P'
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: book
      x-outturn-identity: [room_id, 'guest.email?']
      x-outturn-key: header Idempotency-Key
      parameters: [{$ref: '#/components/parameters/Q'}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf: [{$ref: '#/components/schemas/Base'}]
              required: [room_id]
              properties: {room_id: {type: [string, 'null'], maxLength: 9}}
              oneOf: [{properties: {a: {}}}, {$ref: '#/components/schemas/Sub'}]
              discriminator: {propertyName: k, mapping: {x: Sub}}
            examples: {e: {value: {room_id: '1'}}}
      responses:
        '201':
          description: d
          headers: {ETag: {description: e}}
          links: {l: {}}
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Base'}}}}
        default: {$ref: '#/components/responses/R'}
      callbacks: {c: {}}
components:
  pathItems: {P: {get: {summary: s}}}
  parameters: {Q: {name: q, in: query, content: {application/json: {schema: {}}}}}
  responses: {R: {description: d}}
  schemas:
    Base: {properties: {guest: {properties: {email: {}}}, next: {$ref: '#/components/schemas/Base'}}}
    Sub: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {b: {enum: [x]}}}]}
""")
SWAGGER = yaml.safe_load("""
swagger: '2.0'
host: a.example
basePath: /v1
schemes: [https]
consumes: [application/json]
paths:
  /a:
    post:
      parameters:
      - {name: b, in: body, schema: {$ref: '#/definitions/D'}}
      - {name: f, in: formData, type: file}
      responses: {'200': {description: d, schema: {$ref: '#/definitions/D'}, examples: {a/b: 1}}}
definitions:
  D: {discriminator: k, required: [k], properties: {k: {type: string}}}
  E: {allOf: [{$ref: '#/definitions/D'}, {properties: {e: {type: array, items: {}}}}]}
""")


def read(data):
    """The document, or none and what was said."""
    try:
        return read_bytes(data), ""
    except WizardError as error:
        return None, str(error)


def look_at_everything(data):
    """Reads a document and all that is worked out late."""
    document, refusal = read(data)
    if document is None:
        assert refusal
        assert "\n" not in refusal
        return None
    for problem in document.problems:
        assert problem.message
        str(document.place(problem.pointer))
    for operation in document.operations:
        assert operation.name
        declared(operation, document)
        for body in (operation.body, *(answer.body for answer in operation.responses)):
            for field in (*(body.fields if body else ()), *(body.element if body else ())):
                assert str(FieldPath.parse(field.path)) == field.path
                assert field.required or not field.always
        assert operation.success is None or operation.success in operation.responses
        repr(operation)
    repr(document)
    return document


@given(st.binary(max_size=300))
@example(b"\xff\xfe\x00\xd8")
@example(b"\xff\xfe\x00")
@example(b"\x00{\x00")
@example(b"openapi: &a [*a]")
@FUZZ
def test_any_bytes(data):
    look_at_everything(data)


@given(st.text(max_size=200))
@FUZZ
def test_any_text_behind_a_head(text):
    for head in ("openapi: 3.1.0\npaths:\n ", '{"openapi": "3.1.0", "paths": {', "swagger: '2.0'\npaths: {/a: {post: "):
        look_at_everything((head + text).encode("utf-8", "surrogatepass"))


SIGNS = ["a", "- ", "? ", ": ", "\n", "  ", "\t", "&a ", "*a", "<<: ", *"{}[],'\"|>#!%\\é", "!!str ", "---\n", "...\n"]
SIGNS += ["\x07", "\ufeff", "\u2028", "$ref: ", "openapi: 3\n", "paths:\n", "/a:\n"]
YAML_SIGNS = st.lists(st.sampled_from(SIGNS), max_size=40)


@given(YAML_SIGNS)
@FUZZ
def test_any_signs_of_yaml(signs):
    look_at_everything("".join(signs).encode())
    look_at_everything(("openapi: 3.1.0\npaths:\n" + "".join(signs)).encode())


@given(st.sampled_from([HOUSE, SWAGGER]), st.booleans(), st.data())
@FUZZ
def test_a_document_that_was_cut_or_damaged(document, as_yaml, data):
    whole = yaml.safe_dump(document, sort_keys=False).encode() if as_yaml else orjson.dumps(document)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    put = data.draw(st.binary(max_size=8))
    look_at_everything(whole[:start] + put + whole[end:])
    look_at_everything(whole[:start])


REFS = ["#/components/schemas/Base", "#/components/schemas/Sub", "#/paths/~1rooms~1{id}/post", "#/definitions/D"]
REFS += ["#", "#/", "#x", "", "other.yaml", "../x", "https://example.invalid/x", "\0", "%", "#/%"]
REFS += ["#/components/schemas/Base/properties/next"]
WORDS = st.text(max_size=3)
WRONG = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    WORDS,
    st.sampled_from(REFS).map(lambda ref: {"$ref": ref}),
    st.lists(WORDS, max_size=2),
    st.dictionaries(WORDS, WORDS, max_size=2),
)


def places(value, at=()):
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*at, key))


@given(st.sampled_from([HOUSE, SWAGGER]), st.data())
@settings(FUZZ, max_examples=300)
def test_a_document_with_wrong_values(document, data):
    root = copy.deepcopy(document)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.sampled_from([one for one in places(root) if one]))
        holder = root
        for key in at[:-1]:
            holder = holder[key]
        holder[at[-1]] = data.draw(WRONG)
    found = look_at_everything(json.dumps(root).encode())
    if found is not None:
        for operation in found.operations:
            for field in operation.fields:
                assert found.resolve(field.pointer) is not None or field.pointer
    look_at_everything(yaml.safe_dump(root).encode())
