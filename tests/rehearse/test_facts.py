"""What is true of a recipient: the document goes first, the declaration fills in what it does not say."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from houses import DAY, TIME, answer, document, facts, listed, thing

from wizard.operation.duration import Duration
from wizard.rehearse.facts import Facts, RefusalFacts, facts_of

STAY = thing("room_id guest arrival", room_id="string", guest="string", arrival=DAY, notes="string")
SHOWN = thing("id room guest created_at", id="string", room=thing("id", id="string"), guest="string", arrival=DAY,
              notes="string", created_at=TIME)  # fmt: skip


def charges(
    *, key: dict[str, Any] | None = None, answers: dict[str, Any] | None = None, extra: dict[str, Any] | None = None
) -> Any:
    """A document with `POST /charges`; `key` is an Idempotency-Key header's text, and what more it has."""
    body = thing("account_id amount", account_id="string", amount="integer", memo="string", **(extra or {}))
    shown = thing("id", id="string", account_id="string", amount="integer")
    parameters = [{"in": "header", "name": "Idempotency-Key", "schema": {"type": "string"}, **key}] if key else []
    return document({
        "/charges": {
            "get": {"responses": {"200": answer(listed(shown))}},
            "post": {
                "parameters": parameters,
                "requestBody": {"content": {"application/json": {"schema": body}}},
                "responses": {"201": answer(thing("id", id="string", amount="integer")), **(answers or {})},
            },
        }
    })  # fmt: skip


def key_of(found: Any, **declared: Any) -> Facts:
    return facts(found, "POST /charges", {"body": ["account_id", "amount", "memo"], **declared})


def test_the_documents_key_is_honoured_with_its_memory() -> None:
    found = charges(key={"description": "Makes it idempotent. Keys are kept for 48 hours.", "required": True})
    known = key_of(found, key={"in": "header", "name": "Idempotency-Key", "for": "7d"})
    assert known.key is not None
    assert (known.key.place, known.key.name, known.key.by) == ("header", "Idempotency-Key", "document")
    assert known.key.required
    assert known.key.memory == Duration.parse("48h")
    assert any("and not for 7d" in note for note in known.notes)


def test_a_memory_that_the_document_does_not_tell_is_believed() -> None:
    found = charges(key={"description": "An idempotency key."})
    known = key_of(found, key={"in": "header", "name": "Idempotency-Key", "for": "3d"})
    assert known.key is not None
    assert known.key.memory == Duration.parse("3d")
    assert any("is believed: 3d" in note for note in known.notes)
    silent = key_of(found, key="header Idempotency-Key")
    assert silent.key is not None
    assert silent.key.memory == Duration.parse("30m")


def test_a_key_that_the_document_shows_is_there_without_a_declaration() -> None:
    known = key_of(charges(key={"description": "A second request with the same key is answered with the first."}))
    assert known.key is not None
    assert known.key.name == "Idempotency-Key"


def test_a_trace_id_is_no_key_though_it_is_declared_as_one() -> None:
    found = document({
        "/charges": {
            "post": {
                "parameters": [
                    {"in": "header", "name": "X-Request-Id", "schema": {"type": "string"},
                     "description": "Shows up in our logs, for tracing."}
                ],
                "requestBody": {"content": {"application/json": {"schema": thing("amount", amount="integer")}}},
                "responses": {"201": answer(thing("id", id="string"))},
            }
        }
    })  # fmt: skip
    known = facts(found, "POST /charges", {"body": ["amount"], "key": "header X-Request-Id"})
    assert known.key is None
    assert any("it is not honoured" in note.replace("it is\n", "it is ") for note in known.notes)


def test_the_place_that_the_document_shows_goes_before_one_that_it_does_not() -> None:
    found = charges(key={"description": "An idempotency key: retries with it make one charge."})
    known = key_of(found, key="header X-Dedupe")
    assert known.key is not None
    assert known.key.name == "Idempotency-Key"
    assert any("X-Dedupe" in note for note in known.notes)


def test_a_place_that_no_document_shows_is_believed() -> None:
    known = key_of(charges(), key={"in": "header", "name": "Idempotency-Key", "for": "24h", "remembers": "success"})
    assert known.key is not None
    assert (known.key.by, known.key.remembers) == ("declaration", "success")
    assert any("is believed" in note for note in known.notes)


@pytest.mark.parametrize(
    ("answers", "text", "status"),
    [
        ({"409": {"description": "The idempotency key was used with another body."}}, "A key.", 409),
        ({"422": {"description": "The same key came with different parameters (`key_reused`)."}}, "A key.", 422),
        ({}, "With another amount under the same key it is refused with 409.", 409),
        ({"409": {"description": "The account is closed."}}, "A key: the first answer is given again.", None),
    ],
)
def test_what_happens_to_the_same_key_with_another_body(answers: dict[str, Any], text: str, status: int | None) -> None:
    known = key_of(charges(key={"description": f"Makes the request idempotent. {text}"}, answers=answers))
    assert known.key is not None
    assert known.key.other_body == status


def test_a_request_that_is_still_worked_on() -> None:
    answers = {"409": {"description": "The first request with this key is still being processed."}}
    known = key_of(charges(key={"description": "An idempotency key."}, answers=answers))
    assert known.key is not None
    assert (known.key.in_progress, known.key.other_body) == (409, None)


def test_what_must_be_unique() -> None:
    body = thing("name email", name="string", email={"type": "string", "format": "email"})
    found = document({
        "/guests": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": body}}},
                "responses": {
                    "201": answer(thing("id", id="string")),
                    "409": {"description": "There is a guest with this e-mail address already."},
                },
            }
        }
    })  # fmt: skip
    known = facts(found, "POST /guests")
    assert known.duplicate is not None
    assert (known.duplicate.status, known.duplicate.fields) == (409, ("email",))


def test_a_document_that_answers_200_to_what_it_refuses() -> None:
    found = charges()
    sure = {"200": answer(thing("ok", ok="boolean", error="string"))}
    other = document({
        "/messages": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": thing("text", text="string")}}},
                "responses": sure,
            }
        }
    })  # fmt: skip
    known = facts(other, "POST /messages")
    assert known.refusal == RefusalFacts(status=200, member=("ok",), bad=False, good=True)
    assert not key_of(found).refusal.in_success


def test_the_text_that_a_comment_is_made_of_is_no_wording() -> None:
    sent = {"requestBody": {"content": {"application/json": {"schema": thing("", text="string")}}}}
    made = {"post": {**sent, "responses": {"201": answer(thing("id", id="string", text="string"))}}}
    known = facts(document({"/cards/{card_id}/comments": made}), "POST /cards/{card_id}/comments")
    assert "text" not in known.wording


def orders(**more: Any) -> Any:
    """A document whose `POST /orders` answers 200 with these members."""
    sent = {"requestBody": {"content": {"application/json": {"schema": thing("sku", sku="string")}}}}
    return document({"/orders": {"post": {**sent, "responses": {"200": answer(thing("", **more))}}}})


def test_a_code_with_a_good_value_has_it_where_it_went_well_and_another_where_not() -> None:
    known = facts(orders(ErrorCode={"type": "integer", "enum": [0, 4]}, ErrorMessage="string"), "POST /orders")
    assert known.refusal == RefusalFacts(status=200, member=("ErrorCode",), bad=4, good=0)
    assert known.answer.base["ErrorCode"] == 0


def test_an_error_that_nothing_is_said_of_is_not_taken_for_a_refusal() -> None:
    known = facts(orders(id="string", error="string"), "POST /orders")
    assert not known.refusal.in_success
    assert any("does not say" in note for note in known.notes)


def test_an_answer_of_success_says_that_it_is_one_though_refusals_have_a_status() -> None:
    said = {"type": "integer", "description": "200 means success.", "example": 401}
    found = document({
        "/orders": {
            "post": {
                "responses": {"200": answer(thing("", error_code=said, error_msg="string")), "400": {"description": ""}}
            }
        }
    })  # fmt: skip
    known = facts(found, "POST /orders")
    assert known.refusal == RefusalFacts(status=400)
    assert known.answer.base["error_code"] == 200


def test_refusals_with_a_status_are_not_read_from_a_body() -> None:
    found = charges(answers={"422": {"description": "Something is wrong."}})
    known = key_of(found, failed="$[?@.ok == false]")
    assert known.refusal == RefusalFacts(status=422)


# Reads


def stays(read: dict[str, Any], path: str = "/stays") -> Any:
    return document({
        "/stays": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": STAY}}},
                "responses": {"201": answer(SHOWN)},
            },
            **({"get": read} if path == "/stays" else {}),
        },
        **({path: {"get": read}} if path != "/stays" else {}),
    })  # fmt: skip


def parameter(name: str, **more: Any) -> dict[str, Any]:
    return {"in": "query", "name": name, "schema": {"type": "string", **more}}


PROBE = {
    "url": "https://api.example.com/v1/stays?room_id={room_id}",
    "items": "$.items[*]",
    "match": {"room_id": "room.id", "guest": "guest"},
    "absent": "empty",
    "pages": "none",
}
WITH_PROBE = {"body": ["room_id", "guest", "arrival", "notes"], "identity": ["room_id", "guest"], "probe": PROBE}


def test_a_list_is_narrowed_by_the_parameters_that_it_has() -> None:
    read = {"parameters": [parameter("room_id"), parameter("state")], "responses": {"200": answer(listed(SHOWN))}}
    known = facts(stays(read), "POST /stays", WITH_PROBE)
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert [(one.parameter, one.source) for one in found.filters] == [("room_id", "room_id")]
    assert found.shown.items == ("items",)
    assert found.absent is None


def test_a_parameter_that_the_read_does_not_have_is_ignored() -> None:
    read = {"parameters": [parameter("state")], "responses": {"200": answer(listed(SHOWN))}}
    known = facts(stays(read), "POST /stays", WITH_PROBE)
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert found.filters == ()
    assert any("has no parameter `room_id`" in note for note in known.notes)


def test_a_parameter_of_another_name_is_believed_where_the_document_is_silent() -> None:
    read = {"parameters": [parameter("berth")], "responses": {"200": answer(listed(SHOWN))}}
    probe = {**PROBE, "url": "https://api.example.com/v1/stays?berth={room_id}"}
    known = facts(stays(read), "POST /stays", {**WITH_PROBE, "probe": probe})
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert [(one.parameter, one.source) for one in found.filters] == [("berth", "room_id")]
    assert any("`berth`" in note and "believed" in note for note in known.notes)


def test_each_member_shows_one_field_and_the_same_name_goes_first() -> None:
    read = {"responses": {"200": answer(listed(SHOWN))}}
    match = {"room_id": "guest", "guest": "room.id"}
    known = facts(stays(read), "POST /stays", {**WITH_PROBE, "probe": {**PROBE, "match": match}})
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert found.shown.members["guest"] == "guest"
    assert found.shown.members["room_id"] == "room.id"
    assert len(set(found.shown.members.values())) == len(found.shown.members)
    assert any("and not as `room.id`" in note for note in known.notes)


def test_a_member_of_another_name_is_believed_where_nothing_speaks_against_it() -> None:
    shown = thing("id", id="string", room_id="string", occupant="string")
    read = {"responses": {"200": answer(listed(shown))}}
    match = {"room_id": "room_id", "guest": "occupant"}
    known = facts(stays(read), "POST /stays", {**WITH_PROBE, "probe": {**PROBE, "match": match}})
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert found.shown.members["guest"] == "occupant"
    assert any("`occupant`" in note and "believed" in note for note in known.notes)


def test_a_member_that_is_not_there_is_not_made_up() -> None:
    read = {"responses": {"200": answer(listed(thing("id", id="string", room_id="string")))}}
    known = facts(stays(read), "POST /stays", WITH_PROBE)
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert "guest" not in found.shown.members


@pytest.mark.parametrize(
    ("shown", "parameters", "tells", "size"),
    [
        (listed(SHOWN), [], "nothing", None),
        (listed(SHOWN, next_cursor={"type": ["string", "null"]}), [parameter("cursor")], "cursor", 50),
        (listed(SHOWN, next="string"), [parameter("page", type="integer")], "url", 50),
    ],
)
def test_how_a_list_is_paged(shown: Any, parameters: list[Any], tells: str, size: int | None) -> None:
    known = facts(stays({"parameters": parameters, "responses": {"200": answer(shown)}}), "POST /stays", WITH_PROBE)
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert (found.paging.tells, found.paging.size) == (tells, size)


def test_links_in_a_header_and_a_limit_with_a_default() -> None:
    limit = {"in": "query", "name": "limit", "schema": {"type": "integer", "default": 20}}
    shown = answer(listed(SHOWN), headers={"Link": {"schema": {"type": "string"}}})
    known = facts(stays({"parameters": [limit], "responses": {"200": shown}}), "POST /stays", WITH_PROBE)
    (found,) = [one for one in known.reads if one.path == "/v1/stays"]
    assert (found.paging.tells, found.paging.limit, found.paging.size) == ("link", "limit", 20)


def test_a_read_that_no_document_shows_is_believed_whole() -> None:
    probe = {**PROBE, "url": "https://api.example.com/v1/occupations?room={room_id}"}
    known = facts(stays({"responses": {"200": answer(SHOWN)}}, "/other"), "POST /stays", {**WITH_PROBE, "probe": probe})
    (found,) = [one for one in known.reads if one.path == "/v1/occupations"]
    assert found.by == "declaration"
    assert [(one.parameter, one.source) for one in found.filters] == [("room", "room_id")]
    assert dict(found.shown.members) == {"room_id": "room.id", "guest": "guest"}


# Matter and wording


def test_a_note_is_wording_and_what_is_required_is_matter() -> None:
    known = facts(stays({"responses": {"200": answer(listed(SHOWN))}}), "POST /stays")
    assert set(known.matter) >= {"room_id", "guest", "arrival"}
    assert known.wording == ("notes",)


def test_a_note_that_is_declared_as_identity_stays_wording() -> None:
    declared = {**WITH_PROBE, "identity": ["room_id", "guest", "arrival", "notes?"]}
    known = facts(stays({"responses": {"200": answer(listed(SHOWN))}}), "POST /stays", declared)
    assert "notes" in known.wording
    assert "notes" not in known.matter
    assert any("`notes`" in note for note in known.notes)


def test_a_field_that_the_declaration_forgot_is_matter_all_the_same() -> None:
    known = facts(stays({"responses": {"200": answer(listed(SHOWN))}}), "POST /stays", WITH_PROBE)
    assert "arrival" in known.matter
    assert any("`arrival` is not in the declared identity" in note for note in known.notes)


def test_what_nobody_is_sure_of_is_neither() -> None:
    known = key_of(
        charges(extra={"tariff": {"type": "string", "enum": ["now", "later"]}}), identity=["account_id", "amount"]
    )
    assert "tariff" in known.unsure


def test_what_is_unsure_is_matter_where_the_declaration_says_so() -> None:
    known = key_of(
        charges(extra={"tariff": {"type": "string", "enum": ["now", "later"]}}),
        identity=["account_id", "amount", "tariff"],
    )
    assert "tariff" in known.matter


def test_a_change_has_no_wording() -> None:
    found = document({
        "/guests/{guest_id}": {
            "parameters": [{"in": "path", "name": "guest_id", "required": True, "schema": {"type": "string"}}],
            "patch": {
                "requestBody": {
                    "content": {"application/json": {"schema": thing("", phone="string", notes="string")}}
                },
                "responses": {"200": answer(thing("id", id="string", phone="string", notes="string"))},
            },
            "get": {"responses": {"200": answer(thing("id", id="string", phone="string", notes="string"))}},
        }
    })  # fmt: skip
    known = facts(found, "PATCH /guests/{guest_id}")
    assert known.does == "change"
    assert known.wording == ()


def test_a_line_that_may_be_written_twice_has_no_matter() -> None:
    found = document({
        "/log": {
            "post": {
                "description": "The same line can stand there any number of times.",
                "requestBody": {"content": {"application/json": {"schema": thing("text", text="string")}}},
                "responses": {"201": answer(thing("id", id="string"))},
            }
        }
    })  # fmt: skip
    known = facts(found, "POST /log")
    assert known.repeats
    assert known.matter == ()


def test_without_a_document_the_declaration_is_believed() -> None:
    operation = key_of(charges(), identity=["account_id", "amount"], key="header Idempotency-Key").operation
    known = facts_of(operation, None, None)
    assert known.matter == ("account_id", "amount")
    assert known.unsure == ("memo",)
    assert known.key is not None
    assert known.key.by == "declaration"


def test_asking_again_costs_nothing() -> None:
    found = charges()
    operation = key_of(found).operation
    api = found.by_name["POST /charges"]
    assert facts_of(operation, api, found) is facts_of(operation, api, found)
