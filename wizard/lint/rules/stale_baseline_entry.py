"""The baseline holds a finding that is no longer there: it was put right, or its line was changed.

Why: an entry that stays behind would let the same fault come back in silence. `--write-baseline` writes the file anew.

Before:

    {"rule": "prose-builds-key", "path": "skills/charge.md", "mark": "2c4a…"}      (and the sentence is gone)

After:

    (the entry is gone, too)
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="stale-baseline-entry",
    family="linter",
    severity="warning",
    confidence="high",
    summary="the baseline knows a finding that is gone",
    check=remarked("stale-baseline-entry"),
    why=__doc__ or "",
)
