"""The money that the write moves is declared otherwise, or no longer.

Spend caps count what `money` names, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.model import Money
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None or both[0].operation.money == both[1].operation.money:
        return
    old, new = both[0].operation.money, both[1].operation.money
    if new is None:
        assert old is not None
        grade = Grade.RISKY
        title = "The write no longer says that it moves money."
        effect = (
            f"The amount in `{old.amount}` counts for no spend cap any more: only a small fixed sum does. Keys, "
            f"records "
            "and repeats stay as they are."
        )
        remedy = "Keep `money` on every write that moves some."
    elif old is None:
        grade = Grade.SAFE
        title = f"The write says that it moves money: `{new.amount}` in {new.currency}."
        effect = "The amount is reserved with the claim and counts for the spend cap. Keys, records and repeats stay."
        remedy = ""
    else:
        grade = Grade.RISKY
        title = f"The money is `{new.amount}` in {new.currency}, no longer `{old.amount}` in {old.currency}."
        effect = (
            "Spend caps count the new field in the new currency; a cap in another unit (pence for pounds) is a hundred "
            "times too wide or too narrow. Keys, records and repeats stay as they are."
        )
        remedy = "Look at the unit of the new field."
    yield Found(
        grade=grade,
        harm=Harm.NONE,
        title=title,
        effect=effect,
        remedy=remedy,
        before=_shown(old),
        after=_shown(new),
        at=(InSkill("base", ("money",)), InSkill("head", ("money",))),
    )


def _shown(money: Money | None) -> str:
    return "" if money is None else f"{money.amount} in {money.currency}"


KIND = Kind(
    name="money-changed",
    summary="the money that the write moves is declared otherwise",
    check=check,
    why=__doc__ or "",
)
