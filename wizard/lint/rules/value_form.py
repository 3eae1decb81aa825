"""A member of the operation has a value of the wrong kind: a text where a list belongs, a duration without its unit, a
JSONPath without `$`, a field that stands in a list twice.

Why: the host cannot read the declaration, and refuses the operation.

Before:

    body: booking_id
    keep: 24

After:

    body: [booking_id]
    keep: 24h
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="value-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="a value of the operation is not of its form",
    check=reported("value-form"),
    why=__doc__ or "",
)
