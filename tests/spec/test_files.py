"""`$ref`s: within a file, to other files, and to where a document has no business."""

import os
import textwrap

import pytest

from wizard.spec.reader import read_bytes, read_document


def write(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".yaml").write_text(textwrap.dedent(text))
    return folder


def messages(document):
    return [problem.message for problem in document.problems]


def test_a_document_in_several_files(tmp_path):
    write(
        tmp_path,
        openapi="""
            openapi: 3.1.0
            paths:
              /rooms: {$ref: 'paths/rooms.yaml#/rooms'}
        """,
        paths__rooms="""
            rooms:
              post:
                parameters: [{$ref: '../parameters.yaml#/tenant'}]
                requestBody:
                  content: {application/json: {schema: {$ref: '../schemas/Room.yaml'}}}
                responses: {201: {$ref: '#/made'}}
            made: {description: Made}
        """,
        parameters="tenant: {name: X-Tenant, in: header, schema: {type: string}}\n",
        schemas__Room="""
            required: [number]
            properties:
              number: {type: string}
              beds: {type: array, items: {$ref: 'Bed.yaml'}}
              house: {$ref: '../openapi.yaml#/paths'}
        """,
        schemas__Bed="properties: {width: {type: integer}}\n",
    )
    document = read_document(tmp_path / "openapi.yaml")
    assert document.problems == ()
    found = document.operations[0]
    assert found.pointer == "paths/rooms.yaml#/rooms/post"
    assert [field.path for field in found.fields] == ["number", "beds", "beds[].width", "house"]
    assert found.fields[0].pointer == "schemas/Room.yaml#/properties/number"
    assert found.fields[0].required_at == "schemas/Room.yaml#/required"
    assert found.fields[2].pointer == "schemas/Bed.yaml#/properties/width"
    assert found.body.schema_name == "Room"
    assert found.parameters[0].pointer == "parameters.yaml#/tenant"
    assert found.responses[0].description == "Made"
    assert document.resolve("schemas/Bed.yaml#/properties/width") == {"type": "integer"}
    place = document.place("schemas/Room.yaml#/properties/beds/items")
    assert str(place) == f"{tmp_path}/schemas/Room.yaml:5:30"
    assert document.resolve("unknown.yaml#/a") is None
    assert document.place("unknown.yaml#/a").name == "unknown.yaml"


def test_one_file_is_one_file_however_it_is_named(tmp_path):
    write(tmp_path, openapi="""
        openapi: 3.1.0
        paths:
          /a: {$ref: './x/../items.yaml#/a'}
          /b: {$ref: 'items.yaml#/a'}
          /c: {$ref: 'openapi.yaml#/x-c'}
        x-c: {get: {summary: c}}
    """, items="a: {get: {}}\n")  # fmt: skip
    (tmp_path / "x").mkdir()
    document = read_document(tmp_path / "openapi.yaml")
    assert [found.pointer for found in document.operations] == [
        "items.yaml#/a/get", "items.yaml#/a/get", "#/x-c/get",
    ]  # fmt: skip


def test_names_in_a_fragment_may_be_percent_encoded():
    document = read_bytes(b"""
openapi: 3.1.0
paths:
  /a: {$ref: '#/paths/~1b~1%7Bid%7D'}
  /b/{id}: {get: {parameters: [{name: id, in: path}]}}
""")
    assert [found.name for found in document.operations] == ["GET /a", "GET /b/{id}"]


def test_anchors_and_self():
    document = read_bytes(b"""
openapi: 3.2.0
$self: https://api.example/openapi
paths:
  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: '#room'}}}}}}
  /b: {post: {requestBody: {content: {application/json: {schema: {$ref: 'https://api.example/openapi#/components/schemas/R'}}}}}}
components: {schemas: {R: {$anchor: room, properties: {number: {}}}}}
""")
    assert document.problems == ()
    assert [[field.path for field in found.fields] for found in document.operations] == [["number"], ["number"]]


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("#/components/schemas/Missing", "leads to nothing"),
        ("#missing", "leads to nothing"),
        ("missing.yaml", "leads to nothing: there is no file `missing.yaml`"),
        ("Booking", "leads to nothing: there is no file `Booking`"),
        ("folder", "leads to a file that cannot be read"),
        ("broken.yaml", "leads to a file that cannot be read: "),
        ("empty.yaml", "leads to a file that cannot be read: "),
        ("page.yaml", "leads to a file that cannot be read: "),
        ("/etc/passwd", "it leads outside the document's folder"),
        ("../secret.yaml", "it leads outside the document's folder"),
        ("folder/../../secret.yaml", "it leads outside the document's folder"),
        ("..%2Fsecret.yaml", "it leads outside the document's folder"),
        ("file:///etc/passwd", "it leads outside the document's folder"),
        ("link.yaml", "it leads outside the document's folder"),
        ("folder/out/secret.yaml", "it leads outside the document's folder"),
        ("https://example.com/a.yaml", "it leads to a URL"),
        ("http://169.254.169.254/latest/meta-data", "it leads to a URL"),
        ("//example.com/a.yaml", "leads"),
        ("ftp://example.com/a.yaml", "`ftp:` is no file and no URL"),
        ("data:application/json,{}", "`data:` is no file and no URL"),
        ("http://[::1", "is no reference that can be read"),
        ("bad\0name", "leads"),
        ("pipe", "leads to a file that cannot be read"),
    ],
)
def test_what_a_ref_may_not_or_cannot_lead_to_is_a_problem_with_its_place(tmp_path, ref, said):
    (tmp_path / "secret.yaml").write_text("properties: {secret: {}}\n")
    house = tmp_path / "house"
    (house / "folder").mkdir(parents=True)
    os.symlink("../secret.yaml", house / "link.yaml")
    os.symlink("../..", house / "folder" / "out")
    os.mkfifo(house / "pipe")
    (house / "broken.yaml").write_text("a: b: c\n")
    (house / "empty.yaml").write_text("")
    (house / "page.yaml").write_text("<html></html>")
    quoted = ref.replace("\0", "\\0")
    (house / "openapi.yaml").write_text(
        textwrap.dedent(f"""
        openapi: 3.1.0
        paths:
          /a:
            post:
              requestBody:
                content:
                  application/json:
                    schema:
                      properties:
                        x: {{$ref: "{quoted}"}}
                        y: {{type: string}}
    """)
    )
    document = read_document(house / "openapi.yaml")
    assert [field.path for field in document.operations[0].fields] == ["x", "y"]
    assert len(document.problems) == 1
    problem = document.problems[0]
    assert said in problem.message
    assert problem.pointer.endswith("/properties/x/$ref")
    assert str(document.place(problem.pointer)) == f"{house}/openapi.yaml:11:27"


def test_files_outside_the_folder_are_read_when_asked_for(tmp_path):
    (tmp_path / "shared.yaml").write_text("properties: {name: {}}\n")
    write(tmp_path / "house", openapi="""
        openapi: 3.1.0
        paths: {/a: {post: {requestBody: {content: {application/json: {schema: {$ref: ../shared.yaml}}}}}}}
    """)  # fmt: skip
    document = read_document(tmp_path / "house" / "openapi.yaml", allow_outside=True)
    assert document.problems == ()
    field = document.operations[0].fields[0]
    assert field.pointer == f"{tmp_path}/shared.yaml#/properties/name"
    assert str(document.place(field.pointer)) == f"{tmp_path}/shared.yaml:1:20"


def test_a_document_without_a_place_has_no_files():
    document = read_bytes(b"openapi: 3.1.0\npaths: {/a: {$ref: a.yaml}}\n")
    assert messages(document) == ["`$ref: a.yaml` was not followed: a document from standard input has no folder"]


def test_problems_of_other_files_have_their_place(tmp_path):
    write(tmp_path, openapi="openapi: 3.1.0\npaths: {/a: {$ref: a.yaml}}\n",
          a="get: {}\nget: {summary: x}\nput: {parameters: [{$ref: b.yaml}]}\n")  # fmt: skip
    document = read_document(tmp_path / "openapi.yaml")
    assert [(problem.message, str(document.place(problem.pointer))) for problem in document.problems] == [
        ("`get` stands twice in this mapping, and the last one counts", f"{tmp_path}/a.yaml:2:6"),
        ("`$ref: b.yaml` leads to nothing: there is no file `b.yaml`", f"{tmp_path}/a.yaml:3:27"),
    ]


def test_every_ref_that_leads_nowhere_is_said_once_and_in_order():
    document = read_bytes(b"""
openapi: 3.1.0
paths:
  /a:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
      responses: {200: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}, example: {$ref: no}}}}}
components:
  schemas:
    B: {items: {$ref: '#/b'}, properties: {$ref: {type: string}, example: {$ref: '#/c'}}, default: {$ref: no}}
  examples: {E: {$ref: '#/d'}}
x-note: {$ref: no}
""")
    assert messages(document) == [
        "`$ref: #/components/schemas/A` leads to nothing",
        "`$ref: #/components/schemas/A` leads to nothing",
        "`$ref: #/b` leads to nothing",
        "`$ref: #/c` leads to nothing",
        "`$ref: #/d` leads to nothing",
    ]
    assert len({problem.pointer for problem in document.problems}) == 5


def test_a_relative_path_is_named_as_it_was_given(tmp_path, monkeypatch):
    write(tmp_path / "house", openapi="openapi: 3.1.0\npaths: {/a: {$ref: a.yaml}}\n", a="get: {}\n")
    monkeypatch.chdir(tmp_path)
    document = read_document("house/openapi.yaml")
    assert document.source == "house/openapi.yaml"
    assert str(document.place("#/paths")) == "house/openapi.yaml:2:8"
    assert str(document.place("a.yaml#/get")) == "house/a.yaml:1:6"
