"""What stands beside an operation, live: the skill, what lint says, the diff, and the key from example values."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, Label, Static

from wizard.operation.model import Scope
from wizard.session.examples import Derived, Value, derive, example_values
from wizard.session.preview import Preview
from wizard.session.state import Entry
from wizard.tui.lines import Line, LineList, wrapped

TABS = {"skill": "Skill", "lint": "Lint", "diff": "Diff", "key": "Key"}


class Beside(Vertical):
    """One of four views of what the declaration does."""

    DEFAULT_CSS = """
    Beside {
        #tabs { height: 1; background: $surface; }
        #text { height: 1fr; }
        KeyTry { height: 1fr; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tab = "skill"
        self.preview = Preview()
        self.entry: Entry | None = None
        self.stale = False

    def compose(self) -> ComposeResult:
        yield Static(id="tabs", markup=False)
        yield LineList(id="text")
        yield KeyTry(id="try")

    def on_mount(self) -> None:
        self.choose(self.tab)

    def choose(self, tab: str) -> None:
        """Shows one of TABS."""
        self.tab = tab
        self.query_one("#text").display = tab != "key"
        self.query_one(KeyTry).display = tab == "key"
        self._show(top=True)

    def take_focus(self) -> None:
        if self.tab == "key":
            self.query_one(KeyTry).take_focus()
        else:
            self.query_one("#text").focus()

    def wait(self, entry: Entry) -> None:
        """The declaration changed; what is shown is of the one before until the preview comes."""
        other = self.entry is None or self.entry.name != entry.name
        self.entry = entry
        self.stale = True
        if other:
            self.preview = Preview()
        if self.tab == "key" or other:
            self._show(top=other)

    def show(self, preview: Preview, entry: Entry) -> None:
        self.preview, self.entry, self.stale = preview, entry, False
        self._show()

    def _show(self, top: bool = False) -> None:
        counted = f" {len(self.preview.remarks)}" if self.preview.remarks else ""
        names = {**TABS, "lint": f"Lint{counted}"}
        labels = [
            f"[{index} {name}]" if tab == self.tab else f" {index} {name} "
            for index, (tab, name) in enumerate(names.items(), 1)
        ]
        self.query_one("#tabs", Static).update(" " + " ".join(labels))
        if self.tab == "key":
            if self.entry is not None:
                self.query_one(KeyTry).show(self.entry)
            return
        maker = {"skill": self._skill, "lint": self._lint, "diff": self._diff}[self.tab]
        self.query_one("#text", LineList).show(maker, top=top)

    @on(events.Click, "#tabs")
    def _clicked(self, event: events.Click) -> None:
        at = 1
        for tab, name in TABS.items():
            shown = f"Lint {len(self.preview.remarks)}" if tab == "lint" and self.preview.remarks else name
            if at <= event.x < at + len(shown) + 4:
                self.choose(tab)
                return
            at += len(shown) + 5

    def _problem(self, width: int) -> list[Line]:
        said = self.preview.problem or ("Working it out …" if self.stale else "There is nothing to show.")
        return [Line(), *(Line.of(f" {part}", "muted") for part in wrapped(said, max(width - 2, 10)))]

    def _skill(self, width: int) -> list[Line]:
        if not self.preview.text:
            return self._problem(width)
        new = "changes" if self.preview.old is not None else "new file"
        if self.preview.old == self.preview.text:
            new = "as it stands there"
        lines = [Line.of(f" {new}: {self.preview.path}", "muted"), Line()]
        fences = 0
        marked = {remark.line: remark for remark in self.preview.remarks}
        for number, line in enumerate(self.preview.text.splitlines(), 1):
            front = fences < 2
            fences += line == "---" and front
            look = "accent" if front else ("heading" if line.startswith("#") else "")
            sign = "!" if number in marked else " "
            for index, part in enumerate(wrapped(line, max(width - 2, 10))):
                lines.append(Line(((sign if not index else " ", "warn"), (part, look))))
        return lines

    def _lint(self, width: int) -> list[Line]:
        if not self.preview.text:
            return self._problem(width)
        if self.preview.unlinted:
            return [
                Line(),
                *(Line.of(f" {part}", "warn") for part in wrapped(self.preview.unlinted, max(width - 2, 10))),
            ]
        if not self.preview.remarks:
            return [Line(), Line.of(" Lint has nothing to say of it.", "good")]
        lines: list[Line] = [Line()]
        for remark in self.preview.remarks:
            look = {"error": "bad", "warning": "warn"}.get(remark.severity, "muted")
            lines.append(
                Line(((f" {remark.severity}: ", look), (remark.rule, "strong"), (f"  line {remark.line}", "muted")))
            )
            lines += [Line.of(f"   {part}") for part in wrapped(remark.message, max(width - 4, 10))]
        return [*lines, Line(), Line.of(" skill-wizard rules NAME explains a rule.", "muted")]

    def _diff(self, width: int) -> list[Line]:
        if not self.preview.text:
            return self._problem(width)
        if self.preview.old is None:
            return [Line(), Line.of(f" {self.preview.path} is not there yet: all of it is new.", "muted")]
        found = self.preview.diff
        if not found:
            return [Line(), Line.of(" Writing it changes nothing.", "good")]
        looks = {"+": "added", "-": "removed", "@": "heading"}
        return [
            Line.of(f" {part}", looks.get(line[:1], ""))
            for line in found
            for part in wrapped(line, max(width - 2, 10))
        ]  # fmt: skip


class KeyTry(VerticalScroll):
    """Example values to edit, and the key that the host would derive from them."""

    DEFAULT_CSS = """
    KeyTry {
        padding: 0 1;
        #derived { height: auto; margin-bottom: 1; }
        Label { color: $muted; }
        Label.-identity { color: $text-accent; text-style: bold; }
        Input { height: 1; margin-bottom: 1; }
    }
    """
    LIMIT: ClassVar[int] = 24

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self.entry: Entry | None = None
        self.values: tuple[Value, ...] = ()
        self.first = Derived(scope=Scope.CALL)

    def compose(self) -> ComposeResult:
        yield Static(id="derived", markup=False)

    def take_focus(self) -> None:
        found = self.query(Input)
        if found:
            found.first().focus()

    def show(self, entry: Entry) -> None:
        """Shows the values of an operation; what was typed stays while its fields are the same."""
        if entry.declaration is None:
            self.query_one("#derived", Static).update(entry.problem or "There is no declaration yet.")
            return
        fresh = example_values(entry)[: self.LIMIT]
        same = (
            self.entry is not None
            and self.entry.name == entry.name
            and [v.name for v in fresh] == [v.name for v in self.values]
        )
        self.first = derive(entry.declaration, fresh)
        typed = {value.name: value.text for value in self.values} if same else {}
        self.entry = entry
        self.values = tuple(replace(value, text=typed.get(value.name, value.text)) for value in fresh)
        if same:
            for label, value in zip(self.query(Label), self._labelled(), strict=False):
                label.update(value)
        else:
            self._rebuild()
        self.tell()

    def _labelled(self) -> list[str]:
        return [f"{'◆' if value.in_identity else '◇'} {value.name}" for value in self.values]

    def _rebuild(self) -> None:
        self.query(".value").remove()
        widgets: list[Label | Input] = []
        for index, (said, value) in enumerate(zip(self._labelled(), self.values, strict=True)):
            widgets.append(Label(said, classes="value", markup=False))
            field = Input(
                value.text, classes="value", compact=True, name=str(index), select_on_focus=False,
                placeholder="(not in the request)",
            )  # fmt: skip
            widgets.append(field)
        self.mount(*widgets)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.name is None or int(event.input.name) >= len(self.values):
            return
        index = int(event.input.name)
        changed = replace(self.values[index], text=event.value)
        self.values = (*self.values[:index], changed, *self.values[index + 1 :])
        self.tell()

    def tell(self) -> None:
        """Says the key, and whether it is the one of the values as they were at first."""
        if self.entry is None or self.entry.declaration is None:
            return
        found = derive(self.entry.declaration, self.values)
        self.query_one("#derived", Static).update("\n".join(said(found, self.first)))


def said(found: Derived, first: Derived) -> list[str]:
    """What the host would do with a request, compared with the first one."""
    if found.problem:
        return ["✗ Nothing would be sent:", found.problem]
    lines = [f"key  {found.key}", f"     goes into the {found.place}"] if found.key else []
    if found.place and not found.key:
        lines = [f"key  one for each element, in the {found.place}"]
    if not found.place:
        lines = [f"no key is sent; the record's address is {found.address[:16]}…"]
    if found.scope is Scope.CALL:
        lines.append("It comes from the call, not from the values: each call is another write.")
    elif found.address == first.address:
        lines.append("= the same write as at first: a repeat, and it is not sent again")
    else:
        lines.append("≠ another write than at first: it is sent")
    return [*lines, "", "◆ is part of the identity, ◇ is not. Change one and look."]
