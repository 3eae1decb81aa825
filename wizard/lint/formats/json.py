"""JSON with a version; `schemas/findings.json` describes it."""

from __future__ import annotations

import json
from typing import Any

from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import LocatedFinding, Spot

VERSION = 1


def render(report: Report, look: Look) -> str:
    """The whole report; what is allowed stands under `suppressed`."""
    told = {
        "version": VERSION,
        "files": len(report.files),
        "findings": [_finding(found) for found in report.findings],
        "suppressed": [_finding(found) for found in report.suppressed],
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _place(spot: Spot) -> dict[str, Any]:
    return {
        "path": spot.path,
        "line": spot.line,
        "column": spot.column,
        "end_line": spot.end_line,
        "end_column": spot.end_column,
    }


def _finding(found: LocatedFinding) -> dict[str, Any]:
    told: dict[str, Any] = {
        "rule": found.rule,
        "family": found.family,
        "severity": found.severity,
        "confidence": found.confidence,
        **_place(found.spot),
        "message": found.message,
        "related": [{**_place(other.spot), "message": other.message} for other in found.related],
        "fix": None,
        "fingerprint": found.fingerprint,
    }
    if found.fix is not None:
        edits = [{**_place(edit.spot), "text": edit.text} for edit in found.fix.edits]
        told["fix"] = {"title": found.fix.title, "safety": found.fix.safety, "edits": edits}
    if found.suppressed:
        told["suppressed_by"] = found.suppressed
        told["reason"] = found.reason
    return told


FORMAT = Format("json", "JSON with a version, for programs", render)
