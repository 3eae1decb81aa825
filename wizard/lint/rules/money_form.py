"""`money` does not name the field of the amount, and the field or the ISO 4217 code of the currency.

Why: spend caps count what a write moves. Half a declaration counts nothing.

Before:

    money: {amount: amount_pence}

After:

    money: {amount: amount_pence, currency: GBP}
"""

from wizard.lint.model import Rule
from wizard.lint.problems import reported

RULE = Rule(
    name="money-form",
    family="declaration",
    severity="error",
    confidence="high",
    summary="`money` does not say amount and currency",
    check=reported("money-form"),
    why=__doc__ or "",
)
