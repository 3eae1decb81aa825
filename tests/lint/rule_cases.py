"""Cases of the rules: one YAML file a rule, each case under a title that a person would say.

no identity:
  skill: |                    the text of the file that is looked at
    ---
    operation: …
  name: charge/SKILL.md       its path (default: charge.md, an operation spec)
  files: {path: text}         other files of the repository
  document: |                 an API document that lies beside them as openapi.yaml
  config: |                   a skill-wizard.toml
  baseline: |                 a baseline
  profile: strict             (default: lenient)
  found:                      what the rule says: line:column message, with the path in front in other files
    - "2:1 the operation declares no `identity`"
  fixed: |                    the text after the rule's own fixes, safe and unsafe ones
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from wizard.lint.baseline import read_baseline
from wizard.lint.config import load_config
from wizard.lint.engine import Report, Request, lint
from wizard.lint.fixing import MAX_ROUNDS, apply, choose
from wizard.lint.settings import Settings

FOLDER = Path(__file__).with_name("cases")
_MEMBERS = {"skill", "name", "files", "document", "config", "baseline", "profile", "found", "fixed", "encoding"}


@dataclass(frozen=True)
class Case:
    rule: str
    title: str
    skill: str
    found: tuple[str, ...]
    name: str = "charge.md"
    files: dict[str, str] = field(default_factory=dict)
    document: str | None = None
    config: str | None = None
    baseline: str | None = None
    profile: str = "lenient"
    fixed: str | None = None
    encoding: str = "utf-8"


def read_cases(rule: str) -> list[Case]:
    path = FOLDER / f"{rule.replace('-', '_')}.yml"
    data: dict[str, dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) or {}
    cases = []
    for title, members in data.items():
        strange = set(members) - _MEMBERS
        assert not strange, f"{path.name}: {title}: no case has {strange}"
        found = tuple(members.pop("found"))
        cases.append(Case(rule, title, found=found, **members))
    return cases


@contextmanager
def laid_out(case: Case, folder: Path):
    """The case's files in a folder, which is the working directory meanwhile."""
    texts = {case.name: case.skill, **case.files}
    if case.document is not None:
        texts["openapi.yaml"] = case.document
    if case.config is not None:
        texts["skill-wizard.toml"] = case.config
    if case.baseline is not None:
        texts["baseline.json"] = case.baseline
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding=case.encoding if name == case.name else "utf-8", newline="")
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def settings_of(case: Case) -> Settings:
    settings = load_config("skill-wizard.toml") if case.config is not None else Settings()
    # A rule that is off speaks where it is asked for by name.
    return settings._replace(profile=case.profile, select=("all", case.rule))


def run(case: Case) -> Report:
    baseline = read_baseline("baseline.json") if case.baseline is not None else None
    paths = (".",) if case.name.endswith("SKILL.md") or "operation" in case.skill else (case.name, *case.files)
    return lint(Request(paths=paths, cache=False, jobs=1, baseline=baseline), settings_of(case))


def said(case: Case, report: Report) -> list[str]:
    lines = []
    for found in report.findings:
        if found.rule == case.rule:
            where = "" if found.spot.path == case.name else f"{found.spot.path}:"
            lines.append(f"{where}{found.spot.line}:{found.spot.column} {found.message}")
    return lines


def fixed(case: Case) -> str:
    """The text after all fixes that the rule offers, one round after the other."""
    text = case.skill
    for _ in range(MAX_ROUNDS):
        report = run(case)
        assert not report.broken, report.broken
        chosen = choose([found for found in report.findings if found.rule == case.rule], unsafe=True)
        if not chosen:
            return text
        text = apply(text, [edit for found in chosen for edit in (found.fix.edits if found.fix else ())])
        Path(case.name).write_text(text, encoding="utf-8", newline="")
    raise AssertionError("the fixes do not end")
