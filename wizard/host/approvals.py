"""Requests that wait for somebody's yes.

A call that needs an approval is kept whole and told so. Once somebody approves, the platform sends exactly what was
kept, with the claim, the key and the settling that every write gets, before the model's next turn runs; and the answer
stands in the transcript where the waiting stood, so that no sentence of the waiting outlives the approval. What is
approved is that one request: the same call made again is a new one and is asked about again.

Approving is not settling. Here somebody says beforehand that a request may go out; `state.settle_by_person` says
afterwards what became of one. They share no function and no type.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from wizard.errors import UsageError
from wizard.host import calls, texts
from wizard.host.calls import Asking, Plain, Result
from wizard.host.exactjson import read_json, write_json
from wizard.host.outcome import Request
from wizard.host.prepare import Arguments, Prepared
from wizard.host.record import Call, Lease
from wizard.host.state import Telling
from wizard.host.store import Document, Store
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation

if TYPE_CHECKING:
    from wizard.host.host import Host

KIND = "held"


class HeldState(StrEnum):
    """Where a held request stands."""

    WAITING = "waiting"
    APPROVED = "approved"
    SENDING = "sending"
    """Marked before it goes: whether it went is what its record says."""
    ANSWERED = "answered"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A request that was kept whole."""

    workspace: str
    id: str
    call: Call
    operation: str
    """The operation's name."""
    declaration: str
    """Its mapping, as JSON."""
    arguments: str
    """What the model filled in, as JSON."""
    request: Request
    """As it goes out, credentials apart; a person reads it before approving."""
    state: HeldState = HeldState.WAITING
    asked_at: datetime
    decided_at: datetime | None = None
    by: str = ""
    reason: str = ""
    grant: str = field(default="", repr=False)
    """The digest of the grant's token."""
    text: str = ""
    """What stands in the transcript for the call."""
    record: str = ""
    """The short name of the record that it was sent under."""
    version: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Grant:
    """Lets one held request out, once. It stays on the platform's side: no call of a model carries it."""

    workspace: str
    held: str
    token: str = field(repr=False)


class ApprovalError(UsageError):
    """An approval that cannot be given or used; the text says why."""


def hold(store: Store, asking: Asking, prepared: Prepared, now: datetime, name: str = "") -> Result:
    """Keeps a call until somebody approves it, and tells the model. The same call made twice (a turn that is replayed)
    is kept once; another request in its place (the model says something else this time) is one of its own. `name` is
    its id, made from the request where it is empty."""
    call = prepared.call
    declaration, arguments = json.dumps(print_operation(asking.operation)), _printed(prepared)
    text = json.dumps([call.text, asking.name, declaration, arguments])
    id = name or f"h-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    held = read(store, call.workspace, id)
    if held is None:
        fresh = Held(
            workspace=call.workspace,
            id=id,
            call=call,
            operation=asking.name,
            declaration=declaration,
            arguments=arguments,
            request=prepared.request(0) if prepared.operation.is_write else prepared.plain_request(),
            asked_at=now,
            text=texts.telling("waiting", held=id),
        )
        if not store.write([document(fresh)]):
            held = read(store, call.workspace, id)
    if held is not None and held.state in (HeldState.ANSWERED, HeldState.DECLINED):
        ending = Plain.DECLINED if held.state is HeldState.DECLINED else Telling.ALREADY_DONE
        return Result(ending=ending, text=held.text, record=held.record, replayed=True)
    if held is not None and held.state is HeldState.SENDING:
        # Approved, and perhaps gone out: what is known of it, never that it was not sent.
        said = held.text if held.record else texts.telling("being_sent", held=id)
        return Result(ending=Telling.NOT_OBSERVED, text=said, record=held.record, replayed=True)
    return calls.plain(Plain.WAITING, held=id)


def pending(store: Store, workspace: str) -> tuple[Held, ...]:
    """The requests that wait for somebody's yes, oldest first."""
    held = [_held(one) for one in store.documents(workspace, KIND)]
    return tuple(sorted((one for one in held if one.state is HeldState.WAITING), key=lambda one: one.asked_at))


def read(store: Store, workspace: str, id: str) -> Held | None:
    """The held request of that id."""
    found = store.document(workspace, KIND, id)
    return None if found is None else _held(found)


def approve(
    store: Store, workspace: str, id: str, *, by: str, token: str, now: datetime, reason: str = "",
    may: Collection[str] | None = None,
) -> Grant:  # fmt: skip
    """Says yes to a held request. `token` is a fresh random text; `may` are those who may approve (None: anybody with
    a name). Raises ApprovalError."""
    held = _undecided(store, workspace, id, by, may)
    approved = replace(
        held, state=HeldState.APPROVED, by=by.strip(), reason=reason, decided_at=now, grant=_digest(token)
    )
    _write(store, approved)
    return Grant(workspace, id, token)


def decline(
    store: Store, workspace: str, id: str, *, by: str, now: datetime, reason: str = "",
    may: Collection[str] | None = None,
) -> Held:  # fmt: skip
    """Says no to a held request. Raises ApprovalError."""
    held = _undecided(store, workspace, id, by, may)
    text = texts.telling("declined", by=by.strip())
    declined = replace(held, state=HeldState.DECLINED, by=by.strip(), reason=reason, decided_at=now, text=text)
    return _write(store, declined)


def send_approved(host: Host, grant: Grant, lease: Lease) -> Result:
    """Sends what a grant lets out: marked first, then claimed, sent and settled. A grant is used up by it, unless
    nothing left at all. Raises ApprovalError where it is used up or is not this request's."""
    held = read(host.store, grant.workspace, grant.held)
    if held is None or not held.grant or not hmac.compare_digest(held.grant, _digest(grant.token)):
        raise ApprovalError(f"this grant does not belong to the held request `{grant.held}`")
    if held.state is not HeldState.APPROVED:
        raise ApprovalError(f"the grant of the held request `{grant.held}` was used already ({held.state})")
    return _send(host, _write(host.store, replace(held, state=HeldState.SENDING)), lease)


def resume_approved(host: Host, workspace: str, id: str, lease: Lease) -> Result:
    """Goes on with a held request that was marked sending and never reported: its record says whether it left. Never
    claimed: it is sent. Attempted: sent again where the recipient takes a key, else asked after, else a person's.
    Raises ApprovalError where it was not marked."""
    held = read(host.store, workspace, id)
    if held is None or held.state is not HeldState.SENDING:
        raise ApprovalError(f"the held request `{id}` is not being sent")
    return _send(host, held, lease)


def put_answer(transcript: Sequence[tuple[Call, str]], held: Held) -> tuple[tuple[Call, str], ...]:
    """The transcript with what became of a held request where its waiting stood."""
    return tuple((call, held.text if call == held.call else text) for call, text in transcript)


def _send(host: Host, held: Held, lease: Lease) -> Result:
    prepared = host.prepared(asking_of(held), held.call)
    result = prepared if isinstance(prepared, Result) else host.send(prepared, lease)
    match result.ending:
        case Telling.NOT_SENT | Telling.NOT_THERE | Plain.NO_LEASE | Plain.CONFLICT:
            # Nothing left, or nothing of it is there: the yes still stands.
            after = replace(held, state=HeldState.APPROVED, record=result.record)
        case Telling.NOT_OBSERVED | Telling.IN_PROGRESS:
            after = replace(held, text=result.text, record=result.record)
        case _:
            after = replace(held, state=HeldState.ANSWERED, text=result.text, record=result.record)
    _write(host.store, after)
    return result


def asking_of(held: Held) -> Asking:
    """The call that was kept. It is recorded whatever its operation says: what needs a yes must not go out twice."""
    operation, _ = parse_operation(json.loads(held.declaration))
    assert operation is not None
    return Asking(held.operation, recorded(operation), _arguments(held.arguments))


def recorded(operation: Operation) -> Operation:
    """The operation as a write."""
    return operation if operation.is_write else replace(operation, write=True)


def _undecided(store: Store, workspace: str, id: str, by: str, may: Collection[str] | None) -> Held:
    name = by.strip()
    if not name or not name.isprintable():
        raise ApprovalError("an approval needs the name of the person who gives it")
    if may is not None and name not in may:
        raise ApprovalError(f"`{name}` is not among those who may approve this")
    held = read(store, workspace, id)
    if held is None:
        raise ApprovalError(f"there is no held request `{id}`")
    if held.state is not HeldState.WAITING:
        raise ApprovalError(f"the held request `{id}` was decided already: {held.state}, by {held.by}")
    return held


def _write(store: Store, held: Held) -> Held:
    if not store.write([document(held)]):
        raise ApprovalError(f"somebody else decided about the held request `{held.id}` at the same moment")
    return replace(held, version=held.version + 1)


def _digest(token: str) -> str:
    if len(token) < 16:
        raise ApprovalError("a grant's token has at least 16 characters")
    return hashlib.sha256(token.encode()).hexdigest()


# As documents


def document(held: Held) -> Document:
    """The held request as it is stored."""
    call, request = held.call, held.request
    body = {
        "call": [call.workspace, call.session, call.turn, call.ordinal],
        "operation": held.operation,
        "declaration": held.declaration,
        "arguments": held.arguments,
        "request": [request.method, request.url, request.headers, _text(request.body)],
        "state": held.state,
        "asked_at": held.asked_at.isoformat(),
        "decided_at": held.decided_at.isoformat() if held.decided_at else None,
        "by": held.by,
        "reason": held.reason,
        "grant": held.grant,
        "text": held.text,
        "record": held.record,
    }
    return Document(held.workspace, KIND, held.id, json.dumps(body), held.version)


def _held(stored: Document) -> Held:
    body = json.loads(stored.body)
    method, url, headers, sent = body["request"]
    return Held(
        workspace=stored.workspace,
        id=stored.id,
        call=Call(*body["call"]),
        operation=body["operation"],
        declaration=body["declaration"],
        arguments=body["arguments"],
        request=Request(method, url, tuple((name, value) for name, value in headers), _bytes(sent)),
        state=HeldState(body["state"]),
        asked_at=datetime.fromisoformat(body["asked_at"]),
        decided_at=datetime.fromisoformat(body["decided_at"]) if body["decided_at"] else None,
        by=body["by"],
        reason=body["reason"],
        grant=body["grant"],
        text=body["text"],
        record=body["record"],
        version=stored.version,
    )


def _text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def _printed(prepared: Prepared) -> str:
    printed: dict[str, Any] = {
        "variables": prepared.variables, "query": prepared.query, "header": prepared.header,
    }  # fmt: skip
    if isinstance(prepared.body, bytes):
        printed["bytes"] = _text(prepared.body)
    elif prepared.body is not MISSING:
        printed["body"] = prepared.body
    return write_json(printed).decode()


def _arguments(text: str) -> Arguments:
    printed = read_json(text)
    body = _bytes(printed["bytes"]) if "bytes" in printed else printed.get("body", MISSING)
    return Arguments(printed["variables"], printed["query"], printed["header"], body)
