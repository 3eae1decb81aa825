"""The simulated recipient: what lands, what is replayed, and what its reads show."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import (
    BODY,
    DAY,
    ERROR,
    SHOWN,
    House,
    answer,
    document,
    error_content,
    facts,
    keyed,
    listed,
    parameter,
    stays,
    thing,
)

from wizard.rehearse.facts import Facts

# Writes and reads


def test_what_was_written_is_shown_and_the_answers_are_as_documented() -> None:
    house = House(facts(stays(), "POST /stays"))
    house.recipient.stock(3)
    assert house.get("/v1/stays?room_id=R-12") == {"items": []}
    taken = house.send({**BODY, "notes": "a quiet room"})
    assert (taken.status, taken.landed, taken.problems) == (201, True, ())
    made = json.loads(taken.body)
    assert made["id"] == "st_0004"
    assert made["created_at"] == "2026-03-02T09:00:00Z"
    (found,) = house.get("/v1/stays?room_id=R-12")["items"]
    assert found["room"]["id"] == "R-12"
    assert (found["guest"], found["notes"], found["nights"]) == ("Ada Byron", "a quiet room", 1)
    assert house.get("/v1/stays/st_0004")["guest"] == "Ada Byron"
    assert len(house.get("/v1/stays")["items"]) == 4
    assert house.recipient.take("GET", "/v1/stays/st_99").status == 404
    assert house.recipient.doubts == []


def test_what_the_document_would_refuse_does_not_land() -> None:
    house = House(facts(stays(), "POST /stays"))
    taken = house.send({"room_id": 12})
    assert (taken.status, taken.landed) == (422, False)
    assert any("guest" in problem for problem in taken.problems)
    assert house.recipient.landed() == 0


def test_a_body_that_nobody_can_read_is_refused() -> None:
    house = House(facts(stays(), "POST /stays"), checked=False)
    taken = house.recipient.take("POST", "/v1/stays", [("Content-Type", "application/json")], b"{")
    assert (taken.status, taken.landed) == (422, False)
    assert taken.problems


def test_what_is_refused_before_anything_was_done_leaves_nothing() -> None:
    house = House(keyed())
    assert not house.send(BODY, key="k1", commit=False).landed
    assert house.get("/v1/stays") == {"items": []}
    assert house.send(BODY, key="k1").landed


def test_other_places_are_not_there() -> None:
    house = House(facts(stays(), "POST /stays"))
    taken = house.recipient.take("POST", "/v1/other")
    assert (taken.status, json.loads(taken.body)["code"]) == (404, "there is no POST /v1/other")


def test_without_a_key_each_request_lands() -> None:
    house = House(facts(stays(), "POST /stays"))
    house.send(BODY)
    house.send({**BODY, "notes": "other words"})
    what = house.recipient.what("POST", "/v1/stays", [("Content-Type", "application/json")], json.dumps(BODY).encode())
    assert house.recipient.landed(what) == 2
    house.send({**BODY, "guest": "Grace Hopper"})
    assert (house.recipient.landed(what), house.recipient.landed()) == (2, 3)


def test_equal_numbers_are_the_same_matter() -> None:
    found = document({
        "/charges": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {"schema": thing("account_id amount", account_id="string", amount="number")}
                    }
                },
                "responses": {"201": answer(thing("id", id="string"))},
            }
        }
    })  # fmt: skip
    house = House(facts(found, "POST /charges"), checked=False)
    sent = [b'{"account_id": "a", "amount": 12.5}', b'{"amount": 12.50, "account_id": "a"}']
    assert len({house.recipient.what("POST", "/v1/charges", (), one) for one in sent}) == 1


def test_a_record_of_last_week_is_equal_and_was_changed_since() -> None:
    house = House(facts(stays(), "POST /stays"))
    raw = json.dumps(BODY).encode()
    house.recipient.stock_equal("POST", "/v1/stays", [("Content-Type", "application/json")], raw)
    (found,) = house.get("/v1/stays?room_id=R-12")["items"]
    assert (found["guest"], found["created_at"]) == ("Ada Byron", "2026-02-23T09:00:00Z")
    assert house.recipient.landed() == 0


# Lists


def test_a_list_is_paged_by_a_cursor() -> None:
    limit = {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 2}}
    shown = listed(SHOWN, next_cursor={"type": ["string", "null"]})
    read = {"parameters": [parameter("cursor"), limit], "responses": {"200": answer(shown)}}
    house = House(facts(stays(read=read), "POST /stays"))
    house.recipient.stock(3)
    seen, target = [], "/v1/stays"
    for _ in range(5):
        page = house.get(target)
        seen += [one["id"] for one in page["items"]]
        assert len(page["items"]) <= 2
        if page["next_cursor"] is None:
            break
        target = f"/v1/stays?cursor={page['next_cursor']}"
    assert sorted(seen) == ["st_0001", "st_0002", "st_0003"]
    assert len(house.get("/v1/stays?limit=3")["items"]) == 3
    assert house.recipient.doubts == []


@pytest.mark.parametrize("tells", ["link", "url"])
def test_a_list_tells_the_address_of_the_next_page(tells: str) -> None:
    limit = {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 2}}
    page = {"in": "query", "name": "page", "schema": {"type": "integer"}}
    shown = listed(SHOWN, next="string") if tells == "url" else listed(SHOWN)
    told = answer(shown, headers={"Link": {"schema": {"type": "string"}}}) if tells == "link" else answer(shown)
    read = {"parameters": [page, limit], "responses": {"200": told}}
    house = House(facts(stays(read=read), "POST /stays"))
    house.recipient.stock(3)
    first = house.recipient.take("GET", "/v1/stays")
    if tells == "link":
        (link,) = [value for name, value in first.headers if name == "Link"]
        target = link[1 : link.index(">")]
    else:
        target = json.loads(first.body)["next"]
    assert target == "https://api.example.com/v1/stays?page=2"
    last = house.recipient.take("GET", target)
    assert len(json.loads(last.body)["items"]) == 1
    assert not [name for name, _ in last.headers if name == "Link"]
    assert "next" not in json.loads(last.body)


def test_newest_first_where_the_document_says_so() -> None:
    read = {"description": "All stays, newest first.", "responses": {"200": answer(listed(SHOWN))}}
    house = House(facts(stays(read=read), "POST /stays"))
    house.send(BODY)
    house.wait(minutes=1)
    house.send({**BODY, "guest": "Grace Hopper"})
    assert [one["guest"] for one in house.get("/v1/stays")["items"]] == ["Grace Hopper", "Ada Byron"]


def test_a_read_that_demands_a_parameter_refuses_without_it() -> None:
    day = {"in": "query", "name": "day", "required": True, "schema": DAY}
    read = {"parameters": [day], "responses": {"200": answer(listed(SHOWN)), "400": ERROR}}
    house = House(facts(stays(read=read), "POST /stays"))
    taken = house.recipient.take("GET", "/v1/stays")
    assert taken.status == 400
    assert taken.problems


# What must be unique, and what is there already


def test_a_second_one_with_the_same_value_is_refused() -> None:
    post = {"responses": {"201": answer(SHOWN), "409": {"description": "There is a stay with this guest already."}}}
    house = House(facts(stays(post=post), "POST /stays"))
    assert house.send(BODY).landed
    taken = house.send({**BODY, "room_id": "R-14"})
    assert (taken.status, taken.landed) == (409, False)
    assert house.send({**BODY, "guest": "Grace Hopper"}).landed


def guests(method: str = "patch", **responses: Any) -> Facts:
    own = {"in": "path", "name": "guest_id", "required": True, "schema": {"type": "string"}}
    shown = thing("id phone", id="string", phone="string", email="string")
    operation: dict[str, Any] = {"responses": responses or {"200": answer(shown), "404": ERROR}}
    if method != "delete":
        sent = thing("", phone="string", email="string")
        operation["requestBody"] = {"content": {"application/json": {"schema": sent}}}
    found = document({
        "/guests/{guest_id}": {
            "parameters": [own],
            method: operation,
            "get": {"responses": {"200": answer(shown), "404": ERROR}},
        }
    })  # fmt: skip
    return facts(found, f"{method.upper()} /guests/{{guest_id}}")


def test_a_change_is_seen_and_leaves_the_rest() -> None:
    house = House(guests())
    before = house.get("/v1/guests/g1")
    taken = house.send({"phone": "+44 20 7946 0021"}, "/v1/guests/g1")
    assert taken.landed
    after = house.get("/v1/guests/g1")
    assert before["phone"] != after["phone"] == "+44 20 7946 0021"
    assert before["email"] == after["email"]
    assert after["id"] == "g1"
    assert house.get("/v1/guests/g2")["phone"] == before["phone"]


def test_what_is_deleted_is_gone_and_cannot_be_deleted_again() -> None:
    house = House(guests("delete", **{"204": {"description": "gone"}, "404": ERROR}))
    assert house.get("/v1/guests/g1")["id"] == "g1"
    taken = house.send(path="/v1/guests/g1")
    assert (taken.status, taken.body, taken.landed) == (204, b"", True)
    assert house.recipient.take("GET", "/v1/guests/g1").status == 404
    again = house.send(path="/v1/guests/g1")
    assert (again.status, again.landed) == (404, False)
    assert house.get("/v1/guests/g2")["id"] == "g2"


def test_what_can_be_done_once_only_is_refused_the_second_time() -> None:
    own = {"in": "path", "name": "order_id", "required": True, "schema": {"type": "string"}}
    refused = {"description": "The order is cancelled already.", **error_content()}
    found = document({
        "/orders/{order_id}/cancel": {
            "parameters": [own],
            "post": {"responses": {"200": answer(thing("id", id="string")), "409": refused}},
        }
    })  # fmt: skip
    house = House(facts(found, "POST /orders/{order_id}/cancel"))
    assert house.send(path="/v1/orders/o1/cancel").landed
    assert house.send(path="/v1/orders/o1/cancel").status == 409
    assert house.send(path="/v1/orders/o2/cancel").landed


def test_a_refusal_that_is_answered_200() -> None:
    found = document({
        "/messages": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": thing("text", text="string")}}},
                "responses": {"200": answer(thing("ok", ok="boolean", id="string"))},
            }
        }
    })  # fmt: skip
    house = House(facts(found, "POST /messages"))
    refused = house.send({"text": 1})
    assert (refused.status, json.loads(refused.body)["ok"], refused.landed) == (200, False, False)
    done = house.send({"text": "Your room is ready."})
    assert (json.loads(done.body)["ok"], done.landed) == (True, True)


def test_a_form_is_read_as_a_form() -> None:
    found = document({
        "/charges": {
            "post": {
                "requestBody": {
                    "content": {
                        "application/x-www-form-urlencoded": {"schema": thing("amount", amount="integer", to="string")}
                    }
                },
                "responses": {"200": answer(thing("id amount", id="string", amount="integer"))},
            }
        }
    })  # fmt: skip
    house = House(facts(found, "POST /charges"))
    headers = [("Content-Type", "application/x-www-form-urlencoded")]
    taken = house.recipient.take("POST", "/v1/charges", headers, b"amount=1250&to=a%20b")
    assert taken.landed
    assert json.loads(taken.body)["amount"] == 1250
    assert house.recipient.records[0].value("to") == "a b"
