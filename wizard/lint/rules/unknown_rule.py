"""A comment or the configuration names a rule that this version does not know.

Why: a name that is misspelled switches nothing on or off. A configuration may be shared with a newer version, so this
is no reason to stop.

Before:

    ignore = ["prose-build-key"]

After:

    ignore = ["prose-builds-key"]
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="unknown-rule",
    family="linter",
    severity="warning",
    confidence="high",
    summary="a comment or the configuration names a rule that does not exist",
    check=remarked("unknown-rule"),
    why=__doc__ or "",
)
