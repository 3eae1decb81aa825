"""`emit` as it is called."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from house import raw

from wizard.cli import main


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "house.json"
    path.write_text(json.dumps(raw()))
    return path


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_without_a_choice_it_is_the_writes(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = document.parent / "out"
    assert main(["emit", str(document), "--out", str(out)]) == 0
    assert files(out) == ["house/SKILL.md", "house/operations/create-booking.md", "skill-wizard.lock.json"]
    assert capsys.readouterr().out.splitlines() == [
        f"create  {out.as_posix()}/house/operations/create-booking.md",
        f"create  {out.as_posix()}/house/SKILL.md",
        f"create  {out.as_posix()}/skill-wizard.lock.json",
        "3 created",
    ]


def test_an_operation_by_name_and_by_id(document: Path) -> None:
    out = document.parent / "out"
    assert main(["emit", str(document), "--operation", "GET /bookings", "--out", str(out), "--layout", "specs"]) == 0
    assert files(out) == ["list-bookings.md", "skill-wizard.lock.json"]
    assert main(["emit", str(document), "--operation", "createBooking", "--out", str(out)]) == 0
    assert files(out) == ["create-booking.md", "list-bookings.md", "skill-wizard.lock.json"]


def test_the_same_bytes_every_time(document: Path) -> None:
    one, other = document.parent / "one", document.parent / "other"
    for out in (one, other):
        assert main(["emit", str(document), "--all", "--out", str(out)]) == 0
    assert [(one / path).read_bytes() for path in files(one)] == [(other / path).read_bytes() for path in files(other)]


@pytest.mark.parametrize("flag", ["--dry-run", "--diff"])
def test_nothing_is_written_when_it_is_only_shown(
    document: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = document.parent / "out"
    assert main(["emit", str(document), "--out", str(out), flag]) == 0
    assert not out.exists()
    said = capsys.readouterr().out
    assert ("+++ b/house/SKILL.md" in said) == (flag == "--diff")
    assert "\x1b" not in said


def test_a_difference_of_what_is_there(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = document.parent / "out"
    assert main(["emit", str(document), "--out", str(out)]) == 0
    document.write_text(json.dumps(raw(description="Another text.")))
    capsys.readouterr()
    assert main(["emit", str(document), "--out", str(out), "--diff"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["--- a/house/operations/create-booking.md", "+++ b/house/operations/create-booking.md"]
    assert "-> Books a room for a stay." in said
    assert "+> Another text." in said


def test_standard_input(
    document: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    class Input:
        buffer = io.BytesIO(document.read_bytes())

    monkeypatch.setattr(sys, "stdin", Input)
    assert main(["emit", "-", "--out", str(document.parent / "out")]) == 0
    assert capsys.readouterr().out.endswith("3 created\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--all", "--operation", "createBooking"], "exclude each other"),
        (["--operation", "createBoking"], "createBooking"),
        (["--templates", "nowhere"], "there is no folder `nowhere` of templates"),
    ],
)
def test_words_that_do_not_fit(
    document: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["emit", str(document), "--out", str(document.parent / "out"), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_document_without_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made: dict[str, Any] = raw()
    del made["servers"]
    path = tmp_path / "house.json"
    path.write_text(json.dumps(made))
    assert main(["emit", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "--server" in capsys.readouterr().err
    assert main(["emit", str(path), "--out", str(tmp_path / "out"), "--server", "https://house.example"]) == 0


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ("house.example/v1", "It begins with `https://`"),
        ("ftp://house.example", "It begins with `https://`"),
        ("https://{region}.house.example", "It begins with `https://`"),
        ("https://house.example/{version}", "It ends with its path"),
        ("https://house.example/v1?tenant=1", "It ends with its path"),
        ("https://house.example/v1#top", "It ends with its path"),
    ],
)
def test_a_server_that_no_path_can_stand_behind(
    document: Path, server: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = document.parent / "out"
    assert main(["emit", str(document), "--out", str(out), "--server", server]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("server", ["https://gw.example/house/v2", "https://gw.example/house/v2/"])
def test_another_server_stands_before_every_path_and_the_skills_still_belong_to_their_document(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = Path(__file__).parents[2] / "samples" / "hollowbrook" / "openapi.yaml"
    (tmp_path / "openapi.yaml").write_bytes(sample.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main(["emit", "openapi.yaml", "--out", "skills", "--operation", "POST /bookings", "--server", server]) == 0
    text = (tmp_path / "skills" / "hollowbrook" / "operations" / "create-booking.md").read_text("utf-8")
    assert "\n  url: https://gw.example/house/v2/bookings\n" in text
    assert "\n    url: https://gw.example/house/v2/bookings?room_id={room_id}&arrival={arrival}\n" in text
    capsys.readouterr()
    assert main(["lint", "skills", "--format", "concise"]) == 0
    assert "operation-unknown" not in capsys.readouterr().out
    assert main(["rehearse", "skills", "--only", "503-after-commit", "--no-compare"]) == 0
    assert "document: openapi.yaml" in capsys.readouterr().out


def test_a_document_that_only_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = raw()
    del made["paths"]["/bookings"]["post"]
    path = tmp_path / "house.json"
    path.write_text(json.dumps(made))
    assert main(["emit", str(path), "--out", str(tmp_path / "out")]) == 2
    assert "`--all` takes the reads, too" in capsys.readouterr().err


def test_a_folder_that_is_a_file(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["emit", str(document), "--out", str(document)]) == 2
    said = capsys.readouterr().err
    assert "house.json" in said
    assert "Traceback" not in said


def test_a_lock_that_is_broken(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = document.parent / "out"
    out.mkdir()
    (out / "skill-wizard.lock.json").write_text("{")
    assert main(["emit", str(document), "--out", str(out)]) == 2
    assert "skill-wizard.lock.json: this is no lock" in capsys.readouterr().err
