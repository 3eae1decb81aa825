"""The README's example is what the command prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wizard.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_is_what_propose_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    call = re.search(r"`skill-wizard (propose [^`]+)`", README)
    block = re.search(r"```\n(POST /bookings\n.*?)```", README, re.DOTALL)
    assert call
    assert block
    assert main(call[1].split()) == 0
    assert block[1] in capsys.readouterr().out


def test_it_is_one_page_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) < 80
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
