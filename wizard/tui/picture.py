"""A picture of the wizard as SVG, made by the wizard itself: `python -m wizard.tui.picture docs/wizard.svg`.

It opens the document (the sample hotel's, or the one that is named), looks at one operation, and writes what the screen
shows. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from wizard.session.desk import Desk
from wizard.session.steps import begin
from wizard.spec.reader import read_document
from wizard.tui.app import WizardApp
from wizard.tui.screens.operation import OperationScreen
from wizard.tui.screens.writing import WritingScreen

_NAME = re.compile(r"terminal-\d+")


def picture(app: WizardApp, title: str = "skill-wizard") -> str:
    """What the screen shows now, as SVG: the same text for the same screen."""
    found = app.export_screenshot(title=title, simplify=True)
    # Rich names the parts of a picture by a checksum of all that it was made from; one name is as good.
    return "\n".join(line.rstrip() for line in _NAME.sub("terminal", found).splitlines()) + "\n"


async def draw(document: str, keys: Sequence[str], size: tuple[int, int], *, title: str = "skill-wizard") -> str:
    """Opens a document, presses keys, and gives the picture; nothing is written anywhere else."""
    with tempfile.TemporaryDirectory() as folder:
        app = WizardApp(document, partial(read_document, document), begin, Desk(out=Path(folder) / "skills"))
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            for key in keys:
                app.simulate_key(key)
                await pilot.pause(0)
                await settled(app, pilot)
            return picture(app, title)


async def settled(app: WizardApp, pilot: Pilot[int]) -> None:
    """Waits until nothing is to be worked out any more, and the screen shows it."""
    calm = 0
    while calm < 3:
        await pilot.pause(0.01)
        reading = app.failed is None and (app.session is None or bool(app.session.pending))
        working = any(not worker.is_finished for worker in app.workers)
        calm = 0 if reading or working or _unfinished(app.screen) else calm + 1


def _unfinished(screen: Screen[Any]) -> bool:
    """Whether a screen waits for something that comes by itself."""
    if isinstance(screen, OperationScreen):
        return not screen.is_mounted or not screen.sheet.lines or screen.beside.stale
    if isinstance(screen, WritingScreen):
        return screen.writing is None and not screen.problem
    return not screen.is_mounted or screen.size.width == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="the SVG to write")
    parser.add_argument("--document", default="samples/hollowbrook/openapi.yaml", help="default: the sample hotel's")
    parser.add_argument("--size", default="160x44", help="columns x rows")
    parser.add_argument("--keys", default="slash c h a r g e s enter enter", help="what is pressed, parted by spaces")
    args = parser.parse_args()
    width, _, height = args.size.partition("x")
    drawn = asyncio.run(draw(args.document, args.keys.split(), (int(width), int(height))))
    args.file.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
