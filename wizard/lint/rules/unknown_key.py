"""The operation, its `key` or its `probe` has a member that FORMAT does not know.

Why: the host refuses a declaration that it does not understand as a whole, and a reader takes a misspelled member for
a declared one. Members of your own begin with `x-`. The fix is safe where one letter is wrong.

Before:

    operation:
      method: POST
      url: https://pay.example.com/charges
      identitiy: [booking_id]

After:

    operation:
      method: POST
      url: https://pay.example.com/charges
      identity: [booking_id]
"""

from wizard.lint.model import Rule
from wizard.lint.problems import one_slip, reported

RULE = Rule(
    name="unknown-key",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the operation has a member that nobody reads",
    check=reported("unknown-key", safety=one_slip),
    why=__doc__ or "",
)
