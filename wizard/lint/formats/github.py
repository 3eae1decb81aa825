"""Workflow commands of GitHub Actions: each finding becomes an annotation of the pull request."""

from __future__ import annotations

from collections.abc import Mapping

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import rooted

LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, look: Look) -> str:
    """A command for each finding."""
    lines = []
    for found in report.findings:
        spot = found.spot
        members = {"file": rooted(spot.path, report.root), "line": str(spot.line)}
        # Columns are shown only where the place lies in one line.
        if spot.end_line == spot.line:
            members |= {"col": str(spot.column), "endColumn": str(max(spot.column, spot.end_column))}
        else:
            members["endLine"] = str(spot.end_line)
        members["title"] = found.rule
        message = found.message
        for other in found.related:
            message += f"\n{rooted(other.spot.path, report.root)}:{other.spot.line}: {other.message}"
        lines.append(command(LEVELS[found.severity], members, message))
    return "".join(lines)


def command(level: str, members: Mapping[str, str], message: str) -> str:
    """One workflow command (`error`, `warning`, `notice`), a line, with what would end it escaped."""
    said = ",".join(f"{name}={_member(value)}" for name, value in members.items())
    return f"::{level} {said}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _member(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format("github", "annotations of a GitHub Actions run", render)
