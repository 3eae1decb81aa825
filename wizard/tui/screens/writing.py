"""What writing would do, and then what it did."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from wizard.session.desk import Writing
from wizard.session.preview import diff
from wizard.tui.keys import Keys
from wizard.tui.lines import Line, LineList, Maker, wrapped
from wizard.tui.screens.dialog import Dialog

_REDRAW = 0.1
"""Seconds between two looks at how far it is."""
_SIGNS = {"create": ("+", "good"), "update": ("~", "warn"), "unchanged": ("=", "muted")}


class WritingScreen(Dialog[bool]):
    """Answers with whether to write. Shows a plan once there is one."""

    HELP = "The files that would be written. Enter writes them, d shows what changes in them, escape goes back."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "write", "Write", priority=True, tooltip="write these files"),
        Binding("d", "diff", "Diff", tooltip="show what changes in the files"),
        Binding("escape", "leave", "Back", tooltip="write nothing and go back"),
    ]

    def __init__(self, title: str, out: Path, layout: str) -> None:
        super().__init__()
        self.heading, self.out, self.layout_name = title, out, layout
        self.writing: Writing | None = None
        self.problem = ""
        self.diffs = False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog", classes="tall"):
            yield Static(self.heading, classes="title", markup=False)
            yield Static(f"into {self.out}, layout {self.layout_name}", classes="hint", markup=False)
            files = LineList(id="files")
            files.show(self.lines, width=self.inner)
            yield files
            yield Keys()

    def on_mount(self) -> None:
        self.query_one(LineList).focus()

    def planned(self, writing: Writing) -> None:
        self.writing = writing
        self.redraw()
        self.refresh_bindings()

    def failed(self, message: str) -> None:
        self.problem, self.writing = message, None
        self.redraw()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        writable = self.writing is not None and not self.writing.plan.refused and bool(self.writing.changes)
        return writable if action in ("write", "diff") else True

    def redraw(self) -> None:
        # A plan may come before the list is there, or after somebody left.
        for files in self.query(LineList):
            files.show(self.lines, top=True)

    def lines(self, width: int) -> list[Line]:
        if self.problem:
            return [Line.of(part, "bad") for part in wrapped(self.problem, width)]
        if self.writing is None:
            return [Line.of("Working out what would change …", "muted")]
        plan, lines = self.writing.plan, []
        for path, why in plan.refused:
            lines += [Line.of(f"✗ {part}", "bad") for part in wrapped(f"{path} would be lost: {why}", width - 2)]
        if plan.refused:
            said = "Nothing is written. Move the file away, or choose another folder or layout with l in the list."
            return [*lines, Line(), *(Line.of(part) for part in wrapped(said, width))]
        for path in self.writing.moved:
            lines += [
                Line.of(f"! {part}", "warn")
                for part in wrapped(f"{path} was changed by somebody since you opened it; look at the diff", width - 2)
            ]
        for note in (*plan.warnings, *plan.notes):
            lines += [
                Line.of(f"! {part}" if not index else f"  {part}", "warn")
                for index, part in enumerate(wrapped(note, width - 2))
            ]
        for change in plan.changes:
            if change.what == "unchanged" and len(plan.changes) > 12:
                continue
            sign, look = _SIGNS[change.what]
            lines.append(Line(((f"{sign} ", look), (change.path, ""), (f"  {change.what}", "muted"))))
            if self.diffs and change.old is not None and change.old != change.new:
                looks = {"+": "added", "-": "removed", "@": "heading"}
                for text in diff(change.path, change.old, change.new)[2:]:
                    lines += [Line.of(f"    {part}", looks.get(text[:1], "")) for part in wrapped(text, width - 5)]
        for name in self.writing.passed:
            lines.append(Line((("– ", "muted"), (name, ""), ("  no skill; the lock remembers it", "muted"))))
        if not self.writing.changes:
            lines += [Line(), Line.of("Nothing changes: all of it stands there already.", "good")]
        return lines

    def action_diff(self) -> None:
        self.diffs = not self.diffs
        self.redraw()

    def action_write(self) -> None:
        self.dismiss(True)

    def action_leave(self) -> None:
        self.dismiss(False)


class Putting(Dialog[None]):
    """What is shown while files are written; whoever writes them reads `stopped` and counts in `count`."""

    HELP = "The files are written, all of them or none. Escape stops it: then all are as they were."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", "Stop", tooltip="write none of them"),
    ]

    def __init__(self, total: int) -> None:
        super().__init__()
        self.total, self.count, self.stopped = total, 0, False

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static("Writing", classes="title", markup=False)
            yield Static(self.said, id="count", markup=False)
            yield Keys()

    def on_mount(self) -> None:
        self.set_interval(_REDRAW, self.redraw)

    @property
    def said(self) -> str:
        if self.stopped:
            return "Stopping …"
        files = f"{self.total:,} file{'s' * (self.total != 1)}"
        return f"{self.count:,} of {files} ready." if self.count < self.total else f"{files} take their places …"

    def redraw(self) -> None:
        for shown in self.query("#count").results(Static):
            shown.update(self.said)

    def action_stop(self) -> None:
        self.stopped = True
        self.redraw()


def done_lines(writing: Writing, out: Path, command: str) -> Maker:
    """What was written, and how it is done without a screen."""

    def lines(width: int) -> list[Line]:
        found = []
        for change in writing.plan.changes:
            if change.what != "unchanged":
                sign, look = _SIGNS[change.what]
                found.append(Line(((f"{sign} ", look), ((out / change.path).as_posix(), ""))))
        if command:
            found += [Line(), Line.of("The same without a screen:", "muted")]
            found += [Line.of(part, "accent") for part in wrapped(command, width)]
        return found

    return lines
