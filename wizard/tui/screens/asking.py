"""One line of text, or a few, asked for; what is wrong with it is said while it is typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Label, Static

from wizard.tui.keys import Keys
from wizard.tui.screens.dialog import Dialog


@dataclass(frozen=True, slots=True)
class Question:
    """One line to fill in."""

    name: str
    label: str
    value: str = ""
    placeholder: str = ""


Check = Callable[[dict[str, str]], str]
"""What is wrong with the answers; empty where nothing is."""


class Asking(Dialog[dict[str, str] | None]):
    """Answers with the lines by name; None where it was left."""

    HELP = "Fill in the lines. Tab goes from one to the next, enter takes them, escape leaves it as it was."
    SUBMITS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", tooltip="take the answers"),
        Binding("tab", "app.focus_next", "Next line", tooltip="go to the next line"),
        Binding("escape", "leave", "Back", tooltip="go back and leave it as it was"),
    ]

    def __init__(
        self, title: str, questions: list[Question], *, hint: str = "", check: Check = lambda found: ""
    ) -> None:
        super().__init__()
        self.heading, self.questions, self.hint, self.check = title, questions, hint, check

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(self.heading, classes="title", markup=False)
            if self.hint:
                yield Static(self.hint, classes="hint", markup=False)
            for question in self.questions:
                yield Label(question.label, classes="label", markup=False)
                yield Input(
                    question.value,
                    placeholder=question.placeholder,
                    id=question.name,
                    select_on_focus=False,
                    compact=True,
                )
            yield Static("", classes="problem", markup=False)
            yield Keys()

    def on_mount(self) -> None:
        self.query(Input).first().focus()

    @property
    def answers(self) -> dict[str, str]:
        return {one.id or "": one.value.strip() for one in self.query(Input)}

    @on(Input.Changed)
    def _typed(self) -> None:
        self.query_one(".problem", Static).update("")

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        found = self.answers
        problem = self.check(found)
        if problem:
            self.query_one(".problem", Static).update(f"! {problem}")
        else:
            self.dismiss(found)

    def action_leave(self) -> None:
        self.dismiss(None)
