"""`reference` is neither `field NAME` nor a mapping of `in: field`, `name` and `shape`.

Why: the reference is a field of the body that the recipient stores and gives back; the host fills it, and finds the
write again by it. A header or a query parameter is never given back.

Before:

    reference: header X-Reference

After:

    reference: field client_reference
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="reference-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`reference` does not say its field",
    check=reported("reference-form"),
    why=__doc__ or "",
)
