"""One line a finding: `path:line:column: severity rule: message`, as editors and grep take it."""

from __future__ import annotations

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look


def render(report: Report, look: Look) -> str:
    """A line for each finding."""
    return "".join(
        f"{found.spot.path}:{found.spot.line}:{found.spot.column}: {found.severity} {found.rule}: {found.message}\n"
        for found in report.findings
    )


FORMAT = Format("concise", "one line a finding, for grep and editors", render)
