"""What dialogs have in common: their looks."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """A box on a ground of its own; how it looks stands in dialog.tcss, which the app reads at the start."""

    CSS_PATH = "dialog.tcss"
    HELP = ""
    # To draw the screen behind takes longer than to draw the dialog, and would be felt at each key that opens one.
    BLANK = True

    @property
    def inner(self) -> int:
        """How many cells wide a list in the box is: the looks say so, too."""
        return max(min(int(self.app.size.width * 0.92), 104) - 5, 1)
