"""Lines to read, with what to do next: before confirming, for help, for a place in the document, before leaving."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from wizard.tui.keys import Keys
from wizard.tui.lines import LineList, Maker
from wizard.tui.screens.dialog import Dialog


class Telling(Dialog[str | None]):
    """Shows lines; answers with the word of the key that was pressed, None for escape."""

    HELP = "Read it, and go on with one of the keys below."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "answer('')", "Back", tooltip="go back"),
        Binding("enter", "answer('')", "Back", show=False, tooltip="go back"),
    ]

    def __init__(
        self, title: str, maker: Maker, keys: Sequence[tuple[str, str, str]] = (), *, tall: bool = False
    ) -> None:
        """`keys`: key (several with commas), answer, what the footer says."""
        super().__init__()
        self.heading, self.maker, self.tall = title, maker, tall
        for each, answer, says in keys:
            for index, key in enumerate(each.split(",")):
                # In place of what stands there: the lists inside are the class's own.
                binding = Binding(key, f"answer({answer!r})", says, show=not index, priority=True, tooltip=says)
                self._bindings.key_to_bindings[key] = [binding]

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog", classes="tall" if self.tall else ""):
            yield Static(self.heading, classes="title", markup=False)
            lines = LineList(id="lines")
            self.fit(lines)
            yield lines
            yield Keys()

    def on_mount(self) -> None:
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        self.fit(self.query_one(LineList))

    def fit(self, lines: LineList) -> None:
        """Makes the lines as high as they are, and no higher than the screen."""
        if not self.tall:
            lines.styles.height = max(min(len(self.maker(self.inner - 1)), self.app.size.height - 6), 1)
        lines.show(self.maker, width=self.inner)

    def tell(self, maker: Maker) -> None:
        """Shows other lines."""
        self.maker = maker
        for lines in self.query(LineList):
            self.fit(lines)

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer or None)
