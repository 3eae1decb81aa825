"""Two versions of every sample, reviewed as they lie: what a person, a pull request and a program are told.

`REWRITE_GOLDEN=1 pytest tests/review/test_versions.py` writes the golden files anew; read the diff like a reviewer who
sees nothing else.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from wizard.assets import folder
from wizard.cli import main
from wizard.layout import width_of

sys.path.insert(0, str(Path(__file__).parent))
from versioned import NAMES, VERSIONS, laid_out

REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))
ENDINGS = {"text": "txt", "markdown": "md", "json": "json"}
SARIF = Path(__file__).parents[1] / "lint" / "formats" / "sarif" / "sarif-2.1.0-rtm.5.json"


@pytest.mark.parametrize("name", NAMES)
def test_two_versions_of_a_sample(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    laid_out(name, tmp_path)
    outputs = [f"--output={one}:{one}.out" for one in (*ENDINGS, "sarif", "page", "github")]
    code = main(["review", "base", "head", *outputs])
    told = {one: (tmp_path / f"{one}.out").read_text(encoding="utf-8") for one in (*ENDINGS, "sarif", "page", "github")}
    assert capsys.readouterr().out == told["text"]
    for form, ending in ENDINGS.items():
        path = VERSIONS / f"{name}.{ending}"
        if REWRITE:
            path.write_bytes(told[form].encode())
        assert told[form].encode() == path.read_bytes()
    assert max(map(width_of, told["text"].splitlines())) <= 80
    data = json.loads(told["json"])
    Draft202012Validator(json.loads((folder("schemas") / "review.json").read_text(encoding="utf-8"))).validate(data)
    assert (
        list(Draft4Validator(json.loads(SARIF.read_text(encoding="utf-8"))).iter_errors(json.loads(told["sarif"])))
        == []
    )
    assert code == (1 if data["counts"]["breaks"] else 0)
    open_ones = [one for operation in data["operations"] for one in operation["changes"] if one["grade"] != "safe"]
    for one in open_ones:
        assert one["fingerprint"] in told["text"]
        assert one["fingerprint"] in told["markdown"]
        assert one["fingerprint"] in told["page"]


def test_every_sample_with_declarations_has_a_second_version() -> None:
    samples = {path.parent.name for path in (VERSIONS.parents[2] / "samples").glob("*/skills")}
    assert all(any(name.startswith(sample) for name in NAMES) for sample in samples | {"legacy"})
