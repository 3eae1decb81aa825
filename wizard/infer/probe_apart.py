"""Whether a record's values tell it from an equal one that was made before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import word_set
from wizard.operation.field_path import FieldPath
from wizard.spec.model import Field

_PLAIN = frozenset({"string", "integer", "number", "boolean"})
_DIRECTIONS = frozenset({"from", "to", "at", "on", "departure"})
"""Words of dates that name accounts and places as often."""


def is_one_of_a_kind(
    identity: Iterable[FieldPath], sent: Mapping[str, Field], told: Iterable[str], *, below: bool, alone: bool = False
) -> bool:
    """Whether the fields `told` of an identity tell one record from an equal one of before.

    A payment of the same amount, or an order of the same goods, may be meant again next week; a room of the same number
    is the same room. So there is a name or a number of its own, or a time of its matter, or the write stands `below` a
    thing in its path and only ties it to others. `sent` are the fields of the request by name. `alone`: a list is
    narrowed by them, and nothing that it shows is compared.
    """
    paths = [path.required() for path in identity]
    words = {path.name: phrase(path.segments[-1].name) if path.segments else () for path in paths}
    known = [path for path in paths if path.name in set(told)]
    if any(_is_dated(words[path.name], sent.get(path.name)) for path in known):
        return True
    counted = any(set(own) & word_set("names", "quantities") for own in words.values())
    repeated = counted or any(_holds_objects(path, sent) for path in paths)
    if alone:
        return any(_ends_in(words[path.name], "numbers" if repeated else "natural") for path in known)
    if any(_names(words[path.name], sent.get(path.name), repeated=repeated) for path in known):
        return True
    return (
        below and bool(paths) and not repeated and all(_ties(words[path.name], sent.get(path.name)) for path in paths)
    )


def _holds_objects(path: FieldPath, sent: Mapping[str, Field]) -> bool:
    """Whether a field is, or lies in, a list of objects: the lines of an order."""
    field = sent.get(path.name)
    inside = path.in_array and len(path.segments) > 1
    return inside or (field is not None and field.shape.type == "array" and field.shape.item_type not in _PLAIN)


def _is_dated(words: tuple[str, ...], field: Field | None) -> bool:
    """Whether a field is a day or a time of the matter."""
    if field is not None and field.shape.format in ("date", "date-time"):
        return True
    plain = field is None or field.shape.type in ("", "string", "integer")
    return plain and bool(set(words) & (word_set("names", "dates") - _DIRECTIONS))


def _names(words: tuple[str, ...], field: Field | None, *, repeated: bool) -> bool:
    """Whether a field is what people know the record by: a text of its own; among amounts and lines, a number."""
    broad = set(words[-1:]) & word_set("names", "broad")
    if broad or set(words) & word_set("names", "parties") or set(words) <= _DIRECTIONS:
        return False
    if repeated:
        return _ends_in(words, "numbers")
    if _ends_in(words, "natural"):
        return True
    texty = field is None or (field.shape.type in ("", "string") and not field.composite)
    return texty and not _ties(words, field)


def _ends_in(words: tuple[str, ...], name: str) -> bool:
    return bool({"_".join(words[-1:]), "_".join(words[-2:])} & word_set("names", name))


def _ties(words: tuple[str, ...], field: Field | None) -> bool:
    """Whether a field is another thing's id, or one of few values."""
    shape = field.shape if field is not None else None
    few = shape is not None and (bool(shape.enum) or shape.type in ("boolean", "integer") or shape.format == "uuid")
    return few or bool(set(words[-1:]) & word_set("names", "ids"))
