"""The frontmatter is no YAML that can be read.

Why: a client that cannot read the frontmatter leaves the skill out, mostly without a word. The usual cause is a
description with a colon and a space in it, which YAML takes for a mapping. The fix puts the whole value in quotes.

Before:

    ---
    name: charge-account
    description: Charges an account. Important: use it once.
    ---

After:

    ---
    name: charge-account
    description: 'Charges an account. Important: use it once.'
    ---
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="frontmatter-invalid",
    family="file",
    severity="error",
    confidence="high",
    summary="the frontmatter is no YAML that can be read",
    check=reported("frontmatter-invalid", title="Put the value in quotes", safety=lambda old, new: "safe"),
    why=__doc__ or "",
)
