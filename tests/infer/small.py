"""Small documents from a shorthand, for the cases of the detectors of kind and identity.

does: POST /bookings                  the operation that is asked about
summary, id, description              of the operation
body: {room_id!: integer, note: string, created_at^: date-time, guest: {email!: string}, lines: [{sku: string}]}
query: {dry_run: boolean}             `!` required, `^` read-only, `~` deprecated; `string # words` has a description,
answers: {201: {id: integer}}         `a|b` is an enum, `=one` a single value, `integers` an array; null: no body,
                                        a text is the answer's description
  example: {room_id: 1}                 an example of the body
others: [GET /bookings]               other operations of the document, as `METHOD /path` or with the members above
"""

from __future__ import annotations

import json
import re
from typing import Any

from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes

_FORMATS = {
    "date": "date",
    "date-time": "date-time",
    "uuid": "uuid",
    "uri": "uri",
    "password": "password",
    "binary": "binary",
}


def schema(shorthand: Any) -> dict[str, Any]:
    """The JSON Schema of a shorthand."""
    if isinstance(shorthand, dict):
        made: dict[str, Any] = {"type": "object", "properties": {}}
        required = []
        for given, inner in shorthand.items():
            name = given.rstrip("!^~")
            made["properties"][name] = schema(inner)
            if "^" in given[len(name) :]:
                made["properties"][name]["readOnly"] = True
            if "~" in given[len(name) :]:
                made["properties"][name]["deprecated"] = True
            if "!" in given[len(name) :]:
                required.append(name)
        if required:
            made["required"] = required
        return made
    if isinstance(shorthand, list):
        return {"type": "array", "items": schema(shorthand[0])}
    kind, _, said = str(shorthand).partition(" # ")
    found: dict[str, Any]
    if kind in _FORMATS:
        found = {"type": "string", "format": _FORMATS[kind]}
    elif kind.startswith("="):
        found = {"type": "string", "enum": [kind[1:]]}
    elif "|" in kind:
        found = {"type": "string", "enum": kind.split("|")}
    elif kind in ("strings", "integers"):
        found = {"type": "array", "items": {"type": kind[:-1]}}
    else:
        found = {"type": kind}
    return found | ({"description": said} if said else {})


def operation(members: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Method, path and Operation Object of a shorthand."""
    method, _, path = members["does"].partition(" ")
    made: dict[str, Any] = {"responses": {}}
    for name, member in (("summary", "summary"), ("description", "description"), ("id", "operationId")):
        if name in members:
            made[member] = members[name]
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{([^}]*)}", path)
    ]
    for given, inner in members.get("query", {}).items():
        name = given.rstrip("!")
        parameters.append({"name": name, "in": "query", "required": given.endswith("!"), "schema": schema(inner)})
    if parameters:
        made["parameters"] = parameters
    if "body" in members:
        content: dict[str, Any] = {"schema": schema(members["body"])}
        if "example" in members:
            content["example"] = members["example"]
        made["requestBody"] = {"content": {"application/json": content}}
    for status, inner in members.get("answers", {"200": None}).items():
        answer: dict[str, Any] = {"description": inner if isinstance(inner, str) else "an answer"}
        if inner is not None and not isinstance(inner, str):
            answer["content"] = {"application/json": {"schema": schema(inner)}}
        made["responses"][str(status)] = answer
    made.update({name: value for name, value in members.items() if name.startswith("x-")})
    return method.lower(), path, made


def document(members: dict[str, Any]) -> ApiDocument:
    """The document of a case, read."""
    paths: dict[str, Any] = {}
    for given in (members, *members.get("others", ())):
        one = {"does": given} if isinstance(given, str) else given
        method, path, made = operation(one)
        paths.setdefault(path, {})[method] = made
    whole = {
        "openapi": "3.1.0",
        "info": {"title": members.get("title", "A small API"), "version": "1"},
        "servers": [{"url": members.get("server", "https://api.example.com")}],
        "paths": paths,
    }
    return read_bytes(json.dumps(whole).encode(), "openapi.json")
