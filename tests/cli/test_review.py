"""`skill-wizard review`: what it exits with, and what it says where there is nothing to compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wizard.cli import main


def skill(identity: str = "[room, guest]", keep: str = "24h") -> str:
    return (
        "---\nname: book\ndescription: Books.\noperation:\n  method: POST\n  url: https://inn.example/bookings\n"
        f"  body: [room, guest]\n  identity: {identity}\n  keep: {keep}\n---\n"
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in (("a", skill()), ("same", skill()), ("risky", skill(keep="1h")), ("breaks", skill("[room]"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "book.md").write_text(text, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("head", "fail_on", "code"),
    [
        ("same", "risky", 0),
        ("risky", "breaks", 0),
        ("risky", "risky", 1),
        ("risky", "never", 0),
        ("breaks", "breaks", 1),
        ("breaks", "risky", 1),
        ("breaks", "never", 0),
    ],
)
def test_the_grade_that_fails(head: str, fail_on: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("text", "markdown", "page", "json"):
        assert main(["review", "a", head, "--fail-on", fail_on, "--format", name]) == code
        said = " ".join(capsys.readouterr().out.split())
        if name == "json":
            assert json.loads(said)["failed"] is bool(code)
            assert json.loads(said)["fail_on"] == fail_on
        else:
            assert f"The check {'fails' if code else 'passes'}" in said or head == "same"
            assert f"--fail-on {fail_on}" in said or (head == "same" and name == "text")


def test_breaks_fail_unless_something_else_is_said() -> None:
    assert main(["review", "a", "risky"]) == 0
    assert main(["review", "a", "breaks"]) == 1


def test_reports_go_into_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "a", "breaks", "--output", "json:out/review.json", "--output", "markdown:review.md"]) == 1
    assert json.loads((folder / "out" / "review.json").read_text(encoding="utf-8"))["counts"]["breaks"] == 1
    assert "identity" in (folder / "review.md").read_text(encoding="utf-8")
    assert "The identity loses `guest`." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["review"], "there is nothing to compare with"),
        (["review", "."], "`.` is the working tree itself"),
        (["review", "a"], "`a` lies in the working tree, which it would be compared with. Name what it was"),
        (["review", "nowhere"], "there is no file or folder `nowhere`"),
        (["review", "a", "b", "--format", "jsn"], "there is no format `jsn`. Did you mean `json`?"),
        (["review", "a", "b", "--output", "json"], "`--output` is FORMAT:FILE"),
        (["review", "a", "same", "--document-head", "no.yaml"], "no.yaml: there is no such file"),
        (["review", "a", "same", "--approvals", "no.yaml"], "no.yaml: it cannot be read"),
    ],
)
def test_what_cannot_be_done(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert shown.out == ""


def test_no_skill_on_either_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "empty", "empty"]) == 3
    assert "no skill under empty: no SKILL.md" in capsys.readouterr().err
    assert main(["review", "empty", "a"]) == 0
    assert main(["review", "a", "empty"]) == 0


def test_two_documents_need_no_second_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = {"type": "object", "required": ["room", "guest"], "properties": {"room": {}, "guest": {}}}
    for name in ("old", "new"):
        body = {"content": {"application/json": {"schema": schema}}}
        post = {"requestBody": body, "responses": {"201": {"description": "Booked"}}}
        document = {
            "openapi": "3.1.0",
            "info": {"title": "Inn", "version": "1"},
            "paths": {"/bookings": {"post": post}},
        }
        (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        schema = {"type": "object", "required": ["room"], "properties": {"room": {}}}
    words = ["--document-base", "old.json", "--document-head", "new.json", "--format", "json"]
    assert main(["review", "a", *words]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [one["kind"] for one in found["operations"][0]["changes"]] == ["document-identity-gone"]
    main(["review", "a", "--document-base", "old.json", "--document-head", "new.json"])
    assert capsys.readouterr().out.startswith("a with old.json -> a with new.json\n")


def test_the_configuration_names_the_document_and_leaves_files_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "skill-wizard.toml").write_text('exclude = ["b*/"]\n', encoding="utf-8")
    assert main(["review", "a", "breaks", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["operations"][0]["changes"][0]["kind"] == "operation-removed"
