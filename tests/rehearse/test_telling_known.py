"""What a story takes for known: another write has another key, and a time behind a lost id cannot be asked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import TIME, answer, document, thing

from wizard.host.store import open_store
from wizard.infer.declaration import declare
from wizard.infer.propose import propose_operation
from wizard.operation.parsing import parse_operation
from wizard.rehearse.casting import Simulation
from wizard.rehearse.mending import level
from wizard.rehearse.model import Verdict
from wizard.rehearse.rehearsing import subject_of
from wizard.rehearse.schedule import stories
from wizard.rehearse.subject import World
from wizard.rehearse.telling import tell


@pytest.fixture
def world() -> Iterator[World]:
    store = open_store("memory:")
    yield World(store=store, store_url="memory:", recipient=Simulation())
    store.close()


def test_each_write_that_differs_has_a_key_of_its_own(world: World) -> None:
    """An external id that a second request may not have again, and that is part of what the write is."""
    key = {"type": "string", "description": "Idempotency key: a second request with the same external_id is ignored."}
    body = thing("external_id customer_id plan", external_id=key, customer_id="string", plan="string")
    found = document({
        "/subscriptions": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": body}}},
                "responses": {"201": answer(thing("id", id="string"))},
            }
        }
    })  # fmt: skip
    api = found.by_name["POST /subscriptions"]
    proposal = propose_operation(found, api)
    assert proposal.key is not None
    fields = ("external_id", "customer_id", "plan")
    own = declare(replace(proposal, identity=replace(proposal.identity, fields=fields)), found)
    assert own.key is None
    subject = subject_of("subscribe", own, "subscribe.md", api, found)
    run = tell(stories()["another-write"], subject, own, level(own), world)
    assert (run.verdict, run.why) == (Verdict.PASSED, "")
    assert run.landed == run.meant == 4


@pytest.mark.parametrize(("in_list", "verdict"), [(False, Verdict.WEAK), (True, Verdict.FAILED)])
def test_a_time_that_only_the_lost_id_leads_to_could_not_have_been_declared(
    world: World, in_list: bool, verdict: Verdict
) -> None:
    place = {"address": "string", "hours": "string"}
    whole = thing("id address", id="string", **place, created_at=TIME)
    element = whole if in_list else thing("id address", id="string", **place)
    found = document({
        "/places": {
            "get": {"responses": {"200": answer({"type": "array", "items": element})}},
            "post": {
                "requestBody": {"content": {"application/json": {"schema": thing("address hours", **place)}}},
                "responses": {"201": answer(whole)},
            },
        },
        "/places/{place_id}": {"get": {"responses": {"200": answer(whole)}}},
    })  # fmt: skip
    api = found.by_name["POST /places"]
    given = {
        "method": "POST", "url": "https://api.example.com/v1/places", "body": ["address", "hours"],
        "identity": ["address", "hours"],
        "probe": {"url": "https://api.example.com/v1/places", "items": "$[*]", "match": ["address", "hours"]},
    }  # fmt: skip
    own, problems = parse_operation(given)
    assert own is not None, problems
    subject = subject_of("place", own, "place.md", api, found)
    assert tell(stories()["equal-last-week"], subject, own, level(own), world).verdict is verdict
