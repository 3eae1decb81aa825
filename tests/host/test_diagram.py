"""docs/loop.md shows the loop that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from wizard.host.diagram import diagram, reasons
from wizard.host.runs import CRASHED, Reason, RunState

PAGE = Path(__file__).parents[2] / "docs" / "loop.md"


@pytest.mark.requirement(149)
def test_the_page_holds_the_picture_that_the_code_makes() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert diagram() in page
    assert reasons() in page


@pytest.mark.requirement(149)
def test_the_picture_is_small_and_knows_every_end() -> None:
    boxes = sum(line.count(f"+{'-' * 24}+") for line in diagram().splitlines()) // 2
    assert boxes <= 12
    assert all(state in diagram() for state in (*RunState, CRASHED))
    assert all(f"`{reason}`" in reasons() for reason in Reason)


@pytest.mark.requirement(150, 151)
def test_the_page_tells_the_two_faults_and_names_their_tests() -> None:
    page = PAGE.read_text(encoding="utf-8")
    tests = (PAGE.parent.parent / "tests" / "host" / "test_loop.py").read_text(encoding="utf-8")
    named = [word.strip("()`") for word in page.split() if word.startswith("(`test_")]
    assert len(named) == 3
    assert all(f"def {name}(" in tests for name in named)
    assert "## Why a checkpoint after every step" in page
