"""A document's bytes to text, and text to plain values: JSON or YAML by content, never by name."""

from __future__ import annotations

import codecs
import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from wizard.errors import DocumentError, LimitError
from wizard.source import Source
from wizard.spec.limits import MAX_DEPTH
from wizard.spec.yaml_reader import read_yaml


@dataclass(slots=True)
class ReadText:
    """A text that was read: its value, the syntax, and what was passed over as (message, offset)."""

    source: Source
    value: Any
    syntax: Literal["json", "yaml"]
    notes: list[tuple[str, int]] = field(default_factory=list)


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


def decode(data: bytes, name: str) -> tuple[str, list[tuple[str, int]]]:
    """The text of a file, UTF-8 unless a byte order mark or zero bytes say otherwise."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):  # fmt: skip
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace"), []
    if data[:1] == b"\0" and data[1:2] != b"\0":
        return data.decode("utf-16-be", errors="replace"), []
    if data[1:2] == b"\0" and data[:1] != b"\0":
        return data.decode("utf-16-le", errors="replace"), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="replace")
        return text, [("bytes that are no UTF-8 were replaced", len(data[: error.start].decode("utf-8")))]


_FIRST = re.compile(r"(?:\s|#.*|//.*)*")


def read_text(data: bytes, name: str) -> ReadText:
    """Reads JSON or YAML. Raises DocumentError with the place of the fault, LimitError."""
    text, notes = decode(data, name)
    source = Source(name, text)
    with without_collector():
        if text.lstrip()[:1] in ("{", "["):
            try:
                return ReadText(source, orjson.loads(text), "json", notes)
            except orjson.JSONDecodeError:
                pass
        read = read_yaml(source)
    return ReadText(source, read.value, "yaml", [*notes, *read.notes])
