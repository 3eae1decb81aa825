"""The operation does not say its `url`.

Why: without one there is nothing to send; and the filled URL is part of every key.

Before:

    operation:
      method: POST

After:

    operation:
      method: POST
      url: https://pay.example.com/charges
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="url-missing",
    family="declaration",
    severity="error",
    confidence="high",
    summary="the operation does not say its URL",
    check=reported("url-missing"),
    why=__doc__ or "",
)
