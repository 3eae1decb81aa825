from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wizard import __version__
from wizard.cli import commands, main
from wizard.cli.running import word
from wizard.cli.terminal import Palette, progress, wants_color
from wizard.discover import module_names, modules

HEAVY = {
    "textual",
    "openapi_core",
    "jinja2",
    "jsonschema",
    "ruamel",
    "httpx2",
    "markdown_it",
    "psycopg",
    "pygls",
    "hypothesis",
}
COMMANDS = [word(name) for name in module_names(commands)]


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("call", [["--help"], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_help_starts_without_heavy_libraries(call: list[str]) -> None:
    done = python(
        f"import sys, wizard.cli\ncode = wizard.cli.main({call!r})\n"
        "print('MODULES', *sorted({name.split('.')[0] for name in sys.modules}))\nsys.exit(code)"
    )
    assert done.returncode == 0, done.stderr
    text, _, loaded = done.stdout.rpartition("MODULES ")
    assert text.startswith("usage: skill-wizard")
    assert HEAVY.isdisjoint(loaded.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_in_the_help_with_a_summary(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    summary = next(module.SUMMARY for key, module in modules(commands).items() if word(key) == name)
    assert f" {name} {summary}" in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"skill-wizard {__version__}\n"


@pytest.mark.parametrize("call", [[], ["compleetion"], ["completion"], ["completion", "ksh"], ["--no-such-option"]])
def test_words_that_do_not_fit_exit_with_2_and_say_so_on_stderr(
    call: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(call) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "skill-wizard" in err


def test_an_error_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", "no-such-file.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("skill-wizard: error: ")
    assert "no-such-file.yaml" in err
    assert err.count("\n") == 1


def test_python_dash_m_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "wizard", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"skill-wizard {__version__}\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "wizard", "completion", "bash"], stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_completions_know_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "stream", "colored"),
    [
        ("auto", {}, Terminal(), True),
        ("auto", {}, io.StringIO(), False),
        ("auto", {"NO_COLOR": "1"}, Terminal(), False),
        ("auto", {"NO_COLOR": ""}, Terminal(), True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, Terminal(), False),
        ("auto", {"FORCE_COLOR": "1"}, io.StringIO(), True),
        ("always", {"NO_COLOR": "1"}, io.StringIO(), True),
        ("never", {"FORCE_COLOR": "1"}, Terminal(), False),
        ("auto", {"TERM": "dumb"}, Terminal(), False),
    ],
)
def test_who_decides_on_colour(choice: str, environment: dict[str, str], stream: io.StringIO, colored: bool) -> None:
    assert wants_color(choice, stream, environment) is colored


def test_a_palette_without_colour_changes_nothing() -> None:
    assert Palette(False)("x", "red") == "x"
    assert Palette(True)("x", "bold", "red") == "\x1b[1;31mx\x1b[0m"


def test_progress_is_silent_where_nobody_looks() -> None:
    out = io.StringIO()
    assert list(progress([1, 2], "reading", 2, out)) == [1, 2]
    assert out.getvalue() == ""


def test_a_command_that_does_not_exist_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compleetion"]) == 2
    assert capsys.readouterr().err == (
        "skill-wizard: error: there is no command `compleetion`. Did you mean `completion`?\n"
    )


def test_a_fault_of_ours_is_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(args: object) -> int:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("wizard.cli.commands.completion.run", broken)
    monkeypatch.delenv("SKILL_WIZARD_TRACEBACK", raising=False)
    assert main(["completion", "bash"]) == 2
    assert "a fault of skill-wizard" in capsys.readouterr().err
    monkeypatch.setenv("SKILL_WIZARD_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["completion", "bash"])


def test_what_a_command_that_ends_at_once_said_has_arrived(tmp_path: Path) -> None:
    """It does not wait until the interpreter is taken apart, and loses nothing for that."""
    for at in range(300):
        (tmp_path / f"skill-{at}.md").write_text("---\nname: a\noperation:\n  method: FETCH\n---\n", encoding="utf-8")
    call = [sys.executable, "-m", "wizard", "lint", "--no-cache", "--format", "json", str(tmp_path)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert len({found["path"] for found in json.loads(done.stdout)["findings"]}) == 300


def test_a_reader_that_goes_away_from_it_is_no_error_either(tmp_path: Path) -> None:
    (tmp_path / "skill.md").write_text("---\nname: a\noperation:\n  method: FETCH\n---\n", encoding="utf-8")
    read_end, write_end = os.pipe()
    os.close(read_end)
    call = [sys.executable, "-m", "wizard", "lint", "--no-cache", str(tmp_path)]
    done = subprocess.run(call, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_an_output_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "skill.md").write_text("---\nname: a\noperation:\n  method: FETCH\n---\n", encoding="utf-8")
    call = [sys.executable, "-m", "wizard", "lint", "--no-cache", str(tmp_path)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("skill-wizard: error: ")
    assert "Traceback" not in done.stderr
