"""samples/ticket-triage as a user runs it: the command, a recipient of its own, a real SIGKILL."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.cli.commands._host import secrets_of
from wizard.cli.commands.run import read_plan
from wizard.host import runs
from wizard.host.host import Host
from wizard.host.http import HttpTransport
from wizard.host.loop import Loop
from wizard.host.runs import CRASHED, RunState
from wizard.host.store import open_store

SAMPLE = Path(__file__).parents[2] / "samples" / "ticket-triage"
ENVIRONMENT = {**os.environ, "SKILL_WIZARD_SECRET": "demo:0123456789abcdef0123456789abcdef"}


@dataclass
class Demo:
    folder: Path
    port: int

    @property
    def plan(self) -> Path:
        return self.folder / "plan.yaml"

    @property
    def store(self) -> str:
        return f"sqlite:{self.folder / 'triage.db'}"

    def run(self, *words: str, id: str = "run_001", code: int = 0) -> dict[str, Any]:
        command = [sys.executable, "-m", "wizard", "run", str(self.plan), "--store", self.store, "--run", id,
                   "--format", "json", *words]  # fmt: skip
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        assert done.returncode == code, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def log(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/log") as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def requests(self) -> list[str]:
        found: list[str] = self.log()["requests"]
        return found


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    recipient = subprocess.Popen([sys.executable, SAMPLE / "recipient.py", "0"], stdout=subprocess.PIPE, text=True)
    assert recipient.stdout is not None
    port = int(recipient.stdout.readline().split()[-1])
    plan = (SAMPLE / "plan.yaml").read_text()
    (tmp_path / "plan.yaml").write_text(plan.replace("127.0.0.1:8085", f"127.0.0.1:{port}"))
    yield Demo(tmp_path, port)
    recipient.terminate()
    recipient.communicate(timeout=20)


@pytest.mark.requirement(140, 137, 128, 136)
def test_run_001_pauses_is_approved_completes_and_a_second_webhook_adds_nothing(demo: Demo) -> None:
    paused = demo.run(code=1)
    assert (paused["state"], paused["reason"]) == ("PAUSED_FOR_APPROVAL", "no_approver")
    assert (paused["workflow"], paused["workflow_version"], paused["next_step_index"]) == ("ticket-triage", "1", 1)
    assert paused["spent"] == "0.02"
    assert demo.requests() == ["/replies"]
    done = demo.run("--approve", "issue_refund", "--by", "ada")
    assert (done["state"], done["reason"], done["next_step_index"], done["spent"]) == ("COMPLETED", None, 2, "50.02")
    assert demo.requests() == ["/replies", "/refunds"]
    applied = [
        (line["step"], line["cost"], line["authorised_by"]) for line in done["trace"] if line["mark"] == "applied"
    ]
    assert applied == [("draft_reply", "0.02", "plan"), ("issue_refund", "50.00", "ada")]
    again = demo.run("--from", "issue_refund")
    assert (again["state"], again["spent"]) == ("COMPLETED", "50.02")
    added = [(line["mark"], line["step"], line["cost"]) for line in again["trace"][len(done["trace"]) :]]
    assert added == [("resumed", "", "0"), ("replayed", "issue_refund", "0"), ("completed", "", "0")]
    assert demo.requests() == ["/replies", "/refunds"]
    assert [one["path"] for one in demo.log()["taken"]] == ["/replies", "/refunds"]


@pytest.mark.requirement(126, 131, 140, 144)
def test_a_real_kill_after_step_0_and_step_0_never_runs_again(demo: Demo) -> None:
    killed = subprocess.run(
        [sys.executable, SAMPLE / "crash.py", demo.plan, demo.store, "run_002"], env=ENVIRONMENT, timeout=60
    )
    assert killed.returncode == -signal.SIGKILL
    assert demo.requests() == ["/replies"]

    def later() -> datetime:
        return datetime.now(UTC) + timedelta(hours=1)

    store = open_store(demo.store)
    stored = runs.read_run(store, "default", "run_002")
    assert stored is not None
    assert (stored.state, stored.next_step_index) == (RunState.RUNNING, 1)
    assert stored.shown(later()) == CRASHED
    transport = HttpTransport(clock=later)
    host = Host(store=store, transport=transport, clock=later, secrets=secrets_of(ENVIRONMENT))
    resumed = Loop(host=host, wait=lambda _: None).run(read_plan(demo.plan), "run_002", workspace="default")
    assert resumed.shown(later()) == "PAUSED_FOR_APPROVAL"
    store.close()
    done = demo.run("--approve", "issue_refund", "--by", "ada", id="run_002")
    assert (done["state"], done["spent"]) == ("COMPLETED", "50.02")
    assert demo.requests() == ["/replies", "/refunds"], "step 0 went out once"
    marks = [(line["mark"], line["step"]) for line in done["trace"]]
    assert marks.count(("applied", "draft_reply")) == 1
    assert ("replayed", "draft_reply") not in marks, "it was not even looked at"


def test_only_those_who_may_approve_do(demo: Demo) -> None:
    demo.run(code=1)
    command = [sys.executable, "-m", "wizard", "run", str(demo.plan), "--store", demo.store, "--run", "run_001"]
    for words, said in (
        (["--approve", "issue_refund", "--by", "eve"], "`eve` is not among those who may approve this"),
        (["--approve", "issue_refund"], "somebody has to say so. Add --by NAME."),
        (
            ["--approve", "no_such_step", "--by", "ada"],
            "the step `no_such_step` of run_001 does not wait for an approval. `--show` says where the run stands.",
        ),
    ):
        done = subprocess.run([*command, *words], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"skill-wizard: error: {said}\n"
    assert demo.requests() == ["/replies"]
