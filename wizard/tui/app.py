"""The app: it holds the session, lets workers do what is slow, and asks before anything is lost."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path, PurePath
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Input, Label, TextArea
from textual.worker import get_current_worker

from wizard.errors import WizardError
from wizard.session import steps
from wizard.session.desk import Desk
from wizard.session.state import Mark, Session, visible
from wizard.spec.model import ApiDocument
from wizard.tui import confirming, putting, reading
from wizard.tui.helping import help_lines
from wizard.tui.lines import Line, Maker, saying
from wizard.tui.look import THEMES
from wizard.tui.messages import DocumentFailed, DocumentRead, PreviewMade, ProposalsArrived
from wizard.tui.screens.operation import OperationScreen
from wizard.tui.screens.operations import OperationsScreen
from wizard.tui.screens.telling import Telling
from wizard.tui.screens.writing import Putting

_FIRST_THE_SCREEN = 0.06
"""Seconds that a worker leaves to the screen's thread, which draws what a key asked for."""
_IDLE = 20.0
"""Seconds without a key after which what is kept is looked through for garbage."""

Begin = Callable[[ApiDocument], Session]


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
            for screen in (self.operation_screen, Telling("", saying(""))):
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
        if gc.get_threshold()[2] == reading.SELDOM and self.used and time.monotonic() - self.used > _IDLE:
            self.used = 0.0
            gc.collect()

    # Reading

    def waiting_lines(self, width: int) -> list[Line]:
        """What stands where the list will be."""
        return reading.waiting_lines(self, width)

    def read_document(self, session: Session | None) -> None:
        """Reads the document (again, with the session of before), and looks at its operations."""
        work = partial(reading.read, self, session)
        self.run_worker(work, thread=True, exclusive=True, group="document", description="document")

    @on(DocumentRead)
    def _read(self, event: DocumentRead) -> None:
        self.failed = None
        self.session = event.opened.session
        reading.tell_opened(self, event.opened)
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

    def tell_later(self, title: str, look_up: Callable[[], Maker]) -> None:
        """Shows what has to be looked up first, off the screen's thread."""
        screen = Telling(title, saying("Looking it up …", "muted"), tall=True)
        self.push_screen(screen)
        self._look_up(screen, look_up)

    @work(thread=True, exclusive=True, group="look up", description="look up")
    def _look_up(self, screen: Telling, look_up: Callable[[], Maker]) -> None:
        worker = get_current_worker()
        # To find the first place of a large document is work for half a second.
        time.sleep(2 * _FIRST_THE_SCREEN)
        maker = reading.without_collector(look_up)
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

    # Deciding and writing

    def confirm(self, name: str) -> None:
        """Confirms one operation after a look at what could go wrong."""
        confirming.confirm(self, name)

    def confirm_high(self) -> None:
        """Confirms all of high confidence, after a look at the list."""
        confirming.confirm_high(self)

    def action_write_all(self) -> None:
        self.write()

    def write(self, name: str | None = None) -> None:
        """Shows what writing would do, of one operation or of all that is decided, and writes it."""
        putting.write(self, name)

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
        if isinstance(self.screen, Putting):
            self.screen.action_stop()
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
                putting.write_these(self, None)

        count = len(waiting)
        said = f"{count} decision{'s are' if count > 1 else ' is'} not written to {self.desk.out}."
        kept = (
            "They are kept as drafts, and are here when you come back."
            if self.desk.state
            else "They are lost when you leave."
        )
        names = [f"  {entry.name}" for entry in waiting[:8]] + (["  …"] if count > 8 else [])
        keys = (("w", "write", "Write them"), ("l", "leave", "Leave"))
        screen = Telling("Leave without writing?", saying("\n".join([said, *names, kept])), keys)
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
