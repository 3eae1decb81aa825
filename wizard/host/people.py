"""What a person does about a write whose outcome nobody saw: look it up, ask the recipient, say what happened, have it
sent again; and let a completed one be made anew. Each is done in the name of somebody, with a reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from wizard.errors import UsageError
from wizard.host import declarations, dispatch, state
from wizard.host.host import Host
from wizard.host.record import EventKind, Record, State
from wizard.host.state import Decision, NotSettleable, Terms, Told
from wizard.host.store import Store
from wizard.operation.model import Operation

MOST_ROUNDS = 20
MOST_LISTED = 1_000_000
"""Attempted writes that are listed: one that is left out would seem not to wait for anybody."""


@dataclass(frozen=True, slots=True)
class Open:
    """An attempted write."""

    record: Record
    operation: Operation | None
    """Its declaration, as it was when it was claimed."""
    waits: bool
    """A person is needed: nobody is at work on it, and neither a key nor a probe can settle it or did."""


def attempted(store: Store, workspace: str, now: datetime) -> tuple[Open, ...]:
    """The attempted writes of a workspace, oldest first."""
    found = []
    for record in store.attempted(workspace, MOST_LISTED):
        operation = declarations.recall(store, record)
        terms = Terms() if operation is None else Terms.of(operation)
        found.append(Open(record, operation, state.needs_person(record, terms, now)))
    return tuple(found)


def find(store: Store, workspace: str, id: str) -> Record:
    """The record that a person means by the beginning of its name. Raises UsageError where none or several are."""
    found = store.find(workspace, id.lower()) if id else ()
    if not found:
        raise UsageError(f"no record begins with `{id}`", remedy="`records list --all` lists them.")
    if len(found) > 1:
        names = ", ".join(record.id for record in found)
        raise UsageError(f"several records begin with `{id}`: {names}", remedy="Give more of the name.")
    return found[0]


def settle(
    store: Store, record: Record, decision: Decision, *, by: str, reason: str, clock: Callable[[], datetime]
) -> Record:
    """Writes down that an attempted write happened, or that it did not. Raises UsageError where the record does not
    admit it."""
    return _change(store, record, lambda one: state.settle_by_person(one, decision, by, reason, clock()))


def release(store: Store, record: Record, *, by: str, reason: str, clock: Callable[[], datetime]) -> Record:
    """Lets a completed write be made anew: the next call of it takes the next generation. Raises UsageError."""
    return _change(store, record, lambda one: state.release_by_person(one, by, reason, clock()))


def send_again(host: Host, record: Record, *, by: str, reason: str) -> Told:
    """Sends an attempted write's stored request once more, because a person says so. Only an answer settles it then.
    Raises UsageError where the record does not admit it."""
    operation = declarations.recall(host.store, record)
    asked = settle(host.store, record, Decision.SEND_AGAIN, by=by, reason=reason, clock=host.clock)
    lease = host.lease(record.workspace, f"record:{record.address}")
    try:
        sent = dispatch.send_again(host, asked, operation.failed if operation else None, lease)
    finally:
        host.store.release(lease)
    if sent is None:
        raise _changed(record)
    return sent[0]


def ask_recipient(host: Host, record: Record) -> Told:
    """Asks the recipient whether an attempted write is there, as its declaration says. Raises UsageError where it
    cannot be asked."""
    operation = declarations.recall(host.store, record)
    if record.state is not State.ATTEMPTED:
        raise UsageError(f"the write {record.id} is {record.state}; only an attempted one is asked after")
    if operation is None or operation.effective().probe is None:
        raise UsageError(f"`{record.operation}` declares no probe", remedy="Look at the recipient, then settle it.")
    told = dispatch.ask_recipient(host, record, operation)
    if told is None:
        raise _changed(record)
    return told


def last_probe(record: Record) -> str:
    """What the last probe said, empty where none was made."""
    return next((event.detail for event in reversed(record.events) if event.kind is EventKind.PROBED), "")


def _change(store: Store, record: Record, change: Callable[[Record], Record]) -> Record:
    for _ in range(MOST_ROUNDS):
        try:
            after = change(record)
        except NotSettleable as error:
            raise UsageError(str(error)) from error
        if (stored := store.settle(record, after)) is not None:
            return stored
        found = store.read(record.workspace, [record.address])
        if not found:
            break
        record = found[0]
    raise _changed(record)


def _changed(record: Record) -> UsageError:
    return UsageError(
        f"the write {record.id} was changed at the same moment", remedy=f"Look at it with `records show {record.id}`."
    )
