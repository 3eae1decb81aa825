"""`author` without a screen: the same decisions, the same files."""

from pathlib import Path

import pytest

from wizard.cli import main
from wizard.skill.document import parse_skill
from wizard.source import Source

HOTEL = str(Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILL_WIZARD_STATE", str(tmp_path / "state"))


def operation(out: Path, name: str):
    text = (out / "hollowbrook" / "operations" / f"{name}.md").read_text(encoding="utf-8")
    return parse_skill(Source(name, text)).operation


def test_confirmed_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "skills"
    words = ["--confirm", "createBooking", "--confirm", "POST /charges", "--skip", "addLogLine"]
    assert main(["author", HOTEL, "--out", str(out), *words]) == 0
    assert operation(out, "create-booking").confirmed
    assert operation(out, "charge-payment-account").key is not None
    assert '"decision": "skipped"' in (out / "skill-wizard.lock.json").read_text(encoding="utf-8")
    assert "create-booking.md" in capsys.readouterr().out
    assert main(["author", HOTEL, "--out", str(out), *words]) == 0
    assert capsys.readouterr().out == ""


def test_all_of_high_confidence(tmp_path: Path) -> None:
    assert main(["author", HOTEL, "--out", str(tmp_path / "skills"), "--confirm-high"]) == 0
    files = list((tmp_path / "skills" / "hollowbrook" / "operations").glob("*.md"))
    assert files
    assert all("status: proposed" not in file.read_text(encoding="utf-8") for file in files)


def test_what_the_screen_decided_is_done_again_without_it(sit, tmp_path: Path) -> None:
    async def journey(wizard) -> None:
        await wizard.press("slash")
        await wizard.type("post bookings book a room")
        await wizard.press("enter", "enter", "down", "down", "down", "down", "space", "c", "enter", "w")
        screen = wizard.app.screen
        await wizard.until(lambda: screen.writing is not None, "a plan")
        await wizard.press("enter")
        assert "--decisions" in wizard.text()

    sit(journey)
    (decisions,) = (tmp_path / "state" / "decisions").glob("*.json")
    other = tmp_path / "other"
    assert main(["author", HOTEL, "--out", str(other), "--decisions", str(decisions)]) == 0
    assert operation(other, "create-booking") == operation(sit.out, "create-booking")
    assert len(operation(other, "create-booking").identity) == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs a terminal"),
        (["--confirm", "bookRoom"], "bookRoom"),
        (["--confirm", "createBooking", "--read-only"], "exclude each other"),
        (["--confirm", "listRooms"], "changes nothing"),
        (["--decisions", "nowhere.json"], "nowhere.json"),
    ],
)
def test_what_cannot_be_done_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["author", HOTEL, "--out", str(tmp_path / "skills"), *words]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "skills").exists()
