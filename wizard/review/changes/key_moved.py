"""The key stands in another place of the request, or under another name.

What is derived stays the same. An attempted record is sent again only where its key stands in the declared place: those
of before the change are not, and fall to the probe and to a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import key_pointer, key_required, key_shown, moved_twice, unsettled
from wizard.review.kind import Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def check(pair: Pair) -> Iterator[Found]:
    both = pair.writes
    if both is None:
        return
    before, after = both
    old, new = before.operation.key, after.operation.key
    if old is None or new is None or (old.place, old.name) == (new.place, new.name):
        return
    each = ""
    if old.per_element != new.per_element:
        each = (
            " Each element of the array has a key of its own now."
            if new.per_element
            else (" One key stands for the whole request now, where each element had its own.")
        )
    lost = bool(after.api is not None and key_pointer(after, new) is None and key_pointer(after, old))
    places = f"the {new.place} `{new.name}`, no longer into the {old.place} `{old.name}`"
    how = "New writes carry it there; a recipient that looks in the old place takes them for writes without a key."
    if key_required(after, old):
        how = f"The document requires it in the {old.place} `{old.name}`: a recipient refuses every write without it."
    elif lost:
        how = (
            f"The document shows the old place and not the new one: to the recipient new writes have no key, and every "
            f"resend makes a second write.{moved_twice(after.operation)}"
        )
    wrong = lost or key_required(after, old)
    yield Found(
        grade=Grade.BREAKS if wrong else Grade.RISKY,
        harm=Harm.REFUSED if key_required(after, old) else Harm.TWICE if wrong else Harm.ASKED,
        title=f"The key goes into {places}.",
        effect=(
            f"{how}{each} Attempted records of before the change have it in the old place and are not sent again: "
            f"{unsettled(after.operation)}."
        ),
        remedy="Make sure that the recipient takes the new place; settle what is attempted before the change is live.",
        before=key_shown(before.operation),
        after=key_shown(after.operation),
        at=(
            InSkill("base", ("key",)),
            InSkill("head", ("key",)),
            *([InDocument("head", pointer)] if wrong and (pointer := key_pointer(after, old)) else []),
        ),
    )


KIND = Kind(
    name="key-moved",
    summary="the key stands in another place",
    check=check,
    why=__doc__ or "",
    of_host=True,
)
