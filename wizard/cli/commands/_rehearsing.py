"""Tells the stories of a rehearsal on a store, on processes, and on a recipient that is made up or real."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wizard.cli.commands._rehearsed import Rehearsed
    from wizard.host.prepare import Arguments
    from wizard.rehearse.model import Rehearsal, StoryRun
    from wizard.rehearse.sandbox import Sandbox
    from wizard.rehearse.schedule import Story
    from wizard.rehearse.subject import Subject, World


def tell(args: argparse.Namespace, stories: Sequence[Story], of: Rehearsed) -> Rehearsal:
    """Tells the stories of what was read, as the call wants them."""
    import time

    from wizard.cli.terminal import Progress
    from wizard.rehearse.behaviour import behaviour
    from wizard.rehearse.model import Rehearsal
    from wizard.rehearse.rehearsing import Telling, gathered, tell_unit, units
    from wizard.rehearse.workers import Steps, cores, spread

    subjects = of.subjects
    name = "" if behaviour(args.recipient).name == "as-documented" else args.recipient
    began, real = time.perf_counter(), bool(args.against)
    told = _tellable(stories, of.passed_over) if real else stories
    work = units(subjects, compare=not args.no_compare and not real)
    line = Progress("stories told:", len(work) * len(told) * args.repeat)
    steps = Steps(line.step)
    telling = Telling(
        stories=told, behaviour=name, seed=args.seed, repeat=args.repeat, mends=not real,
        told=steps.made,
    )  # fmt: skip
    sandboxes = _sandboxes(args, subjects)
    runs: dict[int, tuple[StoryRun, ...]] = {}
    with _stores(args) as store:
        found = spread(
            work,
            lambda: _world(store(), sandboxes),
            lambda unit, world: tell_unit(unit, world, telling),
            jobs=1 if real or (args.store or "").startswith("memory:") else args.jobs or cores(),
            steps=steps,
        )
        with closing(line), closing(found):
            for place, result in found:
                runs[place] = result
    return Rehearsal(
        operations=tuple(
            gathered(
                subject, (run for place, unit in enumerate(work) if unit.subject is subject for run in runs[place])
            )
            for subject in subjects
        ),
        recipient=args.against or name or "as documented",
        store=(args.store or "sqlite:").partition(":")[0],
        seed=args.seed,
        repeat=args.repeat,
        seconds=time.perf_counter() - began,
        created=tuple(dict.fromkeys(one for sandbox in sandboxes.values() for one in sandbox.created)),
        passed_over=of.passed_over,
        blocked=of.blocked | _useless(subjects, sandboxes),
        asked=_again(args),
    )


def _again(args: argparse.Namespace) -> str:
    """What of the call decides how a story ends: whoever wants one again needs it, too."""
    from shlex import quote

    named = (("--document", args.document), ("--store", args.store), ("--against", args.against))
    given = [(option, value) for option, value in named if value]
    given += [("--credential", value) for value in args.credential]
    return " ".join(f"{option} {quote(value)}" for option, value in given)


@contextmanager
def _stores(args: argparse.Namespace) -> Iterator[Callable[[], str]]:
    """Gives the URL of the store that is named, else of a fresh SQLite file each time; what was fresh is taken away."""
    import os
    import shutil
    import tempfile
    import time

    if args.store:
        yield lambda: args.store
        return
    # Memory that looks like a disk: what is tried is the loss of processes, not of power.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix=f"rehearsal-{os.getpid()}-", dir=memory)
    try:
        yield lambda: f"sqlite:{folder}/{os.getpid()}.db"
    finally:
        end = time.monotonic() + 5
        # After an interrupt a process may still be at its last write.
        while os.path.isdir(folder) and time.monotonic() < end:
            shutil.rmtree(folder, ignore_errors=True)
            time.sleep(0.02)
            if os.path.isdir(folder):
                time.sleep(0.2)


@contextmanager
def _world(url: str, sandboxes: Mapping[str, Sandbox]) -> Iterator[World]:
    """The store and processes that can be lost."""
    import os
    from datetime import UTC, datetime
    from random import randrange
    from uuid import uuid4

    from wizard.host.forks import Forks
    from wizard.host.store import open_store
    from wizard.rehearse.casting import Simulation
    from wizard.rehearse.sandbox import distinct
    from wizard.rehearse.subject import BEGAN, World

    first = randrange(1, 100)

    def another(subject: Subject, number: int) -> Arguments:
        return distinct(subject, first + number) if sandboxes else subject.arguments

    with ExitStack() as stack:
        store = open_store(url)
        stack.callback(store.close)
        lives = hasattr(os, "fork") and not url.startswith("memory:")
        yield World(
            store=store,
            store_url=url,
            recipient=(lambda casting: sandboxes[casting.subject.skill]) if sandboxes else Simulation(),
            forks=stack.enter_context(Forks()) if lives else None,
            # A store that was used before knows the workspaces of earlier rehearsals.
            prefix=f"rehearsal-{uuid4().hex[:12]}",
            arguments=another,
            began=(lambda: datetime.now(UTC)) if sandboxes else (lambda: BEGAN),
        )


def _sandboxes(args: argparse.Namespace, subjects: Sequence[Subject]) -> dict[str, Sandbox]:
    """The real recipient, as the declaration of each file sees it; none without `--against`."""
    import os

    from wizard.cli.commands._host import credentials
    from wizard.rehearse.sandbox import Sandbox

    if not args.against:
        return {}
    given = credentials(args.credential, os.environ)
    return {subject.skill: Sandbox(args.against, subject.facts, given) for subject in subjects}


def _useless(subjects: Sequence[Subject], sandboxes: Mapping[str, Sandbox]) -> dict[str, str]:
    """The operations of which nothing was proven, with the reason; with their file where two have one name."""
    names = [subject.name for subject in subjects]
    found = {}
    for subject in subjects:
        sandbox = sandboxes.get(subject.skill)
        if sandbox is not None and sandbox.useless:
            twice = names.count(subject.name) > 1
            found[f"{subject.name} ({subject.skill})" if twice else subject.name] = sandbox.useless
    return found


def _tellable(stories: Sequence[Story], passed_over: dict[str, str]) -> list[Story]:
    from wizard.rehearse.sandbox import can_tell

    kept = []
    for story in stories:
        if why := can_tell(story):
            passed_over[f"the story {story.name}"] = why
        else:
            kept.append(story)
    return kept
