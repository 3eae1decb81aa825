"""Rehearses operations: every story under the declaration as it is and under less of it, and what would mend what went
wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from wizard.errors import WizardError
from wizard.operation.field_path import FieldPath
from wizard.operation.model import Operation
from wizard.rehearse.facts import facts_of
from wizard.rehearse.mending import Mending, level
from wizard.rehearse.model import Declared, Ended, Finding, OperationRehearsal, StoryRun, Verdict
from wizard.rehearse.schedule import Story
from wizard.rehearse.subject import Subject, World
from wizard.rehearse.telling import tell
from wizard.spec.model import ApiDocument, ApiOperation, Field


def subject_of(
    name: str, operation: Operation, skill: str, api: ApiOperation | None, document: ApiDocument | None, *,
    seed: int = 0,
) -> Subject:  # fmt: skip
    """An operation made ready: what is true of its recipient, and an example request. A declaration that nobody
    confirmed is taken as if it were."""
    from wizard.rehearse.bodies import example_request

    confirmed = replace(operation, status=None)
    return Subject(
        name=name,
        operation=confirmed,
        skill=skill,
        api=api,
        document=document,
        facts=facts_of(confirmed, api, document),
        arguments=example_request(confirmed, api, seed=seed),
        confirmed=operation.confirmed,
    )


def levels(operation: Operation) -> tuple[tuple[Declared, Operation], ...]:
    """The declaration as it is, and less of it: without its key, without anything. The last is as declared."""
    own = level(operation)
    bare = replace(operation, identity=(), scope=None, key=None, reference=None, probe=None, keep=None)
    less: list[tuple[Declared, Operation]] = []
    if own is not Declared.UNDECLARED:
        less.append((Declared.UNDECLARED, bare))
    if own is Declared.KEYED and level(replace(operation, key=None)) is Declared.CACHED:
        less.append((Declared.CACHED, replace(operation, key=None)))
    return (*less, (own, operation))


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a rehearsal that can be told by itself: one operation at one level."""

    subject: Subject
    declared: Declared
    operation: Operation

    @property
    def own(self) -> bool:
        """Whether it is the declaration as it is."""
        return self.declared is level(self.subject.operation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """How stories are told."""

    stories: Sequence[Story]
    behaviour: str = ""
    seed: int = 0
    repeat: int = 1
    """Each story so often, with the seeds after the first."""
    mends: bool = True
    """What went wrong is told again under other declarations, to find one that helps."""
    told: Callable[[int], None] = lambda count: None
    """Called when so many stories more were told, or could not be."""


def units(subjects: Iterable[Subject], *, compare: bool = True) -> tuple[Unit, ...]:
    """The units of a rehearsal. `compare`: also with less of each declaration, to stand beside it."""
    found = []
    for subject in subjects:
        own = ((level(subject.operation), subject.operation),)
        found += [Unit(subject, *one) for one in (levels(subject.operation) if compare else own)]
    return tuple(found)


def tell_unit(unit: Unit, world: World, telling: Telling) -> tuple[StoryRun, ...]:
    """All stories of a unit."""
    mending = Mending(unit.subject, world, telling.behaviour)
    runs: list[StoryRun] = []
    for story in telling.stories:
        for number in range(telling.repeat):
            run = tell(
                story, unit.subject, unit.operation, unit.declared, world, behaviour=telling.behaviour,
                seed=telling.seed + number, strict=unit.own,
            )  # fmt: skip
            runs.append(mended(story, run, mending) if telling.mends and unit.own else run)
            if run.verdict is Verdict.SKIPPED:
                telling.told(telling.repeat - number)
                break
            telling.told(1)
    return tuple(runs)


def gathered(subject: Subject, runs: Iterable[StoryRun]) -> OperationRehearsal:
    """What was told of one operation."""
    return OperationRehearsal(
        name=subject.name,
        request=f"{subject.operation.method} {subject.operation.url}",
        skill=subject.skill,
        declared=level(subject.operation),
        confirmed=subject.confirmed,
        document=subject.document.source if subject.document is not None else "",
        runs=tuple(runs),
        findings=tuple(findings(subject)),
        notes=subject.facts.notes,
    )


def mended(story: Story, run: StoryRun, mending: Mending) -> StoryRun:
    """The run with what would mend it; one that ended with a person is weak where something would."""
    if run.ended not in (Ended.WRONG, Ended.PERSON):
        return run
    found = mending.mend(story, run)
    if found is None:
        return run
    return replace(run, mend=found, verdict=Verdict.WEAK if run.verdict is Verdict.PASSED else run.verdict)


def findings(subject: Subject) -> Iterable[Finding]:
    """What is wrong before anything is sent: a request of this declaration that its document would refuse."""
    if subject.api is None or subject.document is None:
        return
    for field in _unnamed(subject.operation, subject.api):
        yield Finding(
            message=f"the document requires `{field.path}`, and the declaration names it nowhere",
            place=str(subject.document.place(field.required_at or field.pointer)),
            remedy="A model gives what it is told of, so each request is refused: name it under `body`, or under `key`"
            " where it takes one. Told here are requests that have it.",
        )
    for problem in _refused(subject, subject.api, subject.document):
        yield Finding(
            message=f"the document refuses a request as it is declared: {problem}",
            place=str(subject.document.place(subject.api.pointer)),
            remedy=_remedy(subject.operation, problem),
        )


def _unnamed(operation: Operation, api: ApiOperation) -> Iterator[Field]:
    """The fields that stand in each request, and that neither the model is told of nor the host fills in."""
    if not operation.body or api.body is None:
        return
    known = [*operation.body, *(path for path in operation.identity if path.place == "body")]
    known += [operation.key.path] if operation.key is not None and operation.key.place == "field" else []
    known += [operation.reference.path] if operation.reference is not None else []
    for field in api.body.fields:
        shape, path = field.shape, FieldPath.parse(field.path)
        if not field.always or shape.read_only or shape.default is not None or shape.const is not None or field.branch:
            continue
        if not any(one.required().covers(path) or path.covers(one.required()) for one in known):
            known.append(path)
            yield field


def _remedy(operation: Operation, problem: str) -> str:
    for part, name in (
        ("key", operation.key.name if operation.key is not None else ""),
        ("reference", operation.reference.name if operation.reference is not None else ""),
    ):
        if name and f"`{name}`" in problem:
            return f"The host fills in `{name}`: declare under `{part}` a place and a form that the document takes."
    return "Name under `body`, `query` and `header` what the document requires."


def _refused(subject: Subject, api: ApiOperation, document: ApiDocument) -> Iterator[str]:
    from wizard.host.forks import SECRETS
    from wizard.host.prepare import prepare
    from wizard.host.record import Call
    from wizard.spec.validate import checker

    try:
        prepared = prepare(
            subject.name, subject.operation, Call("rehearsal", "s", "t", 0), subject.arguments, SECRETS
        )  # fmt: skip
    except WizardError as error:
        yield error.message
        return
    request = prepared.request(0)
    yield from checker(document, api).request(request.method, request.url, request.headers, request.body)
