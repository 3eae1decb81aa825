"""JSON read and written without a loss: numbers keep every digit, and what two readers could take differently is
refused.

A number is an `int` or a `Decimal`, never a float. Duplicate members, NaN, infinities and lone surrogates are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

LONGEST_NUMBER = 100
"""Digits of a number in its plain decimal form."""
DEEPEST = 200
"""How deep arrays and objects may stand in one another."""


class InexactError(ValueError):
    """A text that is no JSON, or one whose value is not the same for every reader."""


def read_json(text: bytes | str) -> Any:
    """The value of a JSON text (bytes are UTF-8, a byte order mark is passed over). Raises InexactError."""
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value = json.loads(
            decoded,
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except UnicodeDecodeError as error:
        raise InexactError("the text is not UTF-8") from error
    except RecursionError as error:
        raise InexactError(f"it is nested deeper than {DEEPEST} levels") from error
    except json.JSONDecodeError as error:
        raise InexactError(f"it is no JSON: {error.msg} at line {error.lineno}, column {error.colno}") from error
    check(value)
    return value


def check(value: Any, depth: int = 0) -> None:
    """Refuses what has no exact JSON form: other types, floats that are no numbers, surrogates, huge numbers."""
    if depth > DEEPEST:
        raise InexactError(f"it is nested deeper than {DEEPEST} levels")
    if isinstance(value, str):
        _text(value)
    elif value is None or isinstance(value, bool):
        return
    elif isinstance(value, int | float | Decimal):
        number_text(value)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str):
                raise InexactError(f"the member name {name!r} is no text")
            _text(name)
            check(member, depth + 1)
    elif isinstance(value, list | tuple):
        for element in value:
            check(element, depth + 1)
    else:
        raise InexactError(f"a {type(value).__name__} has no JSON form")


def number_text(number: int | float | Decimal) -> str:
    """The shortest plain decimal form without exponent: `1` for 1, 1.0 and 1e0, `0` for minus zero.

    A float counts as the shortest decimal that reads back as it. Raises InexactError for NaN, infinities and numbers
    of more than 100 digits.
    """
    exact = _exact(number)
    if exact.is_zero():
        return "0"
    _, digits, exponent = exact.as_tuple()
    assert isinstance(exponent, int)
    if max(len(digits) + max(exponent, 0), 1 - min(exponent, 0)) > 2 * LONGEST_NUMBER + len(digits):
        # Far out of bounds: the plain form is not even written.
        raise InexactError(f"a number has more than {LONGEST_NUMBER} digits")
    plain = format(exact, "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    if sum(character.isdigit() for character in plain) > LONGEST_NUMBER:
        raise InexactError(f"a number has more than {LONGEST_NUMBER} digits")
    return plain


def write_json(value: Any) -> bytes:
    """A JSON text, compact, members in their order, numbers with the digits that they have. Raises InexactError."""
    check(value)
    return "".join(_written(value)).encode()


def _written(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield "{"
        for index, (name, member) in enumerate(value.items()):
            yield ("," if index else "") + json.dumps(name, ensure_ascii=False) + ":"
            yield from _written(member)
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for index, element in enumerate(value):
            if index:
                yield ","
            yield from _written(element)
        yield "]"
    elif isinstance(value, Decimal):
        yield str(value)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _exact(number: int | float | Decimal) -> Decimal:
    try:
        exact = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    except (InvalidOperation, ValueError) as error:
        raise InexactError(f"{number!r} is no number") from error
    if not exact.is_finite():
        raise InexactError(f"{number!r} is no number that JSON knows")
    return exact


def _decimal(text: str) -> Decimal:
    _short(text)
    try:
        return Decimal(text)
    except InvalidOperation as error:
        # An exponent that `Decimal` cannot hold; its plain form is far too long, whatever the digits are.
        raise InexactError(f"a number has more than {LONGEST_NUMBER} digits") from error


def _integer(text: str) -> int | Decimal:
    _short(text)
    # `-0` is a number of its own to some writers; its sign is kept for the wire.
    return Decimal(text) if text == "-0" else int(text)


def _short(text: str) -> None:
    if len(text) > 4 * LONGEST_NUMBER:
        raise InexactError(f"a number has more than {LONGEST_NUMBER} digits")


def _constant(text: str) -> Any:
    raise InexactError(f"{text} is no number that JSON knows")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, member in pairs:
        if name in value:
            raise InexactError(f"the member {name!r} stands there twice")
        value[name] = member
    return value


def _text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InexactError("a text holds half of a surrogate pair") from error
