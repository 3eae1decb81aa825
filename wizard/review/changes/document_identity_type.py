"""A field of the identity takes other values in the API document now: another type, fewer, shorter ones.

Values are exact in a key: the text `"12"` and the number `12` are two writes. A value that had to be cut or rewritten
is another value, and two that were cut alike are one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from wizard.operation.field_path import FieldPath
from wizard.review.effects import moved_twice, shown
from wizard.review.examples import Value, example_values
from wizard.review.kind import Declared, Found, InDocument, InSkill, Kind, Pair
from wizard.review.model import Example, Grade, Harm, KeyChange
from wizard.review.showing import compared, key_of, request_line
from wizard.spec.model import Shape


def check(pair: Pair) -> Iterator[Found]:
    both = pair.compared
    if both is None or not both[1].operation.is_write:
        return
    before, after = both
    for path in after.operation.identity:
        old, new = _shape(before, path), _shape(after, path)
        if old is None or new is None:
            continue
        if old.type != new.type and old.type and new.type and {old.type, new.type} != {"integer", "number"}:
            yield _type(before, after, path, old, new)
            continue
        yield from _narrower(before, after, path, old, new)


def _shape(side: Declared, path: FieldPath) -> Shape | None:
    if path.place != "body":
        given = side.parameter(path.place, path.segments[0].name)
        return given.shape if given is not None else None
    field = side.fields.get(path.name)
    return field.shape if field is not None else None


def _at(before: Declared, after: Declared, path: FieldPath) -> tuple[InDocument | InSkill, ...]:
    pointers = []
    for side in (before, after):
        if path.place != "body":
            given = side.parameter(path.place, path.segments[0].name)
            pointers.append(given.pointer if given is not None else "")
        else:
            pointers.append(side.fields[path.name].pointer)
    return (
        InDocument("base", pointers[0]),
        InDocument("head", pointers[1]),
        InSkill("head", ("identity", after.operation.identity.index(path))),
    )


def _type(before: Declared, after: Declared, path: FieldPath, old: Shape, new: Shape) -> Found:
    name = path.name
    travels = path.place != "body" or after.operation.content != "application/json"
    if travels and "object" not in (old.type, new.type) and "array" not in (old.type, new.type):
        effect = (
            "It travels as a text, so a value that is written the same keeps its key; one written otherwise does not."
        )
        grade, harm = Grade.RISKY, Harm.TWICE
    else:
        effect = (
            f"Values are exact in a key: `{name}` as {_a(old.type)} and as {_a(new.type)} are two writes. Live records "
            f"keep the value that was stored, so a write made before the change and repeated after it lands twice."
            f"{moved_twice(after.operation)}"
        )
        grade, harm = Grade.BREAKS, Harm.TWICE
    return Found(
        grade=grade,
        harm=harm,
        subject=name,
        title=f"`{name}` is {_a(new.type)} in the document now, no longer {_a(old.type)}.",
        effect=effect,
        remedy=(
            "Roll it out when no write is attempted and no completed record is younger than its `keep`; "
            "`skill-wizard records list` shows them."
        ),
        before=old.type,
        after=new.type,
        example=None if travels else _example(before, after, name),
        at=_at(before, after, path),
    )


def _a(type_: str) -> str:
    return f"an {type_}" if type_[:1] in "aio" else f"a {type_}"


def _example(before: Declared, after: Declared, name: str) -> Example | None:
    """The same request with the value in the old type and in the new one."""
    values = example_values(after.operation, after.api)
    was = {value.name: value for value in example_values(after.operation, before.api)}
    stored = tuple(_as(was.get(name), value) if value.name == name else value for value in values)
    one, two = key_of(after.operation, stored).shown, key_of(after.operation, values).shown
    if not one or not two or one == two:
        return None
    matters = compared(before, after)
    return Example(
        says="The value that was stored, and the one that is sent now: two keys for one write.",
        keys=(
            KeyChange(request=request_line(stored, matters), before=one, after=one, label="stored"),
            KeyChange(request=request_line(values, matters), before="", after=two, label="repeated"),
        ),
    )


def _as(old: Value | None, new: Value) -> Value:
    """The new value as the old type writes it, where it can be."""
    if old is None:
        return new
    if old.is_text and not new.is_text:
        return replace(new, is_text=True)
    return old


def _narrower(before: Declared, after: Declared, path: FieldPath, old: Shape, new: Shape) -> Iterator[Found]:
    name = path.name
    for what, was, now, said in _differences(old, new):
        yield Found(
            grade=Grade.RISKY,
            harm=Harm.REFUSED if what in ("enum", "pattern", "minLength") else Harm.TWICE,
            subject=f"{name} {what}",
            title=f"`{name}` {said}.",
            effect=_narrowed(name, what),
            remedy=f"Look where the values of `{name}` come from, and whether they still fit.",
            before=was,
            after=now,
            at=_at(before, after, path),
        )


def _narrowed(name: str, what: str) -> str:
    if what == "format":
        return (
            f"The same `{name}` is written otherwise, and values are exact in a key: a write made before the change "
            f"and "
            "repeated after it in the new form lands twice. Live records keep the form that was stored."
        )
    if what == "maxLength":
        return (
            "A longer value is refused, or cut by whoever sends it: cut, the same write has another key, and two that "
            "differed only in the end are one."
        )
    return (
        "A value that no longer fits is refused by the recipient; put in another way, the same write has another key."
    )


def _differences(old: Shape, new: Shape) -> Iterator[tuple[str, str, str, str]]:
    """What is narrower: the word for it, before, after, and a sentence's end."""
    if old.format != new.format and new.format:
        was = old.format or "a plain text"
        yield "format", old.format, new.format, f"has the format `{new.format}` in the document now, no longer {was}"
    gone = [one for one in old.enum if one not in new.enum]
    if new.enum and (gone or not old.enum):
        lost = f", without {_listed(gone)}" if gone else ""
        yield "enum", _texts(old.enum), _texts(new.enum), f"takes fewer values in the document now{lost}"
    if new.max_length is not None and (old.max_length is None or new.max_length < old.max_length):
        before = "" if old.max_length is None else str(old.max_length)
        yield "maxLength", before, str(new.max_length), f"has at most {new.max_length} characters in the document now"
    if new.min_length is not None and new.min_length > (old.min_length or 0):
        before = "" if old.min_length is None else str(old.min_length)
        yield "minLength", before, str(new.min_length), f"has at least {new.min_length} characters in the document now"
    if new.pattern and new.pattern != old.pattern:
        yield "pattern", old.pattern, new.pattern, f"has the pattern `{new.pattern}` in the document now"


def _listed(values: list[Any]) -> str:
    shown_ones = [f"`{shown(one)}`" for one in values[:4]]
    return ", ".join(shown_ones) + (f" and {len(values) - 4} more" if len(values) > 4 else "")


def _texts(values: tuple[Any, ...]) -> str:
    return shown(list(values)) if values else ""


KIND = Kind(
    name="document-identity-type",
    summary="an identity field takes other values in the document now",
    check=check,
    why=__doc__ or "",
    of_document=True,
    of_host=True,
)
