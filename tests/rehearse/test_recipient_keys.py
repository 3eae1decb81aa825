"""The recipient's memory of keys: a write under one lands once while it is remembered."""

from __future__ import annotations

import json
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from houses import BEGAN, BODY, House, answer, document, error_content, facts, keyed, listed, thing

from wizard.rehearse.facts import Facts


def test_the_same_key_is_answered_with_the_first_answer() -> None:
    house = House(keyed())
    first = house.send(BODY, key="k1")
    house.wait(hours=23)
    again = house.send(BODY, key="k1")
    assert (again.body, again.landed) == (first.body, False)
    assert house.recipient.landed() == 1


def test_a_key_is_forgotten_after_its_memory() -> None:
    house = House(keyed())
    house.send(BODY, key="k1")
    house.wait(hours=24)
    assert house.send(BODY, key="k1").landed
    assert house.recipient.landed() == 2


@pytest.mark.parametrize(
    ("answers", "status"),
    [
        ({"409": {"description": "The same key came with another body."}}, 409),
        ({"422": {"description": "The same key came with a different payload."}}, 422),
        ({}, 201),
    ],
)
def test_the_same_key_with_another_body(answers: dict[str, Any], status: int) -> None:
    house = House(keyed(**answers))
    house.send(BODY, key="k1")
    assert house.send({**BODY, "guest": "Grace Hopper"}, key="k1").status == status
    assert house.recipient.landed() == 1


def test_a_write_is_carried_out_though_its_answer_breaks() -> None:
    house = House(keyed())
    broken = house.send(BODY, key="k1", instead=503)
    assert (broken.status, broken.landed) == (503, True)
    again = house.send(BODY, key="k1")
    assert (again.status, again.landed) == (201, False)
    assert house.recipient.landed() == 1


def test_who_remembers_successes_only_writes_again_after_an_error() -> None:
    house = House(keyed("An idempotency key, kept for 24 hours. Only successful requests are remembered."))
    assert house.facts.key is not None
    assert house.facts.key.remembers == "success"
    house.send(BODY, key="k1", instead=503)
    assert house.send(BODY, key="k1").landed
    assert house.recipient.landed() == 2


def test_a_request_that_is_held_has_its_key() -> None:
    busy = {"409": {"description": "The first request with this key is still being processed.", **error_content()}}
    house = House(keyed(**busy))
    raw, headers = json.dumps(BODY).encode(), [("Content-Type", "application/json"), ("Idempotency-Key", "k1")]
    held = house.recipient.hold("POST", "/v1/stays", headers, raw)
    assert house.send(BODY, key="k1").status == 409
    assert held.take().landed
    assert house.send(BODY, key="k1").status == 201
    assert house.recipient.landed() == 1


def test_where_the_document_says_nothing_of_it_whichever_is_done_first_counts() -> None:
    house = House(keyed())
    raw, headers = json.dumps(BODY).encode(), [("Content-Type", "application/json"), ("Idempotency-Key", "k1")]
    held = house.recipient.hold("POST", "/v1/stays", headers, raw)
    first = house.send(BODY, key="k1")
    late = held.take()
    assert (first.landed, late.landed, late.body) == (True, False, first.body)


def events() -> Facts:
    element = thing(
        "name transaction_id", name="string", at="string",
        transaction_id={"type": "string", "description": "An idempotency key: an event with the same one is ignored."},
    )  # fmt: skip
    found = document({
        "/events": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": listed(element, "events")}}},
                "responses": {"201": answer(thing("id", id="string"))},
            }
        }
    })  # fmt: skip
    return facts(found, "POST /events", {"body": ["events[].name"], "key": "field events[].transaction_id"})


def test_each_element_has_a_key_of_its_own() -> None:
    house = House(events())
    assert house.facts.key is not None
    assert house.facts.key.per_element
    one, two = ({"name": "login", "transaction_id": f"t-{at}"} for at in (1, 2))
    assert house.send({"events": [one]}).landed
    assert not house.send({"events": [one]}).landed
    assert house.send({"events": [one, two]}).landed
    assert [record.value("events[].name") for record in house.recipient.records] == [["login"], ["login"]]
    assert not house.send({"events": [two, one]}).landed


KEYS = st.sampled_from(["k1", "k2"])
STEPS = st.tuples(
    KEYS, st.sampled_from(["Ada", "Grace"]), st.integers(0, 5), st.sampled_from([0, 0, 500, 503]), st.booleans()
)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=12))
def test_a_key_lands_once_inside_its_memory_whatever_the_order(steps: list[tuple[str, str, int, int, bool]]) -> None:
    house = House(keyed("An idempotency key, kept for 24 hours."), checked=False)
    for key, guest, hours, instead, commit in steps:
        if timedelta(hours=hours) + house.now - timedelta(hours=24) < BEGAN:
            house.wait(hours=hours)
        house.send({**BODY, "guest": guest}, key=key, instead=instead, commit=commit)
    by_key = [one.key for one in house.recipient.ledger.landings]
    assert len(by_key) == len(set(by_key))


def test_many_at_once_land_once() -> None:
    house = House(keyed(), checked=False)
    barrier = threading.Barrier(8)

    def send() -> None:
        barrier.wait()
        house.send(BODY, key="k1")

    threads = [threading.Thread(target=send) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert house.recipient.landed() == 1
