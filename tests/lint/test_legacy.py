"""The sample of skills as teams have them before they knew better.

`REWRITE_GOLDEN=1 pytest tests/lint/test_legacy.py` writes the golden files anew; read the diff like code.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from wizard.cli import main
from wizard.layout import width_of
from wizard.lint.engine import Request, lint
from wizard.lint.fixing import fix, write
from wizard.lint.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).with_name("legacy")
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))
HERE_ONLY = Request(paths=(".",), cache=False)


@pytest.fixture
def legacy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "legacy"
    shutil.copytree(ROOT / "samples" / "legacy", place)
    monkeypatch.chdir(place)
    return place


def compared(text: str, name: str) -> None:
    path = HERE / name
    if REWRITE:
        HERE.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


def test_what_the_linter_says_of_it(legacy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--no-cache", "--no-config"]) == 1
    out = capsys.readouterr().out
    assert max(map(width_of, out.splitlines())) <= 80
    compared(out, "found.txt")


def test_each_kind_of_trouble_is_found(legacy: Path) -> None:
    found = {(finding.spot.path, finding.rule) for finding in lint(HERE_ONLY, Settings()).findings}
    assert {
        ("charge-account/SKILL.md", "prose-builds-key"),
        ("payouts/SKILL.md", "prose-new-key-on-retry"),
        ("invoices/SKILL.md", "sample-fills-key"),
        ("tickets/SKILL.md", "row-asks-for-key"),
        ("发货/SKILL.md", "prose-builds-key"),
        ("operations/book-room.md", "same-write-differs"),
        ("operations/reserve-room.md", "same-write-differs"),
        ("operations/order-linen.md", "key-is-a-decoy"),
        ("operations/open-account.md", "identity-secret"),
        ("operations/open-account.md", "key-in-body"),
        ("operations/cancel-booking.md", "unknown-key"),
    } <= found
    assert not any(path.startswith("docs/") for path, _ in found)


def test_the_fixes_leave_only_what_needs_a_person_and_then_change_nothing(
    legacy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = fix(HERE_ONLY, Settings(), unsafe=True)
    assert done.refused == ()
    write(done.texts)
    left = lint(HERE_ONLY, Settings())
    assert [finding for finding in left.findings if finding.fix is not None] == []
    again = fix(HERE_ONLY, Settings(), unsafe=True)
    assert again.texts == {}
    main(["lint", "--no-cache", "--no-config"])
    compared(capsys.readouterr().out, "left.txt")


def test_safe_fixes_alone_touch_no_sentence(legacy: Path) -> None:
    done = fix(HERE_ONLY, Settings(), unsafe=False)
    for path, text in done.texts.items():
        before = Path(path).read_text(encoding="utf-8")
        assert before.rpartition("\n---\n")[2] == text.rpartition("\n---\n")[2]
