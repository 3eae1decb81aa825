"""YAML text to plain values, over the C parser's events: fast, safe, and strings stay strings.

A plain scalar is null, a boolean or a number only where it looks like one in JSON (`null`, `true`, `-1`, `1.5e3`) or
is `~`, empty, `Null`, `NULL`, `True`, `TRUE`, `False` or `FALSE`. Everything else is text: dates, `Y`, `NO`, `012`,
`0x1F`, `12:30`, `.inf`. Keys are always text. `openapi`, `swagger` and `version` keep a number's text (`1.10`).

A key that stands twice: the last one wins, as in JSON parsers. `<<` merges, own members first. An alias is the very
same value; one to a node that holds it is null.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import yaml

from wizard.errors import LimitError
from wizard.source import Source
from wizard.spec.limits import MAX_ALIASED, MAX_DEPTH, MAX_NOTES, MAX_VALUES, NO_API_NEEDS_THAT
from wizard.spec.notes import Note
from wizard.spec.yaml_faults import broken_yaml

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_TEXT_KEYS = frozenset({"openapi", "swagger", "version"})
_TEXT_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_LONGEST_NUMBER = 100

NO_YAML_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")

_NO_KEY: Any = object()
_MERGE: Any = object()
_PASSED_OVER: Any = object()


def resolve_plain(text: str) -> Any:
    """What a plain scalar means."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text
    if found[1] is None and found[2] is None:
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else text


def events(text: str) -> Callable[[], Any]:
    """What gives the next event of a YAML text, over libyaml where PyYAML has it."""
    parser = getattr(yaml, "cyaml", None)
    loader = parser.CParser(text) if parser else yaml.SafeLoader(text)
    following: Callable[[], Any] = loader.get_event
    return following


def read_yaml(source: Source) -> tuple[Any, list[Note]]:
    """The first document of a YAML text, and what was passed over. Raises DocumentError with its place, LimitError."""
    notes: list[Note] = []
    try:
        return _compose(source, notes), notes
    except yaml.reader.ReaderError:
        pass
    except yaml.YAMLError as error:
        raise broken_yaml(source, error) from None
    # libyaml takes no control characters; nothing hangs on them.
    text = NO_YAML_CHARACTER.sub("\ufffd", source.text)
    found = NO_YAML_CHARACTER.search(source.text)
    notes = [Note("control characters were replaced", (), found.start() if found else 0)]
    try:
        return _compose(Source(source.name, text), notes), notes
    except yaml.YAMLError as error:
        raise broken_yaml(source, error) from None


def _compose(source: Source, notes: list[Note]) -> Any:
    next_event = events(source.text)
    # A local name is looked up in half the time, and there are a million events.
    scalar, mapping_start, mapping_end = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.MappingEndEvent
    sequence_start, sequence_end = yaml.SequenceStartEvent, yaml.SequenceEndEvent
    anchors: dict[str, tuple[Any, int]] = {}
    texts: dict[str, str] = {}
    stack: list[_Frame] = []
    frame = _Frame(None, "", 0, is_key=False)
    into: Any = None
    key: Any = _NO_KEY
    written = aliased = documents = 0
    root: Any = None

    def note(message: str, *name: str) -> None:
        if len(notes) < MAX_NOTES:
            notes.append(Note(message, (*_names(stack), *name), event.start_mark.index))

    def limit(message: str) -> LimitError:
        return LimitError(message, place=str(source.place(event.start_mark.index)), remedy=NO_API_NEEDS_THAT)

    while True:
        event = next_event()
        kind = event.__class__
        if kind is scalar:
            value = event.value
            if len(value) < 64:
                value = texts.setdefault(value, value)
            plain = not event.style and (event.tag is None or event.tag not in _TEXT_TAGS)
            written += 1
            if written > MAX_VALUES:
                raise limit(f"it holds more than {MAX_VALUES:,} values")
            if key is _NO_KEY and into.__class__ is dict:
                key = _MERGE if plain and value == "<<" else value
                if event.anchor:
                    anchors[event.anchor] = (value, 1)
                if value in into:
                    note(f"`{value}` stands twice in this mapping, and the last one counts", value)
                continue
            if plain and not (key in _TEXT_KEYS and value):
                value = resolve_plain(value)
            if event.anchor:
                anchors[event.anchor] = (value, 1)
        elif kind is mapping_start or kind is sequence_start:
            if len(stack) >= MAX_DEPTH:
                raise limit(f"it is nested deeper than {MAX_DEPTH} levels")
            written += 1
            is_key = key is _NO_KEY and into.__class__ is dict
            if is_key:
                note("a key that is no text was passed over")
            frame.key = key
            stack.append(frame)
            into = {} if kind is mapping_start else []
            frame = _Frame(into, event.anchor, written, is_key)
            key = _NO_KEY
            if event.anchor:
                anchors.pop(event.anchor, None)
            continue
        elif kind is mapping_end or kind is sequence_end:
            value, ended = into, frame
            for merged in ended.merges:
                _merge(value, merged)
            if ended.anchor:
                anchors[ended.anchor] = (value, written - ended.written + 1)
            frame = stack.pop()
            into, key = frame.into, frame.key
            if ended.is_key:
                key = _PASSED_OVER
                continue
        elif kind is yaml.AliasEvent:
            value, size = anchors.get(event.anchor, (None, 0))
            if not size:
                note(f"`*{event.anchor}` stands for nothing that ended before it")
            written += size
            aliased += size
            if aliased > MAX_ALIASED:
                raise limit(f"its aliases stand for more than {MAX_ALIASED:,} values")
            if key is _NO_KEY and into.__class__ is dict:
                key = value if isinstance(value, str) else _PASSED_OVER
                continue
        elif kind is yaml.DocumentStartEvent:
            documents += 1
            if documents > 1:
                note("a second YAML document begins here; only the first was read")
                return root
            continue
        elif kind is yaml.StreamEndEvent:
            return root
        else:
            continue
        # The value is complete and goes to where it belongs.
        if into is None:
            root = value
        elif into.__class__ is list:
            into.append(value)
        else:
            if key is _MERGE:
                frame.merges.append(value)
            elif key is not _PASSED_OVER:
                into[key] = value
            key = _NO_KEY


class _Frame:
    """An open collection."""

    __slots__ = ("anchor", "into", "is_key", "key", "merges", "written")

    def __init__(self, into: Any, anchor: str, written: int, is_key: bool) -> None:
        self.into = into
        self.anchor = anchor
        self.written = written
        self.is_key = is_key
        self.key: Any = _NO_KEY
        self.merges: list[Any] = []


def _names(stack: list[_Frame]) -> tuple[str, ...]:
    """The names that lead to the collection that is being read."""
    return tuple(
        str(len(frame.into)) if frame.into.__class__ is list else str(frame.key)
        for frame in stack
        if frame.into is not None
    )


def _merge(into: dict[str, Any], merged: Any) -> None:
    for part in merged if isinstance(merged, list) else [merged]:
        if isinstance(part, dict):
            for name, value in part.items():
                into.setdefault(name, value)
