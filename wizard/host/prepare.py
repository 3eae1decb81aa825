"""A call prepared: its request without what the host fills in, its addresses, and the request as it goes out. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from wizard.host import keys
from wizard.host.exactjson import InexactError, read_json, write_json
from wizard.host.filling import (
    RequestError,
    body_value,
    fill_url,
    put_in,
    taken_out,
    texts_of,
    with_query,
    write_body,
)  # fmt: skip
from wizard.host.jsonpaths import compiled
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import Request
from wizard.host.record import Call, Record
from wizard.host.state import Asked, NewWrite
from wizard.operation.field_path import MISSING, FieldPath, Segment
from wizard.operation.model import Cursor, Operation, Scope


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the model filled in. A body given as bytes is the text of a JSON body; any other value is the body itself;
    MISSING is no body."""

    variables: Mapping[str, Any] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    header: Mapping[str, Any] = field(default_factory=dict)
    body: Any = MISSING


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A call of an operation, ready to be claimed."""

    name: str
    operation: Operation
    """As the host goes by it: a proposed declaration counts as none."""
    declaration: str
    call: Call
    url: str
    variables: Mapping[str, Any]
    query: Mapping[str, Any]
    header: Mapping[str, Any]
    body: Any
    """Query, header and body are without what the host fills in."""
    parts: Mapping[str, Any]
    secrets: Secrets
    replaced: tuple[str, ...]
    """Places where the model had put a value of its own and the host puts its one."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where a record of this write may stand, under each secret, the current one first."""
        return tuple(self._digest(secret, 0).hex() for secret in self.secrets)

    def key(self, generation: int, secret: Secret | None = None) -> str:
        """The key that is sent, empty where the recipient takes none or one for each element of an array."""
        place = self.operation.key
        if place is None or place.per_element:
            return ""
        return keys.key_text(place.shape, self._digest(secret or self.secrets.current, generation))

    def reference(self, generation: int, secret: Secret | None = None) -> str:
        """What the host puts into the reference field, empty where it does not, or not once for the whole request."""
        reference = self.operation.reference
        if reference is None or not self.operation.host_fills_reference or reference.path.in_array:
            return ""
        return keys.key_text(reference.shape, self._digest(secret or self.secrets.current, generation))

    def request(self, generation: int, secret: Secret | None = None) -> Request:
        """The request as it goes out, credentials apart."""
        return self._filled(generation, secret or self.secrets.current)[0]

    def plain_request(self) -> Request:
        """The request of an operation that is not recorded: what the model filled in and nothing else."""
        return self._written(self.query, self.header, self.body, "outturn-form")

    def fingerprint(self, generation: int, secret: Secret | None = None) -> str:
        return self._filled(generation, secret or self.secrets.current)[1]

    def new_write(self, generation: int) -> NewWrite:
        """What a claim at this generation stores, under the current secret."""
        secret = self.secrets.current
        request, fingerprint = self._filled(generation, secret)
        place, keep = self.operation.key, self.operation.kept_for.seconds
        given = write_json(_given(self.variables, self.query, self.header, self.body)).decode()
        return NewWrite(
            workspace=self.call.workspace, address=self.addresses[0], operation=self.name,
            declaration=self.declaration, scope=self.operation.record_scope, secret=secret.name, call=self.call,
            generation=generation, key=self.key(generation), key_place=f"{place.place} {place.name}" if place else "",
            reference=self.reference(generation),
            fingerprint=fingerprint, request=request, given=given, keep=keep,
        )  # fmt: skip

    def asked(self, record: Record | None, send_for: timedelta) -> Asked:
        """What this call asks of the record that was found (`state.decide`)."""
        if record is None:
            return Asked(self.call.text, "", send_for)
        if record.request is not None:
            same = not self.differing(record)
            return Asked(self.call.text, record.fingerprint if same else "", send_for)
        secret = self.secrets.named(record.secret) or self.secrets.current
        return Asked(self.call.text, self.fingerprint(record.generation, secret), send_for)

    def differing(self, record: Record) -> tuple[str, ...]:
        """The fields, by their names, in which this call differs from the request that the record keeps. What the
        host fills in does not count. Empty where they are the same, or the request is no longer kept."""
        if record.request is None:
            return ()
        stored = stored_arguments(record)
        return tuple(dict.fromkeys([
            *_differing_parameters("query", stored.query, self.query),
            *_differing_parameters("header", stored.header, self.header),
            *_differing(keys.tagged(stored.body), keys.tagged(self.body), ""),
        ]))  # fmt: skip

    def _digest(self, secret: Secret, generation: int, element: tuple[Any, int] | None = None) -> bytes:
        operation = self.operation
        text = keys.material(
            self.call.workspace, operation.method, self.url, operation.record_scope, self.parts, generation, element
        )
        return keys.digest(secret, text)

    def _filled(self, generation: int, secret: Secret) -> tuple[Request, str]:
        query, header, body = dict(self.query), dict(self.header), self.body
        operation = self.operation
        if operation.reference is not None and operation.host_fills_reference:
            body = self._put(body, operation.reference.path, operation.reference.shape, generation, secret)
        place = operation.key
        if place is not None and place.place == "field":
            body = self._put(body, place.path, place.shape, generation, secret)
        elif place is not None:
            text = self.key(generation, secret)
            (header if place.place == "header" else query)[place.name] = f'"{text}"' if place.quoted else text
        fingerprint = keys.fingerprint(secret, query, header, body)
        boundary = f"outturn-{self._digest(secret, generation).hex()[:32]}"
        return self._written(query, header, body, boundary), fingerprint

    def _written(self, query: Mapping[str, Any], header: Mapping[str, Any], body: Any, boundary: str) -> Request:
        content, kind = write_body(self.operation.content, body, boundary)
        headers = [*header.items(), *([("Content-Type", kind)] if kind else [])]
        return Request(self.operation.method, with_query(self.url, query), tuple(headers), content)

    def _put(self, body: Any, path: FieldPath, shape: keys.Shape, generation: int, secret: Secret) -> Any:
        before: dict[str, int] = {}

        def text(element: Any) -> str:
            if element is MISSING:
                return keys.key_text(shape, self._digest(secret, generation))
            value = keys.tagged(element)
            name = json.dumps(value, sort_keys=True)
            occurrence = before[name] = before.get(name, -1) + 1
            return keys.key_text(shape, self._digest(secret, generation, (value, occurrence)))

        return put_in(body, path, text)


def prepare(name: str, operation: Operation, call: Call, arguments: Arguments, secrets: Secrets) -> Prepared:
    """Prepares a call. Raises RequestError where the arguments do not make a request of this operation: nothing is
    claimed then."""
    operation = operation.effective()
    _check_paths(operation)
    try:
        return _prepare(name, operation, call, arguments, secrets)
    except InexactError as error:
        raise RequestError(f"the call cannot be recorded: {error}") from error


def _check_paths(operation: Operation) -> None:
    """Compiles every JSONPath before anything is claimed. Raises UsageError."""
    probe = operation.probe
    pages = probe.pages if probe else None
    for path in (operation.failed, probe.items if probe else None, pages.at if isinstance(pages, Cursor) else pages):
        if path is not None and path.startswith("$"):
            compiled(path)


def _prepare(name: str, operation: Operation, call: Call, arguments: Arguments, secrets: Secrets) -> Prepared:
    if call.ordinal < 0:
        raise RequestError("the ordinal of a call counts from 0")
    for text in (call.workspace, call.session, call.turn):
        if not text or not _encodable(text):
            raise RequestError("a call names its workspace, its session and its turn")
    url = fill_url(operation.url, arguments.variables)
    replaced: list[str] = []
    place = operation.key
    query, header = dict(arguments.query), dict(arguments.header)
    if place is not None and place.place == "query" and query.pop(place.name, None) is not None:
        replaced.append(f"query:{place.name}")
    if place is not None and place.place == "header":
        for given in [given for given in header if given.lower() == place.name.lower()]:
            del header[given]
            replaced.append(f"header:{place.name}")
    body = body_value(operation.content, arguments.body)
    for path in _host_filled(operation):
        if path.place == "body":
            body, was = taken_out(body, path)
            if was:
                replaced.append(str(path))
    query = texts_of(query, operation.query, "query parameter")
    header = texts_of(header, operation.header, "header", fold=True)
    return Prepared(
        name=name, operation=operation, declaration=keys.declaration_digest(operation), call=call, url=url,
        variables=arguments.variables, query=query, header=header, body=body,
        parts=_parts(operation, call, query, header, body), secrets=secrets, replaced=tuple(replaced),
    )  # fmt: skip


def stored_arguments(record: Record) -> Arguments:
    """What a record's request was made from, without what the host filled in, as the record keeps it."""
    given = read_json(record.given)
    body = bytes.fromhex(given["octets"]) if "octets" in given else given.get("body", MISSING)
    return Arguments(given["variables"], given["query"], given["header"], body)


def _given(variables: Mapping[str, Any], query: Mapping[str, Any], header: Mapping[str, Any], body: Any) -> Any:
    given = {"variables": variables, "query": query, "header": header}
    if isinstance(body, bytes):
        return {**given, "octets": body.hex()}
    return given if body is MISSING else {**given, "body": body}


def _host_filled(operation: Operation) -> tuple[FieldPath, ...]:
    places = []
    if operation.key is not None:
        places.append(operation.key.path)
    if operation.reference is not None and operation.host_fills_reference:
        places.append(operation.reference.path)
    return tuple(places)


def _parts(
    operation: Operation, call: Call, query: Mapping[str, Any], header: Mapping[str, Any], body: Any
) -> dict[str, Any]:
    match operation.record_scope:
        case Scope.CALL:
            return keys.call_parts(call)
        case Scope.ARGUMENTS:
            given = {"query": query, "header": header, "body": body}
            return {"session": keys.tagged(call.session), **{name: keys.tagged(value) for name, value in given.items()}}
        case Scope.IDENTITY:
            return {path.name: _part(path, query, header, body) for path in operation.identity}


def _part(path: FieldPath, query: Mapping[str, Any], header: Mapping[str, Any], body: Any) -> Any:
    """The tagged value of an identity field. Raises RequestError where a field that is not optional is missing."""
    if path.place == "body":
        value = path.get(body)
    else:
        values = query if path.place == "query" else {name.lower(): one for name, one in header.items()}
        name = path.segments[0].name
        value = values.get(name if path.place == "query" else name.lower(), MISSING)
    if not path.optional and _any_missing(value):
        raise RequestError(
            f"`{path.name}` is part of what this write is, and the call does not have it",
            remedy="Send it with a value; nothing was sent yet.",
        )
    return keys.tagged(value)


def _any_missing(value: Any) -> bool:
    return value is MISSING or (isinstance(value, list) and any(_any_missing(element) for element in value))


def _differing_parameters(place: str, stored: Mapping[str, Any], mine: Mapping[str, Any]) -> list[str]:
    names = [*stored, *(name for name in mine if name not in stored)]
    return [f"{place}:{name}" for name in names if stored.get(name, MISSING) != mine.get(name, MISSING)]


def _differing(stored: Any, mine: Any, path: str) -> list[str]:
    """The names of the fields in which two tagged values differ."""
    if stored == mine:
        return []
    if isinstance(stored, list) and isinstance(mine, list) and len(stored) == len(mine) and path:
        return [name for one, other in zip(stored, mine, strict=True) for name in _differing(one, other, f"{path}[]")]
    ours, theirs = (value.get("o") if isinstance(value, dict) else None for value in (stored, mine))
    if ours is None or theirs is None:
        return [path or "$body"]
    return [
        name
        for member in dict.fromkeys([*ours, *theirs])
        for name in _differing(
            ours.get(member, keys.ABSENT_VALUE),
            theirs.get(member, keys.ABSENT_VALUE),
            f"{path}.{Segment(member)}" if path else str(Segment(member)),
        )
    ]


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
