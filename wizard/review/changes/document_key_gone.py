"""The API document no longer shows the place where the key goes.

A recipient that takes no key makes a second write of every resend. The host goes by the declaration, and resends.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.effects import key_shown, moved_twice
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm


def unshown(side: Declared) -> dict[str, str]:
    """The key's place, where the document shows the request and not the place."""
    key, api = side.operation.key, side.api
    if key is None or api is None:
        return {}
    if key.place == "field":
        seen = key.path.name in side.fields or not side.fields or (api.body is not None and api.body.cut)
    else:
        seen = side.parameter(key.place, key.name) is not None
    return {} if seen else {f"{key.place} {key.name}": key.name}


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None or not pair.knew:
        return
    before, after = both
    old, new = before.operation.key, after.operation.key
    if old is None or new is None or (old.place, old.name) != (new.place, new.name):
        # The declaration moved it: `key-moved` says so.
        return
    if unshown(before):
        # It never was there: a vendor's page may have it, and the document is no witness.
        return
    for place in unshown(after):
        kind, _, name = place.partition(" ")
        what = "query parameter" if kind == "query" else kind
        pointer = _pointer(before)
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.TWICE,
            subject=place,
            title=f"The document no longer shows the key's place, the {what} `{name}`.",
            effect=(
                "If the recipient no longer takes the key, every resend after a lost answer makes a second write; the "
                f"attempted ones of before the change are resent, too.{moved_twice(after.operation)}"
            ),
            remedy=(
                "Ask the vendor. If it takes none any more, take `key` out of the declaration before the change is "
                "live, and declare a probe."
            ),
            before=key_shown(before.operation),
            at=(*([InDocument("base", pointer)] if pointer else []), InSkill("head", ("key",))),
        )


def _pointer(side: Declared) -> str:
    key = side.operation.key
    if key is None:
        return ""
    if key.place == "field":
        return side.fields[key.path.name].pointer if key.path.name in side.fields else ""
    given = side.parameter(key.place, key.name)
    return given.pointer if given is not None else ""


KIND = Kind(
    name="document-key-gone",
    summary="the document no longer shows the place of the key",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
