"""The figures on real prose, where the corpus lies beside the repository."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from wizard.lint.keyprose.found import hits_of
from wizard.lint.model import Context
from wizard.source import Source

CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))
PASSAGES = CORPUS / "skills" / "dev" / "passages.jsonl"

pytestmark = pytest.mark.skipif(not PASSAGES.exists(), reason="the corpus is not here")


def is_found(passage: dict[str, str]) -> bool:
    heading = (passage["heading"] or "Calling the API").replace("\n", " ")
    text = f"---\nname: a\ndescription: Calls an API.\n---\n\n# {heading}\n\n{passage['text']}\n"
    hits = hits_of(Context(source=Source("a/SKILL.md", text)))
    return any(hit.rule != "app-code-fills-key" for hit in hits)


def test_clear_passages_are_told_apart() -> None:
    passages = [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines()]
    clear = [passage for passage in passages if not passage["borderline"]]
    asks = [passage for passage in clear if passage["label"] == "positive"]
    found = sum(map(is_found, asks))
    wrong = sum(is_found(passage) for passage in clear if passage["label"] == "negative")
    assert found / len(asks) >= 0.95
    assert found / (found + wrong) >= 0.97
    every = [passage for passage in passages if passage["label"] == "positive"]
    assert sum(map(is_found, every)) / len(every) >= 0.85
