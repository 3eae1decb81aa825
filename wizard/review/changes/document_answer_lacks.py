"""The probe's answer no longer shows, in the API document, a field that the probe goes by.

A candidate without it, or with one of another type, is neither the write nor surely another: the write stays attempted
until a person settles it.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.lint.against import items_path
from wizard.operation.model import Cursor
from wizard.review.kind import At, Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Grade, Harm
from wizard.spec.model import Field


def lacking(side: Declared) -> dict[str, tuple[str, str]]:
    """What the probe goes by and its answer does not show: the member with the path, and the path itself."""
    fields = _fields(side)
    if fields is None:
        return {}
    return {name: (member, path) for name, member, path in _used(side) if path not in fields}


def _used(side: Declared) -> Iterator[tuple[str, str, str]]:
    """A name for the finding, the probe's member, and the path in a candidate (with `$` in front: in the answer)."""
    probe = side.operation.probe
    if probe is None:
        return
    for name, path in probe.match:
        yield f"match {name}", "match", path
    if probe.since is not None:
        yield "since", "since", probe.since
    pages = probe.pages.at if isinstance(probe.pages, Cursor) else probe.pages
    if pages is not None and pages.startswith("$."):
        yield "pages", "pages", pages
    if probe.items is not None:
        yield "items", "items", "$[]" if probe.items == "$[*]" else probe.items.removesuffix("[*]")


def _fields(side: Declared) -> dict[str, Field | None] | None:
    """The fields of a candidate, and those of the answer with `$.` in front; None where the document does not tell."""
    probe, get = side.operation.probe, side.probed
    if probe is None or get is None or get.success is None:
        return None
    body = get.success.body
    start = items_path(probe.items)
    if body is None or start is None or body.cut or not (body.fields or body.element):
        return None
    found: dict[str, Field | None] = {f"$.{field.path}": field for field in body.fields}
    if start == "" and body.element:
        found |= {field.path: field for field in body.element}
        if probe.items is not None:
            found["$[]"] = None
    else:
        found |= {field.path.removeprefix(start): field for field in body.fields if field.path.startswith(start)}
    return found


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None or not both[1].operation.is_write:
        return
    before, after = both
    old, new = _fields(before), _fields(after)
    if new is None or after.probed is None or (old is None and not pair.drifted):
        return
    old = old or {}
    for name, member, path in _used(after):
        was = old.get(path)
        if (path not in old and not pair.drifted) or _plain_way(member, path):
            continue
        at: list[At] = [InSkill("head", ("probe", member))]
        if was is not None:
            at.insert(0, InDocument("base", was.pointer))
        if path not in new:
            at.append(InDocument("head", after.probed.pointer))
            yield _found(after, name, f"The probe's answer no longer shows `{path.removeprefix('$.')}`.", path, "", at)
            continue
        now = new[path]
        if was is not None and now is not None and _other_type(was, now):
            at.append(InDocument("head", now.pointer))
            title = f"`{path.removeprefix('$.')}` of the probe's answer is {_a(now)} now, no longer {_a(was)}."
            yield _found(after, f"{name} type", title, was.shape.type, now.shape.type, at)


def _plain_way(member: str, path: str) -> bool:
    """Whether a JSONPath is more than a plain way to a member, which a look at the fields cannot follow."""
    return member in ("items", "pages") and any(sign in path.removeprefix("$") for sign in "?*@()'\"")


def _other_type(was: Field, now: Field) -> bool:
    types = was.shape.type, now.shape.type
    return bool(types[0] and types[1]) and types[0] != types[1] and set(types) != {"integer", "number"}


def _a(field: Field) -> str:
    return f"an {field.shape.type}" if field.shape.type[:1] in "aio" else f"a {field.shape.type}"


def _found(after: Declared, name: str, title: str, before: str, new: str, at: list[At]) -> Found:
    member = name.partition(" ")[0]
    if member == "since":
        effect = (
            "Whether a record that looks the same was made before cannot be told: what is attempted, that of before "
            "the "
            "change too, stays so"
        )
    elif member == "pages":
        effect = "A further page is not found: a write on it is not seen, and absence may be believed too soon"
    elif member == "items":
        effect = (
            "The path selects nothing: what is attempted, that of before the change too, is neither found nor absent"
        )
    else:
        effect = (
            "It cannot be compared, so a probe tells neither that the write is there nor that it is not: what is "
            "attempted, that of before the change too, stays so"
        )
    twice = member == "pages" and after.operation.probe is not None and after.operation.probe.absent == "empty"
    settled = "" if twice else " until a person settles it"
    return Found(
        grade=Grade.BREAKS if twice else Grade.RISKY,
        harm=Harm.TWICE if twice else Harm.ASKED,
        subject=name,
        title=title,
        effect=f"{effect}{settled}.",
        remedy=f"See under which name the answer shows it now, and change the probe's `{member}`.",
        before=before,
        after=new,
        at=tuple(at),
    )


KIND = Kind(
    name="document-answer-lacks",
    summary="the probe's answer no longer shows what it goes by",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
