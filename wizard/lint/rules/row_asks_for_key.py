"""A row of a table lists the key among the parameters and says how to make it: unique, a UUID, generated.

Why: a model fills in what a table of parameters lists. A row that only names the field is left alone; one that says
how its value comes about asks the model to make a key, with all that follows from that (`rules prose-builds-key`).

Before:

    | Parameter         | Description                            |
    |-------------------|----------------------------------------|
    | `amount`          | Amount in pence                        |
    | `idempotency_key` | A unique value, for example a UUID     |

After:

    | Parameter         | Description                            |
    |-------------------|----------------------------------------|
    | `amount`          | Amount in pence                        |
"""

from __future__ import annotations

from wizard.lint.keyprose.findings import check_for
from wizard.lint.model import Rule

RULE = Rule(
    name="row-asks-for-key",
    family="prose-key",
    severity="warning",
    confidence="high",
    summary="a table of parameters asks the model for the key",
    check=check_for("row-asks-for-key"),
    why=__doc__ or "",
)
