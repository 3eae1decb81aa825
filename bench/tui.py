"""How long the wizard takes to show its list, and to answer a key press, while proposals arrive and after.

    python -m bench.tui                         a document made up for it, of 1,200 operations or so
    python -m bench.tui openapi.json            a document of yours
    python -m bench.tui --size 120x40

`list` is from the app's start until the operations stand on the screen, seconds by the clock. A press is measured from
the key until the last change of any cell that it leads to, without what a worker brings later: milliseconds by the
clock, and of the processor in the screen's thread, which a busy machine does not lengthen. What is promised: 3 s for
the list, 50 ms for a press.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.control import ControlType

from wizard.tui.app import WizardApp
from wizard.tui.keys import Keys
from wizard.tui.lines import LineList
from wizard.tui.messages import PreviewMade, ProposalsArrived

if __package__:
    from bench.made_up import document_of_size
else:
    sys.path.insert(0, str(Path(__file__).parent))
    from made_up import document_of_size

LIST_KEYS = (
    "down", "down", "pagedown", "end", "home", "r", "r", "slash", "p", "a", "t", "c", "h", "escape", "n", "f", "space",
    "enter", "escape", "H", "escape", "question_mark", "escape", "s", "s", "x", "u", "l", "escape",
)  # fmt: skip
OPEN_KEYS = (
    "enter", "down", "space", "space", "p", "p", "p", "p", "1", "enter", "escape", "k", "escape", "a", "escape",
    "P", "enter", "escape", "space", "escape", "escape", "e", "escape", "t", "escape", "c", "enter", "w", "escape", "u",
    "end", "enter", "escape", "question_mark", "escape", "n", "b", "escape", "ctrl+t",
)  # fmt: skip


_CALM = 0.06
"""Seconds without a drawing after which a key counts as answered."""

_LISTS = ("operations", "sheet", "lines", "options", "files")
"""The lists that are a screen's own matter; what a worker brings beside them may come later."""


Moment = tuple[float, float]
"""By the clock, and by the processor's time in this thread."""


class Paints:
    """When something changed on the screen since a key was pressed, until a worker brings something."""

    def __init__(self, app: Any) -> None:
        self.changed: list[Moment] = []
        self.last = 0.0
        self.open = True
        self.spent: Moment = (0.0, 0.0)
        self.cells: dict[tuple[int, int], tuple[str, str]] = {}
        display, post, call = app._display, app.post_message, app.call_from_thread

        def drawing(screen: Any, update: Any) -> None:
            display(screen, update)
            if update is None:
                return
            update.render_segments(app.console)  # what a terminal would be sent
            drawn = now()
            if self.draw(update, app.console) and (self.open or not self.changed):
                self.changed.append((drawn[0] - self.spent[0], drawn[1] - self.spent[1]))
            self.last, spent = now()
            self.spent = (self.spent[0] + self.last - drawn[0], self.spent[1] + spent - drawn[1])

        def posted(message: Any) -> bool:
            self.open = self.open and not isinstance(message, (PreviewMade, ProposalsArrived))
            return bool(post(message))

        def called(*args: Any, **more: Any) -> Any:
            self.open = False
            return call(*args, **more)

        app._display, app.post_message, app.call_from_thread = drawing, posted, called

    def begin(self) -> None:
        self.changed, self.open, self.spent, self.last = [], True, (0.0, 0.0), time.perf_counter()

    def draw(self, update: Any, console: Any) -> bool:
        """Whether a drawing changes what stands in any cell."""
        x = y = 0
        changed = False
        for text, style, control in update.__rich_console__(console, console.options):
            if control:
                x, y = next((code[1:] for code in control if code[0] == ControlType.CURSOR_MOVE_TO), (x, y))
                continue
            look = str(style.clear_meta_and_links()) if style is not None else ""
            for character in text if text != "\n" else "":
                changed = changed or self.cells.get((x, y)) != (character, look)
                self.cells[x, y] = (character, look)
                x += cell_len(character)
        return changed


def now() -> Moment:
    return time.perf_counter(), time.thread_time()


async def press(app: Any, paints: Paints, key: str) -> Moment:
    """Seconds until the last change on the screen that a key leads to; none for a key that changes nothing."""
    paints.begin()
    began = now()
    app.simulate_key(key)
    while not shown(app.screen) or time.perf_counter() - paints.last < _CALM:
        await asyncio.sleep(0.005)
    last = (paints.changed or [began])[-1]
    return last[0] - began[0], last[1] - began[1]


def shown(screen: Any) -> bool:
    """Whether a screen, which the key may have opened, stands there with what it has to say, and is drawn."""
    if not screen.is_mounted or not screen.size.width or screen._layout_required or screen._dirty_widgets:
        return False
    feet = list(screen.query(Keys))
    lists = [one for one in screen.query(LineList) if one.display and one.id in _LISTS]
    return bool(feet) and bool(feet[0].size.width) and all(one.size.width and one.lines for one in lists)


async def measure(document: str, width: int, height: int) -> dict[str, Any]:
    from wizard.session.desk import Desk
    from wizard.session.steps import begin
    from wizard.spec.reader import read_document

    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        app = WizardApp(document, lambda: read_document(document), begin, Desk(out=Path(folder)))
        async with app.run_test(size=(width, height)) as pilot:
            paints = Paints(app)
            figures["up"] = time.perf_counter() - started
            while app.session is None:
                await pilot.pause(0.01)
            await pilot.pause(0)
            figures["list"] = time.perf_counter() - started
            figures["operations"] = len(app.session.entries)
            arriving = []
            while app.session.pending and len(arriving) < 400:
                arriving.append(
                    ("while proposals arrive", *await press(app, paints, "down" if len(arriving) % 20 else "home"))
                )
                await pilot.pause(0.02)
            while app.session.pending:
                await pilot.pause(0.05)
            figures["proposed"] = time.perf_counter() - started
            later = []
            for place, keys in (("list", LIST_KEYS), ("operation", OPEN_KEYS)):
                for number, key in enumerate(keys, 1):
                    later.append((f"{place} {number}: {key}", *await press(app, paints, key)))
                    await pilot.pause(0.3)
            figures["arriving"], figures["later"] = arriving, later
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document", nargs="?", help="an API document; default: one that is made up")
    parser.add_argument("--size", default="120x40", help="columns x rows")
    args = parser.parse_args()
    width, _, height = args.size.partition("x")
    with tempfile.TemporaryDirectory() as folder:
        document = args.document
        if document is None:
            document = str(Path(folder) / "made-up.json")
            Path(document).write_bytes(document_of_size(5, "json"))
        figures = asyncio.run(measure(document, int(width), int(height)))
    print(f"{figures['operations']} operations at {args.size}")
    print(f"up {figures['up']:.2f} s   list {figures['list']:.2f} s   all proposed {figures['proposed']:.2f} s")
    for name, found in (("while proposals arrive", figures["arriving"]), ("after", figures["later"])):
        if found:
            clock = sorted(one[1] for one in found)
            thread = sorted(one[2] for one in found)
            print(f"{name}: {len(found)} presses   clock: {spread(clock)}   thread: {spread(thread)}")
    for name, clock, thread in sorted(figures["later"], key=lambda one: -one[1])[:8]:
        print(f"  {name:24} {clock * 1000:7.1f} ms by the clock {thread * 1000:7.1f} ms of the thread")


def spread(values: list[float]) -> str:
    """Median, 95 % and the longest, in milliseconds."""
    at = [values[len(values) // 2], values[int(len(values) * 0.95)], values[-1]]
    return " / ".join(f"{one * 1000:.1f}" for one in at) + " ms"


if __name__ == "__main__":
    main()
