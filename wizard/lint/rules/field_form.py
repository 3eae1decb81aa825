"""A text that should name a field is none: a bracket or dot in the wrong place, a quote that does not end, or a value
that YAML reads as a number, a boolean or a mapping.

Why: a field name is a path (`customer.email`, `items[].sku`, `query:page`), and the host takes the value at that path
into the key. What it cannot read it cannot take.

Before:

    identity: ['items[0].sku']

After:

    identity: ['items[].sku']
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="field-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="a text is no field name",
    check=reported("field-form"),
    why=__doc__ or "",
)
