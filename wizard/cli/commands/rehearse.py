"""Rehearse declarations under every fault: prove that each write lands once, whatever is lost on the way.

  skill-wizard rehearse skills/hotel/operations/create-booking.md
  skill-wizard rehearse skills --document openapi.yaml --report rehearsal.html
  skill-wizard rehearse skills/charge.md --only 503-after-commit --seed 3
  skill-wizard rehearse skills/charge.md --recipient key-ignored
  skill-wizard rehearse skills/charge.md --against https://sandbox.example.com

A recipient is made from the API document and listens on this machine; it validates what arrives, keeps what was made,
and counts what landed. The host's own code sends to it, and is refused, cut off, answered wrongly, killed (SIGKILL),
halted and raced on the way. A story fails when a write landed more than once, when something was claimed that did not
happen, or when a write that was meant was swallowed. It is weak when it ended with a person although a declaration
would have settled it, or when it rests on something that no answer shows. The line that mends it was tried, and helped.

`--stories` lists the stories, `--recipients` the recipients that do not behave as documented.

Exit code 1: a story failed, the document refuses what a declaration makes, or a declaration could not be rehearsed (it
cannot be read, or its document does not have the operation). 2: nothing could be rehearsed as it was called. 3: no
write is declared there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.terminal import color_argument

if TYPE_CHECKING:
    from wizard.cli.commands._rehearsed import Rehearsed
    from wizard.host.prepare import Arguments
    from wizard.rehearse.model import Rehearsal, StoryRun
    from wizard.rehearse.sandbox import Sandbox
    from wizard.rehearse.schedule import Story
    from wizard.rehearse.subject import Subject, World

SUMMARY = "prove declarations under faults: what landed, what was told, what would mend it"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", metavar="SKILL", nargs="*", help="skills, or folders of them")
    add("--document", metavar="DOC", help="the API document: a path or a URL (default: the one that the skill was made from)")  # fmt: skip  # noqa: E501
    chosen = parser.add_argument_group("what is told")
    chosen.add_argument("--operation", metavar="NAME", action="append", default=[], help="only this operation; may be given several times")  # fmt: skip  # noqa: E501
    chosen.add_argument("--only", metavar="STORY", action="append", default=[], help="only this story; may be given several times")  # fmt: skip  # noqa: E501
    chosen.add_argument("--recipient", metavar="NAME", default="", help="a recipient that does not behave as documented")  # fmt: skip  # noqa: E501
    chosen.add_argument("--seed", metavar="N", type=_whole, default=0, help="of what is chosen by chance: where an answer is cut off, example values (default: 0)")  # fmt: skip  # noqa: E501
    chosen.add_argument("--repeat", metavar="N", type=_count, default=1, help="tell each story so often, with the seeds after it (default: 1)")  # fmt: skip  # noqa: E501
    chosen.add_argument("--no-compare", action="store_true", help="do not tell it with less of the declaration, too")
    chosen.add_argument("--stories", action="store_true", help="list the stories, and end")
    chosen.add_argument("--recipients", action="store_true", help="list the recipients, and end")
    where = parser.add_argument_group("where")
    where.add_argument("--store", metavar="URL", help="the host's store: sqlite:PATH, postgresql://… or memory: (default: a fresh SQLite file)")  # fmt: skip  # noqa: E501
    where.add_argument("--jobs", metavar="N", type=_count, help="processes to use (default: as many as there are cores)")  # fmt: skip  # noqa: E501
    where.add_argument("--against", metavar="URL", help="a real sandbox in place of a simulated recipient; asks first")
    where.add_argument("--credential", metavar="HEADER=VARIABLE", action="append", default=[], help="with --against: send this header with what the environment variable holds")  # fmt: skip  # noqa: E501
    where.add_argument("--yes", action="store_true", help="with --against: do not ask")
    output = parser.add_argument_group("output")
    output.add_argument("--format", metavar="FORMAT", default="text", help="text (default), json or junit")
    output.add_argument("--report", metavar="FILE", help="also write a page with a picture of each story")
    output.add_argument("-v", "--verbose", action="store_true", help="list the stories that passed, too")
    color_argument(output)  # type: ignore[arg-type]


def run(args: argparse.Namespace) -> int:
    if args.stories or args.recipients:
        return _list(args)
    from wizard.cli.commands._rehearsed import rehearsed
    from wizard.cli.commands._settings import settings
    from wizard.errors import UsageError
    from wizard.rehearse.behaviour import behaviour
    from wizard.rehearse.formatting import format_names
    from wizard.rehearse.schedule import chosen

    if not args.paths:
        raise UsageError("no skill is named", remedy="Give a skill, or a folder of them: `rehearse skills`.")
    if args.format not in format_names():
        raise UsageError(f"there is no format `{args.format}`", remedy=f"There are {', '.join(format_names())}.")
    behaviour(args.recipient)
    stories = chosen(tuple(args.only))
    if args.credential and not args.against:
        raise UsageError(
            "`--credential` is for a real recipient, and none is named", remedy="Name it with `--against URL`."
        )
    if args.report:
        _writable(args.report)
    found = rehearsed(args, settings()[1])
    if not found.subjects and not found.blocked:
        for name, why in found.passed_over.items():
            print(f"skill-wizard: {name}: {why}", file=sys.stderr)
        print("skill-wizard: no write is declared there", file=sys.stderr)
        return Exit.NO_FILES
    if args.against and found.subjects:
        if not _asked(args, found.subjects):
            return Exit.FAILED
        _answers(args.against)
    with _unwound():
        return _tell(args, stories, found)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number") from None


def _count(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def _writable(path: str) -> None:
    """Looks whether a file can be written there, before anything is rehearsed that would then be lost. Raises
    UsageError."""
    import os
    import tempfile

    from wizard.errors import UsageError

    folder = os.path.dirname(os.path.realpath(path))
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(None, "it is a folder")
        os.makedirs(folder, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise UsageError(
            f"{path}: no report can be written there: {error.strerror or error}", remedy="Name a file, as page.html."
        ) from None


@contextmanager
def _unwound() -> Iterator[None]:
    """Meanwhile what ends this process (SIGTERM, SIGHUP) lets it take away first what it has made."""
    import os
    import signal

    def leave(number: int, frame: object) -> None:
        if os.getpid() == here:
            raise SystemExit(128 + number)
        os._exit(128 + number)

    here = os.getpid()
    wanted = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    try:
        before = {one: signal.signal(one, leave) for one in wanted}
    except ValueError:
        # Not the main thread, which alone may do this.
        before = {}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _answers(url: str) -> None:
    """Looks whether anything listens at a URL. Raises UsageError."""
    import socket
    from urllib.parse import urlsplit

    from wizard.errors import UsageError

    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(
            f"`--against {url}` is no address", remedy="Write its URL, as in https://sandbox.example.com/v1."
        )
    try:
        socket.create_connection((host, port or (443 if parts.scheme == "https" else 80)), timeout=10).close()
    except OSError as error:
        raise UsageError(
            f"nothing answers at {url} ({error.strerror or error})", remedy="Check the address, and whether it runs."
        ) from None


def _list(args: argparse.Namespace) -> int:
    from textwrap import fill

    from wizard.rehearse.behaviour import behaviour, behaviour_names
    from wizard.rehearse.schedule import stories

    listed: dict[str, str] = {}
    if args.stories:
        listed |= {name: story.says for name, story in stories().items()}
    if args.recipients:
        listed |= {name: behaviour(name).says for name in behaviour_names()}
    width = max(map(len, listed)) + 2
    for name, says in listed.items():
        print(fill(says, 100, initial_indent=name.ljust(width), subsequent_indent=" " * width))
    return Exit.CLEAN


def _tell(args: argparse.Namespace, stories: Sequence[Story], of: Rehearsed) -> int:
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
    rehearsal = Rehearsal(
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
        blocked=of.blocked | {name: why for name, sandbox in sandboxes.items() if (why := sandbox.useless)},
        asked=_again(args),
    )
    _print(args, rehearsal)
    return Exit.FINDINGS if rehearsal.failed else Exit.CLEAN


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
            recipient=(lambda casting: sandboxes[casting.subject.name]) if sandboxes else Simulation(),
            forks=stack.enter_context(Forks()) if lives else None,
            # A store that was used before knows the workspaces of earlier rehearsals.
            prefix=f"rehearsal-{uuid4().hex[:12]}",
            arguments=another,
            began=(lambda: datetime.now(UTC)) if sandboxes else (lambda: BEGAN),
        )


def _sandboxes(args: argparse.Namespace, subjects: Sequence[Subject]) -> dict[str, Sandbox]:
    """The real recipient, as each operation sees it; none without `--against`."""
    import os

    from wizard.cli.commands._host import credentials
    from wizard.rehearse.sandbox import Sandbox

    if not args.against:
        return {}
    given = credentials(args.credential, os.environ)
    return {subject.name: Sandbox(args.against, subject.facts, given) for subject in subjects}


def _tellable(stories: Sequence[Story], passed_over: dict[str, str]) -> list[Story]:
    from wizard.rehearse.sandbox import can_tell

    kept = []
    for story in stories:
        if why := can_tell(story):
            passed_over[f"the story {story.name}"] = why
        else:
            kept.append(story)
    return kept


def _asked(args: argparse.Namespace, subjects: Sequence[Subject]) -> bool:
    """Whether a real recipient may be written to."""
    if args.yes:
        return True
    if not sys.stdin.isatty():
        from wizard.errors import UsageError

        raise UsageError(
            f"{args.against} is real, and nobody is there to be asked",
            remedy="Give `--yes` where things may be created there.",
        )
    names = ", ".join(subject.name for subject in subjects)
    print(f"This really sends {names} to {args.against}, several times for each story.", file=sys.stderr)
    print("What it creates there stays there. Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _print(args: argparse.Namespace, rehearsal: Rehearsal) -> None:
    from pathlib import Path

    from wizard.cli.terminal import Palette, columns
    from wizard.errors import WizardError
    from wizard.layout import Look
    from wizard.rehearse.formatting import Asked, load_format

    look = Look(Palette.of(args, sys.stdout).enabled, columns(sys.stdout))
    unwritten: WizardError | None = None
    if args.report:
        from wizard.rehearse.page import page
        from wizard.skill.files import write_text_atomic

        try:
            write_text_atomic(Path(args.report), page(rehearsal))
        except WizardError as error:
            unwritten = error
    sys.stdout.write(load_format(args.format).render(rehearsal, Asked(look, args.verbose, drawn=bool(args.report))))
    if unwritten is not None:
        raise unwritten
