"""The bytes of every output format, and that what reads them takes them.

`REWRITE_GOLDEN=1 pytest tests/lint/test_formats.py` writes the golden files anew; read the diff like code.
"""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft202012Validator

from wizard import __version__
from wizard.assets import folder
from wizard.cli import main
from wizard.layout import width_of, window, wrapped
from wizard.lint.formatting import format_names, load_format

HERE = Path(__file__).with_name("formats")
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "repository"
    shutil.copytree(HERE / "repository", place)
    (place / ".git").mkdir()
    monkeypatch.chdir(place)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return place


def printed(name: str, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["lint", "--no-cache", "--format", name, *words]) == 1
    return capsys.readouterr().out


def compared(text: str, path: Path) -> None:
    whole = text.replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"').encode()
    if REWRITE:
        path.write_bytes(whole)
    assert whole == path.read_bytes()


@pytest.mark.parametrize("name", format_names())
def test_a_formats_bytes_are_its_contract(name: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert load_format(name).name == name
    compared(printed(name, capsys), HERE / f"{name}.txt")


@pytest.mark.parametrize("name", format_names())
def test_a_clean_run(name: str, repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--no-cache", "--format", name, "--select", "skill-name", "."]) == 0
    compared(capsys.readouterr().out, HERE / f"{name}-clean.txt")


@pytest.mark.parametrize("name", [*format_names(), "text"])
def test_another_run_gives_the_same_bytes(
    name: str, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = printed(name, capsys)
    monkeypatch.setenv("SKILL_WIZARD_CACHE_DIR", str(tmp_path / "cache"))
    for words in (["--jobs", "3"], []):
        assert main(["lint", "--format", name, *words]) == 1
        assert capsys.readouterr().out == first


def test_text_fits_eighty_columns(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed("text", capsys).splitlines()
    assert max(map(width_of, lines)) <= 80


def test_colour_changes_no_word(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import re

    plain = printed("text", capsys)
    colored = printed("text", capsys, "--color", "always")
    assert colored != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_json_fits_its_schema(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((folder("schemas") / "findings.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    data = json.loads(printed("json", capsys))
    Draft202012Validator(schema).validate(data)
    assert data["findings"]
    assert data["suppressed"]


def test_the_edits_of_json_put_the_file_right(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(printed("json", capsys))
    (found,) = [one for one in data["findings"] if one["rule"] == "unknown-key"]
    lines = (repository / found["path"]).read_text(encoding="utf-8").splitlines()
    (edit,) = found["fix"]["edits"]
    line = lines[edit["line"] - 1]
    assert line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :] == "  keep: 2d"


def test_sarif_fits_the_standards_schema(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((HERE / "sarif" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    log = json.loads(printed("sarif", capsys))
    problems = [f"{error.json_path}: {error.message}" for error in Draft4Validator(schema).iter_errors(log)]
    assert problems == []


def test_sarif_keeps_what_is_allowed_and_explains_rules(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run,) = json.loads(printed("sarif", capsys))["runs"]
    allowed = [result for result in run["results"] if result.get("suppressions")]
    assert [(one["ruleId"], one["suppressions"]) for one in allowed] == [
        ("identity-free-text", [{"kind": "inSource", "justification": "two charges of one booking differ in it"}])
    ]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all("Why:" in rule["help"]["markdown"] for rule in rules)
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_says_where_from_the_repositorys_top(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def places(text: str) -> list[tuple[Any, ...]]:
        (run,) = json.loads(text)["runs"]
        return [
            (result["locations"][0]["physicalLocation"]["artifactLocation"], result["partialFingerprints"])
            for result in run["results"]
        ]

    above = places(printed("sarif", capsys))
    monkeypatch.chdir(repository / "skills")
    assert places(printed("sarif", capsys)) == above
    assert {"uri": "skills/%E9%A2%84%E8%AE%A2/book.md", "uriBaseId": "ROOT"} in [place for place, _ in above]


def test_junit_is_xml_that_counts_right(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(printed("junit", capsys))
    cases = root.findall("./testsuite/testcase")
    assert int(root.attrib["tests"]) == len(cases)
    assert int(root.attrib["failures"]) == len(root.findall("./testsuite/testcase/failure"))
    for suite in root.findall("./testsuite"):
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))


def test_gitlab_has_what_its_report_asks_for(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    issues = json.loads(printed("gitlab", capsys))
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not issue["location"]["path"].startswith(("/", "."))
        assert issue["location"]["positions"]["begin"]["line"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_github_escapes_what_would_end_a_command(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in printed("github", capsys).splitlines():
        head, _, message = line.removeprefix("::").partition("::")
        level, _, members = head.partition(" ")
        assert level in {"error", "warning", "notice"}
        assert {"file", "line", "title"} <= {member.partition("=")[0] for member in members.split(",")}
        assert message


LINES = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=("Cs",)), max_size=120)


@given(LINES, st.integers(0, 130), st.integers(0, 130), st.integers(20, 90))
def test_a_line_is_cut_so_that_the_mark_is_seen(line: str, one: int, other: int, room: int) -> None:
    start, end = sorted((min(one, len(line)), min(other, len(line))))
    text, first, last = window(line, start, end, room)
    assert width_of(text) <= room
    assert 0 <= first <= last <= room
    if end > start and start < len(line):
        assert first < room


@given(st.text(max_size=200), st.integers(5, 60))
def test_wrapped_text_keeps_its_words(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert " ".join(lines).split() == text.split()
    assert all(width_of(line) <= width or " " not in line for line in lines)
