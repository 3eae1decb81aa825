"""A headless Chromium, where the machine has one: what it makes of a page, as DOM, picture and PDF."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60


def found() -> str | None:
    """The program that CHROMIUM names, else the first on the PATH."""
    return os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)


needs_chromium = pytest.mark.skipif(found() is None, reason="no Chromium on this machine (set CHROMIUM to one)")


class Browser:
    """One profile in one folder. No name is resolved, so nothing can be asked of any network."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.said = ""

    def _run(self, page: Path, *words: str) -> str:
        program = found()
        assert program is not None
        command = [
            program, "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
            "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * 0.0.0.0",
            "--enable-logging=stderr", f"--user-data-dir={self.place / 'profile'}", *words, page.as_uri(),
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium refuses its sandbox to root, as whom containers run tests.
            command.insert(1, "--no-sandbox")
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, cwd=self.place)
        self.said = done.stderr.decode("utf-8", "replace")
        assert done.returncode == 0, self.said
        return done.stdout.decode("utf-8", "replace")

    def dom(self, page: Path, width: int = 1280) -> str:
        """The page's DOM once its scripts have run."""
        return self._run(page, f"--window-size={width},900", "--virtual-time-budget=3000", "--dump-dom")

    def picture(self, page: Path, width: int, height: int = 900) -> bytes:
        """A PNG of the page's top."""
        path = self.place / f"{page.stem}-{width}.png"
        self._run(page, f"--window-size={width},{height}", f"--screenshot={path}")
        return path.read_bytes()

    def pdf(self, page: Path) -> bytes:
        """The page as it is printed."""
        path = self.place / f"{page.stem}.pdf"
        self._run(page, "--no-pdf-header-footer", f"--print-to-pdf={path}")
        return path.read_bytes()
