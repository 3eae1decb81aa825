"""The file has no frontmatter, so no client knows its name or when to use it.

Why: clients list a skill by the `name` and `description` of its frontmatter. Without one most do not load the file at
all, and say nothing.

Before:

    # Charge an account

    Call `POST /charges` ...

After:

    ---
    name: charge-account
    description: Charges a payment account. Use when a booking is to be paid.
    ---

    # Charge an account

    Call `POST /charges` ...
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="frontmatter-missing",
    family="file",
    severity="error",
    confidence="high",
    summary="the file has no frontmatter",
    check=reported("frontmatter-missing"),
    why=__doc__ or "",
)
