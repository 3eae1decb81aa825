"""A field of the identity has another name.

The name is part of what a key is made of, so the same write has another key and another record. Requests that were
stored before have the old name: their records cannot be derived anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.changes import _identity as identity
from wizard.review.effects import moved_twice, paths_shown
from wizard.review.kind import Found, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.review.showing import one_request


def check(pair: Pair) -> Iterator[Found]:
    both = identity.both(pair)
    if both is None:
        return
    before, after = both
    for old, new in identity.change(pair).renamed:
        if new.optional:
            records = (
                f"Live records are carried over as writes without `{new.name}`, under addresses that no repeat has: a "
                "write made before the change and repeated after it is sent again and lands twice."
            )
        else:
            records = (
                f"No stored request has `{new.name}`, so no live record can be carried over: each holds the operation "
                "until somebody settles or releases it, and a write released and then repeated is sent under another "
                "key and lands twice."
            )
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=f"{old.name} to {new.name}",
            title=f"The identity field `{old.name}` is `{new.name}` now.",
            effect=(
                f"The name is part of the key, so the same write has another one. {records}"
                f"{moved_twice(after.operation, before.operation)}"
            ),
            remedy=(
                "Roll it out when no write is attempted and no completed record is younger than its `keep`; "
                "`skill-wizard records list` shows them."
            ),
            before=paths_shown(before.operation.identity),
            after=paths_shown(after.operation.identity),
            example=one_request(before, after, "The same write has another key."),
            at=(InSkill("base", identity.place(before, old)), InSkill("head", identity.place(after, new))),
        )


KIND = Kind(
    name="identity-renamed",
    summary="an identity field has another name: the same write has another key",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
