from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import yaml

from wizard.cli import main

LIBRARY = str(Path(__file__).parents[1] / "infer" / "golden" / "library.yaml")


def test_text_without_colour_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", LIBRARY]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("Lending library 3: 8 writes, 1 with a key, 3 others\n")
    assert "\x1b" not in shown.out
    assert shown.err == ""


def test_colour_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", LIBRARY, "--color", "always"]) == 0
    assert "\x1b[1mPOST /readers\x1b[0m" in capsys.readouterr().out


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_other_forms(form: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["propose", LIBRARY, "--format", form]) == 0
    shown = capfdbinary.readouterr().out
    read = json.loads(shown) if form == "json" else yaml.safe_load(shown)
    assert read["version"] == 1
    assert read["document"] == {"title": "Lending library", "openapi": "3.1.0", "source": LIBRARY}
    assert len(read["operations"]) == 11


def test_only_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", LIBRARY, "--operation", "renew", "--operation", "DELETE /readers/{id}"]) == 0
    shown = capsys.readouterr().out
    assert "POST /loans/{id}/renew" in shown
    assert "DELETE /readers/{id}" in shown
    assert "/fines" not in shown


def test_writes_only(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", LIBRARY, "--writes-only"]) == 0
    assert "No writes" not in capsys.readouterr().out


def test_an_unknown_operation_is_one_clear_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", LIBRARY, "--operation", "renewal"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no operation is called `renewal`" in shown.err
    assert "`renew`" in shown.err
    assert "Traceback" not in shown.err


def test_no_such_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["propose", str(tmp_path / "none.yaml")]) == 2
    assert capsys.readouterr().err.startswith("skill-wizard: error:")


def test_a_document_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(LIBRARY).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["propose", "-", "--operation", "renew"]) == 0
    assert "POST /loans/{id}/renew" in capsys.readouterr().out
