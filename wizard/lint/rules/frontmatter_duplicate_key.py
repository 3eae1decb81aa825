"""A key stands twice in the same mapping.

Why: some readers take the first of the two, some the last, and strict ones refuse the file. In a declaration the host
may then go by another identity than the one a reviewer read.

Before:

    name: charge-account
    description: Charges an account.
    name: charge-payment-account

After:

    name: charge-payment-account
    description: Charges an account.
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="frontmatter-duplicate-key",
    family="file",
    severity="error",
    confidence="high",
    summary="a key stands twice in one mapping",
    check=reported("frontmatter-duplicate-key"),
    why=__doc__ or "",
)
