"""Writing: what would be written is worked out and shown, and written, off the screen's thread."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from wizard.errors import WizardError
from wizard.session.desk import Writing, equivalent
from wizard.session.state import Mark, Session
from wizard.tui.lines import saying
from wizard.tui.screens.choosing import Choosing, Option
from wizard.tui.screens.telling import Telling
from wizard.tui.screens.writing import Putting, WritingScreen, done_lines

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp

_FIRST_THE_SCREEN = 0.06
"""Seconds that a worker leaves to the screen's thread, which draws what a key asked for."""


class _Stopped(Exception):
    """Somebody does not want it written after all."""


def write(app: WizardApp, name: str | None = None) -> None:
    """Shows what writing would do, of one operation or of all that is decided, and writes it."""
    session = app.session
    if session is None:
        return
    if session.read_only:
        app.notify("This session only reads; nothing is written.", severity="warning")
        return
    waiting = len(session.unwritten)
    entry = session.entries.get(name) if name else None
    if entry is not None and not entry.unwritten and entry.mark is Mark.TO_DO:
        app.notify("Confirm it first (c); then it is written.", severity="warning")
        return
    if entry is not None and not entry.unwritten:
        entry = None  # it stands in its file as it is: what else waits is meant
    if not waiting and entry is None:
        app.notify("There is nothing to write: confirm an operation first.")
        return
    if entry is None or waiting == 1:
        write_these(app, None if entry is None else {entry.name})
        return
    one = entry.name
    options = [Option("one", f"Only {one}", ""), Option("all", f"All {waiting} that are decided and not written", "")]

    def chosen(found: frozenset[str] | None) -> None:
        if found:
            write_these(app, None if "all" in found else {one})

    app.push_screen(Choosing("Write", options, cursor="one"), chosen)


def write_these(app: WizardApp, names: set[str] | None) -> None:
    """The same for some operations by their names, for all that is decided without."""
    session = app.session
    assert session is not None
    screen = WritingScreen("Write these files?", app.desk.out, str(session.layout))

    def answered(yes: bool | None) -> None:
        if yes and screen.writing is not None:
            _carry_out(app, screen.writing)

    app.push_screen(screen, answered)
    work = partial(_plan, app, screen, session, names)
    app.run_worker(work, thread=True, exclusive=True, group="plan", description="plan")


def _plan(app: WizardApp, screen: WritingScreen, session: Session, names: set[str] | None) -> None:
    time.sleep(_FIRST_THE_SCREEN)
    try:
        writing = app.desk.plan(session, names)
    except (WizardError, OSError) as error:
        app.call_from_thread(screen.failed, str(error))
    else:
        app.call_from_thread(screen.planned, writing)


def _carry_out(app: WizardApp, writing: Writing) -> None:
    assert app.session is not None
    screen = Putting(writing.changes)
    # Until it is done nothing else is to be decided.
    app.push_screen(screen)
    work = partial(_put, app, screen, writing, app.session)
    app.run_worker(work, thread=True, exclusive=True, group="put", description="put")


def _put(app: WizardApp, screen: Putting, writing: Writing, session: Session) -> None:
    worker = get_current_worker()

    def laid(count: int) -> None:
        if screen.stopped or worker.is_cancelled:
            raise _Stopped
        screen.count = count

    command, problem = "", ""
    try:
        with app.drafts_lock:
            app.desk.put(writing, laid)
        command = _command(app, app.desk.after(session, writing), writing)
    except _Stopped:
        problem = "You stopped it. All files are as they were."
    except (WizardError, OSError) as error:
        problem = str(error)
    # Whoever leaves the app meanwhile is told nothing.
    with suppress(RuntimeError):
        app.call_from_thread(_done, app, screen, writing, command, problem)


def _command(app: WizardApp, session: Session, writing: Writing) -> str:
    """How the same is done without a screen; empty where the decisions that it needs cannot be kept."""
    names = (*writing.names, *writing.passed)
    edited = any(session[name].edited for name in writing.names)
    try:
        return equivalent(session, names, app.desk.out, app.desk.decisions_file(session, names) if edited else None)
    except WizardError:
        return ""


def _done(app: WizardApp, screen: Putting, writing: Writing, command: str, problem: str) -> None:
    screen.dismiss(None)
    if problem:
        app.push_screen(Telling("Nothing was written", saying(problem, "bad")))
        return
    assert app.session is not None
    app.session = app.desk.after(app.session, writing)
    app.drafts_wanted = True
    app.session_changed()
    count = len(writing.names)
    title = f"Written: {count} skill{'s' * (count != 1)}" if count else "Written: the lock"
    app.push_screen(Telling(title, done_lines(writing, app.desk.out, command)))
