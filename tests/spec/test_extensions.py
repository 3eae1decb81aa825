import textwrap

import pytest

from wizard.operation.parsing import parse_operation
from wizard.spec.extensions import declared
from wizard.spec.reader import read_bytes

HOUSE = """
openapi: 3.1.0
servers: [{url: 'https://house.example/v1/'}]
paths:
  /bookings:
    post:
      requestBody: {content: {application/json: {schema: {properties: {room_id: {}, arrival: {}}}}}}
"""


def house(extensions, *, text=HOUSE):
    return read_bytes((text + textwrap.indent(textwrap.dedent(extensions), " " * 6)).encode(), "house.yaml")


def test_an_operation_without_extensions_declares_nothing():
    document = house("x-other: 1\n")
    assert declared(document.operations[0], document) is None


def test_every_extension_is_read_as_the_declaration_it_is():
    document = house("""
        x-outturn-identity: [room_id, arrival?]
        x-outturn-key: {in: header, name: Idempotency-Key, for: 24h}
        x-outturn-reference: field reference
        x-outturn-probe:
          url: /bookings?room_id={room_id}
          items: $.bookings[*]
          match: {arrival: arrival}
          absent: empty
        x-outturn-write: true
        x-outturn-keep: 2d
        x-outturn-failed: $[?@.ok == false]
        x-outturn-status: proposed
    """)
    found = declared(document.operations[0], document)
    assert found.problems == ()
    expected, problems = parse_operation({
        "method": "POST", "url": "https://house.example/v1/bookings", "identity": ["room_id", "arrival?"],
        "key": {"in": "header", "name": "Idempotency-Key", "for": "24h"}, "reference": "field reference",
        "probe": {"url": "https://house.example/v1/bookings?room_id={room_id}", "items": "$.bookings[*]",
                  "match": {"arrival": "arrival"}, "absent": "empty"},
        "write": True, "keep": "2d", "failed": "$[?@.ok == false]", "status": "proposed",
    })  # fmt: skip
    assert problems == ()
    assert found.operation == expected
    assert found.members["identity"] == "#/paths/~1bookings/post/x-outturn-identity"
    assert list(found.members) == ["identity", "key", "reference", "probe", "write", "keep", "failed", "status"]


def test_a_scope_is_read():
    document = house("x-outturn-scope: arguments\n")
    assert declared(document.operations[0], document).operation.scope == "arguments"


def test_an_absolute_probe_stays_what_it_is():
    document = house("x-outturn-probe: {url: 'https://read.example/b/{room_id}', match: [arrival], absent: '404'}\n")
    assert declared(document.operations[0], document).operation.probe.url == "https://read.example/b/{room_id}"


@pytest.mark.parametrize(
    ("extensions", "said", "pointer"),
    [
        ("x-outturn-identity: room_id", "`x-outturn-identity` is a list; write `[room_id]`", "x-outturn-identity"),
        ("x-outturn-identity: [a, 1]", "`x-outturn-identity` names a field here", "x-outturn-identity/1"),
        ("x-outturn-key: Idempotency-Key", "`x-outturn-key` is `header NAME`", "x-outturn-key"),
        ("x-outturn-keep: 5", "`x-outturn-keep` needs a unit", "x-outturn-keep"),
        ("x-outturn-probe: {url: /a, absent: empty}", "needs `items`", "x-outturn-probe/absent"),
        ("x-outturn-probe: {url: /a, match: {'a[': b}}", "is no field name", "x-outturn-probe/match/a["),
        ("x-outturn-idnetity: [a]", "there is no extension `x-outturn-idnetity`; did you mean `x-outturn-identity`?",
         "x-outturn-idnetity"),
        ("x-outturn-write: yes", "`x-outturn-write` is `true` or `false`", "x-outturn-write"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(extensions, said, pointer):
    document = house(extensions + "\n")
    problems = declared(document.operations[0], document).problems
    assert len(problems) == 1
    assert said in problems[0].message
    assert problems[0].pointer == f"#/paths/~1bookings/post/{pointer}"
    assert document.place(problems[0].pointer).position.line == 8


def test_a_document_without_a_server_declares_all_the_same():
    document = house(
        "x-outturn-identity: [room_id]\nx-outturn-probe: {url: '/b/{room_id}', match: [arrival], absent: '404'}\n",
        text=HOUSE.replace("servers: [{url: 'https://house.example/v1/'}]\n", ""),
    )
    found = declared(document.operations[0], document)
    assert found.problems == ()
    assert (found.operation.url, found.operation.probe.url) == ("/bookings", "/b/{room_id}")


def test_extensions_on_a_path_are_no_declaration():
    document = read_bytes(b"openapi: 3.1.0\npaths: {/a: {x-outturn-identity: [b], post: {}}}\n")
    found = declared(document.operations[0], document)
    assert found.operation is None
    assert "stands on a path" in found.problems[0].message


def test_a_method_that_no_declaration_knows():
    document = read_bytes(b"openapi: 3.1.0\npaths: {/a: {trace: {x-outturn-identity: [b]}}}\n")
    found = declared(document.operations[0], document)
    assert found.operation is None
    assert found.problems[0].message == "no declaration speaks of TRACE"
