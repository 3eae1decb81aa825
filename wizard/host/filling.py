"""A request put together: the URL filled, what the host fills in set and taken out, the body written. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from wizard.errors import WizardError
from wizard.host.exactjson import InexactError, number_text, read_json, write_json
from wizard.operation.field_path import MISSING, FieldPath, Segment, url_variables

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_AUTHORITY = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)", re.DOTALL)


class RequestError(WizardError):
    """A request that cannot be made from what the call gave. Nothing was claimed, nothing was sent."""


def fill_url(url: str, variables: Mapping[str, Any]) -> str:
    """The declared URL with its variables filled in, as it stands in every key: scheme and host in lower case, the
    default port dropped, values in NFC and percent-encoded. Raises RequestError."""

    def filled(found: re.Match[str]) -> str:
        name = found[1]
        value = variables.get(name)
        if value is None:
            raise RequestError(f"the URL needs a value for `{name}`", place=url)
        text = text_of(value, f"`{name}` in the URL")
        if text in ("", ".", ".."):
            raise RequestError(f"`{text}` cannot stand in the URL for `{name}`", place=url)
        return quote(unicodedata.normalize("NFC", text), safe="")

    unknown = sorted(set(variables) - set(url_variables(url)))
    if unknown:
        raise RequestError(f"the URL has no variable named `{unknown[0]}`", place=url)
    whole = re.sub(r"\{([^{}]*)\}", filled, url)
    parts = _AUTHORITY.fullmatch(whole)
    if parts is None:
        raise RequestError("the URL is not absolute", place=url)
    scheme, authority, rest = parts[1].lower(), parts[2].lower(), parts[3]
    host, colon, port = authority.rpartition(":")
    if colon and not port.endswith("]") and port in ("", _DEFAULT_PORTS.get(scheme)):
        authority = host
    return f"{scheme}://{authority}{rest}"


def with_query(url: str, query: Mapping[str, Any]) -> str:
    """The URL with query parameters added behind its own, before its fragment; a list is a repeated parameter."""
    pairs = [(name, one) for name, value in query.items() for one in (value if isinstance(value, list) else [value])]
    if not pairs:
        return url
    base, mark, fragment = url.partition("#")
    joint = "" if base.endswith(("?", "&")) else "&" if "?" in base else "?"
    return f"{base}{joint}{urlencode(pairs, quote_via=quote)}{mark}{fragment}"


def text_of(value: Any, what: str) -> str:
    """A value as it travels in a URL, a query, a header or a form. Raises RequestError."""
    try:
        match value:
            case str():
                value.encode()
                return value
            case bool():
                return "true" if value else "false"
            case int() | float() | Decimal():
                return number_text(value)
    except (InexactError, UnicodeEncodeError) as error:
        raise RequestError(f"{what} cannot be written: {error}") from error
    raise RequestError(f"{what} is a text, a number, true or false")


def texts_of(values: Mapping[str, Any], allowed: Sequence[str], what: str, *, fold: bool = False) -> dict[str, Any]:
    """The parameters of a query or the headers, as texts, under the names that are declared, in their order.

    `fold`: names are the same in any case. Null is not sent. Raises RequestError for a name that is not declared.
    """
    known = {name.lower() if fold else name: name for name in allowed}
    found: dict[str, Any] = {}
    for name, value in values.items():
        declared = known.get(name.lower() if fold else name)
        if declared is None:
            raise RequestError(f"the operation declares no {what} named `{name}`")
        if declared in found:
            raise RequestError(f"the {what} `{declared}` stands there twice")
        if value is None:
            continue
        if isinstance(value, list | tuple) and not fold:
            found[declared] = [text_of(one, f"the {what} `{name}`") for one in value]
        else:
            text = text_of(value, f"the {what} `{name}`")
            if fold and any(not (character.isprintable() or character == "\t") for character in text):
                raise RequestError(f"the {what} `{name}` holds a control character")
            found[declared] = text
    return {name: found[name] for name in allowed if name in found}


# Bodies


def media_type(content: str) -> str:
    return content.partition(";")[0].strip().lower()


def is_json(content: str) -> bool:
    kind = media_type(content)
    return kind == "application/json" or kind.endswith("+json")


def is_form(content: str) -> bool:
    return media_type(content) in ("application/x-www-form-urlencoded", "multipart/form-data")


def body_value(content: str, body: Any) -> Any:
    """The body as a value: JSON given as bytes is read, a form's members become texts. Raises RequestError."""
    if body is MISSING:
        return MISSING
    if is_json(content):
        try:
            return read_json(body) if isinstance(body, bytes) else read_json(write_json(body))
        except InexactError as error:
            raise RequestError(f"the body cannot be sent: {error}") from error
    if is_form(content):
        if not isinstance(body, Mapping):
            raise RequestError("the body of a form is an object of its fields")
        return texts_of(body, list(body), "field")
    if isinstance(body, bytes):
        try:
            return body.decode()
        except UnicodeDecodeError:
            return body
    return text_of(body, "the body")


def write_body(content: str, value: Any, boundary: str) -> tuple[bytes | None, str]:
    """The body's bytes and its media type; None where there is none. `boundary` parts a multipart body."""
    if value is MISSING:
        return None, ""
    if is_json(content):
        return write_json(value), content
    if media_type(content) == "multipart/form-data":
        parts = [(name, one) for name, each in value.items() for one in (each if isinstance(each, list) else [each])]
        written = "".join(f"--{boundary}\r\n{_part(name, one)}\r\n" for name, one in parts)
        return f"{written}--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
    if is_form(content):
        whole = {name: write_json(one).decode() if isinstance(one, Mapping) else one for name, one in value.items()}
        return urlencode(whole, doseq=True).encode(), content
    return value if isinstance(value, bytes) else value.encode(), content


def _part(name: str, value: Any) -> str:
    """A part of a multipart body: a text, or an object, which OpenAPI has in JSON there."""
    head = f'Content-Disposition: form-data; name="{_quoted(name)}"\r\n'
    if isinstance(value, Mapping):
        return f"{head}Content-Type: application/json\r\n\r\n{write_json(value).decode()}"
    return f"{head}\r\n{value}"


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


# Places that the host fills


def taken_out(value: Any, path: FieldPath) -> tuple[Any, bool]:
    """The body without the field at `path` (in every element, across arrays), and whether anything was there."""
    return _taken_out(value, _steps(path))


def put_in(value: Any, path: FieldPath, make: Callable[[Any], str]) -> Any:
    """The body with the field at `path` set. Across an array it is set in each element: `make` is given the element
    (without the field), else MISSING. Raises RequestError where something else stands in the way."""
    if value is MISSING and path.in_array:
        return value
    return _put_in({} if value is MISSING else value, _steps(path), make, MISSING, str(path))


Step = str | None
"""A member's name, or None for each element of an array."""


def _steps(path: FieldPath) -> tuple[Step, ...]:
    def steps(segment: Segment) -> Iterator[Step]:
        yield segment.name
        yield from [None] * segment.each

    return tuple(step for segment in path.segments for step in steps(segment))


def _taken_out(value: Any, steps: tuple[Step, ...]) -> tuple[Any, bool]:
    step, rest = steps[0], steps[1:]
    if step is None:
        if not isinstance(value, list):
            return value, False
        done = [_taken_out(element, rest) for element in value]
        return [element for element, _ in done], any(was for _, was in done)
    if not isinstance(value, Mapping) or step not in value:
        return value, False
    if not rest:
        return {name: member for name, member in value.items() if name != step}, True
    inner, was = _taken_out(value[step], rest)
    return {name: inner if name == step else member for name, member in value.items()}, was


def _put_in(value: Any, steps: tuple[Step, ...], make: Callable[[Any], str], element: Any, path: str) -> Any:
    step, rest = steps[0], steps[1:]
    if step is None:
        if not isinstance(value, list):
            raise RequestError(f"the host fills `{path}`, and the body has no array there")
        return [_put_in(one, rest, make, one, path) for one in value]
    if not isinstance(value, Mapping):
        raise RequestError(f"the host fills `{path}`, and the body has no object there")
    if not rest:
        return {**value, step: make(element)}
    if step not in value and rest[0] is None:
        return dict(value)
    return {**value, step: _put_in(value.get(step, {}), rest, make, element, path)}
