"""SARIF 2.1.0, as GitHub code scanning and other viewers take it.

What is allowed stays in it, marked as suppressed. Paths count from the repository's top, fingerprints stay the same
when lines move.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from wizard import __version__
from wizard.lint.engine import Report
from wizard.lint.formatting import Format, Look
from wizard.lint.located import LocatedFinding, Spot, rooted
from wizard.lint.rulebook import load_rules, page_sections

LEVELS = {"error": "error", "warning": "warning", "info": "note", "off": "none"}
PRECISION = {"high": "very-high", "medium": "high", "low": "low"}
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report, look: Look) -> str:
    """The log, with one run."""
    everything = sorted((*report.findings, *report.suppressed), key=lambda one: (one.spot, one.rule, one.message))
    named = sorted({found.rule for found in everything})
    results = [_result(found, named.index(found.rule), report) for found in everything]
    return log([_rule(name) for name in named], results, report.broken)


def log(
    rules: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]], broken: Sequence[str],
    **more: Any,
) -> str:  # fmt: skip
    """The text of a log with one run. `broken` is what kept us from looking; `more` are further members of the run."""
    run = {
        "tool": {"driver": {"name": "skill-wizard", "semanticVersion": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"ROOT": {"description": {"text": "The top of the repository."}}},
        "results": results,
        "invocations": [
            {
                "executionSuccessful": not broken,
                "toolExecutionNotifications": [{"level": "error", "message": {"text": said}} for said in broken],
            }
        ],
        **more,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rule(name: str) -> dict[str, Any]:
    rule = load_rules()[name]
    what = " ".join(page_sections(rule.why)[0].text.split())
    return {
        "id": name,
        "shortDescription": {"text": rule.summary[:1].upper() + rule.summary[1:] + "."},
        "fullDescription": {"text": what},
        "help": {"text": rule.why.strip(), "markdown": rule.why.strip()},
        "defaultConfiguration": {"level": LEVELS[rule.severity], "enabled": rule.severity != "off"},
        "properties": {"tags": [rule.family], "precision": PRECISION[rule.confidence]},
    }


def _result(found: LocatedFinding, index: int, report: Report) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ruleId": found.rule,
        "ruleIndex": index,
        "level": LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [location(found.spot, report.root)],
        "partialFingerprints": {"primaryLocationLineHash": f"{found.fingerprint}:1"},
        "properties": {"confidence": found.confidence},
    }
    if found.related:
        told["relatedLocations"] = [
            {"id": number, **location(other.spot, report.root), "message": {"text": other.message}}
            for number, other in enumerate(found.related, 1)
        ]
    if found.fix is not None:
        by_path: dict[str, list[dict[str, Any]]] = {}
        for edit in found.fix.edits:
            change = {"deletedRegion": _region(edit.spot), "insertedContent": {"text": edit.text}}
            by_path.setdefault(edit.path, []).append(change)
        told["fixes"] = [
            {
                "description": {"text": found.fix.title},
                "artifactChanges": [
                    {"artifactLocation": _artifact(path, report.root), "replacements": changes}
                    for path, changes in by_path.items()
                ],
            }
        ]
    if found.suppressed:
        kind = "inSource" if found.suppressed == "comment" else "external"
        told["suppressions"] = [{"kind": kind, **({"justification": found.reason} if found.reason else {})}]
    return told


def location(spot: Spot, root: str | None) -> dict[str, Any]:
    """A place with its lines; the path counts from `root`, the repository's top. With None it does already."""
    place = {"artifactLocation": _artifact(spot.path, root), "region": _region(spot)}
    if spot.lines:
        place["contextRegion"] = {
            "startLine": spot.line,
            "endLine": spot.line + len(spot.lines) - 1,
            "snippet": {"text": "\n".join(spot.lines)},
        }
    return {"physicalLocation": place}


def _region(spot: Spot) -> dict[str, Any]:
    return {
        "startLine": spot.line,
        "startColumn": spot.column,
        "endLine": spot.end_line,
        "endColumn": spot.end_column,
    }


def _artifact(path: str, root: str | None) -> dict[str, Any]:
    from urllib.parse import quote

    if "://" in path:
        return {"uri": path}
    below = path if root is None else rooted(path, root)
    if below.startswith("/"):
        return {"uri": "file://" + quote(below)}
    return {"uri": quote(below), "uriBaseId": "ROOT"}


FORMAT = Format("sarif", "SARIF 2.1.0, for code scanning", render)
