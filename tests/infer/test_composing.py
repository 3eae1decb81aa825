"""The identity as a whole: too little merges two writes, too much leaves a repeat uncovered; and how sure it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from wizard.infer.model import Confidence, IdentityProposal, Proposal
from wizard.infer.propose import propose_operation
from wizard.infer.wording import human

sys.path.insert(0, str(Path(__file__).parent))
from small import document


def proposed(does: str, **members: Any) -> Proposal:
    read = document({"does": does, "answers": {"201": {"id": "string"}}, **members})
    return propose_operation(read, read.by_name[does])


def identity(does: str, **members: Any) -> IdentityProposal:
    return proposed(does, **members).identity


KIND = "standard|express"


@pytest.mark.parametrize(
    ("does", "body", "fields"),
    [
        pytest.param(
            "POST /keycards",
            {"address_type": KIND, "guest_id": "integer", "ledger": "integer", "accept_terms": "boolean"},
            ["address_type", "guest_id", "ledger"],
            id="a kind alone tells nothing, so that all that is not a flag goes in",
        ),
        pytest.param(
            "POST /networks/{id}/actions/add_subnet",
            {"type!": KIND, "zone!": "string", "ip_range": "string"},
            ["type", "zone", "ip_range"],
            id="kinds are required, what tells two apart is not",
        ),
        pytest.param(
            "POST /manifests",
            {"warehouse_id": "string", "label_ids": "strings", "ship_date": "date"},
            ["warehouse_id", "label_ids", "ship_date"],
            id="a thing we do not know, and nothing is required",
        ),
        pytest.param(
            "POST /channels/{id}/relays",
            {"link_url!": "string", "colour": "string", "note": "string"},
            ["link_url"],
            id="what each request must have stays, where nothing else of the matter is left",
        ),
        pytest.param(
            "POST /contributions",
            {"headline": "string", "body": "string", "created": "date-time"},
            ["headline", "body"],
            id="a title that may be left out is not enough beside a text",
        ),
        pytest.param(
            "POST /shifts",
            {"keeper_id": "integer", "shift_day": "string", "start_time": "string", "end_time": "string"},
            ["keeper_id", "shift_day", "start_time", "end_time"],
            id="a day beside the times of day",
        ),
        pytest.param(
            "POST /orders",
            {"lines": [{"sku": "string"}], "billing_details": {"name": "string", "email": "string"}, "note": "string"},
            ["lines", "billing_details"],
            id="an object with a name and an e-mail address is whom it is for",
        ),
        pytest.param(
            "POST /commands",
            {"commands": [{"code": "string", "value": "number"}], "pump_id": "string"},
            ["commands", "pump_id"],
            id="parts that are called like the thing are no name of it",
        ),
        pytest.param(
            "POST /batches",
            {"rate_ids": "strings", "external_batch_id": "string", "notes": "string"},
            ["rate_ids", "external_batch_id"],
            id="its own number among the others",
        ),
        pytest.param(
            "POST /devices",
            {"name": "string", "uniqueId": "string", "status": "string", "id": "integer"},
            ["name", "uniqueId"],
            id="a name that may be left out is not enough",
        ),
        pytest.param(
            "POST /invitations",
            {"group_id": "integer", "email": "string", "custom_message": "string"},
            ["group_id", "email"],
            id="whom an invitation is for",
        ),
        pytest.param(
            "POST /messages",
            {"html": "string", "text": "string", "to": "string", "subject": "string", "auto_text": "string"},
            ["html", "text", "to", "subject"],
            id="a message is all that it says and whom it is for",
        ),
        pytest.param(
            "POST /sales",
            {"amount": "number", "customer_id": "string", "customer": {"name": "string", "city": "string"}},
            ["amount", "customer_id"],
            id="an id goes before the object that it names as well",
        ),
        pytest.param(
            "POST /links/context",
            {"link!": {"access_token!": "string", "patient!": {"number!": "string", "note": "string"}}},
            ["link.patient.number"],
            id="an object with a secret is never named whole",
        ),
        pytest.param(
            "POST /firewalls/{id}/rules",
            {"inbound_rules!": [{"ports!": "string", "sources!": {"addresses": "strings", "note": "string"}}]},
            ["inbound_rules[].ports", "inbound_rules[].sources.addresses"],
            id="a member that something spoils goes in by its parts",
        ),
        pytest.param(
            "POST /cash_payments",
            {"amount": "number", "supplier_id": "integer", "entry_date": "date", "note": "string"},
            ["amount", "supplier_id", "entry_date"],
            id="two payments that nothing must have differ by their dates",
        ),
        pytest.param(
            "POST /orders/single_step_order",
            {"card_id!": "integer", "message!": "string", "recipient_name": "string", "recipient_city": "string"},
            ["card_id", "message", "recipient_name", "recipient_city"],
            id="a text that each must have, and where it goes",
        ),
        pytest.param(
            "POST /templates",
            {"uid!": "string # The UID of the logged-in user", "name!": "string"},
            ["name"],
            id="who is signed in tells nothing",
        ),
        pytest.param(
            "POST /chat/users/{id}/messages",
            {"message!": "string", "to_channel": "string", "to_contact": "string"},
            ["message", "to_channel", "to_contact"],
            id="each way to say whom a message is for",
        ),
        pytest.param(
            "POST /classes/{class}/assignments",
            {"title": "string", "student_ids": "strings", "due_date": "date", "description": "string"},
            ["title", "student_ids", "due_date"],
            id="an assignment that nothing must have is its title too",
        ),
        pytest.param(
            "POST /patients/sms/notify",
            {"request_id!": "string", "timestamp!": "string", "notification!": {"phone!": "string", "text!": "string"}},
            ["notification.phone", "notification.text"],
            id="a wrapper beside a nonce and the clock",
        ),
    ],
)
def test_what_tells_two_creates_apart(does: str, body: dict[str, Any], fields: list[str]) -> None:
    found = identity(does, body=body, others=["GET " + does.partition(" ")[2]]).fields
    assert sorted(found) == sorted(fields)


@pytest.mark.parametrize(
    ("summary", "does", "body", "fields"),
    [
        ("Cancel a scheduled message", "POST /messages/cancel-scheduled", {"id": "string"}, ["id"]),
        ("Delete a reject", "POST /rejects/delete", {"email": "string", "notes": "string"}, ["email"]),
    ],
)
def test_an_action_whose_subject_stands_in_the_body(
    summary: str, does: str, body: dict[str, Any], fields: list[str]
) -> None:
    assert list(identity(does, summary=summary, body=body, answers={"200": None}).fields) == fields


def test_every_optional_argument_in_the_query_is_looked_at() -> None:
    given = {"carrier_code": "string", "tracking_number": "string"}
    found = identity("POST /tracking/start", summary="Start tracking a parcel", query=given)
    assert "query:tracking_number" in found.fields


@pytest.mark.parametrize(
    "text",
    [
        "The same line can stand there any number of times.",
        "The same entry may be made twice: towels that are brought twice are two lines.",
        "Duplicate lines are allowed.",
    ],
)
def test_where_repetition_means_something_there_is_no_identity(text: str) -> None:
    found = identity("POST /housekeeping/log", description=text, body={"room_id!": "string", "text!": "string"})
    assert found.fields == ()
    assert "means something" in found.why


def test_its_own_number_tells_equal_ones_apart_all_the_same() -> None:
    said = "The same line can stand there any number of times."
    found = identity("POST /log", description=said, body={"reference_number!": "string", "text!": "string"})
    assert found.fields


def test_lines_of_equal_amounts_differ_by_what_they_are_of() -> None:
    body = {"booking_id!": "string", "lines!": [{"amount_pence!": "integer", "text!": "string"}]}
    assert identity("POST /invoices", body=body).fields == ("booking_id", "lines[].amount_pence", "lines[].text")


def test_two_equal_charges_are_warned_of() -> None:
    equal = proposed("POST /charges", body={"booking_id!": "string", "amount_pence!": "integer"})
    assert any("become one" in said for said in equal.warnings)
    numbered = proposed("POST /charges", body={"reference!": "string", "amount_pence!": "integer"})
    assert not any("become one" in said for said in numbered.warnings)


@pytest.mark.parametrize(
    ("path", "spoken"),
    [
        ("amount_pence", "amount"),
        ("total_cents", "total"),
        ("price_per_unit", "price per unit"),
        ("bill_to", "bill-to party"),
        ("lines[].amount_pence", "amount of each line"),
        ("room_id", "room"),
    ],
)
def test_fields_in_plain_words(path: str, spoken: str) -> None:
    assert human(path) == spoken


@pytest.mark.parametrize(
    ("does", "body", "confidence"),
    [
        ("POST /bookings", {"room_id!": "integer", "guest_name!": "string", "arrival!": "date"}, "high"),
        ("POST /bookings", {"room_id!": "integer", "arrival!": "date", "guest_id": "integer"}, "medium"),
        ("POST /projects", {"name!": "string", "colour": "string"}, "high"),
        ("POST /projects", {"name": "string", "colour": "string"}, "medium"),
        ("POST /registrations", {"forename!": "string", "surname!": "string", "kind!": KIND}, "medium"),
        ("POST /group_members", {"group_id!": "integer", "user_id!": "integer"}, "high"),
        ("POST /payments", {"reference!": "string", "amount!": "number", "customer_id": "integer"}, "high"),
        ("POST /payments", {"amount!": "number", "payee_id!": "integer", "date": "date"}, "medium"),
        ("POST /plans/{id}/usage_charges", {"amount!": "number", "note": "string"}, "medium"),
        ("POST /widgets", {"kind": KIND, "blob": "string"}, "low"),
    ],
)
def test_high_only_where_all_that_tells_is_surely_in(does: str, body: dict[str, Any], confidence: str) -> None:
    assert identity(does, body=body).confidence == confidence


def test_nothing_is_said_to_be_missing_that_is_in_it() -> None:
    body = {"amount_pence!": "integer", "booking_id!": "string", "kind": KIND, "wing": "string"}
    said = identity("POST /charges", body=body).unsure
    assert not any("how much" in one for one in said)
    late = identity("POST /letters", body={"kind": KIND, "text_lines": "string", "guest_ref": "string", "to": "string"})
    assert "to" in late.fields
    assert not any("whom it is for" in one for one in late.unsure)


def test_a_change_is_what_its_name_speaks_of_and_whether_it_is_on() -> None:
    body = {"rate_plan": "integer", "price": "string", "loan_id": "string", "a": "string", "b": "string"}
    body |= {"c": "string", "d": "string"}
    read = document({"does": "PUT /loans/{id}/payment", "summary": "Change the rate plan of a loan", "body": body})
    assert "rate_plan" in propose_operation(read, read.by_name["PUT /loans/{id}/payment"]).identity.fields
    read = document({"does": "PUT /keys/{id}", "body": {"label!": "string", "active": "boolean"}})
    assert propose_operation(read, read.by_name["PUT /keys/{id}"]).identity.fields == ("label", "active")
    read = document({"does": "PATCH /me", "body": {"locale": "string"}})
    assert propose_operation(read, read.by_name["PATCH /me"]).identity.fields == ("locale",)


def test_what_a_notice_says_is_the_notice() -> None:
    body = {"message": "string", "modal": "boolean"}
    assert identity("POST /rooms/{id}/notify", body=body).fields == ("message",)


def test_an_object_whose_name_says_nothing_leaves_doubt() -> None:
    body = {"name!": "string", "qualms!": {"first": "string", "second": "string"}}
    assert identity("POST /boards", body=body).confidence is not Confidence.HIGH
    assert identity("POST /boards", body={"name!": "string"}).confidence is Confidence.HIGH
