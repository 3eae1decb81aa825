"""`scope` and `identity` stand in one operation.

Why: `scope` says what a record stands for where there is no identity. With both, a reader and the host may each go by
the other one.

Before:

    identity: [booking_id]
    scope: call

After:

    identity: [booking_id]
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="scope-with-identity",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`scope` stands beside `identity`",
    check=reported("scope-with-identity"),
    why=__doc__ or "",
)
