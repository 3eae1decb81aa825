"""JSONPath (RFC 9535) over answers, giving exact values."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from wizard.errors import UsageError
from wizard.host.exactjson import InexactError, read_json

if TYPE_CHECKING:
    from jsonpath import JSONPath


@lru_cache(maxsize=512)
def compiled(path: str) -> JSONPath:
    """The compiled path. Raises UsageError where it is none."""
    from jsonpath import JSONPathEnvironment
    from jsonpath.exceptions import JSONPathError

    try:
        return JSONPathEnvironment(strict=True).compile(path)  # type: ignore[return-value]
    except JSONPathError as error:
        raise UsageError(f"`{path}` is no JSONPath: {str(error).splitlines()[0]}") from error


def select(path: str, text: bytes) -> list[Any]:
    """The exact values that the path selects in a JSON text, in document order. Raises InexactError."""
    exact = read_json(text)
    return _select(compiled(path), text, exact)


def select_items(path: str, text: bytes) -> tuple[list[Any], bool]:
    """What the path selects, and whether the path without its last `[*]` or filter selects exactly one array: only
    then does an empty selection mean that nothing is there. Raises InexactError."""
    from jsonpath import JSONPath
    from jsonpath.selectors import Filter, WildcardSelector

    exact, whole = read_json(text), compiled(path)
    found = _select(whole, text, exact)
    segments = tuple(whole.segments)
    last = segments[-1].selectors if segments else ()
    if len(last) != 1 or not isinstance(last[0], Filter | WildcardSelector):
        return found, False
    holders = _select(JSONPath(env=whole.env, segments=segments[:-1]), text, exact)
    return found, len(holders) == 1 and isinstance(holders[0], list)


def _select(path: JSONPath, text: bytes, exact: Any) -> list[Any]:
    from jsonpath.exceptions import JSONPathError

    try:
        # Filters compare floats; what is selected is taken from the exact reading, at the same place.
        return [_at(exact, found.parts) for found in path.finditer(json.loads(text.decode("utf-8-sig")))]
    except (JSONPathError, RecursionError) as error:
        # A text nested deeper than a descending path goes; what it holds there is not known.
        raise InexactError(f"`{path}` cannot be read from it: {str(error).splitlines()[0]}") from error


def _at(value: Any, parts: tuple[int | str, ...]) -> Any:
    for part in parts:
        value = value[part]
    return value
