"""One, or several, of a few options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from wizard.tui.keys import Keys
from wizard.tui.lines import Line, LineList, column, wrapped
from wizard.tui.screens.dialog import Dialog


@dataclass(frozen=True, slots=True)
class Option:
    """Something to choose."""

    key: str
    label: str
    about: str = ""
    chosen: bool = False


class Choosing(Dialog[frozenset[str] | None]):
    """Answers with the keys of what was chosen; None where nothing was decided."""

    HELP = "Choose with the arrow keys, or click."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "Take", tooltip="take what is chosen"),
        Binding("space", "pick", "Choose", tooltip="choose the line under the cursor, or not"),
        Binding("escape", "leave", "Back", tooltip="go back and leave it as it was"),
    ]

    def __init__(
        self, title: str, options: list[Option], *, several: bool = False, hint: str = "", cursor: str = ""
    ) -> None:  # fmt: skip
        super().__init__()
        self.heading, self.options, self.several, self.hint = title, options, several, hint
        self.chosen = {option.key for option in options if option.chosen}
        self.at = cursor or next((option.key for option in options if option.chosen), "")

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(self.heading, classes="title", markup=False)
            if self.hint:
                yield Static(self.hint, classes="hint", markup=False)
            lines = LineList(id="options")
            lines.styles.height = min(len(self.options) + 1, 16)
            lines.show(self.lines, cursor=self.at, width=self.inner)
            yield lines
            yield Keys()

    def on_mount(self) -> None:
        self.query_one(LineList).focus()

    def redraw(self) -> None:
        self.query_one(LineList).show(self.lines)

    def lines(self, width: int) -> list[Line]:
        room = max((len(option.label) for option in self.options), default=8) + 2
        lines = []
        for option in self.options:
            on = option.key in self.chosen
            box = ("[x] " if on else "[ ] ") if self.several else ("(•) " if on else "( ) ") if self.chosen else ""
            about = wrapped(option.about, max(width - room - 6, 10))[0] if option.about else ""
            lines.append(
                Line(
                    ((box, "accent" if on else "muted"), (column(option.label, room), "strong"), (about, "muted")),
                    option.key,
                )
            )
        return lines

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.several or action != "pick"

    def action_pick(self) -> None:
        self.chosen ^= {self.query_one(LineList).cursor}
        self.redraw()

    @on(LineList.Chosen)
    def _clicked(self) -> None:
        if self.several:
            self.action_pick()
        else:
            self.action_take()

    def action_take(self) -> None:
        cursor = self.query_one(LineList).cursor
        self.dismiss(frozenset(self.chosen) if self.several else frozenset({cursor}))

    def action_leave(self) -> None:
        self.dismiss(None)
