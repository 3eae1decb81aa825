"""A field of the identity may be missing from a request, and had to be there; or the other way round.

The `?` has no part in the key: a request with the field keeps its key and its record.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.changes import _identity as identity
from wizard.review.effects import carried, in_stored, moved_twice, paths_shown
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = identity.both(pair)
    if both is None:
        return
    before, after = both
    for old, new in identity.change(pair).optional:
        name = new.name
        field = after.fields.get(name) or before.fields.get(name)
        if new.optional:
            grade, harm = Grade.RISKY, Harm.TWICE
            title = f"The identity field `{name}` may be missing now."
            effect = (
                f"A request without `{name}` was refused by the host and is a write of its own now, besides one with "
                f"it: "
                f"a repeat that leaves it out lands twice.{moved_twice(after.operation)} Keys and records of requests "
                "with it stay."
            )
            remedy = f"Look whether a model leaves `{name}` out of a repeat."
        else:
            sure = field is not None and field.always
            grade, harm = (Grade.SAFE, Harm.NONE) if sure else (Grade.BREAKS, Harm.REFUSED)
            title = f"Every request must have the identity field `{name}` now."
            lacking = [] if sure or in_stored(before, new) == "always" else [name]
            effect = (
                f"A request without `{name}` is refused before anything is claimed. {carried([], lacking)}."
                if not sure
                else f"The document requires `{name}`, so no request is without it; keys and records stay."
            )
            remedy = "" if sure else f"Say in the skill that `{name}` is always given."
        yield Found(
            grade=grade,
            harm=harm,
            subject=name,
            title=title,
            effect=effect,
            remedy=remedy,
            before=paths_shown([old]),
            after=paths_shown([new]),
            at=(InSkill("base", identity.place(before, old)), InSkill("head", identity.place(after, new))),
        )


KIND = Kind(
    name="identity-optional",
    summary="an identity field may be missing, or must be there",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
