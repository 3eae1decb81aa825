"""How often each rule spoke."""

from __future__ import annotations

from collections import Counter

from wizard.lint.engine import Report


def statistics(report: Report) -> str:
    """A line for each rule, the most frequent first: how often, in how many files, how bad, and what can be fixed."""
    counts = Counter((found.severity, found.rule) for found in report.findings)
    lines = []
    for (severity, rule), count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        mine = [found for found in report.findings if found.rule == rule and found.severity == severity]
        files = len({found.spot.path for found in mine})
        safe = sum(found.fix is not None and found.fix.safety == "safe" for found in mine)
        unsafe = sum(found.fix is not None and found.fix.safety != "safe" for found in mine)
        fixes = [f"{safe} --fix"] * bool(safe) + [f"{unsafe} --unsafe-fixes"] * bool(unsafe)
        lines.append(
            f"{count:>6} in {files:>5}  {severity:<8} {rule}{'  (' + ', '.join(fixes) + ')' if fixes else ''}\n"
        )
    return "".join(lines) or "nothing found\n"
