"""GitLab's Code Quality report: a JSON array, shown in the merge request."""

from __future__ import annotations

import json

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import rooted

LEVELS = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, look: Look) -> str:
    """The array of issues."""
    issues = [
        {
            "description": found.message,
            "check_name": found.rule,
            "fingerprint": found.fingerprint,
            "severity": LEVELS[found.severity],
            "location": {
                "path": rooted(found.spot.path, report.root),
                "positions": {
                    "begin": {"line": found.spot.line, "column": found.spot.column},
                    "end": {"line": found.spot.end_line, "column": found.spot.end_column},
                },
            },
        }
        for found in report.findings
    ]
    return json.dumps(issues, ensure_ascii=False, indent=2) + "\n"


FORMAT = Format("gitlab", "GitLab's Code Quality report", render)
