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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.cli.terminal import color_argument

if TYPE_CHECKING:
    from wizard.rehearse.model import Rehearsal
    from wizard.rehearse.subject import Subject

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
    from wizard.cli.commands._rehearsing import tell
    from wizard.cli.commands._settings import settings
    from wizard.errors import UsageError
    from wizard.rehearse.behaviour import behaviour
    from wizard.rehearse.formatting import load_format
    from wizard.rehearse.schedule import chosen

    if not args.paths:
        raise UsageError("no skill is named", remedy="Give a skill, or a folder of them: `rehearse skills`.")
    load_format(args.format)
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
        rehearsal = tell(args, stories, found)
    _print(args, rehearsal)
    return Exit.FINDINGS if rehearsal.failed else Exit.CLEAN


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
