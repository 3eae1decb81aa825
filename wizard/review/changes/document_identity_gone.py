"""The API document no longer has a field, or parameter, of the identity.

The recipient ignores or refuses it. Where it is ignored, two writes that we tell apart are one to the recipient.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.effects import moved_twice
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm


def gone(side: Declared) -> dict[str, FieldPath]:
    """The identity's fields that the document does not have."""
    api, found = side.api, {}
    if api is None:
        return {}
    for path in side.operation.identity:
        name = path.name
        if path.place != "body":
            if side.parameter(path.place, path.segments[0].name) is None:
                found[name] = path
        elif not path.whole_body and side.fields and not (api.body and api.body.cut) and name not in side.fields:
            found[name] = path
    return found


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or after.api is None or not after.operation.is_write:
        return
    for name, path in newly(pair, gone):
        if pair.knew and not pair.drifted and not _had(pair.before, path):
            # The document never had it: that is the linter's matter.
            continue
        what = "field" if path.place == "body" else f"{path.place} parameter"
        before = pair.before
        at: list[InSkill | InDocument] = [InSkill("head", _place(after, path))]
        if before is not None and before.api is not None:
            shown = before.fields.get(name) if path.place == "body" else None
            given = before.parameter(path.place, path.segments[0].name) if path.place != "body" else None
            pointer = shown.pointer if shown is not None else given.pointer if given is not None else before.api.pointer
            at.insert(0, InDocument("base", pointer))
        at.append(InDocument("head", after.api.body.pointer if after.api.body is not None else after.api.pointer))
        ever = " any more" if pair.knew else ""
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.REFUSED,
            subject=name,
            title=f"The document has no {what} `{path.segments[-1].name if path.place != 'body' else name}`{ever}.",
            effect=(
                f"It is part of what this write is. A recipient that refuses it answers every write with a 4xx; one "
                f"that "
                f"ignores it takes two writes that differ only in `{name}` for equal ones, and we send both."
                f"{moved_twice(after.operation)}"
            ),
            remedy=f"See what took the place of `{name}`; a change of the identity changes every key.",
            before=name if pair.knew else "",
            at=tuple(at),
        )


def _had(side: Declared | None, path: FieldPath) -> bool:
    if side is None:
        return False
    if path.place != "body":
        return side.parameter(path.place, path.segments[0].name) is not None
    return path.name in side.fields


def _place(side: Declared, path: FieldPath) -> tuple[str | int, ...]:
    return ("identity", side.operation.identity.index(path))


KIND = Kind(
    name="document-identity-gone",
    summary="the document no longer has an identity field",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
