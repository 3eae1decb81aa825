"""A document's bytes to plain values: JSON or YAML by content, never by name, and the places of what was read."""

from __future__ import annotations

import codecs
import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from wizard.errors import DocumentError, LimitError
from wizard.source import Position, Source
from wizard.spec.json_reader import JsonPlaces, read_json
from wizard.spec.limits import MAX_DEPTH, MAX_VALUES, NO_API_NEEDS_THAT
from wizard.spec.notes import Note
from wizard.spec.yaml_places import YamlPlaces
from wizard.spec.yaml_reader import read_yaml

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARIES = (
    (b"\x1f\x8b", "a gzip file", "Unpack it first."),
    (b"PK\x03\x04", "a zip file", "Unpack it first."),
    (b"%PDF", "a PDF", "Give the OpenAPI document itself."),
)
_COMMENTS = re.compile(r"(?:\s|//[^\n]*|/\*(?s:.*?)\*/)*+")
_MOST_REPLACED = 0.05
"""The share of unreadable bytes from which a file is binary rather than badly encoded."""


@dataclass
class ReadText:
    """A text that was read: its value, its syntax, and what was passed over."""

    source: Source
    value: Any
    syntax: Literal["json", "yaml"]
    notes: list[Note] = field(default_factory=list)
    plain_text: str = ""
    """JSON text without what JSON has not, each character where it was; empty where that is the text itself."""

    @cached_property
    def _places(self) -> JsonPlaces | YamlPlaces:
        with without_collector():
            if self.syntax == "json":
                return JsonPlaces(self.plain_text or self.source.text)
            return YamlPlaces(self.source.text)

    def position(self, names: tuple[str, ...]) -> Position:
        """Where the value of a pointer stands, or its key where the value begins on a later line.

        Where the text has no such value it is the place of what holds it.
        """
        key, value = self._places.offsets(names)
        at = self.source.position(value)
        if key is None:
            return at
        named = self.source.position(key)
        return at if at.line == named.line else named


@contextmanager
def without_collector() -> Iterator[None]:
    """Building a million plain values with the garbage collector on takes three times as long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def decode(data: bytes, name: str) -> tuple[str, list[Note]]:
    """The text of a file: UTF-8 unless a byte order mark or zero bytes say UTF-16 or UTF-32.

    Bytes that are no text are replaced and noted. Raises DocumentError where it is no text at all.
    """
    for start, what, remedy in _BINARIES:
        if data.startswith(start):
            raise DocumentError(f"this is {what}, no OpenAPI document", place=name, remedy=remedy)
    encoding, skipped = _encoding(data)
    body = memoryview(data)[skipped:]
    try:
        text = str(body, encoding)
    except UnicodeDecodeError as error:
        text = str(body, encoding, errors="replace")
        if _is_binary(text):
            raise _no_text(name) from None
        offset = len(str(body[: error.start], encoding, errors="replace"))
        return text, [Note(f"bytes that are no {encoding.upper()} were replaced", (), offset)]
    if "\0" in text:
        raise _no_text(name)
    return text, []


def _encoding(data: bytes) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    first = data[:4]
    if len(first) == 4 and first.count(0) == 3:
        return ("utf-32-be" if first[0] == 0 else "utf-32-le"), 0
    if len(first) == 4 and bytes(map(bool, first)) in (b"\0\1\0\1", b"\1\0\1\0"):
        return ("utf-16-be" if first[0] == 0 else "utf-16-le"), 0
    return "utf-8", 0


def _is_binary(text: str) -> bool:
    return "\0" in text or text.count("\ufffd") > _MOST_REPLACED * len(text) + 8


def _no_text(name: str) -> DocumentError:
    return DocumentError(
        "this is a binary file, no OpenAPI document", place=name, remedy="Give a document in JSON or YAML."
    )


def read_text(data: bytes, name: str) -> ReadText:
    """Reads JSON or YAML. Raises DocumentError with the place of the fault and what to do, and LimitError."""
    text, notes = decode(data, name)
    source = Source(name, text)
    start = _COMMENTS.match(text)
    first = text[start.end() if start else 0 :][:1]
    if not text.strip():
        raise DocumentError("the document is empty", place=name, remedy="Give an OpenAPI document in JSON or YAML.")
    if first == "<":
        raise _markup(source)
    read = None
    with without_collector():
        if first in ("{", "["):
            found = read_json(source, data if text.isascii() and len(text) == len(data) else None)
            if isinstance(found, list):
                notes += found
            else:
                read = ReadText(source, found.value, "json", notes + found.notes, found.plain_text)
        if read is None:
            value, more = read_yaml(source)
            read = ReadText(source, value, "yaml", notes + more)
        check_depth(read.value, name)
    return read


def _markup(source: Source) -> DocumentError:
    head = source.text[:2000].lower()
    page = "<html" in head or "<!doctype html" in head
    return DocumentError(
        f"this is {'a web page' if page else 'XML'}, no OpenAPI document",
        place=source.name,
        remedy="Give the address of the raw JSON or YAML file that the page shows." if page else "",
    )


def check_depth(value: Any, name: str) -> None:
    """Raises LimitError where a value is nested deeper, or holds more, than we read."""
    level: list[Any] = [value]
    collections = 0
    for _ in range(MAX_DEPTH):
        # What an alias repeats is looked at once on each level.
        deeper = {
            id(part): part
            for whole in level
            for part in (whole.values() if whole.__class__ is dict else whole if whole.__class__ is list else ())
            if part.__class__ is dict or part.__class__ is list
        }
        if not deeper:
            return
        collections += len(deeper)
        if collections > MAX_VALUES:
            raise LimitError(f"it holds more than {MAX_VALUES:,} values", place=name, remedy=NO_API_NEEDS_THAT)
        level = list(deeper.values())
    raise LimitError(f"it is nested deeper than {MAX_DEPTH} levels", place=name, remedy=NO_API_NEEDS_THAT)
