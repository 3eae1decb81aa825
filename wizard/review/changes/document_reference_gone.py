"""The API document no longer has the field of the reference that the host fills in."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm


def lost(side: Declared) -> dict[str, str]:
    """The reference, where the document's body does not have it."""
    reference = side.operation.reference
    if reference is None or not side.fields or (side.api is not None and side.api.body and side.api.body.cut):
        return {}
    name = reference.path.name
    return {} if name in side.fields else {name: name}


def check(pair: Pair) -> Iterator[Found]:
    for name in dict(newly(pair, lost)):
        before, after = pair.before, pair.after
        assert after is not None
        old = before.fields.get(name) if before is not None else None
        if pair.knew and not pair.drifted and old is None:
            continue
        probe = after.operation.probe
        by_it = probe is not None and name in probe.covered
        found = (
            "The probe finds nothing by it, and what is attempted stays so until a person settles it."
            if by_it
            else ("Attempted writes are no longer found by it.")
        )
        yield Found(
            grade=Grade.RISKY,
            harm=Harm.ASKED,
            subject=name,
            title=f"The reference `{name}` is gone from the document.",
            effect=f"The recipient refuses it, or does not store it. {found}",
            remedy="See which field the recipient stores and gives back now.",
            before=name if pair.knew else "",
            at=(*([InDocument("base", old.pointer)] if old is not None else []), InSkill("head", ("reference",))),
        )


KIND = Kind(
    name="document-reference-gone",
    summary="the document no longer has the field of the reference",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
