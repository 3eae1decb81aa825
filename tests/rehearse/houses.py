"""Small documents and their simulated recipients, for the tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from wizard.infer.declaration import declare
from wizard.infer.propose import propose_operation
from wizard.operation.parsing import parse_operation
from wizard.rehearse.arriving import Answer
from wizard.rehearse.behaviour import AS_DOCUMENTED, Behaviour
from wizard.rehearse.facts import Facts, facts_of
from wizard.rehearse.recipient import Recipient
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes
from wizard.spec.validate import checker

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
JSON = (("Content-Type", "application/json"),)


def answer(schema: Any, description: str = "an answer", **more: Any) -> dict[str, Any]:
    """A Response Object with a JSON body."""
    return {"description": description, "content": {"application/json": {"schema": schema}}, **more}


def thing(required: str, **properties: Any) -> dict[str, Any]:
    """A schema of an object; `required` are the names of members, with spaces between."""
    known = {name: one if isinstance(one, dict) else {"type": one} for name, one in properties.items()}
    return {"type": "object", "required": required.split(), "properties": known}


def listed(schema: Any, name: str = "items", **more: Any) -> dict[str, Any]:
    """A schema of a list in an envelope."""
    return thing(name, **{name: {"type": "array", "items": schema}}, **more)


DAY = {"type": "string", "format": "date"}
TIME = {"type": "string", "format": "date-time", "readOnly": True}


def document(paths: Mapping[str, Any], **more: Any) -> ApiDocument:
    whole = {
        "openapi": "3.1.0", "info": {"title": "Small", "version": "1"},
        "servers": [{"url": "https://api.example.com/v1"}], "paths": paths, **more,
    }  # fmt: skip
    return read_bytes(json.dumps(whole).encode(), "openapi.json")


def facts(found: ApiDocument, name: str, declared: Mapping[str, Any] | None = None, **changed: Any) -> Facts:
    """The facts of an operation: as proposed, or with members of the declaration in its place."""
    api = found.by_name[name]
    operation = declare(propose_operation(found, api), found)
    if declared is not None:
        given = {"method": api.method, "url": f"https://api.example.com/v1{api.path}", **declared}
        parsed, problems = parse_operation(given)
        assert parsed is not None, problems
        operation = parsed
    return facts_of(replace(operation, **changed), api, found)


@dataclass
class House:
    """A recipient, and the clock that it reads."""

    facts: Facts
    behaviour: Behaviour = AS_DOCUMENTED
    checked: bool = True
    now: datetime = BEGAN
    recipient: Recipient = field(init=False)

    def __post_init__(self) -> None:
        found = self.facts.document
        known: dict[str, Any] = {}

        def check(api: Any) -> Any:
            assert found is not None
            if api.name not in known:
                known[api.name] = checker(found, api)
            return known[api.name]

        self.recipient = Recipient(
            self.facts, lambda: self.now, self.behaviour, check if self.checked and found is not None else None
        )

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)

    def send(self, body: Any = None, path: str = "", *, key: str = "", **more: Any) -> Answer:
        """The operation's write."""
        headers = [*JSON, *([(self.facts.key.name, key)] if key and self.facts.key else [])]
        raw = None if body is None else json.dumps(body).encode()
        return self.recipient.take(self.facts.operation.method, path or self.facts.path, headers, raw, **more)

    def get(self, target: str) -> Any:
        """The JSON of a read that is answered with 200."""
        found = self.recipient.take("GET", target)
        assert found.status == 200, (found.status, found.body)
        return json.loads(found.body)


# A house with stays

STAY = thing("room_id guest arrival", room_id="string", guest="string", arrival=DAY, notes="string",
             nights={"type": "integer", "default": 1})  # fmt: skip
ROOM = thing("id name", id="string", name="string")
SHOWN = thing("id room guest arrival created_at", id={"type": "string", "examples": ["st_1"]}, room=ROOM,
              guest="string", arrival=DAY, notes="string", nights="integer", created_at=TIME)  # fmt: skip
ERROR = answer(thing("code", code="string", message="string"))
BODY = {"room_id": "R-12", "guest": "Ada Byron", "arrival": "2026-11-14"}


def parameter(name: str, **more: Any) -> dict[str, Any]:
    return {"in": "query", "name": name, "schema": {"type": "string", **more}}


def stays(*, read: Any = None, post: dict[str, Any] | None = None) -> ApiDocument:
    """A house with `POST /stays`, a list of stays and each stay by its id."""
    by_id = {"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}
    listing = read or {"parameters": [parameter("room_id")], "responses": {"200": answer(listed(SHOWN))}}
    return document({
        "/stays": {
            "get": listing,
            "post": {
                "requestBody": {"required": True, "content": {"application/json": {"schema": STAY}}},
                "responses": {"201": answer(SHOWN), "422": ERROR},
                **(post or {}),
            },
        },
        "/stays/{id}": {"parameters": [by_id], "get": {"responses": {"200": answer(SHOWN), "404": ERROR}}},
    })  # fmt: skip


def keyed(text: str = "Makes it idempotent: kept for 24 hours.", **answers: Any) -> Facts:
    """`POST /stays` with an Idempotency-Key."""
    header = {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string"}, "description": text}
    responses = {"201": answer(SHOWN), "422": ERROR, **answers}
    return facts(stays(post={"parameters": [header], "responses": responses}), "POST /stays")


def error_content() -> dict[str, Any]:
    return {"content": {"application/json": {"schema": thing("code", code="string")}}}
