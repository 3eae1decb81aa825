"""One operation: what is to be decided on one side, what would be written on the other."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from wizard.operation.field_path import FieldPath
from wizard.session import steps
from wizard.session.choices import evidence_of, failed_of, key_choices, probe_of, reference_of
from wizard.session.fields import field_rows
from wizard.session.preview import Preview
from wizard.session.state import Entry
from wizard.tui import asks, places, sheet
from wizard.tui.beside import TABS, Beside
from wizard.tui.keys import Keys
from wizard.tui.lines import LineList, OneLine
from wizard.tui.screens.deciding import WIDE, Deciding


class OperationScreen(Deciding):
    """Where an operation is decided."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012
        (0, "-narrow"),
        (WIDE, "-wide"),
    ]
    HELP = (
        "What the host has to know of this write. The identity is the fields that together tell two of them apart: the "
        "same values again are a repeat, and are answered without being sent. Space puts a field in or takes it out. "
        "Confirm when it is right; it is written when you press w."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "space",
            "choose",
            "In/out",
            tooltip="put the field in or take it out; choose the key, the reference, the probe, the refusal",
        ),
        Binding(
            "enter", "look", "Why", tooltip="follow the evidence to its place in the document, or change the value"
        ),
        Binding("p", "preview", "Preview", tooltip="the skill, lint, the diff and the key beside; again for the next"),
        Binding("escape", "back", "Back", tooltip="back to the fields, or to the list"),
        Binding(
            "o",
            "optional",
            "May be missing",
            tooltip="whether a request may lack the field of the identity",
        ),
        Binding("a", "add_field", "Add a field", tooltip="add a field by name that the document does not show"),
        Binding("k", "add_key", "Add a key", tooltip="add a key that only the vendor's page knows"),
        Binding("P", "probe", "Edit the probe", tooltip="the probe as a form: where to ask, what is compared"),
        Binding("e", "edit", "Edit the declaration", tooltip="edit the declaration as text"),
        Binding("t", "prose", "Edit the text", tooltip="edit the prose under the declaration"),
        Binding("d", "proposed", "As proposed", tooltip="drop your own changes; the proposal stands again"),
        Binding("b", "previous", "Previous", tooltip="go to the one before in the list"),
        Binding("1", "tab('skill')", "Skill", tooltip="the skill as it will be written"),
        Binding("2", "tab('lint')", "Lint", tooltip="what lint says of it"),
        Binding("3", "tab('diff')", "Diff", tooltip="what changes in the file that is there"),
        Binding("4", "tab('key')", "Key", tooltip="the key from example values"),
    ]
    FOOT = ("confirm", "choose", "look", "preview", "write", "next", "back")

    def __init__(self) -> None:
        super().__init__()
        self.operation = ""
        self.asked = 0

    def compose(self) -> ComposeResult:
        # At once, so that it is laid out once.
        self.set_class(self.app.size.width >= WIDE, "-wide")
        yield OneLine(id="title")
        yield Static(id="why", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield LineList(id="sheet")
                yield LineList(id="detail")
            yield Beside(id="beside")
        yield Keys()

    def on_mount(self) -> None:
        if not self.query("#detail"):
            # The app was left while the screen came up.
            return
        self.query_one("#detail").can_focus = False
        self.sheet.focus()
        if self.operation:
            self.show_operation(self.operation)

    @property
    def sheet(self) -> LineList:
        return self.query_one("#sheet", LineList)

    @property
    def beside(self) -> Beside:
        return self.query_one("#beside", Beside)

    @property
    def entry(self) -> Entry | None:
        session = self.wizard.session
        return None if session is None else session.entries.get(self.operation)

    # Showing

    def show_operation(self, name: str) -> None:
        """Shows another operation, from its top."""
        self.operation = name
        if self.is_mounted:
            entry = self.entry
            rows = field_rows(entry) if entry is not None else ()
            first = next((row.path for row in rows if not row.fixed), "")
            self.sheet.cursor = f"field:{first}"
            self.session_changed()
            self.sheet.scroll_to(y=0, animate=False)
            self.sheet.focus()

    def session_changed(self) -> None:
        entry, session = self.entry, self.wizard.session
        if entry is None or session is None:
            return
        width = self.size.width or 80
        self.query_one("#title", OneLine).tell(sheet.title_pieces(entry, width))
        why = ""
        if entry.proposal is not None:
            why = entry.proposal.identity.why or entry.proposal.why
        self.query_one("#why", Static).update(Text(f" {why or entry.api.summary}", no_wrap=False))
        self.sheet.show(lambda width: sheet.sheet_lines(entry, session, width))
        self.show_detail()
        self.ask_preview()

    def show_detail(self) -> None:
        entry, key = self.entry, self.sheet.cursor
        if entry is not None:
            self.query_one("#detail", LineList).show(lambda width: sheet.detail_lines(entry, key, width), top=True)

    def ask_preview(self) -> None:
        """Asks for what would be written; the answer comes as a message, and an older one is passed over."""
        if self.entry is not None:
            self.asked += 1
            self.beside.wait(self.entry)
            self.wizard.make_preview(self.operation, self.asked)

    def preview_made(self, name: str, asked: int, preview: Preview) -> None:
        if name == self.operation and asked == self.asked and self.entry is not None:
            self.beside.show(preview, self.entry)

    @on(LineList.Moved, "#sheet")
    def _moved(self) -> None:
        self.show_detail()

    def on_resize(self, event: events.Resize) -> None:
        if self.operation:
            self.call_after_refresh(self.session_changed)

    # The preview

    @property
    def narrow(self) -> bool:
        return self.size.width < WIDE

    def action_preview(self) -> None:
        tabs = list(TABS)
        if self.narrow and not self.has_class("-preview"):
            self.action_tab(self.beside.tab)
            return
        at = tabs.index(self.beside.tab) + 1
        if self.narrow and at == len(tabs):
            self.beside.choose(tabs[0])
            self.leave_preview()
        else:
            self.action_tab(tabs[at % len(tabs)])

    def action_tab(self, tab: str) -> None:
        if self.narrow:
            self.add_class("-preview")
        self.beside.choose(tab)
        if self.narrow:
            self.call_after_refresh(self.beside.take_focus)

    def leave_preview(self) -> None:
        self.remove_class("-preview")
        self.sheet.focus()

    def action_back(self) -> None:
        if self.has_class("-preview") and self.narrow:
            self.leave_preview()
        elif self.focused is not None and self.focused is not self.sheet:
            self.sheet.focus()
        else:
            self.wizard.close_operation()

    # Steps

    @on(LineList.Chosen, "#sheet")
    def _chosen(self, event: LineList.Chosen) -> None:
        if event.key.startswith("evidence") or event.key in ("keep", "failed", "key:add"):
            self.action_look()
        else:
            self.action_choose()

    def action_choose(self) -> None:
        entry = self.entry
        kind, _, name = self.sheet.cursor.partition(":")
        if entry is None or not kind:
            return
        if kind == "field":
            self._toggle_field(entry, name)
        elif kind == "scope":
            self.wizard.change(steps.set_scope, entry.name, name)
        elif kind == "key":
            self._choose_key(entry, name)
        elif kind == "reference":
            found = reference_of(entry)
            chosen = entry.declaration is not None and entry.declaration.reference is not None
            if found is None:
                self._ask_reference(entry)
            else:
                self.wizard.change(steps.set_reference, entry.name, None if chosen else found)
        elif kind == "probe":
            chosen = entry.declaration is not None and entry.declaration.probe is not None
            found_probe = probe_of(entry)
            if found_probe is None:
                self.action_probe()
            else:
                self.wizard.change(steps.set_probe, entry.name, None if chosen else found_probe)
        elif kind == "failed" and failed_of(entry):
            chosen = entry.declaration is not None and entry.declaration.failed is not None
            self.wizard.change(steps.set_failed, entry.name, None if chosen else failed_of(entry))
        else:
            self.action_look()

    def _toggle_field(self, entry: Entry, path: str) -> None:
        row = next((row for row in field_rows(entry) if row.path == path), None)
        if row is None:
            return
        if row.fixed:
            said = "it is in the path, so it is part of every key" if row.part == "path" else "the host fills it"
            self.notify(f"`{path}`: {said}.", title="It stays", markup=False)
            return
        if row.read_only and not row.part.value.startswith("identity"):
            self.notify(
                f"`{path}` is read-only: the recipient makes it, so no request has it.",
                severity="warning",
                markup=False,
            )
            return
        self.wizard.change(steps.toggle_identity, entry.name, path)

    def _choose_key(self, entry: Entry, name: str) -> None:
        choices = key_choices(entry)
        if name == "add":
            self.action_add_key()
        elif name == "none":
            self.wizard.change(steps.set_key, entry.name, None)
        elif int(name) < len(choices):
            choice = choices[int(name)]
            self.wizard.change(
                steps.set_key, entry.name, None if choice.chosen else choice.key, source=choice.source
            )  # fmt: skip

    def action_optional(self) -> None:
        kind, _, name = self.sheet.cursor.partition(":")
        entry = self.entry
        if entry is None or kind != "field":
            return
        declared = entry.declaration
        if declared is None or not any(one.required() == FieldPath.parse(name).required() for one in declared.identity):
            self.notify(f"`{name}` is not part of the identity; space puts it in.", markup=False)
            return
        self.wizard.change(steps.toggle_optional, entry.name, name)

    def action_look(self) -> None:
        entry = self.entry
        kind, _, name = self.sheet.cursor.partition(":")
        if entry is None:
            return
        if kind == "keep":
            asks.ask_keep(self.wizard, entry)
        elif kind == "failed":
            asks.ask_failed(self.wizard, entry)
        elif kind == "reference" and reference_of(entry) is None:
            self._ask_reference(entry)
        elif kind == "key" and name == "add":
            self.action_add_key()
        elif kind == "key" and name.isdigit():
            choice = key_choices(entry)[int(name)]
            places.show_place(self.wizard, choice.evidence, choice.why)
        elif kind == "evidence":
            places.show_place(self.wizard, (evidence_of(entry)[int(name)],))
        elif kind == "field":
            row = next((row for row in field_rows(entry) if row.path == name), None)
            if row is not None:
                places.show_field(self.wizard, row)
        elif kind == "reference" and entry.proposal is not None and entry.proposal.reference is not None:
            places.show_place(self.wizard, entry.proposal.reference.evidence)
        elif kind == "probe":
            self.action_probe()

    def _ask_reference(self, entry: Entry) -> None:
        asks.ask_reference(self.wizard, entry)

    def action_proposed(self) -> None:
        if self.entry is not None:
            self.wizard.change(steps.as_proposed, self.entry.name)

    def action_add_field(self) -> None:
        if self.entry is not None:
            asks.ask_field(self.wizard, self.entry)

    def action_add_key(self) -> None:
        if self.entry is not None:
            asks.ask_key(self.wizard, self.entry)

    def action_probe(self) -> None:
        if self.entry is not None and self.entry.is_write and not self.entry.harmless:
            asks.ask_probe(self.wizard, self.entry)

    def action_edit(self) -> None:
        if self.entry is not None:
            asks.edit_declaration(self.wizard, self.entry)

    def action_prose(self) -> None:
        if self.entry is not None:
            asks.edit_prose(self.wizard, self.entry, self.beside.preview)

    def go_to(self, name: str) -> None:
        self.wizard.open_operation(name)

    def action_write(self) -> None:
        self.wizard.write(self.operation)

    def action_previous(self) -> None:
        found = self.wizard.next_to_do(self.operation, back=True)
        if found is not None:
            self.wizard.open_operation(found)
