"""The API document requires a field, or a parameter, that the skill does not name: the model cannot fill it in, and
every request is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.operation.field_path import FieldPath
from wizard.review.effects import unsettled
from wizard.review.kind import At, Declared, Found, InDocument, InSkill, Kind, Pair, newly
from wizard.review.model import Grade, Harm
from wizard.spec.model import Field
from wizard.spec.pointer import join


def unnamed(side: Declared) -> dict[str, str]:
    """What the document requires and nobody fills in, with its pointer."""
    operation = side.operation
    found: dict[str, str] = {}
    if side.api is None:
        return {}
    listed = [path.required() for path in (*operation.body, *operation.identity)]
    host = [operation.key.path] if operation.key is not None else []
    if operation.reference is not None:
        host.append(operation.reference.path)
    for name, field in side.fields.items():
        path = FieldPath.parse(name)
        if not field.always or field.shape.read_only or any(one.covers(path) for one in (*listed, *host)):
            continue
        if any(path.covers(one) for one in (*listed, *host)):
            continue
        if any(name.startswith(f"{one}.") for one in found):
            continue
        found[name] = _needed_at(side, field)
    filled = {f"{path.place}:{path.segments[0].name}".lower() for path in host if path.place != "body"}
    named = {f"query:{name}".lower() for name in operation.query} | {
        f"header:{name}".lower() for name in operation.header
    }
    url_query = operation.url.partition("?")[2]
    for parameter in side.api.parameters:
        name = f"{parameter.location}:{parameter.name}"
        if parameter.location not in ("query", "header") or not parameter.required:
            continue
        if name.lower() in filled | named or parameter.shape.const is not None:
            continue
        if parameter.location == "query" and f"{parameter.name}=" in f"&{url_query}":
            continue
        if parameter.name.lower() in ("authorization", "accept", "content-type", "user-agent"):
            continue
        found[name] = parameter.pointer
    return found


def _needed_at(side: Declared, field: Field) -> str:
    """Where the document says that a field is required: its name in the list."""
    listed = side.document.resolve(field.required_at) if side.document is not None and field.required_at else None
    if isinstance(listed, list) and field.name in listed:
        return join(field.required_at, listed.index(field.name))
    return field.required_at or field.pointer


def check(pair: Pair) -> Iterator[Found]:
    after = pair.after
    if after is None or not after.operation.is_write or not pair.knew:
        return
    for name, pointer in newly(pair, unnamed):
        place, colon, parameter = name.partition(":")
        what = (
            f"The {place} parameter `{parameter}`" if colon and place in ("query", "header") else f"The field `{name}`"
        )
        if _is_key(pair, name):
            # That is said as a key.
            continue
        before = pair.before
        old = before.fields.get(name) if before is not None else None
        at: list[At] = [InDocument("base", old.pointer)] if old is not None else []
        always = _required(before, name)
        stored = (
            "An attempted write that is sent again as it was stored is refused, too, and stays attempted"
            if after.operation.key is not None
            else f"For attempted writes nothing changes: {unsettled(after.operation)}"
        )
        said = (
            "is required, and the skill no longer names it."
            if always
            else "is required now, and the skill does not name it."
        )
        yield Found(
            grade=Grade.BREAKS,
            harm=Harm.REFUSED,
            subject=name,
            title=f"{what} {said}",
            effect=(
                "The model does not fill it in, so the recipient refuses every write with a 4xx; each refusal releases "
                f"its claim. {stored}."
            ),
            remedy=f"Name it in `{place if colon else 'body'}`, and look whether it belongs to the identity.",
            before="named" if always else "optional" if old is not None else "",
            after="not named" if always else "required",
            at=(*at, InDocument("head", pointer), InSkill("head", (place if colon else "body",))),
        )


def _required(side: Declared | None, name: str) -> bool:
    if side is None:
        return False
    place, colon, parameter = name.partition(":")
    given = side.parameter(place, parameter) if colon else None
    return (name in side.fields and side.fields[name].always) or (given is not None and given.required)


def _is_key(pair: Pair, name: str) -> bool:
    from wizard.review.changes._keyplaces import unused

    place, colon, parameter = name.partition(":")
    wanted = f"{place} {parameter}" if colon else f"field {name}"
    old = pair.before.operation.key if pair.before is not None else None
    if old is not None and f"{old.place} {old.name}".lower() == wanted.lower():
        return True
    return any(one.name == wanted for one in unused(pair))


KIND = Kind(
    name="document-field-required",
    summary="the document requires what the skill does not name",
    check=check,
    why=__doc__ or "",
    of_document=True,
)
