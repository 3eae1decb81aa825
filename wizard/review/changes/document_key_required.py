"""The API document requires a key now, and the declaration has none: every write is refused."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.changes._keyplaces import unused
from wizard.review.kind import Found, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    for place in unused(pair):
        if not place.required or (place.was is not None and place.was[1]):
            continue
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.REFUSED,
            subject=place.name,
            title=f"The document requires a key now: the {place.what}.",
            effect=(
                "No key is declared, so none is sent, and the recipient refuses every write. A refusal releases the "
                "claim; attempted records of before the change stay attempted."
            ),
            remedy=f"{place.declare} What is attempted by then went out without it, and is not resent.",
            before="optional" if place.was is not None else "",
            after="required",
            at=place.at,
        )


KIND = Kind(
    name="document-key-required",
    summary="the document requires a key that is not declared",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
