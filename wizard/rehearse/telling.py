"""Tells one story of one operation: its steps are played with the host's own code, and what came of it is judged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from signal import SIGKILL, SIGSTOP
from typing import Any

from wizard.host import approvals
from wizard.host.approvals import HeldState
from wizard.host.calls import APPLIED, Plain, Result
from wizard.host.exactjson import write_json
from wizard.host.faults import Clock
from wizard.host.filling import is_json
from wizard.host.forks import Done, Fork, Forks
from wizard.host.host import LeaseHeldError
from wizard.host.loop import Loop, RunRefusedError
from wizard.host.outcome import Request
from wizard.host.planfile import PlanError, parse_plan
from wizard.host.prepare import Arguments
from wizard.host.runs import RunState
from wizard.host.state import Telling
from wizard.host.store import Store, StoreError
from wizard.operation.duration import Duration
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Operation, Scope
from wizard.operation.printing import print_operation
from wizard.rehearse.facts import Facts
from wizard.rehearse.model import Declared, Ended, StoryRun, Verdict
from wizard.rehearse.schedule import Step, Story
from wizard.rehearse.stage import SESSION, Receiving, Stage, request_of, said
from wizard.rehearse.tracing import Trace
from wizard.rehearse.verdict import Meant, Told, judge
from wizard.source import Source
from wizard.spec.model import ApiDocument, ApiOperation

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""When every story begins."""
_ANY_AMOUNT = 10**12
"""What a run may spend in a rehearsal: the cap is not what is tried."""
_TIMELESS = "No answer shows when a record was made, so an equal one that was there before counts as this one."
_LONGEST = timedelta(days=400)
"""What is waited where something is kept for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An operation to be rehearsed."""

    name: str
    operation: Operation
    """As it is declared, without `status: proposed`."""
    skill: str
    """The file of its declaration, as it was given."""
    api: ApiOperation | None
    document: ApiDocument | None
    facts: Facts
    arguments: Arguments
    """An example request."""
    confirmed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Casting:
    """What a story's recipient is made from."""

    subject: Subject
    story: Story
    behaviour: str
    """A behaviour's name, empty for one as documented."""
    clock: Clock
    request: Request | None
    """The story's first request, as it goes out; None where the arguments make none."""
    strict: bool
    """What the document would refuse is refused. Under less of a declaration the host leaves out what only it can
    fill in."""


@dataclass(slots=True, kw_only=True)
class World:
    """What the stories of one run share: a store, processes to lose, a recipient for each story."""

    store: Store
    store_url: str
    recipient: Callable[[Casting], Receiving]
    """Makes a story's recipient."""
    forks: Forks | None = None
    began: Callable[[], datetime] = lambda: BEGAN
    """When a story begins."""
    arguments: Callable[[Subject, int], Arguments] = lambda subject, number: subject.arguments
    """The example request of the story with that number: another one each time, where what an earlier story made is
    still there."""
    prefix: str = "rehearsal"
    told: int = 0

    @property
    def outlives(self) -> bool:
        """Whether the store is there for other processes, too."""
        return self.forks is not None and not self.store_url.startswith("memory:")

    def workspace(self) -> str:
        """A workspace that no story has used."""
        self.told += 1
        return f"{self.prefix}-{self.told}"


def lacks(story: Story, subject: Subject, operation: Operation, world: World) -> str:
    """Why a story cannot be told of this operation, empty where it can. `operation` is what it is told with, the
    subject's own or less of it."""
    own, facts = subject.operation, subject.facts
    body = subject.arguments.body
    reasons = {
        "identity": (single(subject), "two calls are two writes here: it has no identity"),
        "key": (operation.key is not None, "it has no key"),
        "memory": (_memory(facts) is not None, "the recipient never forgets a key"),
        "probe": (own.probe is not None, "it has no probe"),
        "list": (own.probe is not None and own.probe.items is not None, "its probe asks for no list"),
        "wording": (bool(facts.wording), "nothing in it surely says the same in other words"),
        "matter": (bool(facts.matter), "no field of it surely tells two writes apart"),
        "order": (
            isinstance(body, dict) and len(body) > 1 and is_json(own.content),
            "its body is no JSON with two members",
        ),
        "process": (world.outlives, "the store lives in one process"),
        "crowd": (_shared(facts), "no two can be found by the same filter: the recipient refuses a second one"),
        "repeatable": (
            facts.does == "create" and facts.duplicate is None,
            "the recipient refuses an equal one, or changes something that is there",
        ),
    }
    return next((why for need, (met, why) in reasons.items() if need in story.needs and not met), "")


def single(subject: Subject) -> bool:
    """Whether two equal calls are one write: it is declared so, or the document surely means it."""
    if subject.operation.record_scope is not Scope.CALL:
        return True
    return bool(subject.facts.matter) and not subject.facts.repeats


def tell(
    story: Story, subject: Subject, operation: Operation, declared: Declared, world: World,
    *, behaviour: str = "", seed: int = 0, strict: bool = True,
) -> StoryRun:  # fmt: skip
    """One story, told with this declaration. Never raises for what the recipient, the network or the host does.

    `strict` false: the recipient takes what its document would refuse (`Casting.strict`)."""
    began = time.perf_counter()
    known = behaviour or story.behaviour
    run = StoryRun(
        story=story.name, says=story.says, declared=declared, recipient=known or "as documented",
        verdict=Verdict.SKIPPED, seed=seed,
    )  # fmt: skip
    if why := lacks(story, subject, operation, world):
        return replace(run, why=why)
    subject = replace(subject, arguments=world.arguments(subject, world.told))
    clock = Clock(world.began())
    casting = Casting(
        subject=subject, story=story, behaviour=known, clock=clock,
        request=request_of(subject.name, operation, subject.arguments), strict=strict,
    )  # fmt: skip
    stage = Stage(
        name=subject.name,
        operation=operation,
        recipient=world.recipient(casting),
        store=world.store,
        store_url=world.store_url,
        workspace=world.workspace(),
        clock=clock,
        trace=Trace(clock, clock()),
        random=Random(f"{seed}:{story.name}"),
        faults=list(story.faults),
    )
    telling = _Telling(story, subject, stage, world.forks)
    try:
        with stage:
            telling.play()
    except CannotTell as error:
        return replace(run, why=str(error))
    judgement = judge(telling.meant, stage.landed, telling.told)
    if judgement.ended is Ended.PERSON:
        stage.trace.say("caller", "person", "a person has to look")
    verdict, why = Verdict.FAILED if judgement.ended is Ended.WRONG else Verdict.PASSED, judgement.why
    if story.last and judgement.fault == "claimed" and _timeless(subject):
        verdict, why = Verdict.WEAK, f"{why} {_TIMELESS}"
    return replace(
        run,
        verdict=verdict,
        ended=judgement.ended,
        why=why,
        meant=len(telling.meant),
        landed=sum(stage.landed.values()),
        told=tuple(str(one.ending) for one in telling.told),
        moments=tuple(stage.trace.moments),
        seconds=time.perf_counter() - began,
    )


class CannotTell(Exception):
    """On its way a story turns out not to be this operation's; the text says why."""


@dataclass(slots=True)
class _Telling:
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
                memory = _memory(self.subject.facts)
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
        if not fork.stopped(5):
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


def _shared(facts: Facts) -> bool:
    """Whether others' records can be found by the filter that finds ours: what is filtered by need not be unique."""
    filters = {one.source for read in facts.reads for one in read.filters}
    return facts.duplicate is None or not set(facts.duplicate.fields) <= filters


def _timeless(subject: Subject) -> bool:
    """Whether a probe cannot tell an old record from a new one, and the declaration lives with it (FORMAT 4): nothing
    shows the time, and nothing says that equal writes are meant soon again."""
    shown = any(read.shown.made for read in subject.facts.reads)
    return not shown and subject.operation.keep is None and not subject.facts.repeats


def _currency(operation: Operation, arguments: Arguments) -> str | None:
    """The currency of the money that a write moves, None where it moves none."""
    if operation.money is None:
        return None
    named = operation.money.currency
    if named.isupper() and len(named) == 3:
        return named
    found = FieldPath.parse(named).get(arguments.body)
    return found if isinstance(found, str) else None


def _memory(facts: Facts) -> timedelta | None:
    return None if facts.key is None else facts.key.memory.delta


def _ending(text: str) -> Telling | Plain:
    for kind in (Telling, Plain):
        with suppress(ValueError):
            return kind(text)
    return Telling.IN_PROGRESS


def _of_run(state: str) -> Telling | Plain:
    return Telling.DONE if state == str(RunState.COMPLETED) else Telling.NOT_OBSERVED
