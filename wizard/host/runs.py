"""Runs of a plan, as they are stored: what a run is, its trace, what it has reserved, and the word to stop.

A run is a workflow's name and version, a fixed list of steps, and one integer: `next_step_index`. That integer is all
the progress there is. What a step has reserved of the spend cap stands in a document of its own, one for each step,
so that reserving twice is impossible.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from wizard.host.store import Document, Store

RUN, TRACE, CHARGE, STOP = "run", "trace", "charge", "stop"
"""The kinds of its documents."""


class RunState(StrEnum):
    """Where a run stands. It ends in one of the last three."""

    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    PAUSED_FOR_APPROVAL = "PAUSED_FOR_APPROVAL"
    HALTED = "HALTED"


CRASHED = "CRASHED"
"""What a running run looks like whose lease is dead. It is not stored, and resuming clears it."""


class Reason(StrEnum):
    """Why a run did not complete."""

    NO_APPROVER = "no_approver"
    """Paused: a step waits for somebody's yes."""
    OUTCOME_UNKNOWN = "outcome_unknown"
    """Paused: a step was sent, nobody saw what came of it, and only a person can settle it (`records settle`)."""
    DECLINED = "declined"
    SPEND_CAP_EXCEEDED = "spend_cap_exceeded"
    STEP_REFUSED = "step_refused"
    """The recipient or the gateway refused it, or it makes no request."""
    STEP_NOT_SENT = "step_not_sent"
    """It did not leave, however often it was tried."""
    STEP_IN_PROGRESS = "step_in_progress"
    """Somebody else is at work on the same write."""
    DECLARATION_CHANGED = "declaration_changed"
    STOPPED = "stopped"
    STEP_ERROR = "step_error"
    """Something broke that none of the others names; `detail` says what."""
    RESUMED_TOO_OFTEN = "resumed_too_often"


PAUSES = frozenset({Reason.NO_APPROVER, Reason.OUTCOME_UNKNOWN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a plan."""

    workspace: str
    id: str
    workflow: str
    version: str
    """Of the workflow."""
    digest: str
    """Of the plan's steps (`Plan.digest`)."""
    steps: tuple[str, ...]
    """Their names, in order."""
    next_step_index: int = 0
    state: RunState = RunState.RUNNING
    reason: Reason | None = None
    detail: str = ""
    fence: int = 0
    """Of the lease that wrote it last."""
    lease_until: datetime | None = None
    """When that lease ends; a running run behind it has crashed."""
    resumes: int = 0
    """How often in a row the supervisor resumed it without a step getting done."""
    resume_at: datetime | None = None
    """When the supervisor resumes it next."""
    stored: int = field(default=0, compare=False)
    """The version of its document."""

    def __post_init__(self) -> None:
        ended_early = self.state in (RunState.PAUSED_FOR_APPROVAL, RunState.HALTED)
        if ended_early != (self.reason is not None):
            raise ValueError("a run that pauses or halts says why, and no other does")
        if self.reason is not None and (self.reason in PAUSES) != (self.state is RunState.PAUSED_FOR_APPROVAL):
            raise ValueError(f"`{self.reason}` does not go with {self.state}")
        if not 0 <= self.next_step_index <= len(self.steps):
            raise ValueError("next_step_index lies outside the steps")

    def shown(self, now: datetime) -> str:
        """Its state as it is listed: CRASHED for a running run whose lease is dead."""
        dead = self.state is RunState.RUNNING and (self.lease_until is None or now >= self.lease_until)
        return CRASHED if dead else self.state


class Mark(StrEnum):
    """What a line of the trace tells."""

    STARTED = "started"
    RESUMED = "resumed"
    REPLAYED = "replayed"
    """A step was done already: free, and approved when it was done."""
    AUTHORISED = "authorised"
    RESERVED = "reserved"
    RELEASED = "released"
    """What a step had reserved is free again: it did nothing."""
    APPLIED = "applied"
    WAITED = "waited"
    CHECKPOINT = "checkpoint"
    PAUSED = "paused"
    HALTED = "halted"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One line of a run's trace."""

    at: datetime
    mark: Mark
    step: str = ""
    cost: Decimal = Decimal(0)
    authorised_by: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Charge:
    """What a step has reserved of the cap, and who authorised it. One for each step, ever."""

    step: str
    amount: Decimal
    authorised_by: str
    stored: int = field(default=0, compare=False)


def read_run(store: Store, workspace: str, id: str) -> Run | None:
    """The run of that id."""
    found = store.document(workspace, RUN, id)
    return None if found is None else _run(found)


def list_runs(store: Store, workspace: str) -> tuple[Run, ...]:
    """The runs of a workspace, by id."""
    return tuple(_run(found) for found in store.documents(workspace, RUN))


def trace_of(store: Store, workspace: str, id: str) -> tuple[TraceLine, ...]:
    """A run's trace, in order."""
    return tuple(_line(json.loads(found.body)) for found in store.documents(workspace, TRACE, f"{id}/"))


def charges_of(store: Store, workspace: str, id: str) -> dict[str, Charge]:
    """What each step of a run has reserved, by the step's name."""
    found = (_charge(one) for one in store.documents(workspace, CHARGE, f"{id}/"))
    return {charge.step: charge for charge in found}


def spent(store: Store, workspace: str, id: str) -> Decimal:
    """The run's total."""
    return sum((charge.amount for charge in charges_of(store, workspace, id).values()), Decimal(0))


def run_document(run: Run) -> Document:
    """The run as it is stored."""
    body = {
        "workflow": run.workflow, "version": run.version, "digest": run.digest, "steps": run.steps,
        "next_step_index": run.next_step_index, "state": run.state, "reason": run.reason, "detail": run.detail,
        "fence": run.fence, "lease_until": _instant(run.lease_until), "resumes": run.resumes,
        "resume_at": _instant(run.resume_at),
    }  # fmt: skip
    return Document(run.workspace, RUN, run.id, json.dumps(body), run.stored)


def trace_documents(run: Run, first: int, lines: Iterable[TraceLine]) -> list[Document]:
    """Lines of a run's trace as they are stored, numbered from `first`."""
    return [
        Document(run.workspace, TRACE, f"{run.id}/{first + index:06}", json.dumps({
            "at": line.at.isoformat(), "mark": line.mark, "step": line.step, "cost": str(line.cost),
            "authorised_by": line.authorised_by, "detail": line.detail,
        }))
        for index, line in enumerate(lines)
    ]  # fmt: skip


def charge_document(run: Run, charge: Charge) -> Document:
    """A charge as it is stored."""
    body = {"step": charge.step, "amount": str(charge.amount), "authorised_by": charge.authorised_by}
    return Document(run.workspace, CHARGE, f"{run.id}/{charge.step}", json.dumps(body), charge.stored)


def request_stop(store: Store, workspace: str, id: str, *, by: str) -> None:
    """Asks a run to stop. It is read between two steps, never inside one."""
    if store.document(workspace, STOP, id) is None:
        store.write([Document(workspace, STOP, id, json.dumps({"by": by}))])


def stop_of(store: Store, workspace: str, id: str) -> Document | None:
    """The word to stop, where somebody gave it."""
    return store.document(workspace, STOP, id)


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _read_instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _run(stored: Document) -> Run:
    body: dict[str, Any] = json.loads(stored.body)
    return Run(
        workspace=stored.workspace, id=stored.id, workflow=body["workflow"], version=body["version"],
        digest=body["digest"], steps=tuple(body["steps"]), next_step_index=body["next_step_index"],
        state=RunState(body["state"]), reason=Reason(body["reason"]) if body["reason"] else None,
        detail=body["detail"], fence=body["fence"], lease_until=_read_instant(body["lease_until"]),
        resumes=body["resumes"], resume_at=_read_instant(body["resume_at"]), stored=stored.version,
    )  # fmt: skip


def _line(body: dict[str, str]) -> TraceLine:
    return TraceLine(
        datetime.fromisoformat(body["at"]), Mark(body["mark"]), body["step"], Decimal(body["cost"]),
        body["authorised_by"], body["detail"],
    )  # fmt: skip


def _charge(stored: Document) -> Charge:
    body = json.loads(stored.body)
    return Charge(body["step"], Decimal(body["amount"]), body["authorised_by"], stored.version)
