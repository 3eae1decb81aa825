"""What is offered where somebody writes a declaration, most of the time in a text that is not whole yet."""

from __future__ import annotations

from functools import cache

import pytest
import yaml

from wizard.lint.writing import offers
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes

HEAD = "---\nname: pay\noperation:\n  method: POST\n  url: https://api.example.com/v1/charges\n"


@cache
def document() -> ApiDocument:
    body = {"type": "object", "properties": {"booking_id": {"type": "string"}, "amount": {"type": "integer"}}}
    post = {"requestBody": {"content": {"application/json": {"schema": body}}}, "responses": {}}
    notify = [{"name": "notify", "in": "query", "schema": {"type": "boolean"}}]
    data = {
        "openapi": "3.1.0", "info": {"title": "Pay", "version": "1"}, "servers": [{"url": "https://api.example.com/v1"}],
        "paths": {
            "/charges": {"get": {"responses": {}}, "post": {**post, "parameters": notify}}, "/refunds": {"post": post},
        },
    }  # fmt: skip
    return read_bytes(yaml.safe_dump(data, sort_keys=False).encode(), "openapi.yaml")


@pytest.mark.parametrize(
    ("text", "some"),
    [
        (HEAD + "  body: [|", ["booking_id", "amount"]),
        (HEAD + "  body: [booking_id, |]\n---\n", ["booking_id", "amount"]),
        (HEAD + "  identity:\n    - booking_id\n    - |\n---\n", ["booking_id", "amount"]),
        (HEAD + "  query: [|]\n---\n", ["notify"]),
        (HEAD + "  key: {|", ["in", "name", "shape", "quoted", "for", "remembers"]),
        (HEAD + "  key: {in: header, |}\n---\n", ["name", "shape", "quoted", "for", "remembers"]),
        (HEAD + "  key: {name: Key, in: |}\n---\n", ["header", "field", "query"]),
        (HEAD + "  probe: {match: [booking_id, |]}\n---\n", ["booking_id", "amount"]),
        (HEAD + "  probe: {match: [booking_id], absent: |}\n---\n", ["empty", "'404'"]),
        (HEAD + "  money: {amount: |}\n---\n", ["booking_id", "amount"]),
        (HEAD + "  probe:\n    url: |\n---\n", ["https://api.example.com/v1/charges"]),
        (
            "---\nname: pay\noperation:\n  method: POST\n  url: |\n---\n",
            ["https://api.example.com/v1/charges", "https://api.example.com/v1/refunds"],
        ),
        (HEAD + "---\n\nkey: {|\n", []),
    ],
)
def test_what_is_offered(text: str, some: list[str]) -> None:
    at = text.index("|")
    assert [offer.text for offer in offers(text.replace("|", "", 1), at, document())] == some


@pytest.mark.parametrize("text", [HEAD + "  key: {in: header, name: Key", "---\noperation:\n  {", "---\n{[,:", ""])
def test_any_place_can_be_asked_for(text: str) -> None:
    for at in range(len(text) + 1):
        offers(text, at, document())
        offers(text[:at], at, None)
