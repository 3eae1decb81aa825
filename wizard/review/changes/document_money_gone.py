"""The API document no longer has the field that says how much money the write moves."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm


def lost(side: Declared) -> dict[str, str]:
    """The fields of `money` that the document's body does not have."""
    money = side.operation.money
    if money is None or not side.fields or (side.api is not None and side.api.body is not None and side.api.body.cut):
        return {}
    names = [money.amount] + ([] if money.currency.isupper() and len(money.currency) == 3 else [money.currency])
    return {name: name for name in names if ":" not in name and name not in side.fields}


def check(pair: Pair) -> Iterator[Found]:
    for name in dict(newly(pair, lost)):
        before, after = pair.before, pair.after
        old = before.fields.get(name) if before is not None else None
        assert after is not None
        if pair.knew and not pair.drifted and old is None:
            continue
        yield Found(
            grade=Grade.RISKY,
            harm=Harm.REFUSED,
            subject=name,
            title=f"The document has no `{name}`, which says what money moves.",
            effect=(
                "A step of a plan without it is refused before anything is claimed, since no spend cap can count it; "
                "one with it "
                "may be refused by the recipient, or moves what another field says while the cap counts this one."
            ),
            remedy="See which field holds the amount now, and in which unit.",
            before=name if pair.knew else "",
            at=(*([InDocument("base", old.pointer)] if old is not None else []), InSkill("head", ("money",))),
        )


KIND = Kind(
    name="document-money-gone",
    summary="the document no longer has the field of the money",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
