"""Goes through the writes of an API document on a screen, and writes skills for what you confirm.

Each write has a proposal: what tells two of them apart, where the recipient takes an idempotency key, how to ask
whether it happened, with the evidence. Look at it, correct it, confirm it; what could go wrong is said before. Nothing
is written before you say so, and what is not written is kept as a draft.

  skill-wizard author openapi.yaml
  skill-wizard author openapi.yaml --out skills --read-only

Without a screen, the same decisions by name (an operationId or "POST /bookings"), or from a file of decisions as the
screen keeps it:

  skill-wizard author openapi.yaml --out skills --confirm createBooking --skip sendMessage
  skill-wizard author openapi.yaml --out skills --confirm-high
  skill-wizard author openapi.yaml --out skills --decisions decisions.json

DOCUMENT is a path, a URL, or - for standard input (without a screen only).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.cli.exits import Exit
from wizard.errors import UsageError

if TYPE_CHECKING:
    from wizard.session.desk import Desk
    from wizard.session.state import Session
    from wizard.spec.model import ApiDocument

SUMMARY = "go through an API's writes on a screen, and write skills for what you confirm"
STATE = "SKILL_WIZARD_STATE"
"""The environment variable that names the folder for drafts."""

_DECISIONS = ("confirm", "skip", "no_write", "is_write")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("document", metavar="DOCUMENT", help="the API document: a path, a URL, or - for standard input")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("skills"), help="the folder to write into (default: skills)"
    )
    parser.add_argument("--layout", choices=("folder", "single", "specs"), help="how to lay the skills out")
    parser.add_argument("--server", metavar="URL", default="", help="the address that the paths begin with")
    parser.add_argument("--read-only", action="store_true", help="look at everything, and change nothing")
    parser.add_argument(
        "--allow-remote-refs", action="store_true", help="follow $refs to other hosts, and to files outside the folder"
    )
    plain = parser.add_argument_group("without a screen")
    for option, says in (
        ("--confirm", "confirm this operation as proposed; may be given several times"),
        ("--skip", "no skill for this operation"),
        ("--no-write", "this operation changes nothing"),
        ("--is-write", "this operation changes something; confirm it, too"),
    ):
        plain.add_argument(option, metavar="NAME", action="append", default=[], help=says)
    plain.add_argument("--confirm-high", action="store_true", help="confirm all that is proposed with high confidence")
    plain.add_argument("--decisions", metavar="FILE", type=Path, help="decisions as the screen keeps them")


def run(args: argparse.Namespace) -> int:
    from wizard.emit.model import Layout
    from wizard.infer.declaration import given_server
    from wizard.session.desk import Desk
    from wizard.session.steps import begin
    from wizard.spec.reader import read_document

    allowed = bool(args.allow_remote_refs)
    headless = args.confirm_high or args.decisions is not None or any(getattr(args, name) for name in _DECISIONS)
    if headless and args.read_only:
        raise UsageError("`--read-only` and decisions exclude each other")

    server = given_server(args.server)

    def read() -> ApiDocument:
        return read_document(args.document, allow_remote=allowed, allow_outside=allowed)

    def begun(document: ApiDocument) -> Session:
        layout = Layout(args.layout) if args.layout else Layout.FOLDER
        return begin(document, layout=layout, server=server, read_only=args.read_only)

    desk = Desk(out=args.out, state=state_folder())
    if headless:
        return without_screen(args, begun(read()), Desk(out=args.out))
    if args.document == "-":
        raise UsageError("a screen needs the keyboard, so the document cannot come from there", remedy="Give its path")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "`author` needs a terminal",
            remedy="Use it with `--confirm`, `--confirm-high` or `--decisions`, or `skill-wizard propose` to look",
        )
    return on_screen(args.document, read, begun, desk)


def on_screen(
    source: str, read: Callable[[], ApiDocument], begun: Callable[[ApiDocument], Session], desk: Desk
) -> int:  # fmt: skip
    from wizard.tui.app import WizardApp

    code = WizardApp(source, read, begun, desk).run()
    return Exit.CLEAN if code is None else int(code)


def state_folder() -> Path:
    """Where drafts are kept: $SKILL_WIZARD_STATE, else the user's own state folder."""
    given = os.environ.get(STATE)
    if given:
        return Path(given)
    from platformdirs import user_state_path

    return user_state_path("skill-wizard", appauthor=False)


def without_screen(args: argparse.Namespace, session: Session, desk: Desk) -> int:
    """Takes the decisions that the call names, and writes."""
    from wizard.infer.propose import propose_operation
    from wizard.infer.select import select
    from wizard.session import steps
    from wizard.session.drafts import read_drafts
    from wizard.skill.files import read_text

    opened = desk.open(session)
    session = opened.session
    for note in opened.notes:
        print(f"skill-wizard: note: {note}", file=sys.stderr)
    shared: dict[str, object] = {}
    proposals = [propose_operation(session.document, one, shared) for one in session.document.operations]
    session = steps.with_proposals(session, *proposals)
    layout = session.layout
    if args.decisions is not None:
        decided = read_drafts(read_text(args.decisions).text, session, str(args.decisions))
        session = steps.resume(session, None, {}, decided)
        session = steps.set_layout(session, layout)
    if args.confirm_high:
        session = steps.confirm_high(session)
    for member, step in (("skip", steps.skip), ("no_write", steps.not_a_write), ("is_write", steps.is_a_write)):
        for one in select(session.document, getattr(args, member)) if getattr(args, member) else ():
            session = step(session, one.name)
    for one in select(session.document, [*args.confirm, *args.is_write]) if args.confirm or args.is_write else ():
        session = steps.confirm(session, one.name)
    writing = desk.plan(session)
    for said in (*writing.plan.warnings, *writing.plan.notes):
        print(f"skill-wizard: note: {said}", file=sys.stderr)
    desk.write(session, writing)
    for change in writing.plan.changes:
        if change.what != "unchanged":
            print(f"{change.what:6}  {(args.out / change.path).as_posix()}")
    return Exit.CLEAN
