"""Passages of several sentences, rows and samples under a heading: those that ask for a key, and others."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from wizard.lint.keyprose.found import hits_of
from wizard.lint.model import Context
from wizard.source import Source

PASSAGES = yaml.safe_load(Path(__file__).with_name("keyprose_passages.yml").read_text(encoding="utf-8"))
OFF = "app-code-fills-key"
"""The rule that nobody hears of who does not ask for it."""


def rules(passage: dict[str, str]) -> list[str]:
    """The rules that a skill with nothing but the passage breaks."""
    text = f"---\nname: a\ndescription: Calls an API.\n---\n\n# {passage['heading']}\n\n{passage['text']}\n"
    return [hit.rule for hit in hits_of(Context(source=Source("a/SKILL.md", text))) if hit.rule != OFF]


@pytest.mark.parametrize("passage", PASSAGES["asks"], ids=lambda passage: passage["text"][:60])
def test_a_passage_that_asks_for_a_key_is_found(passage: dict[str, str]) -> None:
    assert rules(passage)


@pytest.mark.parametrize("passage", PASSAGES["innocent"], ids=lambda passage: passage["text"][:60])
def test_an_innocent_passage_is_left_alone(passage: dict[str, str]) -> None:
    assert rules(passage) == []
