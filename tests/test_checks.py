"""The checks that read the source: format, lint, types, the direction of the layers, uncovered requirements."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent


@pytest.mark.parametrize(
    "check",
    [
        [str(BIN / "ruff"), "format", "--check", "."],
        [str(BIN / "ruff"), "check", "."],
        [str(BIN / "mypy")],
        [str(BIN / "lint-imports")],
        [sys.executable, "tests/check_requirements.py"],
    ],
    ids=["format", "lint", "types", "layers", "requirements"],
)
def test_the_source_passes(check: list[str]) -> None:
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
