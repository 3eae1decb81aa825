"""Plays a story's steps on a stage, and hears what the caller is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from signal import SIGKILL, SIGSTOP
from typing import Any

from wizard.host import approvals
from wizard.host.approvals import HeldState
from wizard.host.calls import APPLIED, Plain, Result
from wizard.host.exactjson import write_json
from wizard.host.forks import Done, Fork, Forks
from wizard.host.host import LeaseHeldError
from wizard.host.loop import Loop, RunRefusedError
from wizard.host.planfile import PlanError, parse_plan
from wizard.host.prepare import Arguments
from wizard.host.runs import RunState
from wizard.host.state import Telling
from wizard.host.store import StoreError
from wizard.operation.duration import Duration
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.rehearse.schedule import Step, Story
from wizard.rehearse.stage import SESSION, Stage, said
from wizard.rehearse.subject import Subject, remembered, single
from wizard.rehearse.verdict import Meant, Told
from wizard.source import Source

_ANY_AMOUNT = 10**12
"""What a run may spend in a rehearsal: the cap is not what is tried."""
_LONGEST = timedelta(days=400)
"""What is waited where something is kept for ever."""


class CannotTell(Exception):
    """On its way a story turns out not to be this operation's; the text says why."""


@dataclass(slots=True)
class Playing:
    """A story on its way."""

    story: Story
    subject: Subject
    stage: Stage
    forks: Forks | None
    meant: list[Meant] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    turns: int = 0
    halted: Fork | None = None
    applied_at: datetime | None = None
    """When the caller was told first that the write is there."""

    def play(self) -> None:
        self.meant.append(Meant(what=self.stage.what(self.subject.arguments)))
        for step in self.story.steps:
            if step.wait:
                self.stage.pass_time(self.span(step.wait))
            match step.do:
                case "ask":
                    self.ask(step)
                case "kill":
                    self.kill(step)
                case "halt":
                    self.halt(step)
                case "resume":
                    self.resume()
                case "race":
                    self.race()
                case "approve":
                    self.approve()
                case "run":
                    self.run(step)

    def span(self, text: str) -> timedelta:
        match text:
            case "past keep":
                kept = self.stage.operation.kept_for.delta
                return _LONGEST if kept is None else max(kept, timedelta(days=1)) + timedelta(minutes=1)
            case "past memory":
                memory = remembered(self.subject.facts)
                return _LONGEST if memory is None else memory + timedelta(hours=1)
            case _:
                return Duration.parse(text).delta or _LONGEST

    def turn(self, step: Step) -> str:
        """A new turn, or the one before; where two calls are two writes the same call is made again."""
        if step.turn == "new" and (self.turns == 0 or step.meant or single(self.subject)):
            self.turns += 1
        return f"t{max(self.turns, 1)}"

    # Steps

    def over(self) -> bool:
        """Whether the record no longer answers for the write that was made: whoever asks for it now means another."""
        kept = self.stage.operation.kept_for.delta
        return self.applied_at is not None and kept is not None and self.stage.clock() >= self.applied_at + kept

    def ask(self, step: Step) -> None:
        if self.over() and not step.meant:
            return
        for arguments, differs in self.requests(step):
            meant = 0
            if differs or step.meant:
                what = self.stage.what(arguments)
                if differs and what == self.meant[0].what:
                    continue
                self.meant.append(Meant(what=what, differs=differs or f"{said(self.span(step.wait))} later"))
                meant = len(self.meant) - 1
            self.call(step, arguments, meant, differs)

    def requests(self, step: Step) -> Iterator[tuple[Arguments, str]]:
        """The requests of a step, each with the field in which it is another write."""
        from wizard.rehearse.bodies import another, reordered

        first, facts = self.subject.arguments, self.subject.facts
        match step.body:
            case "same":
                yield first, ""
            case "order":
                yield reordered(first), ""
            case "note":
                changed: Arguments | None = first
                for name in facts.wording:
                    changed = another(changed or first, FieldPath.parse(name), facts.operation, facts.api) or changed
                yield changed or first, ""
            case "matter":
                own_key = self.own_key()
                for nth, name in enumerate(facts.matter, 1):
                    is_key = own_key is not None and own_key.name == name
                    changed = another(
                        first, FieldPath.parse(name), facts.operation, facts.api, nth=nth if is_key else 1
                    )  # fmt: skip
                    if changed is not None and own_key is not None and not is_key:
                        changed = another(changed, own_key, facts.operation, facts.api, nth=nth) or changed
                    if changed is not None:
                        yield changed, name

    def own_key(self) -> FieldPath | None:
        """The recipient's key where it is left to the model: for another write it gives another one."""
        key = self.subject.facts.key
        if key is None or key.place == "header" or self.stage.operation.key is not None:
            return None
        return FieldPath.parse(key.name if key.place == "field" else f'query:"{key.name}"')

    def call(self, step: Step, arguments: Arguments, meant: int, differs: str = "") -> None:
        turn = self.turn(step)
        self.say_call(turn, arguments, differs)
        host = self.stage.host(patience=step.patience, lost=step.store == "lost", gated=step.gated)
        try:
            lease = host.lease(self.stage.workspace, f"turn:{turn}")
        except LeaseHeldError:
            self.note(meant, Telling.IN_PROGRESS, "another worker has the turn")
            return
        try:
            self.hear(meant, host.call(self.stage.asking(arguments), at=self.stage.call(turn), lease=lease))
        except StoreError as error:
            self.note(meant, Plain.CONFLICT, error.message)
        finally:
            self.stage.store.release(lease)

    def kill(self, step: Step) -> None:
        turn = self.turn(step)
        self.say_call(turn, self.subject.arguments)
        # The head of a request leaves before its body.
        nth = 2 if step.at == "after bytes" and self.subject.arguments.body is not MISSING else 1
        done = self.started(turn, point=step.at, nth=nth, sign=int(SIGKILL)).wait()
        self.stage.trace.say_recorded(self.stage.store, self.stage.workspace)
        if not done.killed:
            self.heard_from(done)
            return
        if step.at != "before send":
            self.stage.settle_wire(1)
        self.stage.trace.say("host", "killed", "killed (SIGKILL)", bad=True)

    def halt(self, step: Step) -> None:
        turn = self.turn(step)
        self.say_call(turn, self.subject.arguments)
        pace = (step.patience or 30.0, 0.01 if step.patience else 10.0, 120.0)
        fork = self.started(turn, point=step.at, sign=int(SIGSTOP), pace=pace)
        if not fork.stopped(30):
            self.heard_from(fork.wait())
            return
        self.halted = fork
        self.stage.trace.say_recorded(self.stage.store, self.stage.workspace)
        if step.patience:
            # Its deadline is one of the wall clock.
            time.sleep(step.patience + 0.02)
        self.stage.trace.say("host", "killed", "halted (SIGSTOP)", bad=True)

    def resume(self) -> None:
        if self.halted is None:
            return
        self.stage.trace.say("host", "note", "goes on")
        self.halted.go_on()
        self.heard_from(self.halted.wait())
        self.halted = None

    def race(self) -> None:
        at = time.time() + 0.03
        turns = [self.turn(Step(do="ask")) for _ in range(2)]
        for turn in turns:
            self.say_call(turn, self.subject.arguments)
        heard = [fork.wait() for fork in [self.started(turn, at=at) for turn in turns]]
        self.stage.trace.say_recorded(self.stage.store, self.stage.workspace)
        for done in heard:
            self.heard_from(done)

    def approve(self) -> None:
        stage, host = self.stage, self.stage.host()
        held = approvals.pending(stage.store, stage.workspace)
        lease = host.lease(stage.workspace, "approvals")
        try:
            if held:
                stage.trace.say("caller", "note", "somebody approves it")
                grant = approvals.approve(
                    stage.store, stage.workspace, held[0].id, by="a person", token="of a rehearsal: 0000",
                    now=stage.clock(),
                )  # fmt: skip
                self.hear(0, approvals.send_approved(host, grant, lease))
                return
            for one in stage.store.documents(stage.workspace, approvals.KIND):
                known = approvals.read(stage.store, stage.workspace, one.id)
                if known is not None and known.state is HeldState.SENDING:
                    stage.trace.say("caller", "note", "the platform goes on with it")
                    self.hear(0, approvals.resume_approved(host, stage.workspace, one.id, lease))
        finally:
            stage.store.release(lease)

    def run(self, step: Step) -> None:
        stage, plan = self.stage, self.plan()
        try:
            parse_plan(Source("plan", plan))
        except PlanError as error:
            raise CannotTell(f"it makes no step of a plan: {error.problems[0].message}") from error
        stage.trace.say("caller", "call", "the run comes to its step", "host")
        if step.at:
            done = self.started("", point=step.at, plan=plan).wait()
            stage.trace.say_recorded(stage.store, stage.workspace)
            if done.killed:
                stage.settle_wire(1)
                stage.trace.say("host", "killed", "killed (SIGKILL)", bad=True)
            else:
                self.note(0, _of_run(done.ending), done.text)
            return
        loop = Loop(host=stage.host(), wait=stage.clock.wait, tries=1)
        try:
            run = loop.run(parse_plan(Source("plan", plan)), SESSION, workspace=stage.workspace)
        except (LeaseHeldError, RunRefusedError, StoreError) as error:
            self.note(0, Telling.IN_PROGRESS, error.message)
            return
        self.note(0, _of_run(str(run.state)), str(run.reason or ""))

    def plan(self) -> str:
        given = self.subject.arguments
        arguments = {"path": dict(given.variables), "query": dict(given.query), "header": dict(given.header)}
        if given.body is not MISSING:
            arguments["body"] = given.body
        step: dict[str, Any] = {
            "name": "write", "operation": print_operation(self.stage.operation), "approval": False,
            "arguments": {place: values for place, values in arguments.items() if values},
        }  # fmt: skip
        plan: dict[str, Any] = {"workflow": "rehearsal", "version": 1, "steps": [step]}
        if (currency := _currency(self.stage.operation, given)) is not None:
            plan["spend_cap"] = {"amount": _ANY_AMOUNT, "currency": currency}
        return write_json(plan).decode()

    # What is heard

    def started(self, turn: str, **more: object) -> Fork:
        assert self.forks is not None
        return self.forks.start(self.stage.job(self.subject.arguments, turn, **more))

    def say_call(self, turn: str, arguments: Arguments, differs: str = "") -> None:
        text = f"asks: {self.subject.name}" + (f", another {differs}" if differs else "")
        body = arguments.body
        shown = "" if body is MISSING else body.decode() if isinstance(body, bytes) else write_json(body).decode()
        self.stage.trace.say("caller", "call", text, "host", detail=f"turn {turn} {shown}")

    def hear(self, meant: int, result: Result) -> None:
        status = result.answer.status if result.answer is not None else None
        detail = "" if result.ending in (Telling.DONE, Telling.REFUSED) else result.text
        self.note(meant, result.ending, detail, status, result.text)

    def heard_from(self, done: Done) -> None:
        self.note(0, _ending(done.ending), done.text)

    def note(
        self, meant: int, ending: Telling | Plain, detail: str = "", status: int | None = None, text: str = ""
    ) -> None:
        landed = self.stage.landed[self.meant[meant].what]
        if ending in APPLIED and self.applied_at is None:
            self.applied_at = self.stage.clock()
        self.told.append(
            Told(meant=meant, ending=ending, landed=landed, status=status, detail=detail.partition("\n")[0])
        )
        self.stage.trace.say("host", "told", str(ending), "caller", detail=text or detail)


def _currency(operation: Operation, arguments: Arguments) -> str | None:
    """The currency of the money that a write moves, None where it moves none."""
    if operation.money is None:
        return None
    named = operation.money.currency
    if named.isupper() and len(named) == 3:
        return named
    found = FieldPath.parse(named).get(arguments.body)
    return found if isinstance(found, str) else None


def _ending(text: str) -> Telling | Plain:
    for kind in (Telling, Plain):
        with suppress(ValueError):
            return kind(text)
    return Telling.IN_PROGRESS


def _of_run(state: str) -> Telling | Plain:
    return Telling.DONE if state == str(RunState.COMPLETED) else Telling.NOT_OBSERVED
