"""A text edited on the whole screen; what is wrong with it is said while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from wizard.tui.keys import Keys
from wizard.tui.screens.dialog import Dialog


class Editing(Dialog[str | None]):
    """Answers with the text; None where it was left as it was."""

    HELP = "Edit the text. ctrl+s takes it, escape goes back; changes are dropped only after a second escape."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", "Take", priority=True, tooltip="take the text"),
        Binding("escape", "leave", "Back", priority=True, tooltip="go back and leave it as it was"),
    ]

    def __init__(self, title: str, text: str, *, hint: str = "", check: Callable[[str], str] = lambda text: "") -> None:
        super().__init__()
        self.heading, self.text, self.hint, self.check = title, text, hint, check
        self.warned = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog", classes="tall"):
            yield Static(self.heading, classes="title", markup=False)
            if self.hint:
                yield Static(self.hint, classes="hint", markup=False)
            yield TextArea(self.text, tab_behavior="indent", soft_wrap=True)
            yield Static("", classes="problem", markup=False)
            yield Keys()

    def on_mount(self) -> None:
        area = self.query_one(TextArea)
        area.cursor_blink = False
        area.focus()

    @on(TextArea.Changed)
    def _typed(self) -> None:
        self.warned = False
        problem = self.check(self.query_one(TextArea).text)
        self.query_one(".problem", Static).update(f"! {problem}" if problem else "")

    def action_take(self) -> None:
        text = self.query_one(TextArea).text
        problem = self.check(text)
        if problem:
            self.query_one(".problem", Static).update(f"! {problem}")
        else:
            self.dismiss(text)

    def action_leave(self) -> None:
        if self.query_one(TextArea).text != self.text and not self.warned:
            self.warned = True
            self.query_one(".problem", Static).update("! Escape again drops what you changed; ctrl+s takes it.")
        else:
            self.dismiss(None)
