"""A write moves an amount of money, and declares no `money`.

Why: spend caps count what `money` names. A payment that does not say its amount is in no cap.

Before:

    method: POST
    url: https://pay.example.com/charges
    body: [booking_id, amount_pence]

After:

    method: POST
    url: https://pay.example.com/charges
    body: [booking_id, amount_pence]
    money: {amount: amount_pence, currency: GBP}
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.declared import element, raw, write_of
from wizard.lint.fieldnames import is_amount, name_of, thing_of
from wizard.lint.model import Context, Finding, Rule


def check(context: Context) -> Iterator[Finding]:
    operation = write_of(context)
    if operation is None or operation.money is not None or raw(context).get("money") is not None:
        return
    thing = thing_of(operation)
    if thing is None or not thing.money:
        return
    amounts = [path for path in operation.body if is_amount(name_of(path)) and not path.in_array]
    if amounts:
        path = amounts[0]
        yield Finding(
            span=element(context, "body", path),
            message=f"`{path.name}` moves money, and no `money` says so; spend caps do not count it",
        )


RULE = Rule(
    name="money-undeclared",
    family="declaration",
    severity="info",
    confidence="medium",
    summary="an amount moves, and no `money` says so",
    check=check,
    why=__doc__ or "",
)
