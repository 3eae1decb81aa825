"""The operation does not say its `method`.

Why: without a method there is nothing to send, and nobody can tell whether it is a write.

Before:

    operation:
      url: https://pay.example.com/charges

After:

    operation:
      method: POST
      url: https://pay.example.com/charges
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="method-missing",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the operation does not say its method",
    check=reported("method-missing"),
    why=__doc__ or "",
)
