"""Values of bodies: found and put by a way into them, brought into the form that an answer shows, made to differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from wizard.host.exactjson import number_text, write_json
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.pattern import matches
from wizard.spec.model import Shape

Steps = tuple[str | None, ...]

_JSONPATH = re.compile(r"""\.([A-Za-z_$@][\w$@-]*)|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\*))\]|\.(\*)""")


@lru_cache(maxsize=4096)
def steps_of(path: str) -> Steps:
    """A field path of FORMAT 2 as steps; none for `$body`. Raises FieldPathError."""
    return tuple(
        step for segment in FieldPath.parse(path).segments for step in (segment.name, *([None] * segment.each))
    )


@lru_cache(maxsize=1024)
def steps_of_jsonpath(path: str) -> Steps | None:
    """A JSONPath of plain members and `[*]` as steps; None where it has anything else."""
    if not path.startswith("$"):
        return None
    at, steps = 1, []
    while at < len(path):
        found = _JSONPATH.match(path, at)
        if found is None:
            return None
        plain, single, double, *each = found.groups()
        name = next((one for one in (plain, single, double) if one is not None), None)
        steps.append(None if any(each) else re.sub(r"\\(.)", r"\1", name or ""))
        at = found.end()
    return tuple(steps)


def find(value: Any, steps: Steps) -> Any:
    """The value there; MISSING where there is none. Across an array: of its first element that has it."""
    for index, step in enumerate(steps):
        if step is None:
            if not isinstance(value, list):
                return MISSING
            inner = (find(one, steps[index + 1 :]) for one in value)
            return next((one for one in inner if one is not MISSING), MISSING)
        if not isinstance(value, Mapping) or step not in value:
            return MISSING
        value = value[step]
    return value


def put(holder: Any, steps: Steps, value: Any) -> Any:
    """The holder with the value put there; what it lies in is made where it is not there.

    Across an array `value` is the list of the elements' values: the array gets as many elements, new ones like its
    last.
    """
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if step is None:
        given = value if isinstance(value, list) else [value]
        have = holder if isinstance(holder, list) else []
        like = have[-1] if have else {}
        return [
            put(have[at] if at < len(have) else copied(like), rest, one) if one is not MISSING else like
            for at, one in enumerate(given)
        ]
    members = dict(holder) if isinstance(holder, Mapping) else {}
    members[step] = put(members.get(step), rest, value)
    return members


def without(holder: Any, steps: Steps) -> Any:
    """The holder without what is there."""
    if not steps:
        return holder
    step, rest = steps[0], steps[1:]
    if step is None:
        return [without(one, rest) for one in holder] if isinstance(holder, list) else holder
    if not isinstance(holder, Mapping) or step not in holder:
        return holder
    if not rest:
        return {name: member for name, member in holder.items() if name != step}
    return {name: without(member, rest) if name == step else member for name, member in holder.items()}


def copied(value: Any) -> Any:
    """A copy of a value of JSON."""
    if isinstance(value, dict):
        return {name: copied(member) for name, member in value.items()}
    return [copied(one) for one in value] if isinstance(value, list) else value


def json_text(value: Any) -> bytes:
    """Compact JSON; a Decimal keeps its digits."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except TypeError:
        return write_json(value)


def plain_text(value: Any) -> str:
    """A value as it would stand in a URL, for comparing."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return number_text(value)
    return "" if value is None or value is MISSING else json_text(value).decode()


# As an answer shows it -----------------------------------------------------------------------------------------------


def as_shown(value: Any, shape: Shape | None) -> Any:
    """A value in the type that the answer's member has; MISSING where the member cannot hold it."""
    if shape is None or value is None:
        return value
    if shape.enum and value not in shape.enum:
        folded = {str(one).casefold(): one for one in shape.enum}
        return folded.get(plain_text(value).casefold(), MISSING)
    match shape.type:
        case "string" if not isinstance(value, str):
            return MISSING if isinstance(value, dict | list) else plain_text(value)
        case "string":
            return _timed(value, shape.format)
        case "integer" | "number":
            return _number(value)
        case "boolean" if isinstance(value, str):
            return value.lower() in ("true", "1", "yes")
        case "object":
            return value if isinstance(value, dict) else MISSING
        case "array":
            return _listed(value if isinstance(value, list) else [value], shape.item_type)
    return value


def _listed(value: list[Any], kind: str) -> Any:
    """A list whose elements are of the answer's kind; MISSING where they are objects here and plain there."""
    objects = [isinstance(one, dict) for one in value]
    if kind and any(one != (kind == "object") for one in objects):
        return MISSING
    if kind == "string":
        return [plain_text(one) if not isinstance(one, list) else one for one in value]
    return value


def _timed(value: str, form: str) -> str:
    if form == "date-time" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return f"{value}T00:00:00Z"
    if form == "date" and re.match(r"\d{4}-\d\d-\d\dT", value):
        return value[:10]
    return value


def _number(value: Any) -> Any:
    if not isinstance(value, str):
        return MISSING if isinstance(value, dict | list | bool) else value
    try:
        number = Decimal(value)
    except InvalidOperation:
        return MISSING
    return int(number) if number == number.to_integral_value() else number


def merged(sent: Any, example: Any, kept: Iterable[Steps]) -> Any:
    """An object as it was sent, with those members of the example that an answer must have."""
    for steps in kept:
        if find(sent, steps) is MISSING and isinstance(find(sent, steps[:-1]), dict):
            shown = find(example, steps)
            if shown is not MISSING and None not in steps:
                sent = put(sent, steps, copied(shown))
    return sent


def time_as(instant: datetime, shape: Shape | None, example: Any = None) -> Any:
    """An instant in the form of the member that shows it."""
    if shape is not None and shape.type in ("integer", "number"):
        seconds = int(instant.timestamp())
        big = isinstance(example, int | float | Decimal) and example > 10**11
        return int(instant.timestamp() * 1000) if big else seconds
    if shape is not None and shape.format == "date":
        return instant.astimezone(UTC).date().isoformat()
    moment = instant.astimezone(UTC)
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds").replace("+00:00", "Z")


# Ids, and values that differ -----------------------------------------------------------------------------------------

_FRONT = re.compile(r"[A-Za-z]{1,12}[_\-:]")


def made_id(number: int, shape: Shape | None, example: Any = None) -> Any:
    """The id of the n-th thing, in the form of the member that shows it."""
    if shape is not None and shape.type in ("integer", "number"):
        return 1000 + number
    form = shape.format if shape is not None else ""
    if form == "uuid" or (
        isinstance(example, str) and re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-.{12}", example)
    ):
        return str(uuid5(NAMESPACE_OID, str(number)))
    if shape is not None and isinstance(example, str) and (shape.pattern or shape.min_length or shape.max_length):
        return _numbered(example, number)
    front = _FRONT.match(example) if isinstance(example, str) else None
    return f"{front[0] if front else ''}{number:04d}"


def _numbered(example: str, number: int) -> str:
    """An id like the example, as long and of the same letters, with the number at its end."""
    end = re.search(r"[0-9]+$|[0-9a-f]+$|[0-9A-F]+$", example)
    width = len(end[0]) if end else 0
    if end is None or width < len(str(number)):
        return _turned(example, number)
    return example[: end.start()] + str(number).zfill(width)


_WORDS = ("Quarry", "Meadow", "Lantern", "Osprey", "Thistle", "Cobalt", "Juniper", "Harbour", "Walnut", "Ferry")


def varied(
    value: Any, number: int, shape: Shape | None = None, shapes: Mapping[str, Shape] | None = None, at: str = ""
) -> Any:
    """Another value of the same kind, which surely differs: the n-th of them. `shapes` are those of an object's
    members by their paths, and `at` is its own path."""
    if shapes is not None and isinstance(value, dict):
        names = {name: f"{at}.{name}" if at else name for name in value}
        return {name: varied(one, number, shapes.get(names[name]), shapes, names[name]) for name, one in value.items()}
    if shapes is not None and isinstance(value, list):
        own = shapes.get(f"{at}[]")
        made = [
            varied(one, number, own, shapes, f"{at}[]") if own is not None or isinstance(one, dict | list) else one
            for one in value
        ]
        # Which other values its elements may have is not known: it has one less.
        return made[:-1] if made == value else made
    if shape is not None and shape.enum:
        others = [one for one in shape.enum if one != value] or [value]
        return others[number % len(others)]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float | Decimal):
        return value + 3 * number + 1
    if isinstance(value, str):
        if shape is None or not (shape.pattern or shape.max_length is not None):
            return _other_text(value, number)
        texts = (_turned(value, number + 1), _numbered(value, 7 + number), _other_text(value, number))
        fits = (one for one in texts if one != value and _fits(one, shape))
        return next(fits, value)
    if isinstance(value, list):
        return [varied(one, number) for one in value]
    if isinstance(value, dict):
        return {name: varied(one, number) for name, one in value.items()}
    return value


def _fits(text: str, shape: Shape) -> bool:
    if shape.max_length is not None and len(text) > shape.max_length:
        return False
    return not shape.pattern or matches(shape.pattern, text) is not False


def _turned(value: str, by: int) -> str:
    """Each letter and digit another one of its kind: as long as before, and of the same pattern."""
    if re.match(r"\d{4}-\d\d-\d\d", value) or "@" in value:
        return _other_text(value, by - 1)
    hexadecimal = re.fullmatch(r"[0-9a-fA-F-]+", value) is not None and any(one.isdigit() for one in value)
    return "".join(_next_letter(letter, 3 * by, 6 if hexadecimal else 26) for letter in value)


def _next_letter(letter: str, by: int, letters: int) -> str:
    for first, many in (("0", 10), ("a", letters), ("A", letters)):
        if 0 <= (at := ord(letter) - ord(first)) < many:
            return chr(ord(first) + (at + by) % many)
    return letter


def _other_text(value: str, number: int) -> str:
    try:
        day = date.fromisoformat(value[:10]) if re.match(r"\d{4}-\d\d-\d\d", value) else None
    except ValueError:
        day = None
    if day is not None and day.year < 9000:
        return (day + timedelta(days=40 * (number + 1))).isoformat() + value[10:]
    if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", value):
        return str(uuid5(NAMESPACE_OID, f"{value} {number}"))
    if value.isdecimal():
        return str(int(value) + 3 * number + 1).zfill(len(value))
    word = _WORDS[number % len(_WORDS)]
    suffix = str(number // len(_WORDS)) if number >= len(_WORDS) else ""
    if "@" in value:
        return f"{word.lower()}{suffix}@{value.rpartition('@')[2]}"
    if re.match(r"https?://", value):
        return f"{value.rstrip('/')}/{word.lower()}{suffix}"
    front = _FRONT.match(value)
    return f"{front[0]}{word.lower()}{suffix}" if front else f"{word}{suffix}"
