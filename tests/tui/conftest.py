from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.keys import _character_to_key

from wizard.session.desk import Desk
from wizard.session.state import Session
from wizard.session.steps import begin
from wizard.spec.reader import read_document
from wizard.tui.app import WizardApp
from wizard.tui.lines import LineList
from wizard.tui.picture import settled
from wizard.tui.screens.telling import Telling
from wizard.tui.screens.writing import WritingScreen

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", ROOT.parent / "shared" / "corpus"))


@dataclass
class Wizard:
    """A wizard that somebody sits at."""

    app: WizardApp
    pilot: Any

    @property
    def session(self) -> Session:
        assert self.app.session is not None
        return self.app.session

    async def settled(self) -> None:
        """Waits until nothing is to be worked out any more."""
        await asyncio.wait_for(settled(self.app, self.pilot), 120)

    async def press(self, *keys: str) -> None:
        """Presses keys, each once the last is answered."""
        for key in keys:
            self.app.simulate_key(key)
            await self.pilot.pause(0)
            await self.pilot.pause(0.01)
            await self.settled()

    async def type(self, text: str) -> None:
        for character in text:
            self.app.post_message(Key("space" if character == " " else _character_to_key(character), character))
        await self.settled()

    async def until(self, holds: Callable[[], Any], what: str) -> None:
        """Waits for something that a worker brings."""
        for _ in range(1500):
            if holds():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"it never comes: {what}")

    async def write(self) -> None:
        """Takes the plan that is shown, once it is there, and goes on from what was written."""
        screen = self.app.screen
        assert isinstance(screen, WritingScreen)
        await self.until(lambda: screen.writing is not None, "a plan")
        await self.press("enter")
        await self.until(lambda: isinstance(self.app.screen, Telling), "what was written")
        await self.press("escape")

    def lines(self, selector: str) -> str:
        return "\n".join(line.text for line in self.app.screen.query_one(selector, LineList).lines)

    def text(self) -> str:
        """All that the topmost screen shows."""
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)[: (width + 1) * height]


Journey = Callable[[Wizard], Awaitable[None]]


@dataclass
class Sit:
    """Sits somebody down at a wizard over a document and folders of its own."""

    folder: Path
    document: str = str(ROOT / "samples" / "hollowbrook" / "openapi.yaml")
    size: tuple[int, int] = (120, 40)
    began: Callable[..., Session] = field(default=begin)

    @property
    def out(self) -> Path:
        return self.folder / "skills"

    def __call__(
        self, journey: Journey, *, document: str | None = None, size: tuple[int, int] | None = None, **session: Any
    ) -> None:
        asyncio.run(self.go(journey, document or self.document, size or self.size, session))

    async def go(self, journey: Journey, document: str, size: tuple[int, int], session: dict[str, Any]) -> None:
        desk = Desk(out=self.out, state=self.folder / "state")
        app = WizardApp(document, partial(read_document, document), partial(self.began, **session), desk)
        async with app.run_test(size=size, notifications=True) as pilot:
            wizard = Wizard(app, pilot)
            await wizard.settled()
            await journey(wizard)


@pytest.fixture
def sit(tmp_path: Path) -> Sit:
    return Sit(tmp_path)
