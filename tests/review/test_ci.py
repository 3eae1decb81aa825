"""The example workflow is run as it stands, in a repository with a pull request, with a `gh` that writes down what it
is asked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from wizard.review.formats.markdown import MARKER

ROOT = Path(__file__).resolve().parents[2]
SKILL = """---
name: charge
description: Charges a card. Use when a guest pays.
operation:
  method: POST
  url: https://pay.example.com/charges
  body: [account, amount, text]
  identity: {identity}
  key: {{in: header, name: Idempotency-Key, for: 24h}}
  money: {{amount: amount, currency: GBP}}
---

# Charge a card
"""
GH = """#!{python}
import json, os, sys
words = sys.argv[1:]
with open(os.environ["ASKED"], "a") as file:
    file.write(json.dumps(words) + "\\n")
if "--jq" in words:
    print(os.environ.get("FOUND", ""), end="")
"""


def workflow() -> dict[Any, Any]:
    return yaml.safe_load((ROOT / "samples" / "ci" / "review.yml").read_text(encoding="utf-8"))


def steps() -> dict[str, dict[str, Any]]:
    return {step.get("name", step.get("uses")): step for step in workflow()["jobs"]["review"]["steps"]}


class Runner:
    """Runs the workflow's steps in a repository, as a runner does."""

    def __init__(self, folder: Path) -> None:
        self.repository = folder / "repository"
        self.temporary = folder / "temporary"
        self.bin = folder / "bin"
        for path in (self.repository / "skills", self.temporary, self.bin):
            path.mkdir(parents=True)
        self.script("skill-wizard", f'#!/bin/sh\nexec "{sys.executable}" -m wizard "$@"\n')
        self.script("gh", GH.format(python=sys.executable))

    def script(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *words: str) -> None:
        settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *settings, *words], cwd=self.repository, check=True, capture_output=True)

    def commit(self, identity: str | None) -> None:
        path = self.repository / "skills" / "charge.md"
        if identity is None:
            path.with_name("README.md").write_text("# Notes\n")
        else:
            path.write_text(SKILL.format(identity=identity))
        self.git("add", ".")
        self.git("commit", "-m", "a change", "--allow-empty")

    def pull_request(self, before: str | None, after: str | None) -> None:
        self.git("init")
        self.commit(before)
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.commit(after)

    def run(self, name: str, **variables: str) -> tuple[int, str, dict[str, str]]:
        outputs = self.temporary / "outputs"
        outputs.write_text("")
        environment = {
            **os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
            "RUNNER_TEMP": str(self.temporary), "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(self.temporary / "summary.md"), "GITHUB_REPOSITORY": "ada/house",
            "ASKED": str(self.temporary / "asked"), **variables,
        }  # fmt: skip
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()[name]["run"]]
        done = subprocess.run(words, cwd=self.repository, env=environment, capture_output=True, text=True, check=False)
        told = dict(line.partition("=")[::2] for line in outputs.read_text().splitlines())
        return done.returncode, done.stdout + done.stderr, told

    def review(self) -> tuple[int, str, dict[str, str]]:
        return self.run("Review", BASE="origin/main")

    def asked(self) -> list[list[str]]:
        path = self.temporary / "asked"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_a_change_that_breaks_is_told_everywhere_and_fails_last(runner: Runner) -> None:
    runner.pull_request("[account, amount, text]", "[account, amount]")
    code, said, told = runner.review()
    assert (code, told) == (0, {"code": "1", "reviewed": "true"})
    assert "::error file=skills/charge.md,line=8" in said
    files = runner.temporary / "review"
    comment = (files / "comment.md").read_text()
    assert comment.startswith(MARKER)
    assert "The identity loses `text`." in comment
    assert "The identity loses `text`." in (runner.temporary / "summary.md").read_text()
    assert json.loads((files / "review.sarif").read_text())["runs"][0]["results"]
    assert json.loads((files / "review.json").read_text())["counts"]["breaks"] == 1
    assert (files / "review.html").read_text().startswith("<!doctype html>")
    assert runner.run("Say how it went", CODE=told["code"])[0] == 1


def test_one_comment_is_made_and_then_kept_up_to_date(runner: Runner) -> None:
    runner.pull_request("[account, amount, text]", "[account, amount]")
    runner.review()
    assert runner.run("Comment", PULL="7")[0] == 0
    looked, made = runner.asked()
    assert "--paginate" in looked
    assert made[:4] == ["api", "--silent", "--method", "POST"]
    assert made[4] == "repos/ada/house/issues/7/comments"
    assert runner.run("Comment", PULL="7", FOUND="41\n42\n")[0] == 0
    kept = runner.asked()[-1]
    assert kept[3:5] == ["PATCH", "repos/ada/house/issues/comments/41"]
    assert f"body=@{runner.temporary}/review/comment.md" in kept


def test_where_nothing_changes_no_comment_is_made_but_an_old_one_is_mended(runner: Runner) -> None:
    runner.pull_request("[account, amount]", "[account, amount]")
    code, _, told = runner.review()
    assert (code, told) == (0, {"code": "0", "reviewed": "true"})
    assert runner.run("Comment", PULL="7")[0] == 0
    assert len(runner.asked()) == 1
    assert runner.run("Comment", PULL="7", FOUND="41\n")[0] == 0
    assert "PATCH" in runner.asked()[-1]
    assert runner.run("Say how it went", CODE=told["code"])[0] == 0


def test_where_there_is_no_skill_nothing_fails(runner: Runner) -> None:
    runner.pull_request(None, None)
    code, _, told = runner.review()
    assert (code, told) == (0, {"code": "0"})


def test_a_base_that_is_not_there_fails_the_job(runner: Runner) -> None:
    runner.pull_request("[account, amount]", "[account]")
    code, said, _ = runner.run("Review", BASE="origin/nowhere")
    assert code == 2
    assert "origin/nowhere" in said


def test_the_workflow_asks_for_no_more_than_it_needs() -> None:
    whole = workflow()
    # YAML 1.1 reads `on` as true.
    assert whole[True] == "pull_request"
    assert whole["permissions"] == {"contents": "read"}
    job = whole["jobs"]["review"]
    assert job["permissions"] == {"contents": "read", "pull-requests": "write", "security-events": "write"}
    checkout = steps()["actions/checkout@v5"]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}


def test_a_fork_is_reviewed_and_nothing_is_written_for_it() -> None:
    for name in ("Comment", "Upload to code scanning"):
        assert "env.OURS == 'true'" in steps()[name]["if"]
    assert "head.repo.full_name == github.repository" in workflow()["jobs"]["review"]["env"]["OURS"]
    assert "if" not in steps()["Review"]


def test_nothing_of_the_pull_request_is_put_into_a_script() -> None:
    for step in steps().values():
        assert "${{" not in step.get("run", "")
        for value in re.findall(r"\$\{\{(.*?)\}\}", json.dumps(step.get("env", {}))):
            assert "title" not in value
            assert "head_ref" not in value
