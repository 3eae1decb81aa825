"""The app: it holds the session, lets workers do what is slow, and asks before anything is lost."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import Any, ClassVar, TypeVar

from textual import events, on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, Label, TextArea
from textual.worker import get_current_worker

from wizard.errors import WizardError
from wizard.infer.propose import propose_operation
from wizard.session import steps
from wizard.session.advice import could_go_wrong
from wizard.session.desk import Desk, Writing, equivalent, reread
from wizard.session.state import Entry, Mark, Session, visible
from wizard.spec.model import ApiDocument
from wizard.tui.helping import help_lines
from wizard.tui.lines import Line, Maker, wrapped
from wizard.tui.look import THEMES
from wizard.tui.messages import DocumentFailed, DocumentRead, PreviewMade, ProposalsArrived
from wizard.tui.screens.choosing import Choosing, Option
from wizard.tui.screens.operation import OperationScreen
from wizard.tui.screens.operations import OperationsScreen
from wizard.tui.screens.telling import Telling
from wizard.tui.screens.writing import WritingScreen, done_lines

_BATCH = 0.25
"""Seconds between two batches of proposals."""

_FIRST_THE_SCREEN = 0.06
"""Seconds that a worker leaves to the screen's thread, which draws what a key asked for."""

_SELDOM = 1000
"""Young generations of objects before all that is kept is looked through for garbage."""
_IDLE = 20.0
"""Seconds without a key after which that is done."""

_LARGE = 300
"""Operations from which a document counts as large."""

Begin = Callable[[ApiDocument], Session]
Found = TypeVar("Found")


class WizardApp(App[int]):
    """An author goes through an API."""

    TITLE = "skill-wizard"
    ENABLE_COMMAND_PALETTE = True
    # Read at the start, so that the first operation opens at once.
    CSS_PATH: ClassVar[list[str | PurePath]] = [
        "screens/operations.tcss",
        "screens/operation.tcss",
        "screens/dialog.tcss",
    ]
    CSS = "Toast { max-width: 60; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo", tooltip="take the last step back"),
        Binding("U", "redo", "Redo", show=False, tooltip="take it up again"),
        Binding("question_mark", "help", "Help", key_display="?", tooltip="what is on the screen, and every key"),
        Binding("q", "leave", "Quit", tooltip="leave; what is not written is asked about"),
        Binding("ctrl+q", "leave", "Quit", show=False, priority=True, tooltip="leave"),
        Binding("ctrl+c", "leave", "Quit", show=False, tooltip="leave"),
        Binding("ctrl+t", "next_theme", "Theme", show=False, tooltip="dark, light, high contrast"),
        Binding(
            "f5", "read_again", "Read the document again", show=False, tooltip="read the document again; decisions stay"
        ),
        Binding("W", "write_all", "Write all", show=False, tooltip="write all that was decided"),
    ]

    def __init__(self, source: str, read: Callable[[], ApiDocument], begin: Begin, desk: Desk) -> None:
        super().__init__()
        self.source, self.read, self.begin, self.desk = source, read, begin, desk
        self.session: Session | None = None
        self.failed: DocumentFailed | None = None
        self.drafts_wanted = False
        self.used = 0.0
        """When a key was pressed last, by the clock; 0 where nothing was done since the last look for garbage."""
        self.drafts_lock = threading.Lock()
        self.operation_screen = OperationScreen()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(THEMES[0].variables)

    def compose(self) -> ComposeResult:
        """What is never seen: with it the looks of what dialogs are made of are read at the start, and not at a key."""
        yield Input()
        yield TextArea()
        yield Label()

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "dark"
        # Once the colours are there: what was made with others is made again.
        self.call_later(self._stand_up)

    async def _stand_up(self) -> None:
        # It stays once it was there: made and laid out now, it opens at once. So does the first dialog.
        self.install_screen(self.operation_screen, "operation")
        with self.batch_update():
            for screen in (self.operation_screen, Telling("", _told(""))):
                await self.push_screen(screen)
                self.pop_screen()
        self.push_screen(OperationsScreen())
        self.set_interval(0.3, self._keep_drafts)
        self.set_interval(_IDLE, self._collect)
        self.read_document(None)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.InputEvent):
            self.used = time.monotonic()
        await super().on_event(event)

    def _collect(self) -> None:
        """Looks through what is kept, once after somebody was here and went quiet."""
        if gc.get_threshold()[2] == _SELDOM and self.used and time.monotonic() - self.used > _IDLE:
            self.used = 0.0
            gc.collect()

    # Reading

    def waiting_lines(self, width: int) -> list[Line]:
        """What stands where the list will be."""
        if self.failed is None:
            return [Line(), Line.of(f" Reading {self.source} …", "muted")]
        lines = [Line(), Line.of(" The document cannot be read.", "bad")]
        for text in (self.failed.place, self.failed.message, self.failed.remedy):
            lines += [Line.of(f" {part}") for part in wrapped(text, max(width - 2, 10))] if text else []
        return [*lines, Line(), Line.of(" Enter reads it again once it is mended; q leaves.", "muted")]

    @work(thread=True, exclusive=True, group="document", description="document")
    def read_document(self, session: Session | None) -> None:
        """Reads the document, takes up what was decided before, and then proposes operation by operation."""
        worker = get_current_worker()
        try:
            document = _without_collector(self.read)
            if len(document.operations) > _LARGE:
                # It stays for as long as the app. All of what is kept is looked through when nobody presses a key.
                gc.freeze()
                gc.set_threshold(*gc.get_threshold()[:2], _SELDOM)
            if session is None:
                opened = self.desk.open(self.begin(document))
            else:
                opened = reread(self.desk, session, document)
        except (WizardError, OSError) as error:
            found = error if isinstance(error, WizardError) else WizardError(error.strerror or str(error))
            self.post_message(DocumentFailed(found.message, found.place, found.remedy))
            return
        self.post_message(DocumentRead(opened))
        # The screen's thread gets its turn sooner, so that a key press does not wait for a long proposal.
        sys.setswitchinterval(0.001)
        shared: dict[str, Any] = {}
        batch: list[steps.Arrived] = []
        warm: steps.Arrived | None = None
        sent = time.monotonic()
        # Writes first: they are what the author waits for.
        order = sorted(document.operations, key=lambda one: one.method in ("GET", "HEAD", "OPTIONS"))
        for operation in order:
            if worker.is_cancelled:
                return
            proposal = propose_operation(document, operation, shared)
            batch.append(steps.arrived(opened.session, proposal))
            warm = warm or (batch[-1] if proposal.write and batch[-1].proposed is not None else None)
            now = time.monotonic()
            if now - sent > _BATCH:
                self.post_message(ProposalsArrived(tuple(batch)))
                batch, sent = [], now
        self.post_message(ProposalsArrived(tuple(batch)))
        if len(order) > _LARGE:
            gc.freeze()
        if warm is not None:
            # What a preview is made with is read now, and not when the first operation is opened.
            self.desk.preview(steps.with_arrived(opened.session, [warm]), warm.proposal.operation.name)

    @on(DocumentRead)
    def _read(self, event: DocumentRead) -> None:
        self.failed = None
        self.session = event.opened.session
        for note in event.opened.notes[:3]:
            self.notify(note, severity="warning", markup=False, timeout=10)
        if len(event.opened.notes) > 3:
            self.notify(f"and {len(event.opened.notes) - 3} more of the kind", severity="warning")
        if event.opened.restored:
            count = event.opened.restored
            self.notify(f"{count} decision{'s' * (count > 1)} of last time taken up that no skill holds yet.")
        problems = len(self.session.document.problems)
        if problems:
            said = (
                "place of the document could not be read and is"
                if problems == 1
                else ("places of the document could not be read and are")
            )
            self.notify(f"{problems} {said} passed over.", severity="warning")
        self.session_changed()

    @on(DocumentFailed)
    def _failed(self, event: DocumentFailed) -> None:
        if self.session is not None:
            self.notify(f"{event.place} {event.message}. What was read before stays.", severity="error", markup=False)
            return
        self.failed = event
        self.session_changed()

    @on(ProposalsArrived)
    def _arrived(self, event: ProposalsArrived) -> None:
        if self.session is None:
            return
        names = self.session.entries
        found = [one for one in event.found if names.get(one.proposal.operation.name) is not None]
        self.session = steps.with_arrived(self.session, found)
        screen = self.screen
        if isinstance(screen, OperationScreen):
            if any(one.proposal.operation.name == screen.operation for one in found):
                screen.session_changed()
        else:
            self.session_changed()

    def action_read_again(self) -> None:
        if self.failed is not None:
            self.failed = None
            self.session_changed()
        self.notify("Reading the document again; what you decided stays.")
        self.read_document(self.session)

    # The session

    def change(self, step: Callable[..., Session], *args: Any, **more: Any) -> bool:
        """Takes a step; what stands against it is said where it happens. Whether it was taken."""
        if self.session is None:
            return False
        try:
            changed = step(self.session, *args, **more)
        except WizardError as error:
            self.notify(str(error), severity="error", markup=False)
            return False
        if changed is self.session:
            return False
        self.session = changed
        self.drafts_wanted = True
        self.session_changed()
        return True

    def session_changed(self) -> None:
        """Every screen that shows the session shows it as it is now."""
        for screen in self.screen_stack:
            if isinstance(screen, OperationsScreen | OperationScreen) and screen.is_mounted:
                if isinstance(screen, OperationsScreen) and self.screen_stack[-1] is self.operation_screen:
                    continue
                screen.session_changed()

    def _keep_drafts(self) -> None:
        if self.drafts_wanted and self.session is not None:
            self._keep_drafts_aside()

    @work(thread=True, group="drafts", description="drafts")
    def _keep_drafts_aside(self) -> None:
        """Off the screen's thread: a disk may take its time."""
        try:
            self._keep_drafts_now()
        except WizardError as error:
            self.call_from_thread(self.notify, str(error), severity="error", markup=False)

    def _keep_drafts_now(self) -> None:
        """One after the other, and each with the session of its moment: the last one kept is the newest. Raises
        WizardError."""
        with self.drafts_lock:
            if self.drafts_wanted and self.session is not None:
                self.drafts_wanted = False
                self.desk.save_drafts(self.session)

    def _keep_drafts_last(self) -> None:
        try:
            self._keep_drafts_now()
        except WizardError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_undo(self) -> None:
        self._moved_in_time("undo")

    def action_redo(self) -> None:
        self._moved_in_time("redo")

    def _moved_in_time(self, way: str) -> None:
        if self.session is None:
            return
        did = self.session.can_undo if way == "undo" else self.session.can_redo
        if not did:
            self.notify(f"There is nothing to {way}.")
        elif self.change(steps.undo if way == "undo" else steps.redo):
            self.notify(f"{'Taken back' if way == 'undo' else 'Done again'}: {did}", markup=False, timeout=2)

    # Going about

    def open_operation(self, name: str) -> None:
        if self.screen is not self.operation_screen:
            self.push_screen("operation")
        self.operation_screen.remove_class("-preview")
        self.operation_screen.show_operation(name)

    def close_operation(self) -> None:
        name = self.operation_screen.operation
        self.pop_screen()
        screen = self.screen
        if isinstance(screen, OperationsScreen):
            screen.session_changed()
            screen.list.move_to(name)
            screen.list.reveal()

    def refocus(self, key: str) -> None:
        """Puts the cursor of the operation's sheet on a line."""
        self.operation_screen.sheet.move_to(key)

    def next_to_do(self, name: str, *, back: bool = False) -> str | None:
        """The next operation that is not decided, behind (or before) the named one; None where there is none."""
        if self.session is None:
            return None
        shown = [entry for _, entries in visible(self.session) for entry in entries]
        names = [entry.name for entry in shown]
        at = names.index(name) if name in names else -1
        order = [*shown[at + 1 :], *shown[: max(at, 0)]]
        if back:
            order.reverse()
        return next((entry.name for entry in order if entry.mark in (Mark.TO_DO, Mark.DRIFTED)), None)

    # Confirming

    def confirm(self, name: str) -> None:
        """Confirms one operation after a look at what could go wrong."""
        if self.session is None:
            return
        entry = self.session[name]
        if entry.declaration is None or entry.proposal is None:
            self.notify(entry.problem or "The proposal is not there yet.", severity="warning", markup=False)
            return
        if self.session.read_only:
            self.notify("This session only reads.", severity="warning")
            return

        def answered(answer: str | None) -> None:
            if not answer:
                return
            if self.change(steps.confirm, name):
                self.notify(f"Confirmed: {name}. w writes it.", markup=False, timeout=3)
            if answer == "next":
                found = self.next_to_do(name)
                if found is not None:
                    self.open_operation(found)

        keys = (("enter,c", "confirm", "Confirm"), ("n", "next", "Confirm, and the next"))
        self.push_screen(Telling(f"Confirm {name}?", confirm_lines(entry), keys), answered)

    def confirm_high(self) -> None:
        """Confirms all of high confidence, after a look at the list."""
        if self.session is None:
            return
        if self.session.pending:
            self.notify(f"{len(self.session.pending)} operations are still being looked at.", severity="warning")
        found = steps.confirmable(self.session)
        if not found:
            self.notify("There is nothing that is proposed with high confidence and not decided.")
            return
        options = [Option(entry.name, entry.name, _in_short(entry), chosen=True) for entry in found]

        def chosen(names: frozenset[str] | None) -> None:
            if names:
                self.change(steps.confirm_high, names)
                self.notify(f"Confirmed {len(names)}. u takes all of it back; w writes them.")

        hint = "Look them over; space takes one out. Enter confirms what is left, in one step that u takes back."
        self.push_screen(
            Choosing(f"Confirm {len(found)} of high confidence?", options, several=True, hint=hint), chosen
        )

    def tell_later(self, title: str, look_up: Callable[[], Maker]) -> None:
        """Shows what has to be looked up first, off the screen's thread."""
        screen = Telling(title, _told("Looking it up …", "muted"), tall=True)
        self.push_screen(screen)
        self._look_up(screen, look_up)

    @work(thread=True, exclusive=True, group="look up", description="look up")
    def _look_up(self, screen: Telling, look_up: Callable[[], Maker]) -> None:
        worker = get_current_worker()
        # To find the first place of a large document is work for half a second.
        time.sleep(2 * _FIRST_THE_SCREEN)
        maker = _without_collector(look_up)
        if not worker.is_cancelled:
            self.call_from_thread(screen.tell, maker)

    # Previews

    @work(thread=True, exclusive=True, group="preview", description="preview")
    def make_preview(self, name: str, asked: int) -> None:
        """Works out what would be written, off the screen's thread."""
        worker = get_current_worker()
        time.sleep(_FIRST_THE_SCREEN)
        session = self.session
        if worker.is_cancelled or session is None:
            return
        made = self.desk.preview(session, name)
        if not worker.is_cancelled:
            self.post_message(PreviewMade(name, asked, made))

    @on(PreviewMade)
    def _preview_made(self, event: PreviewMade) -> None:
        self.operation_screen.preview_made(event.name, event.asked, event.preview)

    # Writing

    def action_write_all(self) -> None:
        self.write()

    def write(self, name: str | None = None) -> None:
        """Shows what writing would do, of one operation or of all that is decided, and writes it."""
        session = self.session
        if session is None:
            return
        if session.read_only:
            self.notify("This session only reads; nothing is written.", severity="warning")
            return
        waiting = len(session.unwritten)
        entry = session.entries.get(name) if name else None
        if entry is not None and not entry.unwritten and entry.mark is Mark.TO_DO:
            self.notify("Confirm it first (c); then it is written.", severity="warning")
            return
        if entry is not None and not entry.unwritten:
            entry = None  # it stands in its file as it is: what else waits is meant
        if not waiting and entry is None:
            self.notify("There is nothing to write: confirm an operation first.")
            return
        if entry is not None and waiting > 1:
            options = [
                Option("one", f"Only {entry.name}", ""),
                Option("all", f"All {waiting} that are decided and not written", ""),
            ]

            def chosen(found: frozenset[str] | None) -> None:
                if found:
                    self._write(None if "all" in found else {entry.name})

            self.push_screen(Choosing("Write", options, cursor="one"), chosen)
        else:
            self._write(None if entry is None else {entry.name})

    def _write(self, names: set[str] | None) -> None:
        session = self.session
        assert session is not None
        screen = WritingScreen("Write these files?", self.desk.out, str(session.layout))

        def answered(yes: bool | None) -> None:
            if yes and screen.writing is not None:
                self._carry_out(screen.writing)

        self.push_screen(screen, answered)
        self._plan(screen, session, names)

    # Without a description the arguments would be printed for one: all of the session.
    @work(thread=True, exclusive=True, group="plan", description="plan")
    def _plan(self, screen: WritingScreen, session: Session, names: set[str] | None) -> None:
        time.sleep(_FIRST_THE_SCREEN)
        try:
            writing = self.desk.plan(session, names)
        except (WizardError, OSError) as error:
            self.call_from_thread(screen.failed, str(error))
        else:
            self.call_from_thread(screen.planned, writing)

    def _carry_out(self, writing: Writing) -> None:
        assert self.session is not None
        try:
            with self.drafts_lock:
                self.session = self.desk.write(self.session, writing)
        except (WizardError, OSError) as error:
            said = str(error)
            self.push_screen(Telling("Nothing was written", _told(said, "bad")))
            return
        self.session_changed()
        names = (*writing.names, *writing.passed)
        edited = any(self.session[name].edited for name in writing.names)
        command = equivalent(
            self.session, names, self.desk.out, self.desk.decisions_file(self.session, names) if edited else None
        )
        count = len(writing.names)
        title = f"Written: {count} skill{'s' * (count != 1)}" if count else "Written: the lock"
        self.push_screen(Telling(title, done_lines(writing, self.desk.out, command)))

    def use_folder(self, out: Path) -> None:
        """Another folder to write into; what stands there is taken up."""
        if self.session is None:
            return
        self._keep_drafts_last()
        self.desk = Desk(out=out, state=self.desk.state)
        self.notify(f"Writing into {out}.", markup=False)
        self.read_document(self.session)

    # Leaving, help, looks

    def action_leave(self) -> None:
        if isinstance(self.screen, Telling) and self.screen.id == "leaving":
            return
        self._keep_drafts_last()
        waiting = self.session.unwritten if self.session is not None else ()
        if not waiting or (self.session is not None and self.session.read_only):
            self.exit(0)
            return

        def answered(answer: str | None) -> None:
            if answer == "leave":
                self.exit(0)
            elif answer == "write":
                self._write(None)

        count = len(waiting)
        said = f"{count} decision{'s are' if count > 1 else ' is'} not written to {self.desk.out}."
        kept = (
            "They are kept as drafts, and are here when you come back."
            if self.desk.state
            else "They are lost when you leave."
        )
        names = [f"  {entry.name}" for entry in waiting[:8]] + (["  …"] if count > 8 else [])
        keys = (("w", "write", "Write them"), ("l", "leave", "Leave"))
        screen = Telling("Leave without writing?", _told("\n".join([said, *names, kept])), keys)
        screen.id = "leaving"
        self.push_screen(screen, answered)

    def action_help(self) -> None:
        if not any(isinstance(screen, Telling) for screen in self.screen_stack):
            self.push_screen(Telling("Help", help_lines(self.screen), tall=True))

    def action_next_theme(self) -> None:
        names = [theme.name for theme in THEMES]
        at = names.index(self.theme) + 1 if self.theme in names else 0
        self.theme = names[at % len(names)]
        self.notify(f"Theme: {self.theme}", timeout=2)
        self.call_after_refresh(self.session_changed)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action that has a key here, and the themes."""
        seen = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.description and binding.action not in seen and binding.action != "app.command_palette":
                seen.add(binding.action)
                about = f"{binding.tooltip or ''} ({self.get_key_display(binding)})".strip()
                yield SystemCommand(binding.description, about, self._doing(active.node, binding.action))
        for theme in THEMES:
            yield SystemCommand(
                f"Theme: {theme.name}", "change the colours", lambda name=theme.name: setattr(self, "theme", name)
            )

    def _doing(self, node: Any, action: str) -> Callable[[], Any]:
        async def do() -> None:
            await self.run_action(action, node)

        return do


def confirm_lines(entry: Entry) -> Maker:
    """What is confirmed, and what it cannot prevent."""

    def lines(width: int) -> list[Line]:
        operation, proposal = entry.declaration, entry.proposal
        assert operation is not None
        assert proposal is not None
        found = []
        if not entry.edited:
            found += [Line.of(part) for part in wrapped(proposal.identity.why or proposal.why, width)] + [Line()]
        names = ", ".join(str(path) for path in operation.identity)
        none = "none: by all arguments of a session" if operation.scope == "arguments" else "none: by the call"
        probe = operation.probe
        if entry.harmless:
            said = "It only replaces: sent twice it leaves what one leaves. Nothing is recorded of it."
            return [*found, *(Line.of(part) for part in wrapped(said, width))]
        facts = [
            ("identity", names or none),
            ("key", f"{operation.key.place} {operation.key.name}" if operation.key else "none"),
            ("probe", f"GET {probe.url}" if probe else "none"),
            ("keep", str(operation.kept_for)),
        ]
        for name, value in facts:
            for index, part in enumerate(wrapped(value, max(width - 10, 10))):
                found.append(Line(((f"{name if not index else '':10}", "muted"), (part, "strong"))))
        wrong = could_go_wrong(entry)
        found += [Line(), Line.of("What could go wrong", "heading")]
        if not wrong:
            found.append(Line.of("Nothing that we can see.", "muted"))
        for one in wrong:
            for index, part in enumerate(wrapped(one, max(width - 2, 10))):
                found.append(Line((("! " if not index else "  ", "warn"), (part, ""))))
        return found

    return lines


def _without_collector(work: Callable[[], Found]) -> Found:
    """Does a piece of work that makes many objects while nothing is looked through for garbage: that holds up every
    thread, and would be felt at each key."""
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


def _in_short(entry: Entry) -> str:
    operation = entry.declaration
    if operation is None:
        return ""
    names = ", ".join(str(path) for path in operation.identity) or "no field"
    return f"{entry.level}: {names}"


def _told(text: str, look: str = "") -> Maker:
    return lambda width: [Line.of(part, look) for part in wrapped(text, width)]
