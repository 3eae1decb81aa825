"""Fixes made: run after run, until nothing is left that may be put right without a person."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wizard.lint.engine import Engine, Report, Request
from wizard.lint.located import LocatedEdit, LocatedFinding
from wizard.lint.settings import Settings

MAX_ROUNDS = 20
"""Runs after which we stop; each makes at least one fix."""


class Fixed(NamedTuple):
    """What became of a run with fixes. Nothing is written yet."""

    report: Report
    """What is left."""
    texts: Mapping[str, str]
    """Path to its new text."""
    made: tuple[LocatedFinding, ...]
    """The findings that were put right."""
    refused: tuple[LocatedFinding, ...]
    """Findings whose fix would have left them there, or broken the file's frontmatter; nothing was done about them."""


def fix(request: Request, settings: Settings, *, unsafe: bool) -> Fixed:
    """Runs the linter and makes the fixes, safe ones, or unsafe ones too; in memory."""
    texts: dict[str, str] = dict(request.texts)
    made: list[LocatedFinding] = []
    refused: dict[str, LocatedFinding] = {}
    report = Engine(request, settings).run()
    for _ in range(MAX_ROUNDS):
        chosen = choose([found for found in report.findings if found.fingerprint not in refused], unsafe=unsafe)
        if not chosen:
            break
        before = dict(texts)
        for path in dict.fromkeys(edit.path for found in chosen for edit in found.fix.edits if found.fix):  # type: ignore[union-attr]
            edits = [edit for found in chosen if found.fix for edit in found.fix.edits if edit.path == path]
            texts[path] = apply(_text(path, texts), edits)
        after = Engine(request._replace(texts=dict(texts)), settings).run()
        spoilt = _spoilt(report, after) | _unmoved(chosen, after)
        if spoilt:
            texts = before
            bad = [found for found in chosen if found.fix and any(edit.path in spoilt for edit in found.fix.edits)]
            refused.update({found.fingerprint: found for found in bad})
            continue
        made += chosen
        report = after
    changed = {path: text for path, text in texts.items() if path not in request.texts or request.texts[path] != text}
    return Fixed(report, changed, tuple(made), tuple(refused.values()))


def choose(findings: Iterable[LocatedFinding], *, unsafe: bool) -> list[LocatedFinding]:
    """The findings whose fixes can be made together: no two edits meet. Safe fixes are made before unsafe ones."""
    taken: dict[str, list[LocatedEdit]] = {}
    chosen = []
    candidates = [found for found in findings if found.fix is not None and (unsafe or found.fix.safety == "safe")]
    candidates.sort(key=lambda found: found.fix is not None and found.fix.safety != "safe")
    for found in candidates:
        edits = found.fix.edits if found.fix else ()
        if any(_meet(edit, other) for edit in edits for other in taken.get(edit.path, ())):
            continue
        chosen.append(found)
        for edit in edits:
            taken.setdefault(edit.path, []).append(edit)
    return chosen


def _meet(one: LocatedEdit, other: LocatedEdit) -> bool:
    if one.start == one.end and other.start == other.end:
        return one.start == other.start
    return one.start <= other.end and other.start <= one.end


def apply(text: str, edits: Iterable[LocatedEdit]) -> str:
    """The text with edits made that meet nowhere."""
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _text(path: str, texts: Mapping[str, str]) -> str:
    if path in texts:
        return texts[path]
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except FileNotFoundError:
        return ""


def _spoilt(before: Report, after: Report) -> set[str]:
    """The files whose frontmatter can no longer be read."""
    bad = [{found.spot.path for found in report.findings if found.rule in _BROKEN} for report in (before, after)]
    return bad[1] - bad[0]


def _unmoved(chosen: Iterable[LocatedFinding], after: Report) -> set[str]:
    """The files in which a fix was made and its finding stands where it stood."""
    left = {_place(found) for found in after.findings if found.fix is not None}
    return {found.spot.path for found in chosen if _place(found) in left}


def _place(found: LocatedFinding) -> tuple[str, str, str, int, int]:
    return (found.spot.path, found.rule, found.message, found.spot.line, found.spot.column)


_BROKEN = ("frontmatter-invalid", "frontmatter-missing")


def diff(path: str, text: str, texts: Mapping[str, str]) -> str:
    """A unified diff from a file to its new text; `texts` stand in for files."""
    old = _text(path, texts)
    lines = difflib.unified_diff(
        old.splitlines(keepends=True),
        text.splitlines(keepends=True),
        f"a/{path}" if path in texts or os.path.exists(path) else "/dev/null",
        f"b/{path}",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write(texts: Mapping[str, str]) -> None:
    """Writes the new texts, each whole or not at all. Raises SkillError."""
    from pathlib import Path

    from wizard.skill.files import write_text_atomic

    for path, text in texts.items():
        write_text_atomic(Path(path), text)
