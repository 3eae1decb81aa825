"""What is asked of every rule: its cases, and a page that explains it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from wizard.cli import main
from wizard.lint.model import CONFIDENCES, SEVERITIES, Context
from wizard.lint.rulebook import FAMILIES, load_rule, load_rules, page_sections, rule_names
from wizard.source import Source

sys.path.insert(0, str(Path(__file__).parent))
from rule_cases import FOLDER, Case, fixed, laid_out, read_cases, run, said

NAMES = rule_names()
CASES = [case for name in NAMES if (FOLDER / f"{name.replace('-', '_')}.yml").exists() for case in read_cases(name)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}: {case.title}")
def test_a_rule_says_what_its_case_says(case: Case, tmp_path: Path) -> None:
    with laid_out(case, tmp_path):
        report = run(case)
        assert not report.broken
        assert said(case, report) == list(case.found)
        if case.fixed is not None:
            assert fixed(case) == case.fixed


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_has_cases_that_fire_and_cases_that_do_not(name: str) -> None:
    cases = read_cases(name)
    assert any(case.found for case in cases)
    assert any(not case.found for case in cases)


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_is_called_like_its_module_and_is_whole(name: str) -> None:
    rule = load_rule(name)
    assert rule.name == name
    assert rule.family in FAMILIES
    assert rule.severity in SEVERITIES
    assert rule.confidence in CONFIDENCES
    assert re.fullmatch(r"[^\n]{10,90}[^.\n]", rule.summary)


@pytest.mark.parametrize("name", NAMES)
def test_its_page_says_what_and_why_with_a_before_and_an_after(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    sections = {section.heading: section.text for section in page_sections(load_rule(name).why)}
    assert set(sections) == {"what", "why", "before", "after"}
    assert all(len(text) > 10 for text in sections.values())
    assert main(["rules", name]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for text in sections.values():
        assert " ".join(text.split()) in shown


def test_a_family_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "prose_key"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("prose-key: ")
    assert "row-asks-for-key" in out
    assert "retry-blindly" not in out
    assert main(["rules", "Retry-Blindly"]) == 0
    assert main(["rules", "retry-blindy"]) == 2
    assert "there is no rule or family `retry-blindy`. Did you mean `retry-blindly`?" in capsys.readouterr().err


def test_every_case_file_belongs_to_a_rule() -> None:
    assert {path.stem.replace("_", "-") for path in FOLDER.glob("*.yml")} <= set(NAMES)


def test_a_rule_that_can_be_fixed_has_a_case_that_fixes() -> None:
    """The rules whose cases offer a fix and never look at what it does."""
    missing = []
    for name in load_rules():
        cases = read_cases(name)
        text = (Path(sys.modules[f"wizard.lint.rules.{name.replace('-', '_')}"].__file__ or "")).read_text()
        if re.search(r"fix=(?!None)|title=", text) and not any(case.fixed is not None for case in cases):
            missing.append(name)
    assert not missing


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}: {case.title}")
def test_a_rule_that_needs_a_document_says_nothing_without_one(case: Case, tmp_path: Path) -> None:
    """So none of them is loaded where there is no document."""
    rule = load_rule(case.rule)
    if not rule.needs_document:
        return
    with laid_out(case, tmp_path):
        for path in sorted(tmp_path.rglob("*.md")):
            source = Source(str(path), path.read_text(encoding="utf-8"))
            assert list(rule.check(Context(source=source, locked="0"))) == []
