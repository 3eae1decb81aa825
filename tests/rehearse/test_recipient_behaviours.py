"""Recipients that are not as documented: each differs in what it says, and the others' ways stay."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import DAY, TIME, House, answer, document, facts, listed, thing

from wizard.errors import UsageError
from wizard.rehearse.behaviour import AS_DOCUMENTED, behaviour, behaviour_names
from wizard.rehearse.facts import Facts

BODY = {"room_id": "R-12", "guest": "Ada Byron", "arrival": "2026-11-14"}


def stays(method: str = "post") -> Facts:
    """`POST /stays` with a key, a reference, a list and a time of creation; or DELETE of one."""
    sent = thing(
        "room_id guest arrival", room_id="string", guest="string", arrival=DAY,
        reference={"type": "string", "maxLength": 64, "description": "Your own reference, given back as it was given."},
    )  # fmt: skip
    shown = thing("id room_id guest arrival created_at", id="string", room_id="string", guest="string", arrival=DAY,
                  reference="string", created_at=TIME)  # fmt: skip
    key = {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string"},
           "description": "Makes it idempotent: kept for 24 hours."}  # fmt: skip
    names = [{"in": "query", "name": name, "schema": {"type": "string"}} for name in ("guest", "reference")]
    own = {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}
    found = document({
        "/stays": {
            "get": {"parameters": names, "responses": {"200": answer(listed(shown))}},
            "post": {
                "parameters": [key],
                "requestBody": {"content": {"application/json": {"schema": sent}}},
                "responses": {"201": answer(shown), "422": {"description": "no"}},
            },
        },
        "/stays/{id}": {
            "parameters": [own],
            "get": {"responses": {"200": answer(shown), "404": {"description": "no"}}},
            "delete": {"responses": {"204": {"description": "gone"}, "404": {"description": "no"}}},
        },
    })  # fmt: skip
    if method == "delete":
        return facts(found, "DELETE /stays/{id}")
    probe = {"url": "https://api.example.com/v1/stays", "items": "$.items[*]", "match": ["guest"], "pages": "none"}
    declared = {
        "body": ["room_id", "guest", "arrival"], "identity": ["room_id", "guest", "arrival"], "probe": probe,
        "reference": "field reference", "key": {"in": "header", "name": "Idempotency-Key", "for": "24h"},
    }  # fmt: skip
    return facts(found, "POST /stays", declared)


def house(name: str, method: str = "post") -> House:
    return House(stays(method), behaviour(name))


def guests(found: House, target: str = "/v1/stays") -> list[str]:
    return [one["guest"] for one in found.get(target)["items"]]


def test_each_behaviour_has_the_name_of_its_module_and_says_what_it_does() -> None:
    assert len(behaviour_names()) >= 14
    for name in behaviour_names():
        found = behaviour(name)
        assert found.name == name
        assert found.says.endswith(".")
        assert found.shows.endswith(".")


def test_names_that_there_are_not() -> None:
    assert behaviour("") is AS_DOCUMENTED
    assert behaviour("as-documented") is AS_DOCUMENTED
    with pytest.raises(UsageError) as caught:
        behaviour("key-ignore")
    assert caught.value.remedy == "Did you mean `key-ignored`?"


@pytest.mark.parametrize("name", behaviour_names())
def test_each_takes_a_write_and_says_where_it_makes_no_difference(name: str) -> None:
    method = "delete" if name == "shows-deleted" else "post"
    found = house(name, method)
    assert found.behaviour.lacks(found.recipient.documented) == ""
    body = None if method == "delete" else BODY
    path = "/v1/stays/s1" if method == "delete" else ""
    assert found.send(body, path, key="k1" if method == "post" else "").landed
    assert found.recipient.doubts == []


def test_key_ignored() -> None:
    found = house("key-ignored")
    assert [found.send(BODY, key="k1").landed for _ in range(2)] == [True, True]


def test_key_forgotten() -> None:
    found = house("key-forgotten")
    assert [found.send(BODY, key="k1").landed for _ in range(2)] == [True, False]
    found.wait(minutes=2)
    assert found.send(BODY, key="k1").landed


def test_key_stores_errors() -> None:
    found = house("key-stores-errors")
    assert found.send(BODY, key="k1", instead=500).landed
    assert found.send(BODY, key="k1").status == 500
    assert found.send(BODY, key="k2", commit=False, instead=500).status == 500
    again = found.send(BODY, key="k2")
    assert (again.status, again.landed) == (500, False)


def test_key_with_body() -> None:
    found = house("key-with-body")
    assert [found.send(BODY, key="k1").landed for _ in range(2)] == [True, False]
    assert found.send({**BODY, "guest": "Grace Hopper"}, key="k1").landed


@pytest.mark.parametrize(("name", "minutes"), [("stale-list", 2), ("stale-list-long", 15)])
def test_lists_that_lag(name: str, minutes: int) -> None:
    found = house(name)
    made = json.loads(found.send(BODY, key="k1").body)
    assert guests(found) == []
    assert found.get(f"/v1/stays/{made['id']}")["guest"] == "Ada Byron"
    found.wait(minutes=minutes - 1)
    assert guests(found) == []
    found.wait(minutes=1)
    assert guests(found) == ["Ada Byron"]


def test_list_paged() -> None:
    found = house("list-paged")
    found.recipient.stock(3)
    found.send(BODY, key="k1")
    answered = found.recipient.take("GET", "/v1/stays")
    assert len(json.loads(answered.body)["items"]) == 2
    assert not [name for name, _ in answered.headers if name == "Link"]


def test_filter_ignored() -> None:
    found = house("filter-ignored")
    found.recipient.stock(2)
    assert len(guests(found, "/v1/stays?guest=nobody")) == 2


def test_reference_dropped() -> None:
    for name, seen in (("reference-dropped", []), ("as-documented", ["Ada Byron"])):
        found = house(name)
        found.send({**BODY, "reference": "r-1"}, key="k1")
        assert guests(found, "/v1/stays?reference=r-1") == seen
        assert guests(found) == ["Ada Byron"]


def test_answers_200_on_failure() -> None:
    found = house("answers-200-on-failure")
    refused = found.send(BODY, key="k1", commit=False)
    assert 200 <= refused.status < 300
    assert json.loads(refused.body)["ok"] is False
    assert json.loads(found.send(BODY, key="k1").body)["ok"] is True


def test_text_normalised() -> None:
    found = house("text-normalised")
    found.send({**BODY, "guest": " Ada  Byron "}, key="k1")
    assert guests(found) == ["ADA BYRON"]
    assert guests(found, "/v1/stays?guest=Ada%20Byron") == []


def test_duplicates_refused() -> None:
    found = house("duplicates-refused")
    assert found.send(BODY, key="k1").landed
    assert found.send(BODY, key="k2").status == 409
    assert found.send({**BODY, "guest": "Grace Hopper"}, key="k3").landed


@pytest.mark.parametrize(
    ("name", "shown"), [("created-time-missing", None), ("times-without-zone", "2026-03-02T09:00:00")]
)
def test_times_of_creation(name: str, shown: Any) -> None:
    found = house(name)
    found.send(BODY, key="k1")
    (one,) = found.get("/v1/stays")["items"]
    assert one.get("created_at") == shown


def test_commits_late() -> None:
    found = house("commits-late")
    taken = found.send(BODY, key="k1")
    made = json.loads(taken.body)
    assert taken.status == 202
    assert guests(found) == []
    assert found.recipient.take("GET", f"/v1/stays/{made['id']}").status == 404
    found.wait(minutes=8)
    assert guests(found) == ["Ada Byron"]
    assert found.recipient.landed() == 1


def test_shows_deleted() -> None:
    found = house("shows-deleted", "delete")
    assert found.send(path="/v1/stays/s1").landed
    assert found.get("/v1/stays/s1")["id"] == "s1"
