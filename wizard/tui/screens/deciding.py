"""What both screens have in common on which operations are decided: their keys, and what the keys do."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.screen import Screen

from wizard.session import steps
from wizard.session.state import Choice, Entry, Mark

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp

WIDE = 110
"""Columns from which two panes stand side by side."""


class Deciding(Screen[None]):
    """A screen with an operation at hand."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "confirm", "Confirm", tooltip="confirm it as it stands, after a look at what could go wrong"),
        Binding("w", "write", "Write", tooltip="write what was decided"),
        Binding("n", "next", "Next", tooltip="go to the next one that is not decided"),
        Binding("s", "skip", "Skip", tooltip="no skill for this operation; again takes it back"),
        Binding("x", "no_write", "Not a write", tooltip="say that it changes nothing, or that it does"),
    ]
    FOOT: ClassVar[tuple[str, ...]] = ()
    """The actions that the foot of the screen names, in this order; help names all."""

    @property
    def wizard(self) -> WizardApp:
        return cast("WizardApp", self.app)

    @property
    def entry(self) -> Entry | None:
        """The operation at hand; None before there is any."""
        raise NotImplementedError

    def session_changed(self) -> None:
        """Shows the session as it is now."""
        raise NotImplementedError

    def go_to(self, name: str) -> None:
        """Takes another operation to hand."""
        raise NotImplementedError

    def action_confirm(self) -> None:
        if self.entry is not None:
            self.wizard.confirm(self.entry.name)

    def action_next(self) -> None:
        found = self.wizard.next_to_do(self.entry.name if self.entry is not None else "")
        if found is None:
            self.notify("All writes that are shown are decided. w writes what is not written yet.")
        else:
            self.go_to(found)

    def action_skip(self) -> None:
        """Skips it, or takes that back."""
        entry = self.entry
        if entry is not None:
            self.wizard.change(steps.reopen if entry.choice is Choice.SKIPPED else steps.skip, entry.name)

    def action_no_write(self) -> None:
        """Says that a write is none, or that what reads writes."""
        entry = self.entry
        if entry is None:
            return
        if entry.mark is Mark.PENDING:
            self.notify("The proposal is not there yet.")
        elif entry.choice is not Choice.NO_WRITE and entry.is_write and not entry.harmless:
            self.wizard.change(steps.not_a_write, entry.name)
        elif self.wizard.change(steps.is_a_write, entry.name):
            self.notify(f"{entry.name} is a write now. Look at what identifies it.", markup=False)
