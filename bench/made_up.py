"""Documents made up to measure with: the same ones for the same size, of a shape that real ones have."""

from __future__ import annotations

from typing import Any

import orjson
import yaml

_THINGS = ("booking", "room", "guest", "charge", "invoice", "message", "task", "parcel", "ticket", "device")
_PARTS = ("day", "house", "season", "region", "batch", "crew", "desk", "route", "floor", "shift")
_TEXT = (
    "What the house keeps of it, as it was told at the desk: who came, when, for how long, and what was agreed on. "
    "A value that was left out stays what it was; one that is null is taken away. Times are in the house's own zone "
    "unless they say another, and amounts are in the smallest unit of their currency. "
)


class _WithoutAliases(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    def ignore_aliases(self, data: Any) -> bool:
        return True


def document_of_size(megabytes: float, syntax: str) -> bytes:
    """A document of about so many MB, in `json` (indented by two, as most are) or `yaml`."""
    small, large = (len(written(document(count), syntax)) for count in (5, 15))
    each = (large - small) / 10
    return written(document(max(1, round((megabytes * 1e6 - small) / each) + 5)), syntax)


def written(value: dict[str, Any], syntax: str) -> bytes:
    if syntax == "json":
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)
    text: str = yaml.dump(value, Dumper=_WithoutAliases, sort_keys=False, allow_unicode=True, width=110)
    return text.encode()


def document(resources: int) -> dict[str, Any]:
    """An API of so many resources, each with six operations."""
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = dict(_shared())
    for number in range(resources):
        thing = _THINGS[number % len(_THINGS)]
        part = _PARTS[number // len(_THINGS) % len(_PARTS)]
        name = f"{thing}_{part}_{number}"
        title = "".join(word.title() for word in name.split("_"))
        schemas[title] = _schema(name, title, number)
        schemas[f"{title}Create"] = _create(name, title, number)
        paths |= _paths(name, title)
    return {
        "openapi": "3.0.3",
        "info": {"title": "A house of many rooms", "version": "1.0.0", "description": _TEXT * 5},
        "servers": [{"url": "https://{house}.example.com/v1", "variables": {"house": {"default": "api"}}}],
        "security": [{"key": []}],
        "tags": [{"name": thing, "description": _TEXT} for thing in _THINGS],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "parameters": {
                "Page": {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1, "default": 1}},
                "Key": {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string", "maxLength": 64},
                        "description": "A request with a key that was seen before answers as the first one did."},
            },
            "responses": {"Wrong": {"description": "It was refused", "content": _json({"$ref": _schemas("Problem")})}},
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
        },
    }  # fmt: skip


def _schemas(name: str) -> str:
    return f"#/components/schemas/{name}"


def _json(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema, **more}}


def _shared() -> dict[str, Any]:
    text = {"type": "string"}
    words = ("street", "zip", "city", "country")
    people = {"type": "array", "items": {"$ref": _schemas("Person")}}
    return {
        "Money": _object(
            ["amount", "currency"],
            amount={"type": "integer", "description": _TEXT[:90]},
            currency={**text, "pattern": "^[A-Z]{3}$"},
        ),
        "Person": _object(
            ["email"],
            email={**text, "format": "email"},
            first_name=text,
            last_name=text,
            phone=text,
            address={"$ref": _schemas("Address")},
            companions=people,
        ),
        "Address": _object([], **{word: {**text, "description": _TEXT[: 40 + len(word)]} for word in words}),
        "Problem": _object([], title=text, status={"type": "integer"}, detail=text),
        "Stored": _object(
            ["id", "created_at"],
            id={**text, "format": "uuid", "readOnly": True},
            created_at={**text, "format": "date-time", "readOnly": True},
        ),
    }


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties}


def _create(name: str, title: str, number: int) -> dict[str, Any]:
    text = {"type": "string"}
    fields: dict[str, Any] = {
        f"{name}_number": {**text, "maxLength": 40, "description": f"The number of the {title}, unique in the house."},
        "arrival": {**text, "format": "date", "description": _TEXT[:110]},
        "departure": {**text, "format": "date", "description": _TEXT[:110]},
        "price": {"$ref": _schemas("Money")},
        "guest": {"$ref": _schemas("Person")},
        "note": {**text, "nullable": True, "description": _TEXT},
        "notify": {"type": "boolean", "default": False},
        "lines": {"type": "array", "items": {"type": "object", "required": ["sku", "quantity"], "properties": {
            "sku": text, "quantity": {"type": "integer"}, "price": {"$ref": _schemas("Money")}}}},
        "payment": {"oneOf": [
            {"title": "Card", "required": ["kind", "token"], "properties": {"kind": {"enum": ["card"]}, "token": text}},
            {"title": "Bank", "required": ["kind", "iban"], "properties": {"kind": {"enum": ["bank"]}, "iban": text}}]},
    }  # fmt: skip
    for extra in range(number % 7):
        fields[f"detail_{extra}"] = {
            **text,
            "enum": ["low", "middle", "high"],
            "description": _TEXT[extra * 20 :][:120],
        }
    return {"type": "object", "required": [f"{name}_number", "arrival", "guest"], "properties": fields}


def _schema(name: str, title: str, number: int) -> dict[str, Any]:
    state = _object(
        [],
        state={"type": "string", "enum": ["open", "held", "closed"], "description": _TEXT[: 60 + number % 90]},
        version={"type": "integer"},
        links=_object([], self={"type": "string"}),
    )
    return {"title": title, "allOf": [{"$ref": _schemas("Stored")}, {"$ref": _schemas(f"{title}Create")}, state]}


def _paths(name: str, title: str) -> dict[str, Any]:
    one = {"$ref": _schemas(title)}
    example = {
        "id": "0190f5d2-7c1e-7b7a-9d3c-2f1e0a4b5c6d", f"{name}_number": "A-17", "arrival": "2031-04-02",
        "departure": "2031-04-05", "price": {"amount": 41000, "currency": "EUR"}, "state": "open",
        "guest": {"email": "ada@example.com", "first_name": "Ada", "last_name": "Byron"}, "note": None,
        "lines": [{"sku": "bed", "quantity": 2}, {"sku": "breakfast", "quantity": 3}],
    }  # fmt: skip
    answer = {"description": "The one", "content": _json(one, examples={"one": {"value": example}})}
    wrong = {status: {"$ref": "#/components/responses/Wrong"} for status in ("400", "404", "409", "422")}
    body = {"required": True, "content": _json({"$ref": _schemas(f"{title}Create")}, example=example)}
    whole = {"items": [example] * 20, "next": None}
    listed = {"type": "object", "required": ["items"], "properties": {
        "items": {"type": "array", "items": one}, "next": {"type": "string", "nullable": True}}}  # fmt: skip
    tag = [name.partition("_")[0]]

    def operation(word: str, **more: Any) -> dict[str, Any]:
        return {
            "operationId": f"{word}{title}",
            "summary": f"{word.title()} a {title}",
            "description": _TEXT,
            "tags": tag,
            **more,
        }

    return {
        f"/{name}s": {
            "get": operation("list", parameters=[
                {"$ref": "#/components/parameters/Page"},
                {"name": f"{name}_number", "in": "query", "schema": {"type": "string"}, "description": _TEXT[:70]},
                {"name": "arrival", "in": "query", "schema": {"type": "string", "format": "date"}},
            ], responses={"200": {"description": "All", "content": _json(listed, example=whole)}, **wrong}),
            "post": operation("create", parameters=[{"$ref": "#/components/parameters/Key"}], requestBody=body,
                              responses={"201": answer, **wrong}),
        },
        f"/{name}s/{{id}}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": operation("get", responses={"200": answer, **wrong}),
            "put": operation("replace", requestBody=body, responses={"200": answer, **wrong}),
            "patch": operation("change", requestBody=body, responses={"200": answer, **wrong}),
            "delete": operation("remove", responses={"204": {"description": "Gone"}, **wrong}),
        },
    }  # fmt: skip
