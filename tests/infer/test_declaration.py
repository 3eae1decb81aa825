"""A proposal as the declaration that would be written."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wizard.errors import UsageError
from wizard.infer.declaration import declare
from wizard.infer.model import Confidence, IdentityProposal, ReferenceProposal
from wizard.infer.propose import propose_document, propose_operation
from wizard.infer.render import as_text, level_of
from wizard.operation.model import Level, Operation
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.spec.reader import read_bytes, read_document

sys.path.insert(0, str(Path(__file__).parent))
from small import document

LIBRARY = Path(__file__).with_name("golden") / "library.yaml"
SAMPLE = Path(__file__).parents[2] / "samples" / "hollowbrook" / "openapi.yaml"


def declared(members: dict[str, Any], **more: Any) -> dict[str, Any]:
    read = document(members)
    operation = declare(propose_operation(read, read.by_name[members["does"]]), read, **more)
    again, problems = parse_operation(print_operation(operation))
    assert not problems
    assert again == operation
    return print_operation(operation)


@pytest.mark.parametrize("path", [LIBRARY, SAMPLE], ids=lambda path: path.parent.name)
def test_what_is_declared_reads_back_without_a_problem(path: Path) -> None:
    read = read_document(path)
    for proposal in propose_document(read):
        operation = declare(proposal, read)
        assert parse_operation(print_operation(operation)) == (operation, ())
        assert operation.is_write == proposal.write or (operation.method == "PUT" and proposal.kind == "update")


def test_a_booking() -> None:
    booking = declared(
        {
            "does": "POST /bookings",
            "body": {
                "room_id!": "integer",
                "arrival!": "date",
                "departure": "date",
                "note": "string",
                "id^": "integer",
            },
        }
    )
    assert booking == {
        "method": "POST",
        "url": "https://api.example.com/bookings",
        "body": ["room_id", "arrival", "departure", "note"],
        "identity": ["room_id", "arrival"],
    }


def test_the_key_and_a_reference_of_the_host_are_not_the_models_to_fill() -> None:
    charge = declared(
        {
            "does": "POST /charges",
            "body": {
                "amount!": "integer",
                "customer!": "string",
                "idempotency_key": "string # Makes the call idempotent: repeats are answered from memory",
            },
        }
    )
    assert charge["key"] == "field idempotency_key"
    assert charge["body"] == ["amount", "customer"]
    assert charge["identity"] == ["amount", "customer"]


def test_a_key_that_the_host_cannot_make_is_not_declared_and_said_to_be_none() -> None:
    read = document(
        {
            "does": "POST /messages",
            "body": {"to!": "string", "text!": "string"},
            "query": {"deduplication_id": "integer # Repeats with the same id are not sent again"},
        }
    )
    proposal = propose_operation(read, read.by_name["POST /messages"])
    assert proposal.key is not None
    assert "key" not in print_operation(declare(proposal, read))
    assert level_of(proposal) is Level.CACHED
    told = "\n".join(as_text(read, [proposal]))
    assert "The key is not declared: no key that the host makes fits" in told
    assert "keyed" not in told
    assert "with a key" not in told


def test_a_key_deep_inside_leaves_its_neighbours_to_the_model() -> None:
    fee = declared(
        {
            "does": "POST /fees",
            "body": {
                "fee!": {
                    "account_id!": "string",
                    "amount!": "integer",
                    "extra": {"idempotency_key": "string # Makes the call idempotent", "level": "string"},
                }
            },
        }
    )
    assert fee["key"] == "field fee.extra.idempotency_key"
    assert fee["body"] == ["fee.account_id", "fee.amount", "fee.extra.level"]


def test_what_an_element_may_lack_is_not_asked_of_every_element() -> None:
    """The host refuses a call that lacks what the identity names without a `?`."""
    order = declared(
        {
            "does": "POST /orders",
            "body": {"lines!": [{"sku!": "string", "warehouse_id": "string", "note": "string", "id^": "string"}]},
        }
    )
    assert order["identity"] == ["lines[].sku", "lines[].warehouse_id?"]


def test_arguments_in_the_query_and_constants_of_the_url() -> None:
    order = declared(
        {
            "does": "POST /order",
            "query": {"Action!": "=PlaceOrder", "symbol!": "string", "quantity!": "number", "signature!": "string"},
        }
    )
    assert order["url"] == "https://api.example.com/order?Action=PlaceOrder"
    assert order["query"] == ["symbol", "quantity"]
    assert order["identity"] == ["query:symbol", "query:quantity"]


def test_a_message_is_kept_briefly() -> None:
    assert declared({"does": "POST /messages", "body": {"to!": "string", "text!": "string"}})["keep"] == "10m"


@pytest.mark.parametrize(
    ("members", "write"),
    [
        ({"does": "PUT /returns", "others": ["GET /returns"], "body": {"number!": "string"}}, None),
        ({"does": "PUT /rooms/{id}", "others": ["POST /rooms"], "body": {"beds!": "integer"}}, None),
        ({"does": "GET /folio/make_payment", "query": {"amount!": "number"}}, True),
        ({"does": "POST /rooms/search", "body": {"beds": "integer"}}, False),
        ({"does": "POST /rooms", "body": {"name!": "string"}}, None),
    ],
)  # fmt: skip
def test_write_is_said_where_the_method_would_say_otherwise(members: dict[str, Any], write: bool | None) -> None:
    assert declared(members).get("write") == write


def test_a_list_as_the_body() -> None:
    assert declared({"does": "POST /guests/bulk", "body": [{"email!": "string"}]})["identity"] == ["$body"]


def test_an_unconfirmed_declaration_says_so() -> None:
    members = {"does": "POST /rooms", "body": {"name!": "string"}}
    assert declared(members, confirmed=False)["status"] == "proposed"
    assert "status" not in declared({"does": "GET /rooms"}, confirmed=False)


def test_a_document_without_a_server_needs_one() -> None:
    read = read_bytes(
        b'{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": {"responses": {}}}}}',
        "a.json",
    )
    proposal = propose_operation(read, read.operations[0])
    with pytest.raises(UsageError, match="names no server"):
        declare(proposal, read)
    assert declare(proposal, read, server="https://house.example.com/v2/").url == "https://house.example.com/v2/a"


def test_a_probe_covers_the_identity_or_is_left_out() -> None:
    for path in (LIBRARY, SAMPLE):
        read = read_document(path)
        for proposal in propose_document(read):
            operation: Operation = declare(proposal, read)
            if operation.probe is None or operation.reference is not None:
                continue
            covered = operation.probe.covered
            assert all(
                any(one == name.name or name.name.startswith(f"{one}[") for one in covered) or
                any(one.startswith(name.name) for one in covered)
                for name in operation.identity
            )  # fmt: skip


def test_an_answer_that_plainly_says_whether_it_went_well_is_declared_so() -> None:
    members = {"does": "POST /orders", "body": {"sku!": "string"}, "answers": {200: {"ok!": "boolean", "id": "string"}}}
    assert declared(members)["failed"] == "$[?$.ok == false]"


def test_an_error_that_may_be_there_for_another_reason_is_proposed_and_not_declared() -> None:
    members = {"does": "POST /files", "body": {"name!": "string"}, "answers": {200: {"error": "string"}}}
    read = document(members)
    proposal = propose_operation(read, read.by_name["POST /files"])
    assert proposal.failed is not None
    assert proposal.failed.confidence is Confidence.LOW
    assert "failed" not in declared(members)


def test_what_changes_nothing_has_no_refusal_to_declare() -> None:
    members = {"does": "POST /orders/search", "body": {"sku": "string"}, "answers": {200: {"ok!": "boolean"}}}
    assert "failed" not in declared(members)


def in_a_body_of(content: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema = {"type": "object", "required": required, "properties": properties}
    read = read_bytes(
        json.dumps({
            "openapi": "3.0.3", "info": {"title": "Credits", "version": "1"},
            "servers": [{"url": "https://api.example.com"}],
            "paths": {"/invoices": {"post": {
                "summary": "Creates an invoice", "requestBody": {"content": {content: {"schema": schema}}},
                "responses": {"201": {"description": "made"}},
            }}},
        }).encode(),
        "openapi.json",
    )  # fmt: skip
    proposal = propose_operation(read, read.operations[0])
    return {**print_operation(declare(proposal, read)), "warnings": proposal.warnings}


FLAT = {"number": {"type": "string"}, "customer_id": {"type": "string"}}
DEEP = {
    "customer_id": {"type": "string"},
    "lines": {"type": "array", "items": {"type": "object", "required": ["sku"], "properties": {
        "sku": {"type": "string"}, "quantity": {"type": "integer"}}}},
}  # fmt: skip


def test_a_form_of_plain_fields_has_an_identity() -> None:
    made = in_a_body_of("application/x-www-form-urlencoded", FLAT, ["number", "customer_id"])
    assert set(made["identity"]) == {"number", "customer_id"}


@pytest.mark.parametrize(
    ("content", "properties"),
    [("application/x-www-form-urlencoded", DEEP), ("application/xml", FLAT), ("application/form-data", FLAT)],
)
def test_where_no_call_can_have_the_identitys_fields_equal_arguments_are_one_write(
    content: str, properties: dict[str, Any]
) -> None:
    made = in_a_body_of(content, properties, list(properties))
    assert "identity" not in made
    assert "probe" not in made
    assert made["scope"] == "arguments"
    assert any("Calls with equal arguments are one write" in text for text in made["warnings"])


@pytest.mark.parametrize(
    ("longest", "reference"),
    [
        (None, "field booking_reference"),
        (34, {"in": "field", "name": "booking_reference", "shape": "hex32"}),
        (20, None),
    ],
)
def test_a_reference_that_the_host_fills_fits_its_place(longest: int | None, reference: Any) -> None:
    body = {"room_id!": "string", "arrival!": "date", "booking_reference": "string"}
    read = document({"does": "POST /bookings", "body": body})
    schema = read.operations[0].body
    assert schema is not None
    place = schema.by_path["booking_reference"]
    fields = tuple(
        replace(one, shape=replace(one.shape, max_length=longest)) if one is place else one for one in schema.fields
    )
    api = replace(read.operations[0], read_body=lambda: replace(schema, fields=fields))
    proposal = replace(
        propose_operation(read, read.operations[0]), operation=api, probe=None,
        identity=IdentityProposal(fields=("room_id", "arrival")), reference=ReferenceProposal(name="booking_reference"),
    )  # fmt: skip
    assert print_operation(declare(proposal, read)).get("reference") == reference


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("application/json", "field payment.idempotency_key"),
        ("application/x-www-form-urlencoded", "field payment.idempotency_key"),
        ("application/xml", None),
    ],
)
def test_a_key_is_declared_where_the_host_can_put_one(content: str, key: str | None) -> None:
    payment = {"type": "object", "required": ["idempotency_key"], "properties": {"idempotency_key": {"type": "string"}}}
    made = in_a_body_of(content, {"customer_id": {"type": "string"}, "payment": payment}, ["customer_id", "payment"])
    assert made.get("key") == key


def purging(*, every: bool = False, said: str = "A key for identifying the cache.", **schemes: Any) -> Any:
    """A document of a dozen operations, one of which requires `key` in its query, or all of them."""
    key = {"in": "query", "name": "key", "required": True, "description": said, "schema": {"type": "string"}}
    ref = {"in": "query", "name": "ref", "schema": {"type": "string"}}
    done = {"responses": {"204": {"description": "Done."}}}
    paths: dict[str, Any] = {"/caches": {"delete": {**done, "parameters": [key, ref]}}}
    for number in range(11):
        paths[f"/things_{number}"] = {"get": {**done, "parameters": [key] if every else []}}
    made = {
        "openapi": "3.1.0", "info": {"title": "Caches", "version": "1"}, "servers": [{"url": "https://c.example"}],
        "paths": paths, "components": {"securitySchemes": schemes},
    }  # fmt: skip
    read = read_bytes(json.dumps(made).encode(), "openapi.json")
    return print_operation(declare(propose_operation(read, read.by_name["DELETE /caches"]), read))


def test_a_key_that_one_operation_requires_is_an_argument_and_one_that_all_require_is_not() -> None:
    found = purging()
    assert found["query"] == ["key", "ref"]
    assert "query:key" in found["identity"]
    for callers in (
        purging(every=True),
        purging(said="Your API key."),
        purging(own={"type": "apiKey", "in": "query", "name": "key"}),
    ):
        assert "query:key" not in callers.get("identity", [])
        assert callers["query"] == ["ref"]


def test_what_each_request_must_have_is_named() -> None:
    target = {"in": "header", "name": "X-Amz-Target", "required": True, "schema": {"enum": ["Clusters.Create"]}}
    signed = {"in": "header", "name": "X-Amz-Date", "required": True, "schema": {"type": "string"}}
    kind = {"in": "header", "name": "Content-Type", "required": True, "schema": {"enum": ["application/json"]}}
    reference = {"type": "object", "properties": {"id": {"type": "string", "readOnly": True}}}
    body = {"type": "object", "required": ["service"], "properties": {"service": reference}}
    made = {
        "openapi": "3.1.0", "info": {"title": "Clusters", "version": "1"}, "servers": [{"url": "https://c.example"}],
        "paths": {"/clusters": {"post": {
            "parameters": [target, signed, kind],
            "requestBody": {"content": {"application/json": {"schema": body}}},
            "responses": {"201": {"description": "Made."}},
        }}},
    }  # fmt: skip
    read = read_bytes(json.dumps(made).encode(), "openapi.json")
    found = print_operation(declare(propose_operation(read, read.operations[0]), read))
    assert found["header"] == ["X-Amz-Target"]
    assert found["body"] == ["service"]
