"""Resumes runs that crashed, later and later, and gives up at last. It never touches a run that paused or halted:
those wait for a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from wizard.host import runs
from wizard.host.host import LeaseHeldError
from wizard.host.loop import Loop, RunLostError, RunRefusedError
from wizard.host.plan import Plan
from wizard.host.runs import CRASHED, Mark, Reason, Run, RunState, TraceLine
from wizard.host.store import StoreError


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before a run is resumed, and how often."""

    first: timedelta = timedelta(seconds=2)
    longest: timedelta = timedelta(minutes=10)
    most: int = 8
    """Resumes in a row without a step getting done; then the run halts."""

    def delay(self, resumes: int, chance: float) -> timedelta:
        """Before the next resume, when so many went before. `chance`, from 0 to 1, spreads it over the upper half, so
        that runs which crashed together do not come back together."""
        whole = min(self.first * (1 << min(resumes, 40)), self.longest)
        return whole * (0.5 + chance / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervisor:
    """Looks after the runs of a store. `plan_of` gives a run's plan, None where there is none any more; `chance` is a
    random number from 0 to 1."""

    loop: Loop
    plan_of: Callable[[Run], Plan | None]
    chance: Callable[[], float]
    backoff: Backoff = Backoff()
    only: Callable[[Run], bool] = lambda run: True
    """Which runs it looks after."""

    def tick(self, workspace: str) -> tuple[Run, ...]:
        """Plans a resume for each run that is found crashed, and resumes those whose time has come. Gives the runs
        that it resumed or halted, as they are then."""
        done = []
        for run in runs.list_runs(self.loop.host.store, workspace):
            if run.shown(self.loop.host.clock()) == CRASHED and self.only(run):
                after = self._attend(run)
                if after is not None:
                    done.append(after)
        return tuple(done)

    def _attend(self, run: Run) -> Run | None:
        store, now = self.loop.host.store, self.loop.host.clock()
        if run.resume_at is None:
            self._write(replace(run, resume_at=now + self.backoff.delay(run.resumes, self.chance())))
            return None
        if now < run.resume_at:
            return None
        plan = self.plan_of(run)
        if run.resumes >= self.backoff.most or plan is None:
            why = "its plan is gone" if plan is None else f"{run.resumes} resumes got no step done"
            return self._halt(run, why, now)
        if not self._write(replace(run, resumes=run.resumes + 1, resume_at=None)):
            return None
        try:
            return self.loop.run(plan, run.id, workspace=run.workspace)
        except RunRefusedError as error:
            fresh = runs.read_run(store, run.workspace, run.id)
            return self._halt(fresh or run, str(error), now)
        except (LeaseHeldError, RunLostError, StoreError):
            # Somebody else has it, or it crashed again: the next look says.
            return None

    def _halt(self, run: Run, why: str, now: datetime) -> Run | None:
        halted = replace(run, state=RunState.HALTED, reason=Reason.RESUMED_TOO_OFTEN, detail=why, resume_at=None)
        line = TraceLine(now, Mark.HALTED, detail=f"{Reason.RESUMED_TOO_OFTEN}: {why}")
        return halted if self._write(halted, line) else None

    def _write(self, run: Run, *lines: TraceLine) -> bool:
        store = self.loop.host.store
        first = len(runs.trace_of(store, run.workspace, run.id))
        return store.write([runs.run_document(run), *runs.trace_documents(run, first, lines)])
