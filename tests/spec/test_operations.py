"""Operations of all versions: methods, parameters, bodies, answers, servers, security."""

import textwrap

import orjson
import pytest
import yaml

from wizard.spec.reader import read_bytes


def read(text):
    return read_bytes(textwrap.dedent(text).encode(), "api.yaml")


def test_the_document_itself():
    document = read("""
        openapi: 3.1.0
        info: {title: House, version: 1.10, description: A house}
        servers: [{url: 'https://house.example/v1/'}]
        tags: [{name: rooms, description: All rooms}, {name: guests}]
        webhooks: {arrived: {post: {}}}
        paths:
          /rooms:
            get: {operationId: listRooms}
    """)
    assert (document.title, document.openapi, document.version) == ("House", "3.1.0", "1.10")
    assert document.description == "A house"
    assert document.servers == ("https://house.example/v1/",)
    assert dict(document.tags) == {"rooms": "All rooms", "guests": ""}
    assert document.webhooks == ("arrived",)
    assert [found.name for found in document.operations] == ["GET /rooms"]
    assert document.by_name["GET /rooms"].operation_id == "listRooms"
    assert document.resolve("#/info/title") == "House"
    assert document.resolve("#/info/missing") is None
    assert document.problems == ()


def test_every_method_is_an_operation_and_nothing_else_is():
    document = read("""
        openapi: 3.2.0
        paths:
          x-notes: {get: {}}
          /a:
            summary: S
            description: D
            servers: []
            parameters: []
            x-owner: {get: {}}
            get: {}
            PUT: {}
            post: {callbacks: {paid: {'{$request.body#/url}': {post: {}}}}}
            delete: {}
            options: {}
            head: {}
            patch: {summary: own}
            trace: {}
            query: {}
            additionalOperations: {LINK: {}, purge: {}}
          /b#Action=Do: {post: {}}
          /c.json?x=1: {get: {}}
          no-slash: {get: {}}
    """)
    assert [found.name for found in document.operations] == [
        "GET /a", "PUT /a", "POST /a", "DELETE /a", "OPTIONS /a", "HEAD /a", "PATCH /a", "TRACE /a", "QUERY /a",
        "LINK /a", "purge /a", "POST /b#Action=Do", "GET /c.json?x=1", "GET no-slash",
    ]  # fmt: skip
    assert document.webhooks == ("paid",)
    assert {found.summary for found in document.operations if found.path == "/a"} == {"S", "own"}
    assert document.operations[0].extensions == {"x-owner": {"get": {}}}


def test_extensions_of_the_operation_go_before_those_of_its_path():
    document = read("""
        openapi: 3.0.0
        paths: {/a: {x-a: path, x-b: path, get: {x-b: own, deprecated: true, tags: [t, 2]}}}
    """)
    found = document.operations[0]
    assert found.extensions == {"x-a": "path", "x-b": "own"}
    assert found.deprecated
    assert found.tags == ("t", "2")


def test_parameters_of_path_and_operation():
    document = read("""
        openapi: 3.0.0
        paths:
          /a/{id}:
            parameters:
            - {name: id, in: path, schema: {type: string}, description: The path's}
            - {name: page, in: query, schema: {type: integer}}
            - {name: X-Tenant, in: header, required: true, schema: {type: string}}
            get:
              parameters:
              - {name: page, in: query, deprecated: true, required: true, schema: {type: string, description: Which}}
              - {$ref: '#/components/parameters/Filter'}
              - {name: session, in: cookie, example: abc, schema: {type: string}}
        components:
          parameters:
            Filter:
              {name: 'filter[a]', in: query, content: {application/json: {schema: {type: object, x-b: 1}}}, x-a: 1}
    """)
    found = document.operations[0]
    assert [(one.name, one.location, one.required) for one in found.parameters] == [
        ("page", "query", True), ("filter[a]", "query", False), ("session", "cookie", False), ("id", "path", True),
        ("X-Tenant", "header", True),
    ]  # fmt: skip
    page, filtered, session = found.parameters[:3]
    assert (page.shape.type, page.shape.deprecated, page.description) == ("string", True, "Which")
    assert (filtered.shape.type, filtered.shape.extensions) == ("object", {"x-a": 1, "x-b": 1})
    assert filtered.pointer == "#/components/parameters/Filter"
    assert session.shape.examples == ("abc",)
    assert [one.name for one in found.parameters_in("query")] == ["page", "filter[a]"]
    assert document.problems == ()


def test_a_path_variable_without_a_parameter_is_one_all_the_same():
    document = read("{openapi: 3.0.0, paths: {'/a/{id}/b': {get: {}}}}")
    assert [(one.name, one.required) for one in document.operations[0].parameters] == [("id", True)]
    assert document.problems[0].message == "`{id}` in the path has no parameter"


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("x", "a parameter is a mapping"),
        ("{in: query}", "a parameter has a `name`"),
        ("{name: a}", "a parameter has a `name` and says `in`"),
        ("{name: a, in: nowhere}", "a parameter has a `name` and says `in`"),
        ("{$ref: '#/components/parameters/Missing'}", "`$ref: #/components/parameters/Missing` leads to nothing"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_a_problem_and_the_others_stay(parameter, said):
    document = read(f"""
        openapi: 3.0.0
        paths: {{/a: {{get: {{parameters: [{parameter}, {{name: b, in: query}}]}}}}}}
    """)
    assert [one.name for one in document.operations[0].parameters] == ["b"]
    assert document.problems[0].message.startswith(said)
    assert document.problems[0].pointer.startswith("#/paths/~1a/get/parameters/0")


def test_operation_ids_that_stand_twice_are_said():
    document = read("{openapi: 3.0.0, paths: {/a: {get: {operationId: x}, put: {operationId: x}}}}")
    assert [found.operation_id for found in document.operations] == ["x", "x"]
    assert [(found.message, found.pointer) for found in document.problems] == [
        ("the operationId `x` is that of `GET /a` too", "#/paths/~1a/put/operationId")
    ]


def test_a_path_item_behind_a_ref_and_what_stands_beside_it():
    document = read("""
        openapi: 3.1.0
        paths:
          /a:
            $ref: '#/components/pathItems/A'
            parameters: [{name: own, in: query}]
            put: {summary: own}
        components:
          pathItems:
            A:
              parameters: [{name: theirs, in: query}]
              get: {summary: theirs}
              put: {summary: theirs}
    """)
    assert [(found.name, found.summary) for found in document.operations] == [("PUT /a", "own"), ("GET /a", "theirs")]
    assert [one.name for one in document.operations[1].parameters] == ["own", "theirs"]
    assert document.operations[1].pointer == "#/components/pathItems/A/get"


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("servers: [{url: 'https://a.example'}, {url: https://b.example}]", ("https://a.example", "https://b.example")),
        ("servers: [{url: '{s}://{host}/v{n}', variables: {s: {default: https}, host: {enum: [a.example, b]}, "
         "n: {default: 2}}}]", ("https://a.example/v2",)),
        ("servers: [{url: 'https://{tenant}.example'}]", ("https://{tenant}.example",)),
        ("servers: [{url: /v1}]", ("/v1",)),
        ("servers: []", ()),
        ("info: {}", ()),
        ("servers: [x, {url: ''}, {}]", ()),
    ],
)  # fmt: skip
def test_servers(written, read_as):
    assert read(f"openapi: 3.0.0\npaths: {{/a: {{get: {{}}}}}}\n{written}\n").operations[0].servers == read_as


def test_servers_of_path_and_operation_take_the_place_of_the_documents():
    document = read("""
        openapi: 3.0.0
        servers: [{url: 'https://a.example'}]
        paths:
          /a:
            servers: [{url: 'https://b.example'}]
            get: {servers: [{url: 'https://c.example'}]}
            put: {}
          /b: {get: {}}
    """)
    assert [found.servers[0] for found in document.operations] == [
        "https://c.example", "https://b.example", "https://a.example",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("host: a.example\nbasePath: /v1\nschemes: [http, https, ws]", ("https://a.example/v1", "http://a.example/v1")),
        ("host: a.example:8080\nbasePath: /", ("https://a.example:8080",)),
        ("host: a.example\nbasePath: v1", ("https://a.example/v1",)),
        ("host: http://a.example\nbasePath: /v1", ("http://a.example/v1",)),
        ("basePath: /v1", ("/v1",)),
        ("info: {}", ()),
    ],
)
def test_servers_of_swagger_2(written, read_as):
    assert read(f"swagger: '2.0'\npaths: {{/a: {{get: {{}}}}}}\n{written}\n").operations[0].servers == read_as


def test_security_of_operation_and_document():
    document = read("""
        openapi: 3.0.0
        security: [{key: []}, {oauth: [read]}]
        paths: {/a: {get: {}, put: {security: []}, post: {security: [{other: [], key: []}]}}}
    """)
    assert [found.security for found in document.operations] == [("key", "oauth"), (), ("other", "key")]


def with_content(*media_types):
    content = {name: {"schema": {"properties": {f"m{n}": {}}}} for n, name in enumerate(media_types)}
    root = {"openapi": "3.0.0", "paths": {"/a": {"post": {"requestBody": {"content": content, "required": True}}}}}
    return read_bytes(orjson.dumps(root)).operations[0]


@pytest.mark.parametrize(
    ("media_types", "best"),
    [
        (["text/plain", "application/xml", "application/json"], "application/json"),
        (["multipart/form-data", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["application/merge-patch+json", "application/vnd.api+json"], "application/vnd.api+json"),
        (["application/x-www-form-urlencoded", "application/merge-patch+json"], "application/merge-patch+json"),
        (["application/xml", "text/json; charset=utf-8"], "text/json; charset=utf-8"),
        (["application/octet-stream", "*/*"], "*/*"),
        (["application/xml", "multipart/form-data"], "multipart/form-data"),
        (["text/csv", "text/plain"], "text/csv"),
    ],
)
def test_the_media_type_that_suits_best(media_types, best):
    found = with_content(*media_types)
    assert found.media_types == tuple(media_types)
    assert (found.body.media_type, found.body.required) == (best, True)
    assert [field.name for field in found.fields] == [f"m{media_types.index(best)}"]


def test_a_body_behind_a_ref_with_examples():
    document = read("""
        openapi: 3.1.0
        paths: {/a: {post: {requestBody: {$ref: '#/components/requestBodies/B'}}}}
        components:
          requestBodies:
            B:
              description: The body
              required: true
              content:
                application/json:
                  schema: {$ref: '#/components/schemas/S'}
                  examples: {one: {value: {a: 1}}, two: {$ref: '#/components/examples/E'}, far: {externalValue: x}}
          schemas: {S: {properties: {a: {type: integer}}, example: {a: 3}}}
          examples: {E: {value: {a: 2}}}
    """)
    body = document.operations[0].body
    assert (body.description, body.required, body.schema_name) == ("The body", True, "S")
    assert body.examples == ({"a": 1}, {"a": 2}, {"a": 3})
    assert body.pointer == "#/components/requestBodies/B/content/application~1json/schema"


@pytest.mark.parametrize("request_body", ["{}", "{content: {}}", "{content: {application/json: 1}}", "x", "null"])
def test_a_request_body_that_says_nothing(request_body):
    found = read(f"{{openapi: 3.0.0, paths: {{/a: {{post: {{requestBody: {request_body}}}}}}}}}").operations[0]
    assert found.body is None
    assert found.fields == ()


def test_a_body_without_a_schema_has_no_fields():
    found = read("{openapi: 3.0.0, paths: {/a: {post: {requestBody: {content: {text/plain: {}}}}}}}").operations[0]
    assert (found.body.media_type, found.body.fields) == ("text/plain", ())


def test_answers():
    document = read("""
        openapi: 3.0.0
        paths:
          /a:
            get:
              responses:
                200:
                  description: Found
                  headers: {ETag: {description: The version}, X-Next: {$ref: '#/components/headers/Next'}}
                  links: {self: {operationId: get}, next: {$ref: '#/components/links/Next'}}
                  content:
                    application/json:
                      schema: {type: array, items: {required: [id], properties: {id: {}, pw: {writeOnly: true}}}}
                4xx: {$ref: '#/components/responses/Wrong'}
                default: {}
                x-note: {description: none}
                500: {$ref: '#/components/responses/Missing'}
        components:
          headers: {Next: {description: The next page}}
          links: {Next: {operationRef: '#/paths'}}
          responses:
            Wrong: {description: Wrong, content: {application/problem+json: {schema: {properties: {title: {}}}}}}
    """)
    found = document.operations[0]
    assert [answer.status for answer in found.responses] == ["200", "4XX", "default"]
    good, wrong, other = found.responses
    assert good.headers == {"ETag": "The version", "X-Next": "The next page"}
    assert good.links == {"self": {"operationId": "get"}, "next": {"operationRef": "#/paths"}}
    assert found.success is good
    assert [field.path for field in good.body.fields] == ["$body"]
    assert [(field.path, field.required) for field in good.body.element] == [("id", True), ("pw", False)]
    assert (wrong.description, wrong.body.media_type) == ("Wrong", "application/problem+json")
    assert wrong.pointer == "#/components/responses/Wrong"
    assert (other.body, other.media_types) == (None, ())
    assert [problem.pointer for problem in document.problems] == ["#/paths/~1a/get/responses/500/$ref"]


def test_the_answer_that_counts_as_success():
    for statuses, expected in ((["204", "201"], "201"), (["404", "default"], "default"), (["404"], None)):
        content = {"content": {"application/json": {}}}
        responses = {status: content if status == "201" else {} for status in statuses}
        root = {"openapi": "3.0.0", "paths": {"/a": {"post": {"responses": responses}}}}
        found = read_bytes(orjson.dumps(root)).operations[0].success
        assert (found.status if found else None) == expected


def test_swagger_2_bodies():
    document = read("""
        swagger: '2.0'
        consumes: [application/xml, application/json]
        produces: [application/json]
        parameters: {Whole: {name: booking, in: body, required: true, schema: {$ref: '#/definitions/Booking'}}}
        paths:
          /json:
            post:
              parameters: [{$ref: '#/parameters/Whole'}, {name: q, in: query, type: array, items: {type: string}}]
              responses:
                200:
                  description: ok
                  schema: {$ref: '#/definitions/Booking'}
                  examples: {application/json: {id: 1}}
                  headers: {X-A: {type: string, description: A}}
                204: {description: none}
          /form:
            post:
              consumes: [application/x-www-form-urlencoded]
              parameters:
              - {name: 'room[id]', in: formData, type: string, required: true, maxLength: 9, description: Which}
              - {name: note, in: formData, type: string, enum: [a, b]}
          /file:
            post:
              parameters: [{name: photo, in: formData, type: file}, {name: id, in: formData, type: integer}]
          /none: {post: {parameters: [{name: b, in: body}]}}
        definitions:
          Booking: {required: [id], properties: {id: {type: integer, x-nullable: true}, room: {type: string}}}
    """)
    assert document.problems == ()
    json_, form, file, none = document.operations
    assert json_.media_types == ("application/xml", "application/json")
    assert (json_.body.media_type, json_.body.required, json_.body.schema_name) == ("application/json", True, "Booking")
    assert [(field.path, field.always) for field in json_.fields] == [("id", True), ("room", False)]
    assert [(one.name, one.shape.type, one.shape.item_type) for one in json_.parameters] == [("q", "array", "string")]
    answer = json_.success
    assert (answer.headers, answer.body.examples, len(answer.body.fields)) == ({"X-A": "A"}, ({"id": 1},), 2)
    assert form.body.media_type == "application/x-www-form-urlencoded"
    assert [(field.path, field.required, field.shape.max_length) for field in form.fields] == [
        ('"room[id]"', True, 9), ("note", False, None),
    ]  # fmt: skip
    assert form.fields[1].shape.enum == ("a", "b")
    assert form.fields[0].shape.description == "Which"
    assert file.body.media_type == "multipart/form-data"
    assert (none.body.media_type, none.fields) == ("application/json", ())
    assert document.resolve(form.fields[0].pointer)["name"] == "room[id]"


def test_all_versions_give_the_same_model():
    schema = yaml.safe_load("""
        required: [room_id]
        properties: {room_id: {type: string}, guest: {$ref: REF/Guest}, nights: {type: integer, maximum: 30}}
    """)
    guest = {"required": ["name"], "properties": {"name": {"type": "string"}}}

    def text(root, holder):
        return orjson.dumps(root).replace(b"REF", holder)

    new = {
        "paths": {"/b": {"post": {
            "parameters": [{"name": "X-Key", "in": "header", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": schema}}},
            "responses": {"201": {"description": "made", "content": {"application/json": {"schema": schema}}}}}}},
        "components": {"schemas": {"Guest": guest}}, "servers": [{"url": "https://a.example/v1"}],
    }  # fmt: skip
    old = {
        "swagger": "2.0", "host": "a.example", "basePath": "/v1", "consumes": ["application/json"],
        "paths": {"/b": {"post": {
            "parameters": [{"name": "X-Key", "in": "header", "type": "string"},
                           {"name": "body", "in": "body", "schema": schema}],
            "responses": {"201": {"description": "made", "schema": schema}}}}},
        "definitions": {"Guest": guest},
    }  # fmt: skip
    documents = [read_bytes(text(old, b"#/definitions"))]
    documents += [
        read_bytes(text({"openapi": version, **new}, b"#/components/schemas"))
        for version in ("3.0.3", "3.1.0", "3.2.0")
    ]
    facts = [
        [(found.name, found.servers, [(one.name, one.location, one.shape) for one in found.parameters],
          [(field.path, field.required, field.always, field.shape, field.schema_name) for field in found.fields],
          [(answer.status, [field.path for field in answer.body.fields]) for answer in found.responses])
         for found in document.operations]
        for document in documents
    ]  # fmt: skip
    assert facts[0] == facts[1] == facts[2] == facts[3]
