"""Kinds of requests by which two writes must not become one, and what stands beside the matter."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from wizard.infer.model import Confidence, IdentityProposal
from wizard.infer.propose import propose_operation

sys.path.insert(0, str(Path(__file__).parent))
from small import document


def identity(does: str, **members: Any) -> IdentityProposal:
    read = document({"does": does, "answers": {"200": None}, **members})
    return propose_operation(read, read.by_name[does]).identity


@pytest.mark.parametrize(
    ("does", "body", "fields"),
    [
        pytest.param(
            "POST /shelves",
            {"name!": "string", "parentId": "integer", "height": "integer"},
            ["name", "parentId"],
            id="the same name in another folder is another thing",
        ),
        pytest.param(
            "POST /categories",
            {"name!": "string", "parent_category_id": "integer", "color": "string"},
            ["name", "parent_category_id"],
            id="the same name below another one is another thing",
        ),
        pytest.param(
            "POST /rpc",
            {"jsonrpc!": "string", "id!": "integer", "method!": "string", "params!": "strings"},
            ["method", "params"],
            id="a number that counts the calls is of the call",
        ),
        pytest.param(
            "POST /tenders/new",
            {"clientId": "integer", "poNumber": "string", "number": "string", "notes": "string"},
            ["clientId", "number", "poNumber"],
            id="its own number goes before that of the buyer",
        ),
        pytest.param(
            "POST /survey-answers",
            {"survey": "string", "answers": {}},
            ["survey", "answers"],
            id="a map that is called like the thing is what it says",
        ),
        pytest.param(
            "POST /grid/step",
            {"turbine_id!": "string", "arguments": {"amount": "number", "until": "date"}},
            ["turbine_id", "arguments.amount", "arguments.until"],
            id="arguments are looked into",
        ),
        pytest.param(
            "POST /conversions",
            {"rate": {"value": "number"}, "unit_from": {"value": "string"}, "note": {"value": "string"}},
            ["rate", "unit_from"],
            id="an object around one value is that value",
        ),
        pytest.param(
            "POST /lists/{id}/comments",
            {"message": "string", "authorName": "string"},
            ["message"],
            id="a comment is on what the path names",
        ),
        pytest.param(
            "POST /comments/{comment_id}",
            {"message": "string"},
            ["message"],
            id="a text that is sent to one thing is what is written",
        ),
        pytest.param(
            "POST /bridges",
            {"gate!": "string", "relay!": "string # Relay bot token", "lane!": "string"},
            ["gate", "lane"],
            id="a text that is only the name of a secret tells of one",
        ),
        pytest.param(
            "POST /relays",
            {"gate": "string", "connectorid": "string", "metadata_slot_2": "string", "option3": "string"},
            ["gate", "connectorid"],
            id="places left to clients go along, an id written onto its word does not",
        ),
        pytest.param(
            "POST /consoles",
            {"path": "string # Where the console is opened.", "name": "string", "title_hint": "string"},
            ["path", "name"],
            id="where it is kept names it as well",
        ),
        pytest.param(
            "POST /tanks/{id}/gauges",
            {"Id": "uuid", "Name": "string", "Path": "string", "Links": {"Self": "string"}, "WebException": {}},
            ["Name"],
            id="a path without a word is the recipient's, and so is what went wrong",
        ),
        pytest.param(
            "POST /access_profiles",
            {
                "accessProfileId": "string # The ID of the access profile.",
                "accessProfileName": "string",
                "modifiedByUser": "string",
                "modifiedDateTime": "string",
            },
            ["accessProfileName"],
            id="its own id beside its name is the recipient's",
        ),
        pytest.param(
            "POST /tunes",
            {"tune": "string", "band_id": "string"},
            ["tune", "band_id"],
            id="a name that may be left out is not all",
        ),
        pytest.param(
            "POST /sms",
            {"keyid!": "string # Clé API", "num!": "string", "texte!": "string"},
            ["num", "texte"],
            id="a key of the interface in another language",
        ),
        pytest.param(
            "POST /voice/single-text",
            {"recipientNumber": "string", "message": "string", "retryCount": "integer", "drive": "string"},
            ["recipientNumber", "message"],
            id="a message to a recipient, whatever it is called",
        ),
        pytest.param(
            "POST /forms/{id}/custom_fields",
            {"textCustomFields": [{"name": "string"}], "listCustomFields": [{"name": "string"}]},
            ["textCustomFields", "listCustomFields"],
            id="custom fields where they are what is made",
        ),
        pytest.param(
            "POST /runs",
            {"workflow_url": "string", "workflow_params": "string"},
            ["workflow_url", "workflow_params"],
            id="the address of what is run",
        ),
        pytest.param(
            "POST /files/upload",
            {"path!": "string", "size!": "integer", "file": "binary"},
            ["path", "size", "file"],
            id="a file of the same size in the same place is another file",
        ),
        pytest.param(
            "POST /stylized_image",
            {"image_url!": "string", "style_url!": "string"},
            ["image_url", "style_url"],
            id="the picture that is worked on",
        ),
        pytest.param(
            "POST /enhance",
            {"image_filename": "string", "image_b64": "string", "image_url": "string", "tag": "string"},
            ["image_filename", "image_b64", "image_url"],
            id="each way to hand a picture over",
        ),
        pytest.param(
            "POST /clients/{language}",
            {"openAPIUrl": "string", "spec": {}},
            ["openAPIUrl", "spec"],
            id="an address and a map are better than nothing",
        ),
        pytest.param(
            "POST /redirects",
            {"alias!": "string", "targets": [{"url!": "string", "country": "string", "os": "string"}]},
            ["alias", "targets[].url", "targets[].country"],
            id="a list that tells where, for one system or the other, is not about the sender",
        ),
        pytest.param(
            "POST /batch/shots",
            {"engine_id!": "integer", "name": "string", "file": "binary", "delay": "integer"},
            ["engine_id", "name", "file"],
            id="what is run over a file is another run with another file",
        ),
        pytest.param(
            "POST /invoice",
            {
                "business_name!": "string",
                "items!": [{"price!": "number", "quantity!": "integer"}],
                "customer_name": "string",
            },
            ["business_name", "items", "customer_name"],
            id="lines, and whom they are for though it may be left out",
        ),
        pytest.param(
            "POST /kennels",
            {"name": "string", "parentKennelName": "string", "theme": "string"},
            ["name"],
            id="its name goes before that of its parent",
        ),
        pytest.param(
            "POST /topups",
            {"amount": "integer", "client_transaction_id": "string", "mobile_number": "string"},
            ["amount", "client_transaction_id", "mobile_number"],
            id="a payment that nothing must have is to a phone too",
        ),
        pytest.param(
            "POST /renders",
            {
                "reel!": {
                    "clips!": [
                        {"asset!": {"type!": "video|text", "html": "string", "note": "string"}, "start!": "number"}
                    ]
                }
            },
            ["reel.clips[].asset.type", "reel.clips[].asset.html", "reel.clips[].start"],
            id="what an object says beside the kind that it must have",
        ),
        pytest.param(
            "POST /pantries/{user}/items",
            {
                "item!": "string",
                "hash!": "string # The private hash for the user.",
                "deviceEncryptionKey!": "string",
                "requestIdentifier": "string",
            },
            ["item"],
            id="secrets and keys by other names",
        ),
        pytest.param(
            "POST /shots",
            {"url": "string", "tunnel_id": "string", "configs": {"sizes": "strings"}},
            ["url", "tunnel_id"],
            id="an address that is called nothing else is what it is about",
        ),
        pytest.param(
            "POST /messages:send",
            {
                "message!": {
                    "token": "string # Registration token to send a message to.",
                    "notification": {"title": "string", "body": "string"},
                    "topic": "string",
                }
            },
            ["message.token", "message.topic", "message.notification"],
            id="the token of a device is whom a push message is for",
        ),
        pytest.param(
            "POST /screenings",
            {"email": "string", "first_name": "string", "amount": "number", "currency": "string", "order_id": "string"},
            ["amount", "currency", "order_id"],
            id="a person with an amount is no person that is made",
        ),
        pytest.param(
            "POST /users",
            {"age!": "integer", "sex!": "string", "trade!": "string"},
            ["age", "sex", "trade"],
            id="of someone who is not named what they are like is told",
        ),
        pytest.param(
            "POST /intakes",
            {"vault!": "string", "url": "string # Source URL to fetch the object from."},
            ["vault", "url"],
            id="an address that something is taken from is the matter",
        ),
    ],
)
def test_what_a_create_is_told_apart_by(does: str, body: dict[str, Any], fields: list[str]) -> None:
    assert sorted(identity(does, body=body).fields) == sorted(fields)


@pytest.mark.parametrize(
    ("does", "body", "fields"),
    [
        pytest.param(
            "PUT /fleets/{id}",
            {"depot": "string", "city": "string", "size": "integer", "phone": "string", "status": "string",
             "owner": "string", "zone": "string", "opened": "date", "note": "string"},
            ["depot", "city", "size", "phone", "status", "owner", "zone", "opened"],
            id="a replacement is all that it puts there",
        ),
        pytest.param(
            "PUT /kilns/{id}/firing-policy",
            {"isEnabled": "boolean", "deadline": "date"},
            ["isEnabled", "deadline"],
            id="of two things that a change sets one is a flag",
        ),
        pytest.param(
            "POST /boards/{id}/actions/change_guard",
            {"erase": "boolean"},
            ["erase"],
            id="a path that says what is changed",
        ),
        pytest.param(
            "POST /hooks/{id}",
            {"hookUrl": "string", "authorizationHeader": "string", "enabled": "boolean"},
            ["hookUrl", "enabled"],
            id="what signs a call in is a secret by any name",
        ),
        pytest.param(
            "PUT /depots/{id}/members",
            {"members": [{"email": "string"}], "resultSetSize": "string", "totalSetSize": "string", "nextUri": "uri"},
            ["members"],
            id="how an answer is paged stands in the schema that the request shares with it",
        ),
        pytest.param(
            "POST /apps/{id}/settings",
            {"detailsUrl!": "string # The url that is used to fetch the details."},
            ["detailsUrl"],
            id="settings that are one address",
        ),
        pytest.param(
            "PATCH /books/{id}/postings",
            {"postings!": [{"id": "string", "account_id": "string", "amount": "integer", "memo": "string"}]},
            ["postings[].id", "postings[].account_id", "postings[].amount"],
            id="the ids of elements say which are changed",
        ),
        pytest.param(
            "POST /agents/{id}/execute",
            {"instructions!": "string", "preview_only": "boolean"},
            ["instructions"],
            id="what is to be done is told in the one text that each must have",
        ),
    ],
)  # fmt: skip
def test_what_a_change_is_told_apart_by(does: str, body: dict[str, Any], fields: list[str]) -> None:
    others = ["GET /kilns/{id}/firing-policy", "GET /hooks/{id}", "POST /hooks", "POST /fleets"]
    assert sorted(identity(does, body=body, others=others).fields) == sorted(fields)


@pytest.mark.parametrize(
    ("does", "query", "fields"),
    [
        ("DELETE /albums/{id}/photos", {"url": "string", "force": "boolean"}, ["query:url"]),
        ("DELETE /albums/{id}", {"url": "string"}, []),
    ],
)
def test_what_is_taken_away_of_what_the_path_names(does: str, query: dict[str, Any], fields: list[str]) -> None:
    assert list(identity(does, query=query).fields) == fields


def test_a_field_that_each_removal_must_have_says_what_is_removed() -> None:
    found = identity("POST /boards/{id}/removeCustomField", body={"custom_field!": "string"})
    assert found.fields == ("custom_field",)


def test_what_is_emptied_without_a_variable_in_the_path_stands_in_the_body() -> None:
    assert identity("POST /buckets/cleanup", summary="Removes what is old", body={"vault": "string"}).fields == (
        "vault",
    )


def test_a_custom_verb_behind_a_colon_is_no_part_of_the_noun() -> None:
    found = identity("POST /v1/{parent}/messages:send", body={"message!": {"topic": "string", "text": "string"}})
    assert set(found.fields) == {"message.topic", "message.text"}


def test_an_id_that_the_text_asks_for_is_that_of_what_is_added() -> None:
    said = "Add a dish to the menu. In the request, pass in dishId."
    found = identity("POST /menu/dish", summary=said, body={"dishId": "integer", "scale": "number"})
    assert "dishId" in found.fields


def test_a_message_that_an_action_sends_is_all_of_it() -> None:
    body = {"Body": [{"Text": "string"}], "Subject": [{"Text": "string"}], "SendMode": "integer"}
    found = identity("POST /orders/{id}/send-message", summary="Sends a message to the buyer", body=body)
    assert {field.partition("[")[0] for field in found.fields} == {"Body", "Subject"}


def test_a_description_or_where_it_is() -> None:
    found = identity("POST /versions/anonymous", body={"specData": {}, "url": "string"})
    assert set(found.fields) == {"specData", "url"}


def test_the_id_of_an_object_is_what_names_it() -> None:
    body = {"corpusId!": "string", "document!": {"documentId": "string", "title": "string", "metadata": {}}}
    assert "document.documentId" in identity("POST /index", body=body).fields


@pytest.mark.parametrize(
    ("does", "members", "fields"),
    [
        (
            "POST /designs/{design_id}",
            {"summary": "Duplicate a design", "body": {"name": "string", "editor": "string"}},
            "name",
        ),
        ("POST /margins/{margin_id}", {"summary": "Add a margin", "body": {"amount": "number"}}, "amount"),
        ("POST /ipblocklist", {"summary": "Create an entry", "body": {"ip": "string"}}, "ip"),
    ],
)
def test_what_the_path_does_not_tell(does: str, members: dict[str, Any], fields: str) -> None:
    assert fields in identity(does, **members).fields


def test_the_version_that_a_change_brings_is_no_lock() -> None:
    found = identity("POST /pools/{id}/upgrade", summary="Upgrade a pool", body={"targetOSVersion!": "string"})
    assert found.fields == ("targetOSVersion",)


def test_an_action_that_nothing_must_have_is_all_that_it_carries() -> None:
    body = {"quantity": "integer", "price": "number", "buyer_id": "string", "message": "string"}
    found = identity("POST /talks/{id}/counter", summary="Counter an offer", body=body)
    assert set(found.fields) == {"quantity", "price", "buyer_id"}


def test_why_something_is_cancelled_is_not_what_is_cancelled() -> None:
    found = identity("POST /moorings/{id}/cancellation", body={"reason!": "weather|other", "note": "string"})
    assert found.fields == ()


def test_what_a_page_is_asked_by_is_no_part_of_it() -> None:
    found = identity("POST /inquiries", body={"ledger_id!": "string"}, query={"pageOffset!": "integer"})
    assert found.fields == ("ledger_id",)


def test_arguments_that_are_left_out_leave_doubt() -> None:
    found = identity("POST /grid/step", body={"turbine_id!": "string", "arguments": {"amount": "number"}})
    assert found.confidence is not Confidence.HIGH


@pytest.mark.parametrize(
    ("does", "body", "fields"),
    [
        pytest.param(
            "POST /clientes",
            {
                "nome": "string",
                "sobrenome": "string",
                "dataNascimento": "string",
                "observação": "string",
                "cpf": "string",
            },
            ["cpf", "nome", "sobrenome"],
            id="a person in Portuguese",
        ),
        pytest.param(
            "POST /pedidos",
            {"numero_pedido!": "string", "id_cliente!": "integer", "observaciones!": "string"},
            ["numero_pedido", "id_cliente"],
            id="an order in Spanish",
        ),
        pytest.param(
            "POST /termine",
            {"arzt_id!": "integer", "beginn!": "string", "ende!": "string", "bemerkung": "string"},
            ["arzt_id", "beginn", "ende"],
            id="an appointment in German",
        ),
        pytest.param(
            "POST /messages",
            {"destinataire!": "string", "objet!": "string", "contenu!": "string", "motDePasse": "string"},
            ["destinataire", "objet", "contenu"],
            id="a message in French",
        ),
        pytest.param(
            "POST /rezerwacja",
            {"pokoj!": "string", "poczatek!": "date", "koniec!": "date", "hasło": "string"},
            ["pokoj", "poczatek", "koniec"],
            id="a booking in Polish",
        ),
    ],
)
def test_names_in_other_languages(does: str, body: dict[str, Any], fields: list[str]) -> None:
    assert sorted(identity(does, body=body).fields) == sorted(fields)
