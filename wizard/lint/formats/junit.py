"""JUnit XML: a test suite for each file, a failed test for each finding, a passed one for a file without any."""

from __future__ import annotations

import re
from itertools import groupby

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import LocatedFinding

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, look: Look) -> str:
    """The whole document. Notes (`info`) are passed tests that say something, as they fail no run."""
    by_path = {path: list(group) for path, group in groupby(report.findings, key=lambda found: found.spot.path)}
    failed = sum(found.severity != "info" for found in report.findings)
    paths = sorted({*report.files, *by_path})
    tests = sum(max(1, len(by_path.get(path, ()))) for path in paths)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="skill-wizard" tests="{tests}" failures="{failed}" errors="0">',
    ]
    for path in paths:
        found = by_path.get(path, [])
        bad = sum(one.severity != "info" for one in found)
        lines.append(
            f'  <testsuite name="{_text(path)}" tests="{max(1, len(found))}" failures="{bad}" errors="0" skipped="0">'
        )
        lines += [_case(one) for one in found] or [f'    <testcase classname="{_text(path)}" name="skill-wizard"/>']
        lines.append("  </testsuite>")
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _case(found: LocatedFinding) -> str:
    spot = found.spot
    name = f"{found.rule} {spot.line}:{spot.column}"
    said = f"{spot.path}:{spot.line}:{spot.column}: {found.message}"
    for other in found.related:
        said += f"\n{other.spot.path}:{other.spot.line}:{other.spot.column}: {other.message}"
    path = _text(spot.path)
    head = f'    <testcase classname="{path}" name="{_text(name)}" file="{path}" line="{spot.line}">'
    if found.severity == "info":
        body = f"      <system-out>{_text(said)}</system-out>"
    else:
        body = f'      <failure message="{_text(found.message)}" type="{found.severity}">{_text(said)}</failure>'
    return f"{head}\n{body}\n    </testcase>"


def _text(text: str) -> str:
    clean = _FORBIDDEN.sub("�", text)
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(sign, entity)
    return clean


FORMAT = Format("junit", "JUnit XML, for CI servers", render)
