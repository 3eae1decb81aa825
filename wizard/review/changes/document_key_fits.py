"""A key of the declared shape no longer fits what the API document says of its place: `maxLength`, `minLength`,
`pattern`, `format` or `enum`.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.samplekey import refusal, sample_key
from wizard.operation.model import SHAPES
from wizard.review.effects import key_shown, moved_twice
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm
from wizard.spec.model import Shape


def unfit(side: Declared) -> dict[str, str]:
    """Why the key does not fit its place, in the document's words."""
    key, place = side.operation.key, _place(side)
    if key is None or place is None:
        return {}
    why = refusal(sample_key(key.shape), place[0])
    return {f"{key.place} {key.name}": why} if why else {}


def _place(side: Declared) -> tuple[Shape, str] | None:
    key = side.operation.key
    if key is None:
        return None
    if key.place == "field":
        field = side.fields.get(key.path.name)
        return (field.shape, field.pointer) if field is not None else None
    given = side.parameter(key.place, key.name)
    return (given.shape, given.pointer) if given is not None else None


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None:
        return
    before, after = both
    for subject, why in newly(pair, unfit):
        place, was, key = _place(after), _place(before), after.operation.key
        assert place is not None
        assert key is not None
        fitting = next((shape for shape in SHAPES if not refusal(sample_key(shape), place[0])), None)
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=subject,
            title=f"A `{key.shape}` key no longer fits `{key.name}`: {why}.",
            effect=(
                "A recipient that refuses it answers every write with a 4xx; one that cuts it may take two writes for "
                f"one, or know none of them again.{moved_twice(after.operation)}"
            ),
            remedy=f"`shape: {fitting}` fits; it gives the same write another key." if fitting else "No shape fits.",
            before=key_shown(before.operation),
            after=why,
            at=(
                *([InDocument("base", was[1])] if was is not None else []),
                InDocument("head", place[1]),
                InSkill("head", ("key",)),
            ),
        )


KIND = Kind(
    name="document-key-fits",
    summary="a key no longer fits its place in the document",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
