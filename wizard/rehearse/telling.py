"""Tells one story of one operation: its steps are played with the host's own code, and what came of it is judged."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

from wizard.host.faults import Clock
from wizard.operation.model import Operation
from wizard.rehearse.model import Declared, Ended, StoryRun, Verdict
from wizard.rehearse.playing import CannotTell, Playing
from wizard.rehearse.schedule import Story
from wizard.rehearse.stage import Stage, request_of
from wizard.rehearse.subject import Casting, Subject, World, lacks
from wizard.rehearse.tracing import Trace
from wizard.rehearse.verdict import judge

_TIMELESS = "No answer shows when a record was made, so an equal one that was there before counts as this one."


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
    telling = Playing(story, subject, stage, world.forks)
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


def _timeless(subject: Subject) -> bool:
    """Whether a probe cannot tell an old record from a new one, and the declaration lives with it (FORMAT 4): nothing
    shows the time that could be asked before the recipient's id is known, and nothing says that equal writes are meant
    soon again."""
    shown = any(read.shown.made and all(read.variables.values()) for read in subject.facts.reads)
    return not shown and subject.operation.keep is None and not subject.facts.repeats
