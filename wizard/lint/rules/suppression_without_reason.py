"""A comment allows a rule and gives no reason.

Why: the next reader can neither trust it nor take it out. It works all the same.

Before:

    <!-- skill-wizard: allow prose-builds-key -->

After:

    <!-- skill-wizard: allow prose-builds-key: quoting the vendor's page -->
"""

from wizard.lint.model import Rule
from wizard.lint.problems import remarked

RULE = Rule(
    name="suppression-without-reason",
    family="linter",
    severity="warning",
    confidence="high",
    summary="a comment allows a rule and does not say why",
    check=remarked("suppression-without-reason"),
    why=__doc__ or "",
)
