"""The example workflow is run as it stands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
OPERATIONS = ROOT / "samples" / "hollowbrook" / "skills" / "hollowbrook" / "operations"


def step(name: str) -> dict[str, Any]:
    workflow = yaml.safe_load((ROOT / "samples" / "ci" / "rehearse.yml").read_text("utf-8"))
    return next(one for one in workflow["jobs"]["rehearse"]["steps"] if one.get("name") == name)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("names", "spoiled", "code"),
    [
        (["send-message"], "", 0),
        (["get-booking"], "", 0),
        (["send-message"], "{", 1),
    ],
    ids=["holds", "nothing is declared", "cannot be read"],
)  # fmt: skip
def test_the_step_ends_as_the_rehearsal_does(names: list[str], spoiled: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "samples" / "hollowbrook" / "openapi.yaml", tmp_path)
    for name in names:
        text = (OPERATIONS / f"{name}.md").read_text("utf-8")
        (tmp_path / "skills" / f"{name}.md").write_text(
            text.replace("operation:\n", f"operation: {spoiled}\n"), "utf-8"
        )
    command = tmp_path / "bin" / "skill-wizard"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m wizard "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path / "temporary"),
    }
    done = subprocess.run(
        ["bash", "-e", "-c", step("Rehearse")["run"]], cwd=tmp_path, env=environment, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    results = tmp_path / "temporary" / "rehearsal" / "junit.xml"
    if names == ["get-booking"]:
        assert results.read_text("utf-8") == ""
        return
    root = ET.parse(results).getroot()
    assert root.attrib["errors"] == ("1" if spoiled else "0")
    assert (tmp_path / "temporary" / "rehearsal" / "page.html").is_file()
