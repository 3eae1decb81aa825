"""A field of the identity is read-only in the API document now: the recipient sets it, and a request does not."""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm


def read_only(side: Declared) -> dict[str, FieldPath]:
    """The identity's fields that the document has the recipient set."""
    fields = side.fields
    return {
        path.name: path
        for path in side.operation.identity
        if path.place == "body" and path.name in fields and fields[path.name].shape.read_only
    }


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or not after.operation.is_write:
        return
    for name, path in newly(pair, read_only):
        if pair.before is not None and name in pair.before.fields and pair.before.fields[name].shape.read_only:
            # It always was: that is the linter's matter.
            continue
        at = [InDocument("head", after.fields[name].pointer)]
        if pair.before is not None and name in pair.before.fields:
            at.insert(0, InDocument("base", pair.before.fields[name].pointer))
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.REFUSED,
            subject=name,
            title=f"`{name}` is read-only in the document now.",
            effect=(
                f"The recipient sets `{name}` itself, and refuses or ignores what a request says there. Ignored, two "
                "writes that differ only there are equal ones to it, and we send both."
            ),
            remedy=f"Take `{name}` out of the identity, and look what tells two writes apart without it.",
            after="readOnly",
            at=(*at, InSkill("head", ("identity", after.operation.identity.index(path)))),
        )


KIND = Kind(
    name="document-identity-read-only",
    summary="an identity field is read-only in the document now",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
