"""The loop that walks a plan's steps: one step, a checkpoint, the next.

    run = Loop(host=host, wait=sleep_until).run(plan, "run_001", workspace="acme")

A fresh run, a resumed one and one that a second webhook starts again are the same call and the same lines: it begins
where `next_step_index` says. Before anything else a step is looked up in its record: one that was done is a free
no-op, approved when it was done, and never comes near the approval or the money again. The money that a step moves is
reserved in the same transaction as its claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from wizard.errors import UsageError, WizardError
from wizard.host import approvals, runs, texts
from wizard.host.approvals import HeldState
from wizard.host.calls import APPLIED, Asking, Plain, Result
from wizard.host.host import Host, LeaseHeldError
from wizard.host.plan import Plan, Step
from wizard.host.prepare import Prepared
from wizard.host.record import Call, Lease
from wizard.host.runs import PAUSES, Charge, Mark, Reason, Run, RunState, TraceLine
from wizard.host.state import Telling
from wizard.host.store import Document, StoreError


class RunRefusedError(UsageError):
    """A run that cannot go on with this plan; nothing of it was changed."""


class RunLostError(WizardError):
    """Another worker has taken the run over; this one wrote nothing more."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a run does not go on."""

    reason: Reason
    detail: str
    releases: bool = False
    """The step did nothing, so what it had reserved is free again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """Runs plans. `wait` is given an instant and returns when it is there."""

    host: Host
    wait: Callable[[datetime], None]
    tries: int = 3
    """How often a step is tried that does not leave, or that somebody else is at work on."""
    pause: timedelta = timedelta(seconds=1)
    """Before the second try of a step that did not leave; doubled for each further one."""

    def run(self, plan: Plan, run_id: str, *, workspace: str, start: str | None = None) -> Run:
        """Begins a run or goes on with it, until it ends in one of three ways; gives it as it is then.

        `start` names an earlier step to begin with (a webhook that came twice): what was done is passed over for
        free. Raises RunRefusedError where the run was begun with another workflow, version or steps, LeaseHeldError
        where another worker has it, RunLostError where one took it over, and StoreError where the store is gone; in
        the last two it then looks crashed until somebody resumes it.
        """
        if ":" in run_id or "/" in run_id or not run_id.strip():
            raise UsageError(f"`{run_id}` is no name for a run", remedy="Leave out `:` and `/`.")
        known = runs.read_run(self.host.store, workspace, run_id)
        run = known or Run(
            workspace=workspace, id=run_id, workflow=plan.workflow, version=plan.version, digest=plan.digest,
            steps=tuple(step.name for step in plan.steps),
        )  # fmt: skip
        _same(plan, run)
        index = run.next_step_index if start is None else _index(run, start)
        if run.state is RunState.COMPLETED and start is None:
            return run
        try:
            lease = self.host.lease(workspace, f"run:{run_id}")
        except LeaseHeldError as error:
            until = texts.instant(run.lease_until)
            raise LeaseHeldError(
                f"another worker has the run `{run_id}`", remedy=f"If it was lost, its lease ends on {until}."
            ) from error
        try:
            return _Walk(self, plan, run, lease).walk(index, fresh=known is None)
        finally:
            # Where the store is gone the lease ends by itself.
            with suppress(StoreError):
                self.host.store.release(lease)


def _same(plan: Plan, run: Run) -> None:
    remedy = "Run it with the plan that it was begun with, or begin another run."
    if plan.workflow != run.workflow:
        raise RunRefusedError(
            f"the run `{run.id}` is of the workflow {run.workflow}, the plan of {plan.workflow}", remedy=remedy
        )
    if plan.version != run.version:
        raise RunRefusedError(
            f"the run `{run.id}` was begun with version {run.version} of {run.workflow}, the plan has version"
            f" {plan.version}",
            remedy=remedy,
        )
    if plan.digest != run.digest:
        raise RunRefusedError(
            f"the run `{run.id}` was begun with other steps than version {plan.version} of {run.workflow} has now",
            remedy=remedy,
        )


def _index(run: Run, name: str) -> int:
    if name not in run.steps:
        raise RunRefusedError(f"the run `{run.id}` has no step `{name}`")
    index = run.steps.index(name)
    if index > run.next_step_index:
        raise RunRefusedError(f"the run `{run.id}` has not come to its step `{name}` yet")
    return index


class _Walk:
    """One walk over a run's steps, under one lease."""

    def __init__(self, loop: Loop, plan: Plan, run: Run, lease: Lease) -> None:
        self.loop = loop
        self.host = loop.host
        self.store = loop.host.store
        self.plan = plan
        self.run = run
        self.lease = lease
        self.lines = len(runs.trace_of(self.store, run.workspace, run.id))

    def walk(self, index: int, *, fresh: bool) -> Run:
        mark = Mark.STARTED if fresh else Mark.RESUMED
        begun = replace(self.run, state=RunState.RUNNING, reason=None, detail="", resume_at=None)
        self.write(begun, [self.line(mark, detail=f"at step {index}")])
        while index < len(self.plan.steps):
            step = self.plan.steps[index]
            if (stop := runs.stop_of(self.store, self.run.workspace, self.run.id)) is not None:
                ending = Ending(Reason.STOPPED, f"before step {index}, {step.name}")
                return self.end(step, ending, [replace(stop, body="")])
            self.renew()
            try:
                ending_or_none = self.step(step, index)
            except (StoreError, RunLostError):
                raise
            except Exception as error:
                # Its claim may have written lines of the trace.
                self.lines = len(runs.trace_of(self.store, self.run.workspace, self.run.id))
                ending_or_none = Ending(Reason.STEP_ERROR, f"{type(error).__name__}: {error}".rstrip(": "))
            if ending_or_none is not None:
                return self.end(step, ending_or_none)
            index += 1
        self.write(replace(self.run, state=RunState.COMPLETED), [self.line(Mark.COMPLETED)])
        return self.run

    def step(self, step: Step, index: int) -> Ending | None:
        """Executes one step and writes its checkpoint; or says why the run ends here."""
        at = Call(self.run.workspace, self.run.id, step.name, 0)
        asking = Asking(step.operation_name, approvals.recorded(step.operation), step.arguments)
        prepared = self.host.prepared(asking, at)
        if isinstance(prepared, Result):
            return Ending(Reason.STEP_REFUSED, prepared.text)
        known = self.host.look(prepared, self.lease)
        if known is not None and known.applied:
            self.replayed(step, index)
            return None
        pause = self.loop.pause
        for attempt in range(1, self.loop.tries + 1):
            result = self.try_once(step, asking, prepared)
            if isinstance(result, Ending):
                return result
            if result.applied:
                self.applied(step, index, result)
                return None
            ending = _ending(result)
            if ending is not None or attempt == self.loop.tries:
                return ending or _gave_up(result)
            until = result.until or self.host.clock() + pause
            self.write(self.run, [self.line(Mark.WAITED, step.name, detail=result.text)])
            self.loop.wait(until)
            self.renew()
            pause *= 2
        raise AssertionError("a step is tried at least once")

    def try_once(self, step: Step, asking: Asking, prepared: Prepared) -> Result | Ending:
        """Looks at the cap and authorises, unless that was done, and sends; the claim reserves the money."""
        charges = runs.charges_of(self.store, self.run.workspace, self.run.id)
        if step.name in charges:
            return self.host.send(prepared, self.lease)
        total = sum((charge.amount for charge in charges.values()), Decimal(0))
        cap = self.plan.cap
        if cap is not None and total + step.cost > cap.amount:
            return Ending(
                Reason.SPEND_CAP_EXCEEDED,
                f"{step.name} costs {step.cost} {cap.currency}, {total} are spent, the cap is {cap.amount}",
            )
        by = self.authorise(step, asking, prepared)
        if isinstance(by, Ending):
            return by
        lines = [
            self.line(Mark.AUTHORISED, step.name, authorised_by=by),
            self.line(Mark.RESERVED, step.name, cost=step.cost, authorised_by=by),
        ]
        charge = Charge(step.name, step.cost, by)
        also = [runs.charge_document(self.run, charge), *runs.trace_documents(self.run, self.lines, lines)]
        result = self.host.send(prepared, self.lease, also)
        if step.name in runs.charges_of(self.store, self.run.workspace, self.run.id):
            self.lines += len(lines)
        return result

    def authorise(self, step: Step, asking: Asking, prepared: Prepared) -> str | Ending:
        """Who lets the step out, or why nobody does."""
        if not step.approval:
            return "plan"
        name = held_id(self.run.id, step.name)
        held = approvals.read(self.store, self.run.workspace, name)
        if held is None:
            approvals.hold(self.store, asking, prepared, self.host.clock(), name)
        if held is None or held.state is HeldState.WAITING:
            return Ending(Reason.NO_APPROVER, f"{step.name} waits for somebody's yes, as {name}")
        if held.state is HeldState.DECLINED:
            return Ending(Reason.DECLINED, f"{held.by} decided against {step.name}: {held.reason}".rstrip(": "))
        return held.by

    def replayed(self, step: Step, index: int) -> None:
        charge = runs.charges_of(self.store, self.run.workspace, self.run.id).get(step.name)
        by = charge.authorised_by if charge else ""
        self.checkpoint(index, [self.line(Mark.REPLAYED, step.name, authorised_by=by, detail="done already: free")])

    def applied(self, step: Step, index: int, result: Result) -> None:
        charge = runs.charges_of(self.store, self.run.workspace, self.run.id).get(step.name)
        also = []
        held = approvals.read(self.store, self.run.workspace, held_id(self.run.id, step.name))
        if held is not None:
            done = replace(held, state=HeldState.ANSWERED, text=result.text, record=result.record)
            also.append(approvals.document(done))
        line = self.line(
            Mark.REPLAYED if result.replayed else Mark.APPLIED,
            step.name,
            cost=charge.amount if charge and not result.replayed else Decimal(0),
            authorised_by=charge.authorised_by if charge else "",
            detail=result.text,
        )
        self.checkpoint(index, [line], also)

    def checkpoint(self, index: int, lines: list[TraceLine], also: Iterable[Document] = ()) -> None:
        """Saves the progress: the index moves behind the step that is done, and never back."""
        following = max(self.run.next_step_index, index + 1)
        if following > self.run.next_step_index:
            lines = [*lines, self.line(Mark.CHECKPOINT, detail=f"next_step_index {following}")]
        self.write(replace(self.run, next_step_index=following, resumes=0), lines, also)

    def end(self, step: Step, ending: Ending, also: Iterable[Document] = ()) -> Run:
        paused = ending.reason in PAUSES
        lines, documents = [], list(also)
        charge = runs.charges_of(self.store, self.run.workspace, self.run.id).get(step.name)
        if ending.releases and charge is not None:
            documents.append(replace(runs.charge_document(self.run, charge), body=""))
            lines.append(self.line(Mark.RELEASED, step.name, cost=-charge.amount))
        detail = f"{ending.reason}: {ending.detail}"
        lines.append(self.line(Mark.PAUSED if paused else Mark.HALTED, step.name, detail=detail))
        state = RunState.PAUSED_FOR_APPROVAL if paused else RunState.HALTED
        self.write(replace(self.run, state=state, reason=ending.reason, detail=ending.detail), lines, documents)
        return self.run

    def line(
        self, mark: Mark, step: str = "", *, cost: Decimal = Decimal(0), authorised_by: str = "", detail: str = ""
    ) -> TraceLine:
        return TraceLine(self.host.clock(), mark, step, cost, authorised_by, detail)

    def renew(self) -> None:
        """Holds the lease on; the run's document says until when."""
        now = self.host.clock()
        renewed = self.store.renew(self.lease, now + self.host.pace.lease_for, now)
        if renewed is None:
            raise RunLostError(f"another worker has the run `{self.run.id}`")
        self.lease = renewed
        self.write(self.run, [])

    def write(self, run: Run, lines: list[TraceLine], also: Iterable[Document] = ()) -> None:
        run = replace(run, fence=self.lease.fence, lease_until=self.lease.until)
        documents = [runs.run_document(run), *runs.trace_documents(run, self.lines, lines), *also]
        if not self.store.write(documents):
            raise RunLostError(f"another worker has the run `{run.id}`")
        self.lines += len(lines)
        self.run = replace(run, stored=run.stored + 1)


def held_id(run_id: str, step: str) -> str:
    """The name of a step's request that waits for an approval: the step's key."""
    return f"{run_id}:{step}"


def _ending(result: Result) -> Ending | None:
    """How a run ends with a step that was not applied; None where it is worth another try."""
    match result.ending:
        case Telling.NOT_SENT | Telling.IN_PROGRESS | Telling.NOT_THERE:
            return None
        case Telling.NOT_OBSERVED:
            return Ending(
                Reason.OUTCOME_UNKNOWN, f"{result.text} Settle it with: skill-wizard records settle {result.record}"
            )
        case Telling.REFUSED | Telling.GATEWAY_REFUSED | Plain.INVALID:
            return Ending(Reason.STEP_REFUSED, result.text, releases=True)
        case Plain.OLD_DECLARATION | Plain.HELD_BACK:
            return Ending(Reason.DECLARATION_CHANGED, result.text)
        case Plain.NO_LEASE | Plain.CONFLICT:
            raise RunLostError(result.text)
        case Telling() | Plain():
            assert result.ending not in APPLIED
            return Ending(Reason.STEP_ERROR, result.text)


def _gave_up(result: Result) -> Ending:
    if result.ending is Telling.IN_PROGRESS:
        return Ending(Reason.STEP_IN_PROGRESS, result.text)
    return Ending(Reason.STEP_NOT_SENT, result.text, releases=True)
