"""JSON text to plain values, leniently, and the places of its values.

What is no JSON but plainly meant is read and noted: comments, commas before a closing bracket, raw control characters
in strings, halves of surrogate pairs (replaced), NaN and numbers beyond all measure (their text). A name that stands
twice: the last one wins.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson

from wizard.errors import DocumentError, LimitError
from wizard.source import Source
from wizard.spec.limits import MAX_DEPTH, MAX_NOTES, NO_API_NEEDS_THAT
from wizard.spec.notes import Note
from wizard.spec.yaml_reader import read_yaml

_STRING = r'"(?>[^"\\]*(?:\\.[^"\\]*)*)(?:"|\Z)'
_EXTRA = re.compile(rf"({_STRING})|(//[^\n\r]*|/\*.*?(?:\*/|\Z)|,(?=(?:\s|//[^\n\r]*|/\*.*?\*/)*+[}}\]]))", re.DOTALL)
_ESCAPE = re.compile(
    r"(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_NOT_BLANK = re.compile(r"[^\s]")
_string: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]
_TOKEN = re.compile(rf"{_STRING}|[{{}}\[\],:]", re.DOTALL)
_BEGINS_AS_JSON = re.compile(r'\s*[{\[]\s*["{\[]')
_SPACE = re.compile(r"[ \t\n\r]*")
_LONGEST_NUMBER = 100
_SLICED = 3
"""How many levels down a value is passed over member by member: a document, its paths, a path; its schemas."""


@dataclass(slots=True)
class ReadJson:
    value: Any
    notes: list[Note] = field(default_factory=list)
    plain_text: str = ""
    """The text with what JSON has not blanked out, each character where it was; empty where it is JSON."""


def read_json(source: Source, data: bytes | None = None) -> ReadJson | list[Note]:
    """Reads a JSON text (`data`: the same as ASCII bytes, which is faster).

    Where it is no JSON but reads as YAML, what is to be noted of that: a text that begins as JSON goes on as such.
    Raises DocumentError with its place, LimitError.
    """
    text = source.text
    try:
        value = orjson.loads(text if data is None else data)
    except orjson.JSONDecodeError:
        return _lenient(source)
    return ReadJson(value, _repeated_names(text, value))


def _lenient(source: Source) -> ReadJson | list[Note]:
    text = source.text
    plain, changed = _without_extras(text)
    notes = []
    if changed is not None:
        notes.append(Note("comments or commas that JSON does not have were passed over", (), changed))
    try:
        decoder = json.JSONDecoder(strict=False, parse_constant=str, parse_int=_integer, parse_float=_number)
        value = decoder.decode(plain)
    except RecursionError:
        raise LimitError(
            f"it is nested deeper than {MAX_DEPTH} levels", place=source.name,
            remedy=NO_API_NEEDS_THAT,
        ) from None  # fmt: skip
    except json.JSONDecodeError as error:
        try:
            read_yaml(source)
        except DocumentError as second:
            if isinstance(second, LimitError):
                raise
            raise _broken(source, plain, error) from None
        begins_as_json = _BEGINS_AS_JSON.match(plain)
        return [Note("it is no JSON from here on, and was read as YAML", (), error.pos)] if begins_as_json else []
    if not notes:
        notes.append(Note("it is no strict JSON (control characters, NaN or half characters)", (), 0))
    return ReadJson(value, notes + _repeated_names(plain, value), "" if plain == text else plain)


def _without_extras(text: str) -> tuple[str, int | None]:
    """The text without comments, trailing commas and lone surrogates, and where the first one was."""
    changed: list[int] = []

    def clean(found: re.Match[str]) -> str:
        if found[1] is not None:
            string = found[1]
            return _ESCAPE.sub(_paired, string) if "\\u" in string else string
        changed.append(found.start())
        return _NOT_BLANK.sub(" ", found[0])

    return _EXTRA.sub(clean, text), changed[0] if changed else None


def _paired(found: re.Match[str]) -> str:
    return "\\ufffd" if found[2] else found[0]


def _integer(text: str) -> Any:
    return int(text) if len(text) <= _LONGEST_NUMBER else text


def _number(text: str) -> Any:
    number = float(text)
    return number if math.isfinite(number) else text


def _broken(source: Source, plain: str, error: json.JSONDecodeError) -> DocumentError:
    if error.pos >= len(plain.rstrip()):
        return DocumentError(
            "the JSON ends before it is complete", place=str(source.place(len(plain.rstrip()))),
            remedy="The file was cut off; get it again.",
        )  # fmt: skip
    if error.msg.startswith("Unterminated string"):
        return DocumentError(
            "this is no valid JSON: a string that begins here does not end", place=str(source.place(error.pos)),
            remedy='Close it with a `"`, or get the file again if it was cut off.',
        )  # fmt: skip
    expected = {
        "Expecting property name enclosed in double quotes": "a name in double quotes or a `}` is expected here",
        "Expecting ',' delimiter": "a comma or a closing bracket is expected here",
        "Expecting ':' delimiter": "a colon is expected here",
        "Expecting value": "a value is expected here",
        "Extra data": "the document is complete before this",
    }
    said = next((ours for theirs, ours in expected.items() if error.msg.startswith(theirs)), error.msg)
    return DocumentError(
        f"this is no valid JSON: {said}", place=str(source.place(error.pos)),
        remedy="Correct the text there; whatever comes behind it was not read.",
    )  # fmt: skip


def _repeated_names(text: str, value: Any) -> list[Note]:
    """The names that stand twice in one object.

    Written out again the document has as many quotes as its text, unless names were lost; only then is it worth a
    second look.
    """
    if text.count('"') - text.count('\\"') == _written_quotes(value):
        return []
    notes: list[Note] = []
    stack: list[tuple[dict[str, int] | None, list[Any]]] = []
    names: dict[str, int] | None = None
    at: list[Any] = [""]
    string, offset = "", 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign[0] == '"':
            string, offset = sign, token.start()
        elif sign == ":" and names is not None:
            name = _string(string, 1, False)[0] if "\\" in string else string[1:-1]
            if name in names and len(notes) < MAX_NOTES:
                where = (*(str(outer[0]) for _, outer in stack[1:]), name)
                notes.append(Note(f"`{name}` stands twice in this object, and the last one counts", where, offset))
            names[name] = offset
            at[0] = name
        elif sign in "{[":
            stack.append((names, at))
            names = {} if sign == "{" else None
            at = [""] if sign == "{" else [0]
        elif sign in "}]":
            if stack:
                names, at = stack.pop()
        elif sign == "," and names is None and isinstance(at[0], int):
            at[0] += 1
    return notes


def _written_quotes(value: Any) -> int:
    try:
        written = orjson.dumps(value)
    except TypeError:
        return -1
    return written.count(b'"') - written.count(b'\\"')


class JsonPlaces:
    """Where the values of a JSON text stand. Each object is looked through once, when something in it, or
    behind it, is asked for.

    A large value is passed over member by member: read in one go it would keep every other thread waiting for long.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._skip = json.JSONDecoder(strict=False, parse_constant=str, parse_int=str, parse_float=str).raw_decode
        self._known: dict[int, dict[str, tuple[int | None, int]]] = {}
        self._ends: dict[int, int] = {}
        """Where collections end that were looked through to their end."""

    def offsets(self, names: tuple[str, ...]) -> tuple[int | None, int]:
        """The offsets of a value's key (None for an element) and of the value, or of the nearest that holds it."""
        key, value = None, self._blank(0)
        for depth, name in enumerate(names, 1):
            found = self._members(value, depth).get(name)
            if found is None:
                break
            key, value = found
        return key, value

    def _members(self, start: int, depth: int) -> dict[str, tuple[int | None, int]]:
        """The members of the object or array that begins there, so many levels down."""
        if start not in self._known:
            self._known[start] = {}
            self._ends[start] = self._read(start, depth, self._known[start])
        return self._known[start]

    def _end(self, start: int, depth: int) -> int:
        """Where the value ends that begins there."""
        if depth > _SLICED or self._text[start : start + 1] not in ("{", "["):
            return self._skip(self._text, start)[1]
        self._members(start, depth)
        return self._ends[start]

    def _read(self, start: int, depth: int, members: dict[str, tuple[int | None, int]]) -> int:
        text = self._text
        sign = text[start : start + 1]
        if sign not in ("{", "["):
            return start
        at, index = self._blank(start + 1), 0
        while at < len(text) and text[at] not in "}]":
            key = None
            name = str(index)
            if sign == "{":
                key = at
                name, at = _string(text, at + 1, False)
                at = self._blank(self._blank(at) + 1)
            members[name] = (key, at)
            at = self._blank(self._end(at, depth + 1))
            if text[at : at + 1] == ",":
                at = self._blank(at + 1)
            index += 1
        return at + 1

    def _blank(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at
