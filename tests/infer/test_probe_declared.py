"""Which probes are declared: one that takes another write for this one, or absence too soon, is left out or cut."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from wizard.infer.model import ProbeProposal
from wizard.infer.probe_declared import Written, declared_probe, may_declare
from wizard.infer.propose import propose_operation
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Probe
from wizard.spec.model import ApiDocument

sys.path.insert(0, str(Path(__file__).parent))
from small import document

BOOKING = {"room_id!": "string", "guest!": "string", "arrival!": "date"}
LISTED = {"id": "string", **BOOKING, "created_at": "date-time"}


def written(read: ApiDocument, does: str, identity: list[str], kind: Any = "create", **more: Any) -> Written:
    paths = tuple(FieldPath.parse(name) for name in identity)
    return Written(document=read, operation=read.by_name[does], kind=kind, identity=paths, **more)


def declared(members: dict[str, Any], identity: list[str], found: Mapping[str, Any], **more: Any) -> tuple[Any, str]:
    write = written(document(members), members["does"], identity, **more)
    return declared_probe(ProbeProposal(**{"way": "filter", **found}), write, "https://h")


def left_out(members: dict[str, Any], identity: list[str], found: Mapping[str, Any], **more: Any) -> str:
    probe, why = declared(members, identity, found, **more)
    assert probe is None
    return why


def kept(members: dict[str, Any], identity: list[str], found: Mapping[str, Any], **more: Any) -> Probe:
    probe, why = declared(members, identity, found, **more)
    assert why == ""
    assert isinstance(probe, Probe)
    return probe


BOOK = {"does": "POST /bookings", "body": BOOKING, "others": ["GET /bookings", "GET /bookings/{id}"]}
CANCEL = {"does": "POST /bookings/{id}/cancellation", "others": ["GET /bookings/{id}"]}
STATE = {"path": "/bookings/{id}", "parameters": {"path:id": "path:id"}, "way": "state"}
LIST = {"path": "/bookings", "items": "$[*]", "pages": "none", "absent": ("empty",)}
ALL = {name.rstrip("!"): name.rstrip("!") for name in BOOKING}


def test_a_thing_that_was_there_before_says_nothing_of_a_write_that_is_not_compared() -> None:
    assert "was there before" in left_out(CANCEL, [], {**STATE, "since": "created_at"}, kind="action")


def test_the_state_of_a_thing_is_as_old_as_the_thing_and_its_absence_proves_nothing() -> None:
    change = {"does": "PATCH /bookings/{id}", "body": {"guest": "string"}, "others": ["GET /bookings/{id}"]}
    found = {**STATE, "match": {"guest": "guest"}, "since": "created_at", "absent": ("404",)}
    probe = kept(change, ["guest"], found, kind="update")
    assert (probe.since, probe.absent, probe.match) == (None, None, (("guest", "guest"),))


def test_a_change_is_seen_only_where_everything_that_it_may_change_is_compared() -> None:
    body = {"name": "string", "phone": "string", "vip^": "boolean"}
    change = {"does": "PATCH /guests/{id}", "body": body, "others": ["GET /guests/{id}"]}
    found = {**STATE, "path": "/guests/{id}"}
    one = {**found, "match": {"name": "name"}}
    assert "`phone`, which a request may change alone" in left_out(change, ["name"], one, kind="update")
    both = {**found, "match": {"name": "name", "phone": "phone"}}
    assert kept(change, ["name"], both, kind="update").match == (("name", "name"), ("phone", "phone"))


def test_a_list_in_which_nothing_is_compared_takes_anything_for_the_write() -> None:
    assert left_out(BOOK, [], LIST) == "it would take anything that is there for the write"
    under = {"does": "POST /rooms/{id}/notes", "body": {"text": "string"}, "others": ["GET /rooms/{id}/notes"]}
    found = {**LIST, "path": "/rooms/{id}/notes", "parameters": {"path:id": "path:id"}}
    assert left_out(under, [], found) == "it would take anything that is there for the write"


def test_every_identity_field_is_fixed_or_compared() -> None:
    some = {"room_id": "room_id", "guest": "guest"}
    assert "`arrival` is neither" in left_out(BOOK, ["room_id", "guest", "arrival"], {**LIST, "match": some})
    fixed = {**LIST, "match": some, "parameters": {"query:arrival": "arrival"}}
    assert kept(BOOK, ["room_id", "guest", "arrival"], fixed).url == "https://h/bookings?arrival={arrival}"


@pytest.mark.parametrize("loose", ["query:q", "query:from"])
def test_a_search_and_the_bounds_of_a_time_fix_nothing(loose: str) -> None:
    found = {**LIST, "match": {"room_id": "room_id"}, "parameters": {loose: "guest"}, "loose": frozenset({loose})}
    assert "`guest` is neither" in left_out(BOOK, ["room_id", "guest"], found)


def test_a_part_does_not_stand_for_the_whole() -> None:
    pay = {"does": "POST /payments", "body": {"amount!": {"value!": "integer", "currency!": "string"}}}
    found = {**LIST, "path": "/payments", "parameters": {"query:currency": "amount.currency"}}
    assert "`amount` is neither" in left_out(pay, ["amount"], found)


def test_the_writes_path_is_part_of_what_it_is() -> None:
    book = {"does": "POST /rooms/{room_id}/bookings", "body": {"guest!": "string"}, "others": ["GET /bookings"]}
    match = {"guest": "guest"}
    assert "`room_id` is neither" in left_out(book, ["guest"], {**LIST, "match": match})
    probe = kept(book, ["guest"], {**LIST, "match": {"path:room_id": "room.id", **match}, "since": "made_at"})
    assert probe.match == (("room_id", "room.id"), ("guest", "guest"))


@pytest.mark.parametrize(
    ("body", "identity"),
    [
        ({"amount!": "integer", "currency!": "string"}, ["amount", "currency"]),
        ({"customer_ref!": "string", "amountMinor!": "integer"}, ["customer_ref", "amountMinor"]),
        ({"customer_id!": "string", "plan_id!": "string"}, ["customer_id", "plan_id"]),
        ({"from!": "string", "kind!": "a|b"}, ["from", "kind"]),
        ({"from!": "string", "type!": "string"}, ["from", "type"]),
    ],
)
def test_an_equal_one_may_be_meant_again_where_nothing_names_it(body: dict[str, str], identity: list[str]) -> None:
    pay = {"does": "POST /payments", "body": body, "others": ["GET /payments"]}
    found = {**LIST, "path": "/payments", "match": {name: name for name in identity}}
    assert "an equal one of before" in left_out(pay, identity, found)
    assert kept(pay, identity, {**found, "since": "created_at"}).since == "created_at"


@pytest.mark.parametrize(
    ("does", "body", "identity"),
    [
        ("POST /payments", {"amount!": "integer", "reference!": "string"}, ["amount", "reference"]),
        ("POST /expenses", {"amount!": "integer", "spent_on!": "date"}, ["amount", "spent_on"]),
        ("POST /rooms", {"label!": "string", "floor!": "integer"}, ["label", "floor"]),
        ("POST /groups/{id}/members", {"user_id!": "string"}, ["user_id"]),
    ],
)
def test_a_name_a_day_or_a_tie_is_the_same_one(does: str, body: dict[str, str], identity: list[str]) -> None:
    path = does.partition(" ")[2]
    write = {"does": does, "body": body, "others": [f"GET {path}"]}
    parameters = {"path:id": "path:id"} if "{id}" in path else {}
    found = {**LIST, "path": path, "parameters": parameters, "match": {name: name for name in identity}}
    assert kept(write, identity, found).since is None


def test_a_list_narrowed_by_another_thing_takes_anything_in_it_for_the_write() -> None:
    pin = {"does": "POST /pins", "body": {"channel!": "string"}, "others": ["GET /pins"]}
    found = {**LIST, "path": "/pins", "parameters": {"query:channel": "channel"}, "match": {}}
    assert "an equal one of before" in left_out(pin, ["channel"], found)
    hook = {"does": "POST /hooks", "body": {"url!": "string"}, "others": ["GET /hooks"]}
    assert kept(hook, ["url"], {**found, "path": "/hooks", "parameters": {"query:url": "url"}})


def test_an_action_is_not_seen_by_an_address_alone() -> None:
    enable = {"does": "POST /alarms/{id}/enable", "query": {"owner": "string"}, "others": ["GET /alarms/{id}/enabled"]}
    parameters = {"path:id": "path:id", "query:owner": "query:owner"}
    found = {"path": "/alarms/{id}/enabled", "parameters": parameters, "way": "exact", "match": {}}
    assert "compares nothing" in left_out(enable, ["query:owner"], found, kind="action")


def test_the_name_of_what_is_acted_on_is_no_trace_of_the_action() -> None:
    tag = {"does": "POST /specs/{id}/tagRevision", "body": {"name!": "string"}, "others": ["GET /specs/{id}"]}
    found = {**STATE, "path": "/specs/{id}", "match": {"name": "name"}}
    assert "was there before" in left_out(tag, ["name"], found, kind="action")
    rename = {"does": "POST /specs/{id}/rename", "body": {"name!": "string"}, "others": ["GET /specs/{id}"]}
    assert kept(rename, ["name"], found, kind="action").match == (("name", "name"),)


def test_a_delete_is_seen_by_absence_only() -> None:
    delete = {"does": "DELETE /bookings/{id}", "others": ["GET /bookings/{id}"]}
    assert kept(delete, [], {**STATE, "absent": ("404",)}, kind="delete").absent == "404"
    assert "is gone" in left_out(delete, [], STATE, kind="delete")


@pytest.mark.parametrize("path", ["/groups/{id}/removeMembers", "/groups/{id}/members/delete"])
def test_what_takes_away_by_another_method_is_not_there_afterwards(path: str) -> None:
    remove = {"does": f"POST {path}", "body": {"members": "strings"}, "others": ["GET /groups/{id}"]}
    found = {**STATE, "path": "/groups/{id}", "match": {"members": "members"}}
    assert "for DELETE only" in left_out(remove, ["members"], found, kind="action")


def test_what_the_host_fills_in_is_compared_alone() -> None:
    invoice = {"does": "POST /invoices", "body": {"reference": "string", "amount!": "integer"}}
    match = {"amount": "amount", "reference": "reference"}
    found = {**LIST, "path": "/invoices", "parameters": {"query:reference": "reference"}, "match": match}
    more = {"reference": FieldPath.parse("reference")}
    probe = kept(invoice, ["amount"], {**found, "since": "created_at"}, **more)
    assert probe.match == (("reference", "reference"),)
    assert (probe.since, probe.absent) == (None, "empty")
    filled_by_the_model = kept(invoice, ["amount", "reference"], {**found, "since": "created_at"}, **more)
    assert filled_by_the_model.match == (("amount", "amount"), ("reference", "reference"))
    assert filled_by_the_model.since == "created_at"


def test_a_lookup_by_the_key_cannot_be_said() -> None:
    event = {"does": "POST /events", "body": {"event_id!": "string", "name!": "string"}, "others": ["GET /events/{id}"]}
    found = {"path": "/events/{id}", "parameters": {"path:id": "event_id"}, "way": "exact"}
    assert "asks by the key `event_id`" in left_out(event, ["name"], found, key="event_id")


def test_a_list_of_values_cannot_stand_in_a_path() -> None:
    many = {"does": "POST /tags", "body": {"names!": "strings"}, "others": ["GET /tags/{name}"]}
    found = {"path": "/tags/{name}", "parameters": {"path:name": "names"}, "way": "exact"}
    assert "takes one value" in left_out(many, ["names"], found)


def test_what_a_read_demands_and_nobody_fills() -> None:
    read = {"does": "GET /bookings", "query": {"modified_after!": "date-time"}}
    found = {**LIST, "match": ALL}
    assert "demands `modified_after`" in left_out({**BOOK, "others": [read]}, list(ALL), found)


def test_a_filter_that_a_request_may_have_no_value_for_is_left_away() -> None:
    found = {**LIST, "parameters": {"query:room_id": "room_id", "query:guest": "guest"}, "match": ALL}
    optional = ["room_id", "guest?", "arrival"]
    assert kept(BOOK, optional, found).url == "https://h/bookings?room_id={room_id}"
    alone = {**found, "parameters": {"query:guest": "guest"}}
    assert kept(BOOK, optional, alone).url == "https://h/bookings"
    assert kept(BOOK, optional, {**alone, "pages": ""}).url == "https://h/bookings?guest={guest}"


def test_what_the_documents_author_declares_stays() -> None:
    found = {**STATE, "way": "", "since": "created_at", "absent": ("404",)}
    probe = kept(CANCEL, [], found, kind="action")
    assert (probe.since, probe.absent) == ("created_at", "404")


def test_the_host_makes_up_no_number_that_people_know_a_thing_by_and_no_object() -> None:
    card, data = {"card": {"reference": "string"}}, {"data!": {"reference": "string"}, "note": "string"}
    card_paid, paid = (
        document({"does": "POST /pay", "body": card | {"note": "string"}}),
        document({"does": "POST /pay", "body": data}),
    )
    of_card, of_data = card_paid.by_name["POST /pay"], paid.by_name["POST /pay"]
    own = (FieldPath.parse("customer_po_number"), FieldPath.parse("card.reference"))
    assert not may_declare("customer_po_number", (), of_card)
    assert may_declare("customer_po_number", own, of_card)
    assert may_declare("external_number", (), of_card)
    assert not may_declare("query:reference", (), of_card)
    assert not may_declare("card.reference", (), of_card)
    assert may_declare("card.reference", own, of_card)
    assert may_declare("data.reference", (), of_data)


# From a document to what is declared ---------------------------------------------------------------------------------


def proposed(members: dict[str, Any]) -> ProbeProposal:
    read = document(members)
    found = propose_operation(read, read.by_name[members["does"]]).probe
    assert found is not None
    return found


def listed(query: dict[str, Any], shown: Any = LISTED, **more: Any) -> dict[str, Any]:
    return {"does": "GET /bookings", "query": query, "answers": {"200": [shown]}, **more}


def test_a_name_does_not_narrow_what_exact_values_narrow() -> None:
    found = proposed({**BOOK, "others": [listed({"room_id": "string", "guest": "string"})]})
    assert dict(found.parameters) == {"query:room_id": "room_id"}
    assert dict(found.match) == ALL
    assert found.absent == ("empty",)


def test_a_filter_by_a_name_alone_proves_no_absence() -> None:
    found = proposed({**BOOK, "others": [listed({"guest": "string"})]})
    assert dict(found.parameters) == {"query:guest": "guest"}
    assert found.absent == ()


@pytest.mark.parametrize(
    "says",
    ["A new booking may take a minute to appear", "The bookings that the user has access to", "Eventually consistent"],
)  # fmt: skip
def test_a_list_that_lags_or_is_not_whole_proves_no_absence(says: str) -> None:
    assert proposed({**BOOK, "others": [listed({}, description=says)]}).absent == ()
    assert proposed({**BOOK, "others": [listed({}, description="Lists bookings")]}).absent == ("empty",)


@pytest.mark.parametrize(
    ("sent", "shown", "compared"),
    [
        ("integer", "integer", True),
        ("integer", "number", False),
        ("number # In the smallest currency unit", "number", False),
        ("number # In cents", "number # In cents", True),
        ("number", {"value": "number", "currency": "string"}, False),
    ],
)
def test_money_is_compared_in_one_unit_only(sent: str, shown: Any, compared: bool) -> None:
    read = {"does": "GET /refunds", "answers": {"200": [{"id": "string", "order_id": "string", "amount": shown}]}}
    found = proposed({"does": "POST /refunds", "body": {"order_id!": "string", "amount!": sent}, "others": [read]})
    assert ("amount" in found.match) is compared


@pytest.mark.parametrize(("shown", "compared"), [("string", True), ({"id": "string"}, True), ("object", False)])
def test_an_id_is_compared_with_a_plain_value(shown: Any, compared: bool) -> None:
    record = {"id": "string", "guest": "string", "arrival": "date", "room": shown}
    found = proposed({**BOOK, "others": [listed({}, record)]})
    assert ("room_id" in found.match) is compared


def test_ids_of_different_making_are_not_compared() -> None:
    read = {"does": "GET /notes", "answers": {"200": [{"id": "string", "text": "string", "user": {"id": "string"}}]}}
    found = proposed({"does": "POST /notes", "body": {"user_guid!": "string", "text!": "string"}, "others": [read]})
    assert dict(found.match) == {"text": "text"}


def test_the_time_of_another_thing_is_not_the_records_own() -> None:
    nested = {**BOOKING, "id": "string", "currency": {"created_at": "date-time", "code": "string"}}
    assert proposed({**BOOK, "others": [listed({}, nested)]}).since == ""
    inside = {**BOOKING, "id": "string", "metadata": {"created_at": "date-time"}}
    assert proposed({**BOOK, "others": [listed({}, inside)]}).since == "metadata.created_at"


def test_the_status_of_a_call_is_not_the_things() -> None:
    answer = {"status": "string", "message": "string", "data": {"id": "string", "status": "string", "name": "string"}}
    read = {"does": "GET /shops/{id}", "answers": {"200": answer}}
    found = proposed({"does": "PATCH /shops/{id}", "body": {"status": "string", "name": "string"}, "others": [read]})
    assert found.match["status"] == "data.status"


def test_why_a_probe_is_not_declared_is_said() -> None:
    record = {"id": "string", "status": "string", "cancelled_at": "date-time", "guest": "string"}
    found = proposed({**CANCEL, "others": [{"does": "GET /bookings/{id}", "answers": {"200": record}}]})
    assert found.cannot_tell[-1].startswith("Its probe is not declared: it reads something that was there before")


@pytest.mark.parametrize(("shown", "declared"), [({}, False), ({"created_at": "date-time"}, True)])
def test_the_same_words_of_before_are_not_taken_for_these(shown: dict[str, Any], declared: bool) -> None:
    record = {"id": "string", "text": "string", "channel": "string", **shown}
    read = {"does": "GET /guests/{guest_id}/messages", "answers": {"200": [record]}}
    write = {"does": "POST /guests/{guest_id}/messages", "body": {"text!": "string", "channel!": "string"}}
    found = proposed({**write, "others": [read]})
    refused = [said for said in found.cannot_tell if said.startswith("Its probe is not declared: no answer shows when")]
    assert bool(refused) is not declared


def test_a_list_that_the_path_leads_through_shows_the_thing_and_not_its_change() -> None:
    pay = {
        "does": "PUT /rentals/{rental_id}/payments/{payment_id}/complete",
        "others": ["GET /rentals/{rental_id}/payments"],
    }
    found = {
        "path": "/rentals/{rental_id}/payments", "items": "$[*]", "match": {"payment_id": "id"},
        "parameters": {"path:rental_id": "path:rental_id"},
    }  # fmt: skip
    assert "nothing of the change" in left_out(pay, [], found, kind="action")
    follow = {"does": "POST /users/{id}/follow", "others": ["GET /follows"]}
    assert kept(follow, [], {"path": "/follows", "items": "$[*]", "match": {"id": "user_id"}}, kind="action").items


def test_choices_of_few_values_tell_no_write_from_others() -> None:
    share = {
        "does": "POST /posts/{id}/shares",
        "body": {"visibility": "public|private"},
        "others": ["GET /posts/{id}/context"],
    }
    found = {
        "path": "/posts/{id}/context", "items": "$.before[*]", "match": {"visibility": "visibility"},
        "parameters": {"path:id": "path:id"},
    }  # fmt: skip
    assert "choices of few values" in left_out(share, ["visibility"], found)
    assert "choices of few values" in left_out(share, ["visibility"], found, kind="action")
    state = {**found, "path": "/posts/{id}", "items": "", "way": "state"}
    assert kept(share, ["visibility"], state, kind="action").match == (("visibility", "visibility"),)


@pytest.mark.parametrize("kind", ["date-time", "integer"])
def test_in_an_object_that_holds_all_the_rest_the_time_is_the_records_own(kind: str) -> None:
    read = {"does": "GET /bookings", "answers": {"200": [{"booking": {"id": "string", **BOOKING, "created_at": kind}}]}}
    assert proposed({**BOOK, "others": [read]}).since == "booking.created_at"


def test_of_two_lists_of_the_same_records_neither_is_the_list_of_all() -> None:
    post = {"id": "string", "text": "string"}
    read = {"does": "GET /posts/{id}/context", "answers": {"200": {"ancestors": [post], "descendants": [post]}}}
    write = {"does": "POST /posts/{id}/replies", "body": {"text!": "string"}, "others": [read]}
    found = propose_operation(document(write), document(write).by_name["POST /posts/{id}/replies"]).probe
    assert found is None or not found.items
