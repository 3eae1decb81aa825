"""The list of the API's operations: search, filters, progress."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Input

from wizard.session.state import FILTERS, Entry, visible
from wizard.tui import asks
from wizard.tui.keys import Keys
from wizard.tui.lines import LineList, OneLine
from wizard.tui.listing import Drawn, filter_pieces, head, operation_lines, summary_lines
from wizard.tui.screens.deciding import Deciding

WITH_SUMMARY = 140
"""Columns from which the operation under the cursor stands beside the list in short."""


class OperationsScreen(Deciding):
    """Where the author begins, and comes back to."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (WITH_SUMMARY, "-wide"),
    ]
    HELP = (
        "The operations of the API that change something, by resource. Each has a proposal: what tells two of them "
        "apart, where the recipient takes a key, how to ask whether it happened. Open one, look at it, confirm it; "
        "write the skills when you like. Nothing is written before you say so."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "Open", tooltip="look at the operation under the cursor"),
        Binding(
            "slash", "search", "Search", key_display="/", priority=True, tooltip="search as you type; escape clears"
        ),
        Binding("f", "filter", "Filter", tooltip="show only some: creates, unsure, no key, no probe …"),
        Binding(
            "H", "confirm_high", "Confirm sure ones", tooltip="confirm all of high confidence, after a look at the list"
        ),
        Binding("r", "reads", "Reads", tooltip="show what only reads, too: some are writes in disguise"),
        Binding("l", "layout", "Layout and folder", tooltip="how and where the skills are written"),
        Binding("escape", "clear", "Clear", tooltip="clear the search and the filters"),
    ]
    FOOT = ("clear", "open", "search", "filter", "confirm_high", "write")

    def __init__(self) -> None:
        super().__init__()
        self.filters: frozenset[str] = frozenset()
        self.reads = False
        self.search = ""
        self.drawn = Drawn()
        self.narrowed: tuple[str, frozenset[str]] = "", frozenset()

    def compose(self) -> ComposeResult:
        yield OneLine(id="head")
        yield Input(placeholder="search in methods, paths, names and summaries", id="search", compact=True)
        yield OneLine(id="filters")
        with Horizontal(id="body"):
            yield LineList(id="operations")
            yield LineList(id="summary")
        yield Keys()

    def on_mount(self) -> None:
        self.query_one("#search").display = False
        self.query_one("#summary").can_focus = False
        self.query_one("#operations").focus()
        self.session_changed()

    @property
    def list(self) -> LineList:
        return self.query_one("#operations", LineList)

    @property
    def entry(self) -> Entry | None:
        """The operation under the cursor."""
        session = self.wizard.session
        return None if session is None else session.entries.get(self.list.cursor)

    # Showing

    def session_changed(self) -> None:
        """Shows the session as it is now."""
        session = self.wizard.session
        if session is None:
            self.query_one("#head", OneLine).tell([(f" {self.wizard.source}", "strong")])
            self.query_one("#filters", OneLine).tell([])
            self.list.show(self.wizard.waiting_lines)
            return
        self.query_one("#head", OneLine).tell(head(session, self.size.width or 80))
        self.query_one("#filters", OneLine).tell(filter_pieces(self.filters, self.reads))
        if (self.search, self.filters) != self.narrowed:
            self.narrowed = self.search, self.filters
            self.refresh_bindings()
        groups = visible(session, search=self.search, filters=self.filters, reads=self.reads)
        self.list.show(lambda width: operation_lines(groups, width, self._empty(), self.drawn))
        self.show_summary()

    def _empty(self) -> tuple[str, ...]:
        session = self.wizard.session
        if session is None or not session.entries:
            return (
                "",
                "The document has no operations.",
            )
        if self.search or self.filters:
            return ("", "Nothing fits the search and the filters. Escape clears them.")
        return ("", "The document has no operation that changes something. r shows those that read.")

    def show_summary(self) -> None:
        entry = self.entry
        self.query_one("#summary", LineList).show(lambda width: summary_lines(entry, width), top=True)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.session_changed)

    @on(LineList.Moved, "#operations")
    def _moved(self) -> None:
        self.show_summary()

    # Search and filters

    def action_search(self) -> None:
        field = self.query_one("#search", Input)
        field.display = True
        # At once, and not after what is typed next.
        self.set_focus(field)

    @on(Input.Changed, "#search")
    def _searched(self, event: Input.Changed) -> None:
        if event.value != self.search:
            self.search = event.value
            self.session_changed()

    @on(Input.Submitted, "#search")
    def _submitted(self) -> None:
        self.list.focus()
        if not self.search:
            self.query_one("#search").display = False

    def on_key(self, event: events.Key) -> None:
        if self.focused is self.query_one("#search") and event.key in ("down", "up"):
            self.list.focus()
            self.list.action_step(1 if event.key == "down" else -1)
            event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "search":
            return not self.query_one("#search").has_focus
        return action != "clear" or bool(self.search or self.filters or self.query_one("#search").display)

    def action_clear(self) -> None:
        field = self.query_one("#search", Input)
        field.value = ""
        field.display = False
        self.search, self.filters = "", frozenset()
        self.list.focus()
        self.session_changed()

    def action_reads(self) -> None:
        self.reads = not self.reads
        self.session_changed()

    def action_filter(self) -> None:
        from wizard.tui.screens.choosing import Choosing, Option

        options = [Option(name, name, about, chosen=name in self.filters) for name, (about, _) in FILTERS.items()]
        options.append(Option("reads", "reads", "what only reads, too", chosen=self.reads))

        def chosen(found: frozenset[str] | None) -> None:
            if found is not None:
                self.filters, self.reads = found - {"reads"}, "reads" in found
                self.session_changed()

        self.app.push_screen(
            Choosing("Show only", options, several=True, hint="All that are chosen must hold."), chosen
        )  # fmt: skip

    @on(events.Click, "#filters")
    def _filter_clicked(self, event: events.Click) -> None:
        at, start = event.x, 0
        for text, _ in filter_pieces(self.filters, self.reads):
            if start <= at < start + len(text):
                name = text[2:].strip()
                if name in FILTERS:
                    self.filters = self.filters ^ {name}
                elif name == "reads":
                    self.reads = not self.reads
                self.session_changed()
                return
            start += len(text)

    # Steps

    @on(LineList.Chosen, "#operations")
    def _chosen(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        if self.entry is not None:
            self.wizard.open_operation(self.entry.name)
        elif self.wizard.session is None and self.wizard.failed:
            self.wizard.action_read_again()

    def action_confirm_high(self) -> None:
        self.wizard.confirm_high()

    def go_to(self, name: str) -> None:
        self.list.move_to(name)

    def action_write(self) -> None:
        self.wizard.write()

    def action_layout(self) -> None:
        asks.ask_layout(self.wizard)
