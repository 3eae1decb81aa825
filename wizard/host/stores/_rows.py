"""A record as the columns of a table, the same for every database: text, whole numbers, bytes. Pure.

An instant is whole microseconds since 1970, so that it is the same number everywhere and no session's time zone can
touch it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from wizard.host.outcome import Request
from wizard.host.record import Answer, Call, Event, EventKind, Record, State
from wizard.operation.model import Scope

COLUMNS = (
    "workspace", "address", "operation", "declaration", "scope", "secret", "generation", "state", "version", "fence",
    "holder", "lease_until", "session", "turn", "ordinal", "key", "key_place", "reference", "fingerprint", "given",
    "keep", "method", "url", "headers", "body", "first_send", "last_send", "deadline", "sends", "saw_server_error",
    "answer_status", "answer_headers", "answer_body", "answer_found", "settled_by", "settled_at", "expires_at",
)  # fmt: skip
EVENT_COLUMNS = ("kind", "at", "who", "detail", "call")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(instant: datetime | None) -> int | None:
    return None if instant is None else (instant - _EPOCH) // timedelta(microseconds=1)


def instant(number: int | None) -> datetime | None:
    return None if number is None else _EPOCH + timedelta(microseconds=number)


def at(number: int) -> datetime:
    return _EPOCH + timedelta(microseconds=number)


def to_row(record: Record) -> dict[str, Any]:
    """The columns of a record, by name."""
    request, answer, call = record.request, record.answer, record.call
    return {
        "workspace": record.workspace,
        "address": record.address,
        "operation": record.operation,
        "declaration": record.declaration,
        "scope": str(record.scope),
        "secret": record.secret,
        "generation": record.generation,
        "state": str(record.state),
        "version": record.version,
        "fence": record.fence,
        "holder": record.holder,
        "lease_until": micros(record.lease_until),
        "session": call.session,
        "turn": call.turn,
        "ordinal": call.ordinal,
        "key": record.key,
        "key_place": record.key_place,
        "reference": record.reference,
        "fingerprint": record.fingerprint,
        "given": record.given,
        "keep": record.keep,
        "method": request.method if request else None,
        "url": request.url if request else None,
        "headers": json.dumps(request.headers) if request else None,
        "body": request.body if request else None,
        "first_send": micros(record.first_send),
        "last_send": micros(record.last_send),
        "deadline": micros(record.deadline),
        "sends": record.sends,
        "saw_server_error": int(record.saw_server_error),
        "answer_status": answer.status if answer else None,
        "answer_headers": json.dumps(answer.headers) if answer else None,
        "answer_body": answer.body if answer else None,
        "answer_found": int(answer.found) if answer else None,
        "settled_by": record.by,
        "settled_at": micros(record.settled_at),
        "expires_at": micros(record.expires_at),
    }


def from_row(row: Mapping[str, Any], events: Sequence[Event]) -> Record:
    """The record of a row and its events."""
    request, answer = None, None
    if row["method"] is not None:
        request = Request(row["method"], row["url"], _pairs(row["headers"]), _bytes(row["body"]))
    if row["answer_status"] is not None:
        answer = Answer(
            row["answer_status"], _pairs(row["answer_headers"]), _bytes(row["answer_body"]) or b"",
            bool(row["answer_found"]),
        )  # fmt: skip
    return Record(
        workspace=row["workspace"], address=row["address"], operation=row["operation"],
        declaration=row["declaration"], scope=Scope(row["scope"]), secret=row["secret"],
        generation=row["generation"], state=State(row["state"]), version=row["version"], fence=row["fence"],
        holder=row["holder"], lease_until=instant(row["lease_until"]),
        call=Call(row["workspace"], row["session"], row["turn"], row["ordinal"]),
        key=row["key"], key_place=row["key_place"], reference=row["reference"], fingerprint=row["fingerprint"],
        request=request, given=row["given"], keep=row["keep"], first_send=instant(row["first_send"]),
        last_send=instant(row["last_send"]), deadline=instant(row["deadline"]), sends=row["sends"],
        saw_server_error=bool(row["saw_server_error"]), answer=answer, by=row["settled_by"],
        settled_at=instant(row["settled_at"]), expires_at=instant(row["expires_at"]), events=tuple(events),
    )  # fmt: skip


def event_row(event: Event) -> tuple[str, int, str, str, str]:
    number = micros(event.at)
    assert number is not None
    return str(event.kind), number, event.by, event.detail, event.call


def event_of(kind: str, at_: int, who: str, detail: str, call: str) -> Event:
    return Event(EventKind(kind), at(at_), who, detail, call)


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in json.loads(text))


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
