"""Where the linter runs: the hooks, the GitHub Action and GitLab's job are run as they stand."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from wizard.cli import main

ROOT = Path(__file__).resolve().parents[2]
SKILL = "---\nname: a\ndescription: A.\n---\n\nGenerate a UUID and send it as `Idempotency-Key`.\n"


def load(name: str):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "SKILL.md").write_text(SKILL)
    (folder / "README.md").write_text("# Notes\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SKILL_WIZARD_CACHE_DIR", str(tmp_path / "cache"))
    return folder


@pytest.mark.parametrize("hook", load(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_a_hook_is_called_with_the_files_that_changed(
    hook: dict[str, str], repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *words = shlex.split(hook["entry"])
    assert command == "skill-wizard"
    assert main([*words, "README.md"]) == 0
    assert capsys.readouterr().out == ""
    assert main([*words, "README.md", "a/SKILL.md"]) == 1
    assert "prose-builds-key" in capsys.readouterr().out


def steps(**inputs: str) -> dict[str, dict[str, str]]:
    """The action's steps that run something, by name, with their variables filled in."""
    action = load("action.yml")
    given = {name: str(one.get("default", "")) for name, one in action["inputs"].items()} | inputs
    found = {}
    for step in action["runs"]["steps"]:
        if "run" in step:
            environment = {}
            for name, value in step.get("env", {}).items():
                filled = value
                for key, text in given.items():
                    filled = filled.replace("${{ inputs." + key + " }}", text)
                environment[name] = filled
            found[step["name"]] = {"run": step["run"], **environment}
    return found


def acted(step: dict[str, str], folder: Path, **more: str) -> tuple[int, str, dict[str, str]]:
    """A step run by bash as a runner does; its exit code, what it said, and its outputs."""
    temporary = folder.parent / "runner"
    place = temporary / "skill-wizard" / "bin"
    place.mkdir(parents=True, exist_ok=True)
    command = place / "skill-wizard"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wizard "$@"\n')
    command.chmod(0o755)
    outputs = temporary / "outputs"
    outputs.write_text("")
    environment = {
        **os.environ, "RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(outputs), "PYTHONPATH": str(ROOT), "BASE": "",
        "PROGRAMS": str(place),
        **{name: value for name, value in step.items() if name != "run" and "${{" not in value}, **more,
    }  # fmt: skip
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    told = dict(line.partition("=")[::2] for line in outputs.read_text().splitlines())
    return done.returncode, done.stdout + done.stderr, told


def test_the_action_annotates_and_writes_sarif(repository: Path) -> None:
    code, said, told = acted(steps(arguments="--severity warning", paths="a README.md")["Check the skills"], repository)
    assert code == 0
    assert "::warning file=a/SKILL.md,line=6" in said
    assert (told["clean"], told["code"]) == ("false", "1")
    assert json.loads(Path(told["sarif"]).read_text())["version"] == "2.1.0"
    assert acted(steps()["Say how it went"], repository, CODE=told["code"])[0] == 1


def test_the_action_passes_where_all_is_well(repository: Path) -> None:
    code, _, told = acted(steps(arguments="--ignore prose-key")["Check the skills"], repository)
    assert (code, told["clean"], told["code"]) == (0, "true", "0")
    assert acted(steps()["Say how it went"], repository, CODE=told["code"])[0] == 0


def test_the_action_takes_lists_in_several_lines(repository: Path) -> None:
    (repository / "b").mkdir()
    (repository / "b" / "SKILL.md").write_text(SKILL.replace("name: a", "name: b"))
    given = steps(arguments="--severity\nwarning\n", paths="a\nb\n")["Check the skills"]
    _, said, told = acted(given, repository)
    assert told["code"] == "1"
    assert {"a/SKILL.md", "b/SKILL.md"} <= set(said.replace(",", " ").replace("=", " ").split())


def test_a_pull_request_that_changes_no_skill_has_a_report_to_upload(repository: Path) -> None:
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"], ["branch", "origin/main"]):
        name = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *name, *words], cwd=repository, check=True, capture_output=True)
    code, said, told = acted(steps(**{"only-changed": "true"})["Check the skills"], repository, BASE="main")
    assert (code, said, told["code"]) == (0, "", "0")
    assert json.loads(Path(told["sarif"]).read_text())["runs"][0]["results"] == []


def test_what_the_action_is_given_is_not_run(repository: Path) -> None:
    code, said, _ = acted(steps(paths="a; touch owned $(touch owned)")["Check the skills"], repository)
    assert code == 2
    assert "there is no such file or folder" in said
    assert not (repository / "owned").exists()


def test_gitlabs_job_writes_the_reports_that_it_names(repository: Path) -> None:
    job = load("samples/ci/gitlab.yml")["skills"]
    *words, last = job["script"]
    assert words == ["pip install --quiet skill-wizard"]
    assert main(shlex.split(last)[1:]) == 1
    for name in job["artifacts"]["reports"].values():
        assert Path(name).stat().st_size > 100
