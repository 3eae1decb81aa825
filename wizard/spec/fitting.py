"""Whether a value fits a plain schema (`plain`), and where it does not, a sentence for each problem.

jsonschema does it, with the words of ours added, and with three of its own replaced: patterns never hang, what is
told of a missing name is its path, and a multiple is worked out in decimals (19.99 is a multiple of 0.01).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import cache
from threading import local
from typing import TYPE_CHECKING, Any

from wizard.operation.field_path import Segment
from wizard.operation.pattern import matches
from wizard.spec.plain import Plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

MOST_SENTENCES = 20
_LONGEST_VALUE = 60
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def problems(schema: Plain, value: Any, whole: str = "the body") -> tuple[str, ...]:
    """What is wrong with a value, one sentence each, the first ones; empty where it fits.

    `whole` is what the value itself is called. A value so deep that it cannot be checked fits.
    """
    validator = validator_class()(schema, format_checker=format_checker())
    try:
        return sentences(validator.iter_errors(value), whole)
    except RecursionError:
        return ()


def fits(schema: Plain, value: Any) -> bool:
    """Whether a value fits."""
    validator = validator_class()(schema, format_checker=format_checker())
    try:
        return bool(validator.is_valid(value))
    except RecursionError:
        return True


def sentences(errors: Iterable[ValidationError], whole: str = "the body") -> tuple[str, ...]:
    """The errors as sentences, each once, in their order, the first `MOST_SENTENCES`."""
    found: dict[str, None] = {}
    for error in errors:
        found[sentence(error, whole)] = None
        if len(found) == MOST_SENTENCES:
            break
    return tuple(found)


# The validator


@cache
def validator_class() -> Any:
    """The class of jsonschema's validators that know our words."""
    from jsonschema import validators

    extend: Any = validators.extend
    made: Any = extend(
        validators.Draft202012Validator,
        {
            "x-later": _later, "x-choose": _choose, "x-kept-out": _kept_out, "pattern": _pattern,
            "required": _required, "multipleOf": _multiple, "additionalProperties": _additional,
        },
    )  # fmt: skip
    return made


class _Open(local):
    """The pairs of schema and value that are being looked at: a schema that leads to itself asks nothing more."""

    def __init__(self) -> None:
        self.pairs: set[tuple[int, int]] = set()


_open = _Open()


def _later(validator: Any, later: Any, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    led_to = later.schema
    pair = (id(led_to), id(instance))
    if pair in _open.pairs:
        return
    _open.pairs.add(pair)
    try:
        yield from validator.descend(instance, led_to)
    finally:
        _open.pairs.discard(pair)


def _choose(validator: Any, choice: Any, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    named = instance.get(choice.member) if isinstance(instance, dict) else None
    branch = choice.branches.get(named) if isinstance(named, str) else None
    if branch is not None:
        yield from validator.descend(instance, branch)
    elif choice.others:
        yield from validator.descend(instance, {"anyOf": choice.others})


def _kept_out(validator: Any, why: str, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    yield ValidationError(why, validator="x-kept-out", validator_value=why)


def _pattern(validator: Any, pattern: str, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and matches(pattern, instance) is False:
        yield ValidationError("does not match")


def _required(validator: Any, names: list[str], instance: Any, schema: Plain) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, dict):
        for name in names:
            if name not in instance:
                yield ValidationError(name, validator="required", validator_value=name)


def _additional(validator: Any, allowed: Any, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, dict):
        return
    known = schema.get("properties", {})
    for name, value in instance.items():
        if name in known:
            continue
        if allowed is False:
            yield ValidationError(name, validator="additionalProperties", validator_value=list(known), path=(name,))
        else:
            yield from validator.descend(value, allowed, path=name)


def _multiple(validator: Any, step: float, instance: Any, schema: Plain) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, bool) or not isinstance(instance, int | float | Decimal):
        return
    try:
        rest = Decimal(str(instance)) % Decimal(str(step))
    except InvalidOperation:
        return
    if rest:
        yield ValidationError("is no multiple")


@cache
def format_checker() -> Any:
    """The formats that are checked; all others are only names."""
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    for name, check in FORMATS.items():
        checker.checkers = {**checker.checkers, name: (check, ())}
    return checker


def _of_text(pattern: re.Pattern[str]) -> Any:
    return lambda value: not isinstance(value, str) or pattern.fullmatch(value) is not None


def _is_date(value: Any) -> bool:
    from datetime import date

    if not isinstance(value, str):
        return True
    if not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_time(value: Any) -> bool:
    if not isinstance(value, str):
        return True
    hour, minute, second = value[11:13], value[14:16], value[17:19]
    return (
        _TIME.fullmatch(value) is not None
        and _is_date(value[:10])
        and hour < "24" and minute < "60" and second <= "60"
    )  # fmt: skip


def _within(bits: int) -> Any:
    most = 1 << (bits - 1)
    return lambda value: isinstance(value, bool) or not isinstance(value, int) or -most <= value < most


FORMATS: Mapping[str, Any] = {
    "date": _is_date,
    "date-time": _is_time,
    "email": _of_text(_EMAIL),
    "uuid": _of_text(_UUID),
    "int32": _within(32),
    "int64": _within(64),
}
_NAMED_FORMATS = {
    "date": "a day as 2026-11-14", "date-time": "a time as 2026-11-14T09:30:00Z", "email": "an e-mail address",
    "uuid": "a UUID", "int32": "a number of 32 bits", "int64": "a number of 64 bits",
}  # fmt: skip


# The sentences


def field_path(steps: Iterable[str | int]) -> str:
    """A place in a value as a field's path: `lines[0].sku`; empty for the whole."""
    made = ""
    for step in steps:
        made += f"[{step}]" if isinstance(step, int) else f"{'.' if made else ''}{Segment(step)}"
    return made


def sentence(error: ValidationError, whole: str) -> str:
    """One plain sentence: the field's path, what it is and what the schema asks."""
    steps = list(error.absolute_path)
    word, value = error.validator, error.instance
    asked: Any = error.validator_value
    if word in ("anyOf", "oneOf"):
        nearest = _nearest(error)
        if nearest is not None:
            return sentence(nearest, whole)
    at = field_path(steps)
    name = f"`{at}`" if at else whole
    match word:
        case "required":
            return f"`{field_path([*steps, str(asked)])}` is missing, and the schema requires it"
        case "x-kept-out":
            return f"{name} is {asked}, and stands there"
        case "additionalProperties":
            return f"{name} is no member that the schema has" + _nearest_names(str(steps[-1]) if steps else "", asked)
        case "dependentRequired":
            return f"{name} lacks a member that the schema requires beside another"
        case "type":
            kinds = [asked] if isinstance(asked, str) else list(asked)
            wanted = " or ".join(WITH_ARTICLE.get(kind, kind) for kind in kinds)
        case "anyOf":
            wanted = _forms(error)
        case "enum":
            wanted = f"one of {_some(asked)}" if len(asked) > 1 else f"only {shown(asked[0])}"
        case "const":
            wanted = f"only {shown(asked)}"
        case "not":
            wanted = "a value that it does not exclude"
        case "format":
            wanted = _NAMED_FORMATS.get(str(asked), f"the format {asked}")
        case "pattern":
            wanted = f"a text that matches `{shortened(str(asked))}`"
        case _:
            wanted = _bound(str(word), asked, value)
    return f"{name} is {shown(value)}; the schema asks for {wanted}"


WITH_ARTICLE = {
    "string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
    "object": "an object", "array": "an array", "null": "null",
}  # fmt: skip
_BOUNDS = {
    "minLength": "at least {} characters", "maxLength": "at most {} characters", "minItems": "at least {} elements",
    "maxItems": "at most {} elements", "minProperties": "at least {} members", "maxProperties": "at most {} members",
    "minimum": "{} or more", "maximum": "{} or less", "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}", "multipleOf": "a multiple of {}", "uniqueItems": "elements that all differ",
}  # fmt: skip


def _bound(word: str, asked: Any, value: Any) -> str:
    told = _BOUNDS.get(word, f"what its `{word}` says").format(asked)
    if asked == 1:
        told = re.sub(r"(character|element|member)s\b", r"\1", told)
    if word.endswith("Length") and isinstance(value, str):
        told += f", and it has {len(value)}"
    return told


def _forms(error: ValidationError) -> str:
    """What the branches of an anyOf ask for that no value of this type fits."""
    asked: list[Any] = [
        inner.validator_value for inner in error.context or () if inner.validator == "type" and not inner.path
    ]
    kinds = [kind for one in asked for kind in ([one] if isinstance(one, str) else one)]
    return " or ".join(dict.fromkeys(WITH_ARTICLE.get(kind, kind) for kind in kinds)) or "one of its other forms"


def _nearest(error: ValidationError) -> ValidationError | None:
    """The error that is left in the branch that fits best: a branch of another type, or for another value of the
    member that tells the branches apart, fits worst."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0] if inner.schema_path else 0, []).append(inner)
    if not branches:
        return None

    def weight(found: list[ValidationError]) -> tuple[int, int, int]:
        here = sum(not one.path and one.validator == "type" for one in found)
        told_apart = sum(one.validator in ("const", "enum") for one in found)
        return here, told_apart, len(found)

    best = min(branches.values(), key=weight)
    same = [found for found in branches.values() if weight(found)[0]]
    if len(same) == len(branches) and len(branches) > 1:
        return None
    return best[0]


def _nearest_names(name: str, known: Any) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [str(one) for one in known][:500], 1)
    return f"; it has `{near[0]}`" if near else ""


def shown(value: Any) -> str:
    """A value in a sentence, short."""
    match value:
        case dict():
            return "an empty object" if not value else f"an object of {len(value)} member{'s'[: len(value) > 1]}"
        case list():
            return "an empty array" if not value else f"an array of {len(value)} element{'s'[: len(value) > 1]}"
        case bytes():
            return f"{len(value)} bytes"
    if isinstance(value, str) and len(value) > _LONGEST_VALUE - 2:
        # Its quotes stay around it.
        value = value[: _LONGEST_VALUE - 3] + "…"
    try:
        return shortened(json.dumps(value, ensure_ascii=False, default=str))
    except (ValueError, RecursionError):
        return "a value that cannot be shown"


def shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _some(values: Any) -> str:
    told = [shown(one) for one in values[:6]]
    more = len(values) - len(told)
    if more:
        return f"{', '.join(told)} and {more} more"
    return f"{', '.join(told[:-1])} and {told[-1]}"
