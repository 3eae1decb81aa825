"""Field names: `customer.email`, `items[].sku`, `query:page`, `header:X-Tenant`, `$body`, an optional `departure?`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal

FieldPlace = Literal["body", "query", "header"]

_PLAIN = re.compile(r'[^.\[\]:?"]+')
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_ESCAPE = re.compile(r"\\([\"\\])")


class Missing(Enum):
    """The value of a field that a request does not have; it is not null."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING


class FieldPathError(ValueError):
    """A text that is no field name. `offset` is where reading it stopped."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Segment:
    """One member's name; `each` where `[]` follows it."""

    name: str
    each: int = 0
    """How many `[]` follow: 1 for `items[]`, 2 for an array of arrays."""

    def __str__(self) -> str:
        plain = _PLAIN.fullmatch(self.name) and self.name != "$body"
        escaped = self.name.replace("\\", "\\\\").replace('"', '\\"')
        return (self.name if plain else f'"{escaped}"') + "[]" * self.each


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A field of a request. `segments` is empty for `$body`; a query or header name is its one segment."""

    place: FieldPlace
    segments: tuple[Segment, ...]
    optional: bool = False

    @classmethod
    def parse(cls, text: str) -> FieldPath:
        """Reads a field name. Raises FieldPathError."""
        if not text:
            raise FieldPathError("a field name is empty", 0)
        places: tuple[FieldPlace, ...] = ("query", "header")
        for place in places:
            if text.startswith(f"{place}:"):
                return cls._parse_parameter(text, place)
        if text in ("$body", "$body?"):
            return cls("body", (), text.endswith("?"))
        return cls._parse_body(text)

    @classmethod
    def body(cls, *names: str) -> FieldPath:
        """The path of plain members, each name taken as it is: `body("a.b", "c")` is `"a.b".c`."""
        return cls("body", tuple(Segment(name) for name in names))

    @classmethod
    def _parse_parameter(cls, text: str, place: FieldPlace) -> FieldPath:
        start = len(place) + 1
        quoted = _QUOTED.match(text, start)
        if quoted and text[quoted.end() :] in ("", "?"):
            return cls(place, (Segment(_ESCAPE.sub(r"\1", quoted[1])),), quoted.end() < len(text))
        name = text[start:]
        optional = name.endswith("?")
        name = name.removesuffix("?")
        if not name:
            raise FieldPathError(f"`{place}:` names no parameter", start)
        return cls(place, (Segment(name),), optional)

    @classmethod
    def _parse_body(cls, text: str) -> FieldPath:
        at, segments = 0, []
        while True:
            quoted = _QUOTED.match(text, at)
            plain = None if quoted else _PLAIN.match(text, at)
            if quoted:
                name, at = _ESCAPE.sub(r"\1", quoted[1]), quoted.end()
            elif plain:
                name, at = plain[0], plain.end()
            elif text.startswith('"', at):
                raise FieldPathError("a quoted name does not end", at)
            else:
                raise FieldPathError("a name is missing here", at)
            each = 0
            while text.startswith("[]", at):
                each, at = each + 1, at + 2
            segments.append(Segment(name, each))
            if at == len(text):
                return cls("body", tuple(segments))
            if text[at] == "?" and at + 1 == len(text):
                return cls("body", tuple(segments), optional=True)
            if text[at] != ".":
                raise FieldPathError(_unexpected(text, at), at)
            at += 1

    def __str__(self) -> str:
        end = "?" if self.optional else ""
        if self.place != "body":
            name = self.segments[0].name
            if name.endswith("?") or name.startswith('"'):
                escaped = name.replace("\\", "\\\\").replace('"', '\\"')
                name = f'"{escaped}"'
            return f"{self.place}:{name}{end}"
        return (".".join(map(str, self.segments)) or "$body") + end

    @property
    def name(self) -> str:
        """The name without `?`."""
        return str(self.required()) if self.optional else str(self)

    @property
    def whole_body(self) -> bool:
        return self.place == "body" and not self.segments

    @property
    def top(self) -> str:
        """The name of the body's own member that it lies in; empty for `$body` and parameters."""
        return self.segments[0].name if self.place == "body" and self.segments else ""

    @property
    def in_array(self) -> bool:
        return any(segment.each for segment in self.segments)

    def required(self) -> FieldPath:
        """The same field, not optional."""
        return FieldPath(self.place, self.segments) if self.optional else self

    def covers(self, other: FieldPath) -> bool:
        """Whether `other` is this field or a part of it (`amount` covers `amount.value`)."""
        if self.place != other.place:
            return False
        if self.whole_body:
            return True
        count = len(self.segments)
        if other.segments[: count - 1] != self.segments[:-1] or len(other.segments) < count:
            return False
        mine, theirs = self.segments[-1], other.segments[count - 1]
        return mine.name == theirs.name and mine.each <= theirs.each

    def get(self, body: Any) -> Any:
        """The value at this path of a body; MISSING where it is not there.

        Across an array it is the list of the elements' values, in their order, MISSING among them where an element
        has none; an empty array gives an empty list.
        """
        return _get(body, self.segments)


def _unexpected(text: str, at: int) -> str:
    if text[at] == "[":
        return "`[` is followed by `]`; a name with brackets stands in double quotes"
    if text[at] == "?":
        return "`?` stands at the end only; a name with `?` stands in double quotes"
    return f"`{text[at]}` cannot stand here; a name with it stands in double quotes"


def _get(value: Any, segments: Sequence[Segment]) -> Any:
    for index, segment in enumerate(segments):
        if not isinstance(value, Mapping) or segment.name not in value:
            return MISSING
        value = value[segment.name]
        if segment.each:
            return _each(value, segment.each, segments[index + 1 :])
    return value


def _each(value: Any, levels: int, rest: Sequence[Segment]) -> Any:
    if levels == 0:
        return _get(value, rest) if rest else value
    if not isinstance(value, list | tuple):
        return MISSING
    return [_each(element, levels - 1, rest) for element in value]


def url_variables(url: str) -> tuple[str, ...]:
    """The names in braces of a URL or path, in their order: `/bookings/{id}` gives `("id",)`."""
    return tuple(_variables(url))


def _variables(url: str) -> Iterator[str]:
    yield from re.findall(r"\{([^{}]*)\}", url)
