"""A field of the identity is optional in the API document now.

The host refuses a request without it, before anything is claimed. A model that goes by the document leaves it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm
from wizard.spec.model import ApiDocument


def optional(side: Declared) -> dict[str, FieldPath]:
    """The identity's fields that the declaration has in every request and the document does not."""
    found = {}
    for path in side.operation.identity:
        if path.optional or path.in_array or path.whole_body:
            continue
        if path.place == "body":
            field = side.fields.get(path.name)
            if field is not None and not field.always and not field.shape.read_only:
                found[path.name] = path
        else:
            given = side.parameter(path.place, path.segments[0].name)
            if given is not None and not given.required:
                found[path.name] = path
    return found


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or not after.operation.is_write or not pair.knew or _same_document(pair):
        return
    for name, path in newly(pair, optional):
        if not pair.drifted and not _required(pair.before, path):
            continue
        yield Found(
            grade=Grade.RISKY,
            harm=Harm.REFUSED,
            subject=name,
            title=f"`{name}` is optional in the document now.",
            effect=(
                f"A request without `{name}` is one that the recipient takes and the host refuses, before anything is "
                "claimed. Keys and records of requests with it stay as they are."
            ),
            remedy=(
                f"Write `{name}?` if a write without it is one of its own; requests with it keep their keys. Else say "
                "in the skill that it is always given."
            ),
            before="required",
            after="optional",
            at=(
                *(InDocument("base", pointer) for pointer in _pointers(pair.before, path)),
                *(InDocument("head", pointer) for pointer in _pointers(after, path)),
                InSkill("head", ("identity", after.operation.identity.index(path))),
            ),
        )


def _required(side: Declared | None, path: FieldPath) -> bool:
    if side is None:
        return False
    if path.place != "body":
        given = side.parameter(path.place, path.segments[0].name)
        return given is not None and given.required
    return path.name in side.fields and side.fields[path.name].always


def _same_document(pair: Pair) -> bool:
    documents: list[ApiDocument | None] = [side.document if side else None for side in (pair.before, pair.after)]
    return documents[0] is documents[1]


def _pointers(side: Declared | None, path: FieldPath) -> list[str]:
    if side is None:
        return []
    if path.place != "body":
        given = side.parameter(path.place, path.segments[0].name)
        return [given.pointer] if given is not None else []
    field = side.fields.get(path.name)
    return [field.required_at or field.pointer] if field is not None else []


KIND = Kind(
    name="document-identity-optional",
    summary="an identity field is optional in the document now",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
