"""A comment allows a rule, and nothing in the block that it covers breaks the rule.

Why: it was needed once. Left behind it hides the next fault at this place. The fix takes it out.

Before:

    <!-- skill-wizard: allow prose-builds-key: quoting the vendor's page -->
    The host derives the key.

After:

    The host derives the key.
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="unused-suppression",
    family="linter",
    severity="warning",
    confidence="high",
    summary="a comment allows what nobody does",
    check=remarked("unused-suppression"),
    why=__doc__ or "",
)
