"""The wheel: what travels in it, and that it works far from the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    name = run(sys.executable, "-c", build, folder, cwd=ROOT).stdout.split()[-1]
    return folder / name


def tracked(folder: str) -> set[str]:
    files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in files}


def test_the_wheel_holds_the_package_the_schemas_and_the_templates_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assets = {f"wizard/_assets/{name}" for name in tracked("schemas") | tracked("templates")}
    assert held == tracked("wizard") | assets
    assert "wizard/py.typed" in held
    assert assets


def test_the_installed_command_does_the_main_job_from_elsewhere(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel, cwd=work)
    env = {**os.environ, "PYTHONPATH": str(site)}
    where = run(sys.executable, "-c", "import wizard; print(wizard.__file__)", cwd=work, env=env).stdout
    assert Path(where.strip()).is_relative_to(site)
    document = ROOT / "samples" / "hollowbrook" / "openapi.yaml"
    run(sys.executable, "-m", "wizard", "emit", document, "--all", "--out", "skills", cwd=work, env=env)
    written = {path.name for path in (work / "skills").rglob("*")}
    assert "SKILL.md" in written
    assert "skill-wizard.lock.json" in written
