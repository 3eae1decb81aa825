"""A request as it arrives at a recipient, taken apart; and what an answer is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote

from wizard.host.exactjson import InexactError, read_json
from wizard.host.filling import is_form, is_json, media_type
from wizard.operation.field_path import MISSING, FieldPath

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a recipient answers."""

    status: int
    headers: Headers
    body: bytes
    landed: bool = False
    """Whether this very request had its effect."""
    problems: tuple[str, ...] = ()
    """What the document would refuse about the request."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A request, taken apart."""

    method: str
    target: str
    """Path and query."""
    path: str
    query: tuple[tuple[str, str], ...]
    headers: Headers
    raw: bytes | None
    body: Any = MISSING
    unreadable: str = ""
    """Why its body cannot be read."""
    variables: Mapping[str, str] = field(default_factory=dict)

    def header(self, name: str) -> str:
        """A header's value; empty where it is not there."""
        return next((value for one, value in self.headers if one.lower() == name.lower()), "")

    def parameter(self, name: str) -> str | None:
        return next((value for one, value in self.query if one == name), None)

    def value(self, source: str) -> Any:
        """A value of the write by its name in FORMAT 2, or `path:NAME`; MISSING where it has none."""
        if source.startswith("path:"):
            return self.variables.get(source[5:], MISSING)
        path = FieldPath.parse(source)
        if path.place == "query":
            found = self.parameter(path.segments[0].name)
            return MISSING if found is None else found
        if path.place == "header":
            return self.header(path.segments[0].name) or MISSING
        return MISSING if self.body is MISSING else path.get(self.body)


def arrived(
    method: str, target: str, headers: Iterable[tuple[str, str]] | Mapping[str, str], body: bytes | None
) -> Arrived:
    """A request taken apart. `target` is a path with its query, or an absolute URL."""
    if "://" in target.partition("?")[0]:
        target = "/" + target.partition("://")[2].partition("/")[2]
    target = target.partition("#")[0]
    path, _, query = target.partition("?")
    pairs = tuple(headers.items() if isinstance(headers, Mapping) else headers)
    content = next((value for name, value in pairs if name.lower() == "content-type"), "")
    value, why = _read(content, body)
    return Arrived(
        method.upper(), target, path, tuple(parse_qsl(query, keep_blank_values=True)), pairs, body, value, why
    )


def _read(content: str, body: bytes | None) -> tuple[Any, str]:
    if not body:
        return MISSING, ""
    try:
        if is_form(content):
            return _form(content, body), ""
        if is_json(content) or not content:
            return _plain(body), ""
        return body.decode(), ""
    except (InexactError, UnicodeDecodeError, ValueError) as error:
        return MISSING, str(error) or "the body cannot be read"


def _plain(body: bytes) -> Any:
    """JSON; with exact numbers only where it has others than whole ones, which takes longer."""
    if b"." in body or b"e" in body or b"E" in body:
        return read_json(body)
    return json.loads(body)


def _form(content: str, body: bytes) -> dict[str, Any]:
    if media_type(content) == "multipart/form-data":
        return _multipart(content, body)
    found: dict[str, Any] = {}
    for name, text in parse_qsl(body.decode(), keep_blank_values=True):
        value = _object_or_text(text)
        found[name] = [*_listed(found[name]), value] if name in found else value
    return found


def _object_or_text(text: str) -> Any:
    """A form's value: an object comes as its JSON, everything else as a text."""
    if not text.startswith("{"):
        return text
    try:
        return _plain(text.encode())
    except (InexactError, ValueError):
        return text


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _multipart(content: str, body: bytes) -> dict[str, Any]:
    from email import message_from_bytes
    from email.policy import HTTP

    whole = message_from_bytes(f"Content-Type: {content}\r\n\r\n".encode() + body, policy=HTTP)
    found: dict[str, Any] = {}
    for part in whole.iter_parts():
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str):
            text = payload.decode("utf-8", "replace").rstrip("\r\n") if isinstance(payload, bytes) else ""
            value = _object_or_text(text)
            found[name] = [*_listed(found[name]), value] if name in found else value
    return found


def decoded(text: str) -> str:
    """A path variable's text."""
    return unquote(text)
