"""How long the wizard takes to show its list, and to answer a key press, while proposals arrive and after.

    python -m bench.tui                         a document made up for it, of 1,200 operations or so
    python -m bench.tui openapi.json            a document of yours
    python -m bench.tui --size 120x40

`list` is from the app's start until the operations stand on the screen, seconds by the clock. A press is measured from
the key until every widget has handled it and the screen is drawn: milliseconds by the clock, and of the processor in
the screen's thread, which a busy machine does not lengthen. What is promised: 3 s for the list, 50 ms for a press.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if __package__:
    from bench.made_up import document_of_size
else:
    sys.path.insert(0, str(Path(__file__).parent))
    from made_up import document_of_size

LIST_KEYS = ("down", "down", "pagedown", "end", "home", "r", "r", "slash", "p", "a", "t", "c", "h", "escape", "n")
OPEN_KEYS = ("enter", "down", "space", "space", "p", "p", "p", "p", "c", "enter", "u", "n", "escape")


async def press(pilot: Any, key: str) -> tuple[float, float]:
    """Seconds by the clock, and of the processor in this thread, until a key is answered on the screen."""
    clock, thread = time.perf_counter(), time.thread_time()
    pilot.app.simulate_key(key)
    await pilot.pause(0)
    return time.perf_counter() - clock, time.thread_time() - thread


async def measure(document: str, width: int, height: int) -> dict[str, Any]:
    from wizard.session.desk import Desk
    from wizard.session.steps import begin
    from wizard.spec.reader import read_document
    from wizard.tui.app import WizardApp

    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        app = WizardApp(document, lambda: read_document(document), begin, Desk(out=Path(folder)))
        async with app.run_test(size=(width, height)) as pilot:
            figures["up"] = time.perf_counter() - started
            while app.session is None:
                await pilot.pause(0.01)
            await pilot.pause(0)
            figures["list"] = time.perf_counter() - started
            figures["operations"] = len(app.session.entries)
            arriving = []
            while app.session.pending and len(arriving) < 400:
                arriving.append(
                    ("while proposals arrive", *await press(pilot, "down" if len(arriving) % 20 else "home"))
                )
                await pilot.pause(0.02)
            while app.session.pending:
                await pilot.pause(0.05)
            figures["proposed"] = time.perf_counter() - started
            later = []
            for place, keys in (("list", LIST_KEYS), ("operation", OPEN_KEYS)):
                for key in keys:
                    later.append((f"{place}: {key}", *await press(pilot, key)))
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
    for name, clock, thread in sorted(figures["later"], key=lambda one: -one[2])[:8]:
        print(f"  {name:24} {clock * 1000:7.1f} ms by the clock {thread * 1000:7.1f} ms of the thread")


def spread(values: list[float]) -> str:
    """Median, 95 % and the longest, in milliseconds."""
    at = [values[len(values) // 2], values[int(len(values) * 0.95)], values[-1]]
    return " / ".join(f"{one * 1000:.1f}" for one in at) + " ms"


if __name__ == "__main__":
    main()
