"""Runs of the linter: what is looked at, what is reported, what is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from wizard.cli import main
from wizard.errors import ConfigError
from wizard.lint.cache import Cache
from wizard.lint.config import load_config
from wizard.lint.engine import Report, Request, lint
from wizard.lint.fixing import fix
from wizard.lint.settings import Settings
from wizard.lint.workers import Task, spread

FREE_TEXT = """\
---
name: charge
description: Charges an account.
operation:
  method: POST
  url: https://pay.example.com/charges
  body: [booking_id, notes]
  identity: [booking_id, notes]
  key: {in: header, name: Idempotency-Key, for: 24h}
---

Charge the account.
"""
SLIP = FREE_TEXT.replace("identity:", "identiy:").replace("name: charge", "name: slip").replace("charges", "slips")
CLEAN = FREE_TEXT.replace(", notes]", "]").replace("name: charge", "name: clean").replace("charges", "cleans")
BARE = (
    FREE_TEXT.replace("  identity: [booking_id, notes]\n", "")
    .replace("name: charge", "name: bare")
    .replace("/charges", "/bares")
)

Repository = Callable[..., Path]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Lays out files (path to text) in a folder that becomes the working directory."""
    monkeypatch.setenv("SKILL_WIZARD_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "repository"

    def lay_out(**files: str) -> Path:
        for name, text in files.items():
            path = folder / (name.replace("__", "/") + ("" if "." in name else ".md"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        return folder

    return lay_out


def run(*paths: str, **more: object) -> Report:
    settings = load_config("skill-wizard.toml") if Path("skill-wizard.toml").exists() else Settings()
    return lint(Request(paths=paths, **more), settings)  # type: ignore[arg-type]


def rules(report: Report, *, suppressed: bool = False) -> list[tuple[str, str]]:
    findings = report.suppressed if suppressed else report.findings
    return [(found.spot.path, found.rule) for found in findings]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["lint", *words])
    out, err = capsys.readouterr()
    return code, out, err


# Files


def test_a_broken_file_stops_nothing(repository: Repository) -> None:
    folder = repository(a__charge=FREE_TEXT, b__clean=CLEAN)
    (folder / "c").mkdir()
    (folder / "c" / "SKILL.md").write_bytes(b"---\nname: \xff\n---\n")
    (folder / "d").mkdir()
    (folder / "d" / "SKILL.md").write_bytes(b"\x89PNG\x00\xff" * 100)
    report = run(".")
    assert rules(report) == [
        ("a/charge.md", "identity-free-text"), ("c/SKILL.md", "file-unreadable"), ("d/SKILL.md", "file-unreadable"),
    ]  # fmt: skip
    assert len(report.files) == 4


def test_a_folder_that_cannot_be_read_stops_nothing(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository(a__clean=CLEAN, b__clean=CLEAN.replace("name: clean", "name: other").replace("cleans", "others"))
    real = os.scandir

    def scandir(path: str) -> object:
        if os.path.basename(path) == "b":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    code, out, err = said(capsys)
    assert (code, err) == (2, "skill-wizard: error: b: this folder cannot be read\n")
    assert "1 file checked" in out
    assert "ot all could be looked at" in out


def test_what_gitignore_leaves_out_is_left_out(repository: Repository) -> None:
    folder = repository(a__charge=FREE_TEXT, a__build__charge=FREE_TEXT, keep__me=FREE_TEXT, keep__not=FREE_TEXT)
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("build/\nkeep/*\n!keep/me.md\n")
    (folder / "a" / ".gitignore").write_text("*.md\n")
    assert run(".").files == ("keep/me.md",)
    (folder / "a" / ".gitignore").unlink()
    assert run(".").files == ("a/charge.md", "keep/me.md")
    assert run("a/build/charge.md").files == ("a/build/charge.md",)


def test_a_folder_that_is_named_is_meant_though_gitignore_leaves_it_out(repository: Repository) -> None:
    folder = repository(a__charge=FREE_TEXT, made__deep__charge=FREE_TEXT, made__old__charge=FREE_TEXT)
    (folder / ".git").mkdir()
    (folder / ".gitignore").write_text("/made/\n")
    assert run(".").files == ("a/charge.md",)
    assert run("made").files == ("made/deep/charge.md", "made/old/charge.md")
    assert run("made/deep", "a").files == ("made/deep/charge.md", "a/charge.md")
    Path("skill-wizard.toml").write_text("exclude = ['made/old/']\n")
    assert run("made").files == ("made/deep/charge.md",)


def test_the_configuration_says_what_is_looked_at(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT, b__charge=FREE_TEXT, b__old__charge=FREE_TEXT)
    Path("skill-wizard.toml").write_text("paths = ['b']\nexclude = ['b/old/']\n")
    assert run().files == ("b/charge.md",)
    Path("skill-wizard.toml").write_text("paths = ['b', 'c']\n")
    with pytest.raises(ConfigError, match=r"skill-wizard.toml: `paths` names `c`, and there is no such file or folder"):
        run()


def test_nothing_to_look_at(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(README="# Notes\n")
    assert said(capsys) == (
        3, "", "skill-wizard: no skill under this folder: no SKILL.md, and no Markdown file with `operation:` in its frontmatter; what .gitignore leaves out does not count\n",  # noqa: E501
    )  # fmt: skip
    assert said(capsys, "--skills-only", "README.md") == (0, "", "")
    code, out, _ = said(capsys, "--skills-only", "README.md", "--format", "json", "--output", "sarif:lint.sarif")
    assert (code, json.loads(out)["findings"]) == (0, [])
    assert json.loads(Path("lint.sarif").read_text())["runs"][0]["results"] == []
    code, _, err = said(capsys, "nowhere.md")
    assert (code, err) == (2, "skill-wizard: error: nowhere.md: there is no such file or folder\n")


def test_a_hook_names_every_file_and_only_skills_are_looked_at(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(a__charge=FREE_TEXT, README="# Notes\n", old__charge=FREE_TEXT)
    Path("skill-wizard.toml").write_text("exclude = ['old']\n")
    code, out, _ = said(capsys, "--skills-only", "--format", "json", "README.md", "a/charge.md", "old/charge.md")
    assert code == 1
    assert json.loads(out)["files"] == 1


def test_standard_input_stands_in_for_a_file(repository: Repository) -> None:
    repository(a__charge=CLEAN)
    words = [sys.executable, "-m", "wizard", "lint", "--stdin-filename", "a/charge.md", "--format", "concise"]
    done = subprocess.run(words, input=FREE_TEXT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.startswith("a/charge.md:8:26: warning identity-free-text: ")
    done = subprocess.run([*words, "--fix"], input=SLIP, capture_output=True, text=True, check=False)
    assert "identity: [booking_id, notes]" in done.stdout
    assert "identity-free-text" in done.stderr
    assert Path("a/charge.md").read_text() == CLEAN
    done = subprocess.run([*words, "--fix", "--diff"], input=SLIP, capture_output=True, text=True, check=False)
    changed = [line for line in done.stdout.splitlines() if line[:1] in "+-"]
    assert changed == [
        "--- a/a/charge.md", "+++ b/a/charge.md", "-  identiy: [booking_id, notes]", "+  identity: [booking_id, notes]",
    ]  # fmt: skip
    words[5:6] = ["NOTES.md", "--skills-only"]
    done = subprocess.run(words, input="# Notes\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


# The cache and the cores


def everything(report: Report) -> tuple[object, ...]:
    return (report.findings, report.suppressed, report.files)


def test_results_are_the_same_with_and_without_cache_and_cores(repository: Repository) -> None:
    files = {f"s{number}__charge": (FREE_TEXT, SLIP, CLEAN)[number % 3] for number in range(12)}
    repository(**files, README="# x\n")
    plain = run(".", cache=False, jobs=1)
    assert len({found.rule for found in plain.findings}) >= 3
    for report in (
        run(".", cache=False, jobs=3), run(".", cache=True, jobs=1), run(".", cache=True, jobs=2), run(".", cache=True)
    ):  # fmt: skip
        assert everything(report) == everything(plain)
    assert list((Path.cwd().parent / "cache").glob("lint-*.json"))


def test_a_change_is_seen_through_the_cache(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT)
    assert rules(run(".")) == [("a/charge.md", "identity-free-text")]
    Path("a/charge.md").write_text(CLEAN)
    assert rules(run(".")) == []
    Path("a/charge.md").write_text(FREE_TEXT)
    assert rules(run(".")) == [("a/charge.md", "identity-free-text")]
    Path("a/openapi.yaml").write_text(
        "openapi: 3.1.0\ninfo: {title: P, version: '1'}\nservers: [{url: https://pay.example.com}]\npaths: {}\n"
    )
    assert ("a/charge.md", "operation-unknown") in rules(run("."))
    Path("a/openapi.yaml").unlink()
    assert rules(run(".")) == [("a/charge.md", "identity-free-text")]


@pytest.mark.parametrize(
    "spoil", [b"", b"{", b"[]", b'{"form": 1, "results": {"x": 7}}', b'{"form": 99, "results": {}}']
)
def test_a_spoilt_cache_counts_as_none(repository: Repository, spoil: bytes) -> None:
    repository(a__charge=FREE_TEXT)
    before = run(".")
    for path in (Path.cwd().parent / "cache").glob("lint-*.json"):
        path.write_bytes(spoil)
    assert everything(run(".")) == everything(before)


def test_a_result_of_another_form_is_worked_out_anew(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT)
    before = run(".")
    for path in (Path.cwd().parent / "cache").glob("lint-*.json"):
        data = json.loads(path.read_text())
        data["results"] = {key: [[["cut", "off"]]] for key in data["results"]}
        path.write_text(json.dumps(data))
    assert everything(run(".")) == everything(before)


def test_a_cache_that_cannot_be_written_is_no_error(repository: Repository, tmp_path: Path) -> None:
    repository(a__charge=FREE_TEXT)
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert rules(run(".")) == [("a/charge.md", "identity-free-text")]


def test_a_cache_keeps_what_was_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wizard.lint.cache.KEPT", 3)
    monkeypatch.setattr("wizard.lint.cache.SHARDS", 1)
    for number in range(6):
        cache = Cache(str(tmp_path / "cache"))
        cache.put(cache.key(str(number).encode()), number)
        cache.get(cache.key(b"0"))
        cache.save()
    cache = Cache(str(tmp_path / "cache"))
    kept = [number for number in range(6) if cache.get(cache.key(str(number).encode())) is not None]
    assert kept == [0, 4, 5]
    assert (tmp_path / "cache" / ".gitignore").read_text().endswith("*\n")


def _squared(number: int, added: int) -> int:
    return number * number + added


def _even(number: int) -> tuple[bool, int]:
    return (True, number) if number % 2 == 0 else (False, number % 200)


SQUARES = [number if number % 2 == 0 else number * number + number % 200 for number in range(900)]


@pytest.mark.parametrize("jobs", [1, 2, 3, 50])
def test_work_is_spread_and_comes_back_in_order(jobs: int) -> None:
    assert spread(list(range(900)), Task(_squared, _even), 1, jobs) == SQUARES
    assert spread([0, 2, 4], Task(_squared, _even), 1, jobs) == [0, 2, 4]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers are no forks")
@pytest.mark.parametrize("dies", [1, 3, 899, None])
def test_a_worker_that_dies_loses_nothing(dies: int | None) -> None:
    here = os.getpid()

    def work(number: int, added: int) -> int:
        if os.getpid() != here and number == dies:
            os._exit(7)
        return _squared(number, added)

    def first() -> None:
        if dies is None:
            os._exit(7)

    assert spread(list(range(900)), Task(work, _even, first), 1, 3) == SQUARES


# What is reported


def test_severities_selections_and_thresholds(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP, c__bare=BARE)

    def names(text: str) -> set[str]:
        Path("skill-wizard.toml").write_text(text)
        return {found.rule for found in run(".").findings}

    assert names("") == {"identity-free-text", "unknown-key", "identity-missing"}
    assert names("severity = 'error'") == {"unknown-key"}
    assert names("confidence = 'high'") == {"unknown-key"}
    assert names("select = ['identity-missing']") == {"identity-missing"}
    assert names("select = ['declaration']\nignore = ['unknown-key']") == {"identity-free-text", "identity-missing"}
    assert names("[rules]\nunknown-key = 'off'") == {"identity-free-text", "identity-missing"}
    Path("skill-wizard.toml").write_text("[rules]\nidentity-free-text = 'error'\n")
    assert {found.severity for found in run(".").findings if found.rule == "identity-free-text"} == {"error"}


def test_a_family_may_be_given_a_severity(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP, c__bare=BARE)

    def severities(text: str) -> dict[str, str]:
        Path("skill-wizard.toml").write_text(text)
        return {found.rule: found.severity for found in run(".").findings}

    said = severities("[rules]\ndeclaration = 'info'\nunknown-key = 'warning'")
    assert said == {"identity-free-text": "info", "unknown-key": "warning", "identity-missing": "info"}
    assert severities("[rules]\nall = 'off'\nunknown-key = 'error'") == {"unknown-key": "error"}
    assert severities("[[per-path]]\npaths = ['b/']\nrules = { declaration = 'off' }") == {
        "identity-free-text": "warning",
        "identity-missing": "warning",
    }
    assert severities("ignore = ['all']") == {}


@pytest.mark.parametrize("more", ["", "severity = 'error'", "confidence = 'high'"])
def test_a_misspelled_selection_is_no_clean_run(repository: Repository, more: str) -> None:
    repository(a__charge=FREE_TEXT)
    Path("skill-wizard.toml").write_text(f"select = ['prose-build-key']\n{more}\n")
    assert rules(run(".")) == [("skill-wizard.toml", "unknown-rule")]


def test_settings_per_path(repository: Repository) -> None:
    repository(
        a__charge=FREE_TEXT, b__charge=FREE_TEXT.replace("name: charge", "name: other").replace("/charges", "/x")
    )
    Path("skill-wizard.toml").write_text(
        "[[per-path]]\npaths = ['a/']\nignore = ['declaration']\nreason = 'old'\n\n"
        "[[per-path]]\npaths = ['b/*.md']\nrules = { identity-free-text = 'info' }\n"
    )
    report = run(".")
    assert [(found.spot.path, found.severity) for found in report.findings] == [("b/charge.md", "info")]
    assert [(found.spot.path, found.suppressed, found.reason) for found in report.suppressed] == [
        ("a/charge.md", "configuration", "old")
    ]


def test_a_comment_allows_and_keeps_its_reason(repository: Repository) -> None:
    comment = "  # skill-wizard: allow identity-free-text: the notes tell them apart\n  identity:"
    repository(a__charge=FREE_TEXT.replace("  identity:", comment))
    report = run(".")
    assert report.findings == ()
    assert [(found.suppressed, found.reason) for found in report.suppressed] == [
        ("comment", "the notes tell them apart")
    ]


def test_notes_fail_nothing(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=CLEAN.replace(", for: 24h", ""))
    code, out, _ = said(capsys)
    assert code == 0
    assert "key-memory-undeclared" in out
    repository(a__charge=FREE_TEXT)
    assert said(capsys)[0] == 1
    assert said(capsys, "--exit-zero")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--select", "prose-build-key"], "`--select`: there is no rule or family named `prose-build-key`. Did you mean `prose-builds-key`?"),  # noqa: E501
        (["--format", "sarf"], "`--format`: there is no format `sarf`. Did you mean `sarif`?"),
        (["--output", "lint.sarif"], "`--output` is FORMAT:FILE, such as `sarif:lint.sarif`, not `lint.sarif`"),
        (["--output", "xml:lint.xml"], "`--output`: there is no format `xml`. There are concise, github, gitlab, json, junit, sarif, text"),  # noqa: E501
        (["--output", "json:-"], "`--output` writes files; `--format json` writes to standard output"),
        (["--format", "json", "--statistics"], "`--statistics` is a text of its own, and no json"),
        (["--fix", "--write-baseline"], "`--write-baseline` goes with neither `--fix` nor `--diff`"),
        (["--document", "none.yaml"], "`--document`: there is no file `none.yaml`"),
        (["--unsafe-fixes"], "`--unsafe-fixes` stands with `--fix` or `--diff`"),
        (["--config", "a.toml", "--no-config"], "`--config` and `--no-config` do not go together"),
        (["--jobs", "0"], "`--jobs` is at least 1"),
        (["--stdin-filename", "a.md", "b.md"], "standard input is one file, and other files are named beside it"),
        (["--baseline", "none.json"], "none.json: there is no such baseline. `--write-baseline` writes it"),
        (["--since", "HEAD"], "`--since` needs a git repository"),
    ],
)  # fmt: skip
def test_words_that_do_not_fit(
    repository: Repository, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    repository(a__charge=FREE_TEXT)
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"skill-wizard: error: {message}")
    assert err.count("\n") == 1


def test_several_reports_in_one_run(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT)
    code, out, _ = said(capsys, "--format", "concise", "--output", "json:out/lint.json", "--output", "sarif:lint.sarif")
    assert code == 1
    assert out.count("\n") == 1
    assert json.loads(Path("out/lint.json").read_text())["version"] == 1
    assert json.loads(Path("lint.sarif").read_text())["version"] == "2.1.0"


def test_a_report_that_cannot_be_written(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT)
    code, _, err = said(capsys, "--output", "json:a/charge.md/lint.json")
    assert code == 2
    assert err.startswith("skill-wizard: error: a/charge.md/lint.json: the report cannot be written: ")


def test_a_closed_output_is_no_fault_of_ours(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT)
    command = f"'{sys.executable}' -m wizard lint >&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_statistics(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP, c__bare=BARE)
    _, out, _ = said(capsys, "--statistics")
    assert out == (
        "     1 in     1  error    unknown-key  (1 --fix)\n"
        "     1 in     1  warning  identity-free-text  (1 --unsafe-fixes)\n"
        "     1 in     1  warning  identity-missing\n"
    )


# Baselines


def test_a_baseline_keeps_old_findings_quiet_when_lines_move(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(a__charge=FREE_TEXT)
    assert said(capsys, "--write-baseline") == (
        0,
        "",
        "skill-wizard: 1 finding written into skill-wizard-baseline.json\n",
    )
    words = ("--baseline", "skill-wizard-baseline.json")
    assert said(capsys, *words)[0] == 0
    Path("a/charge.md").write_text(FREE_TEXT.replace("description: ", "license: MIT\ndescription: "))
    assert said(capsys, *words)[0] == 0
    Path("a/charge.md").write_text(FREE_TEXT.replace("identity: [booking_id", "identity: [ booking_id"))
    code, out, _ = said(capsys, *words, "--format", "concise")
    assert code == 1
    assert "identity-free-text" in out
    assert "stale-baseline-entry" in out


def test_equal_findings_are_counted(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\nname: a\ndescription: A.\n---\n\nGenerate a UUID and send it as Idempotency-Key.\n"
    again = "\nGenerate a UUID and send it as Idempotency-Key.\n"
    folder = repository()
    (folder / "a").mkdir()
    (folder / "a" / "SKILL.md").write_text(text + again)
    said(capsys, "--write-baseline", "--select", "prose-builds-key")
    words = ("--baseline", "skill-wizard-baseline.json", "--select", "prose-builds-key", "--format", "json")
    assert json.loads(said(capsys, *words)[1])["findings"] == []
    (folder / "a" / "SKILL.md").write_text(text + again + again)
    assert len(json.loads(said(capsys, *words)[1])["findings"]) == 1


def test_a_baseline_keeps_what_a_run_does_not_look_at(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP, c__bare=BARE)
    words = ("--baseline", "b.json")
    assert said(capsys, *words, "--write-baseline")[2] == "skill-wizard: 3 findings written into b.json\n"
    whole = Path("b.json").read_text()
    for part, left in ((["a/charge.md"], 2), (["--select", "unknown-key"], 2), (["--ignore", "unknown-key"], 1)):
        _, _, err = said(capsys, *words, "--write-baseline", *part)
        assert f"; {left} of what this run did not look at left there" in err
        assert Path("b.json").read_text() == whole
    Path("b/slip.md").unlink()
    assert said(capsys, *words, "--write-baseline")[2] == "skill-wizard: 2 findings written into b.json\n"


def test_a_baseline_is_read_however_it_is_laid_out(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP)
    words = ("--baseline", "b.json")
    said(capsys, *words, "--write-baseline")
    data = json.loads(Path("b.json").read_text())
    for indent in (None, 2):
        Path("b.json").write_text(json.dumps(data, indent=indent))
        assert said(capsys, *words)[0] == 0
    Path("b.json").write_text("{")
    assert said(capsys, *words)[0] == 2
    assert said(capsys, *words, "--write-baseline")[0] == 0
    assert said(capsys, *words)[0] == 0


def test_a_baseline_knows_a_file_under_its_new_name(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT)
    words = ("--baseline", "b.json")
    said(capsys, *words, "--write-baseline")
    Path("a/charge.md").rename("a/bill.md")
    assert said(capsys, *words)[0] == 0
    Path("a/charge.md").write_text(FREE_TEXT.replace("name: charge", "name: again").replace("/charges", "/bills"))
    code, out, _ = said(capsys, *words, "--format", "concise")
    assert (code, out.partition(":")[0]) == (1, "a/bill.md")


def test_fingerprints_stay_when_lines_move_and_folders_change(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository(a__charge=FREE_TEXT)
    (folder / ".git").mkdir()
    before = [found.fingerprint for found in run(".").findings]
    Path("a/charge.md").write_text(FREE_TEXT.replace("description: ", "license: MIT\ndescription: "))
    assert [found.fingerprint for found in run(".").findings] == before
    monkeypatch.chdir(folder / "a")
    assert [found.fingerprint for found in run(".").findings] == before


def test_one_file_tells_nothing_of_what_others_declare(repository: Repository) -> None:
    document = (
        "openapi: 3.1.0\ninfo: {title: Pay, version: '1'}\nservers: [{url: 'https://pay.example.com'}]\npaths:\n"
        "  /charges: {post: {responses: {'201': {description: Made.}}}}\n"
        "  /cleans: {post: {responses: {'201': {description: Made.}}}}\n"
        "  /others: {post: {responses: {'201': {description: Made.}}}}\n"
    )
    folder = repository(a__charge=FREE_TEXT, a__clean=CLEAN)
    (folder / "openapi.yaml").write_text(document)
    (folder / ".git").mkdir()
    settings = Settings(select=("write-undeclared",))
    found = lint(Request(paths=(".",)), settings).findings
    assert [(one.spot.path, one.message) for one in found] == [
        ("openapi.yaml", "no skill declares 1 write of this document: `POST /others`")
    ]
    assert lint(Request(paths=("a/charge.md",)), settings).findings == ()
    assert lint(Request(paths=("a/charge.md",)), settings).findings == ()  # from the cache
    assert len(lint(Request(paths=("a",)), settings).findings) == 1
    os.chdir("a")
    assert [one.spot.path for one in lint(Request(), settings).findings] == ["../openapi.yaml"]


def test_a_part_of_a_document_that_is_not_there_is_noted_and_a_whole_operation_warned_of(
    repository: Repository,
) -> None:
    document = (
        "openapi: 3.1.0\ninfo: {title: Pay, version: '1'}\nservers: [{url: 'https://pay.example.com'}]\npaths:\n"
        "  /charges: {post: {responses: {'201': {$ref: '#/components/responses/Made'}}}}\n"
        "  /refunds: {post: {$ref: refunds.yaml}}\n"
    )
    folder = repository(a__charge=FREE_TEXT)
    (folder / "openapi.yaml").write_text(document)
    found = lint(Request(paths=(".",)), Settings(select=("document-incomplete",))).findings
    assert [(one.severity, one.spot.line) for one in found] == [("info", 5), ("warning", 6)]


# What changed


def git(*words: str) -> None:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *name, *words], check=True, capture_output=True)


def test_only_what_changed_since_a_revision(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert said(capsys, "--since", "HEAD") == (0, "", "")
    Path("b/slip.md").write_text(SLIP + "More.\n")
    Path("b/new.md").write_text(
        FREE_TEXT.replace("name: charge", "name: new").replace("[booking_id, notes]\n  key", "[booking_id]\n  key")
    )
    report = run(".", since="HEAD")
    assert report.files == ("b/new.md", "b/slip.md")
    # What stayed the same is still compared with.
    assert ("b/new.md", "same-write-differs") in rules(report)
    assert not any(path == "a/charge.md" for path, _ in rules(report))
    code, _, err = said(capsys, "--since", "no-such-branch")
    assert code == 2
    assert "git knows no revision `no-such-branch`" in err


def test_what_another_branch_changed_is_not_ours(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT, b__slip=SLIP)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "ours")
    Path("b/slip.md").write_text(SLIP + "More.\n")
    git("commit", "-qam", "two")
    git("checkout", "-q", "main")
    Path("a/charge.md").write_text(FREE_TEXT + "More.\n")
    git("commit", "-qam", "three")
    git("checkout", "-q", "ours")
    assert run(".", since="main").files == ("b/slip.md",)
    git("checkout", "-q", "--orphan", "alone")
    git("commit", "-qm", "four")
    assert run(".", since="main").files == ("a/charge.md", "b/slip.md")


def test_an_index_whose_operation_is_gone_is_looked_at(repository: Repository) -> None:
    index = "---\nname: pay\ndescription: Pays.\n---\n\n- [Charge](operations/charge.md)\n"
    folder = repository(pay__operations__charge=FREE_TEXT, other__slip=SLIP)
    (folder / "pay" / "SKILL.md").write_text(index)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    Path("pay/operations/charge.md").unlink()
    assert rules(run(".", since="HEAD")) == [("pay/SKILL.md", "link-missing")]


# Fixes


def test_safe_fixes_are_made_and_keep_what_they_do_not_touch(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SLIP.replace("\n", "\r\n").replace("identiy:", "identiy:  # what tells them apart\r\n   ")
    repository(b__slip=text)
    code, _, err = said(capsys, "--fix")
    assert code == 1
    assert err == "skill-wizard: 1 put right in 1 file\n"
    assert Path("b/slip.md").read_bytes() == text.replace("identiy", "identity").encode()
    assert said(capsys, "--fix")[2] == ""


def test_a_diff_changes_nothing(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository(b__slip=SLIP)
    code, out, _ = said(capsys, "--diff")
    assert code == 1
    assert out.startswith("--- a/b/slip.md\n+++ b/b/slip.md\n@@ ")
    assert "-  identiy: [booking_id, notes]\n+  identity: [booking_id, notes]\n" in out
    assert Path("b/slip.md").read_text() == SLIP
    repository(b__slip=CLEAN)
    assert said(capsys, "--diff") == (0, "", "")


def test_unsafe_fixes_only_where_asked_for(repository: Repository) -> None:
    repository(a__charge=FREE_TEXT)
    assert fix(Request(paths=(".",)), Settings(), unsafe=False).texts == {}
    done = fix(Request(paths=(".",)), Settings(), unsafe=True)
    assert done.texts == {"a/charge.md": FREE_TEXT.replace("identity: [booking_id, notes]", "identity: [booking_id]")}
    assert done.report.findings == ()
    assert Path("a/charge.md").read_text() == FREE_TEXT


def test_what_is_allowed_is_not_fixed(repository: Repository) -> None:
    comment = "  # skill-wizard: allow unknown-key: ours\n  identiy:"
    repository(b__slip=SLIP.replace("  identiy:", comment))
    assert fix(Request(paths=(".",)), Settings(), unsafe=True).texts == {}


def test_a_text_that_does_not_end_is_not_quoted_again_and_again(repository: Repository) -> None:
    folder = repository()
    (folder / "a").mkdir()
    text = '---\nname: a\nsummary: "it ends with \\"\nlicense: "MIT"\ndescription: b\n---\n'
    (folder / "a" / "SKILL.md").write_text(text)
    done = fix(Request(paths=(".",)), Settings(), unsafe=True)
    assert done.texts == {}
    assert rules(done.report) == [("a/SKILL.md", "frontmatter-invalid")]


def test_a_fix_that_changes_nothing_is_made_once_and_undone(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from wizard.lint.model import Context, Edit, Finding, Fix
    from wizard.lint.rulebook import load_rules
    from wizard.source import Span

    def doubles(context: Context) -> list[Finding]:
        end = Span(len(context.source.text), len(context.source.text))
        return [Finding(span=Span(4, 8), message="more", fix=Fix("Add a line", (Edit(end, "more\n"),)))]

    rule = replace(load_rules()["method-form"], check=doubles)
    monkeypatch.setitem(load_rules(), "method-form", rule)
    repository(a__charge=FREE_TEXT)
    code, _, err = said(capsys, "--fix", "--no-cache")
    assert code == 1
    assert err == "skill-wizard: a/charge.md:2: the fix of method-form would not put it right; nothing was done\n"
    assert Path("a/charge.md").read_text() == FREE_TEXT
