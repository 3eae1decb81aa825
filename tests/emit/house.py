"""Small API documents, and what is declared for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wizard.emit.model import Subject
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes, read_document

BOOKING: dict[str, Any] = {
    "operationId": "createBooking",
    "summary": "Book a room",
    "description": "Books a room for a stay.",
    "tags": ["bookings"],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["room_id", "arrival"],
                    "properties": {
                        "room_id": {"type": "string", "description": "The room."},
                        "arrival": {"type": "string", "format": "date"},
                    },
                }
            }
        },
    },
    "responses": {"201": {"description": "Booked."}, "409": {"description": "The room is taken."}},
}
LIST = {"operationId": "listBookings", "summary": "List bookings", "responses": {"200": {"description": "All."}}}
DECLARED: dict[str, Any] = {
    "method": "POST",
    "url": "https://house.example/bookings",
    "body": ["room_id", "arrival"],
    "identity": ["room_id", "arrival"],
    "status": "proposed",
}


def raw(**operations: Any) -> dict[str, Any]:
    """A document with `POST /bookings` and `GET /bookings`; members replace those of the former."""
    return {
        "openapi": "3.1.0",
        "info": {"title": operations.pop("title", "The House"), "version": "1"},
        "servers": [{"url": "https://house.example"}],
        "paths": {operations.pop("path", "/bookings"): {"post": {**BOOKING, **operations}, "get": LIST}},
    }


def document(**members: Any) -> ApiDocument:
    return read_bytes(json.dumps(raw(**members)).encode(), "house.json")


def file(folder: Path, text: str, name: str = "openapi.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def read(path: Path) -> ApiDocument:
    return read_document(path)


def operation(**members: Any) -> Operation:
    """The booking's declaration with other members; None takes one out."""
    mapping = {name: value for name, value in {**DECLARED, **members}.items() if value is not None}
    parsed, problems = parse_operation(mapping)
    assert parsed is not None, problems
    assert not problems, problems
    return parsed


def subject(read_from: ApiDocument, name: str = "POST /bookings", **members: Any) -> Subject:
    return Subject(api=read_from.by_name[name], operation=operation(**members))


def reading(read_from: ApiDocument) -> Subject:
    """The list of bookings."""
    return subject(read_from, "GET /bookings", method="GET", body=None, identity=None, status=None)
