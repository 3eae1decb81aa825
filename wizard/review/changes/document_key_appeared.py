"""The API document has a place for a key that it had not, and the declaration does not use it.

Nothing is worse than it was. A key would let a write whose answer was lost be sent again without landing twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.keys import PROPOSED_FROM
from wizard.review.changes._keyplaces import unused
from wizard.review.kind import Found, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    for place in unused(pair):
        if place.required or (place.was is not None and place.was[0] >= PROPOSED_FROM):
            continue
        yield Found(
            grade=Grade.SAFE,
            harm=Harm.NONE,
            subject=place.name,
            title=f"The document has a place for a key now: the {place.what}.",
            effect=(
                "It is not used: the write stays cached. Declared, a write whose answer was lost can be sent again "
                "without landing twice."
            ),
            remedy=place.declare,
            after=place.name,
            at=place.at,
        )


KIND = Kind(
    name="document-key-appeared",
    summary="the document has a place for a key that is not used",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
