"""The nodes of a YAML or JSON text: what stands where, and the plain value of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from wizard.source import Span

NodeKind = Literal["scalar", "mapping", "sequence"]

_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_STANDARD = "tag:yaml.org,2002:"


class YamlError(ValueError):
    """A text that is no YAML (or JSON) we read. `span` is the place, `message` says it in an author's words.

    `plain` is the span of a value that would have to stand in quotes, where that is what is wrong.
    """

    def __init__(self, message: str, span: Span, *, remedy: str = "", plain: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.remedy = remedy
        self.plain = plain


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A value of the text. `span` leaves out a tag and an anchor before it."""

    kind: NodeKind
    span: Span
    text: str = ""
    """A scalar's text, folded and unescaped."""
    style: str = ""
    """Of a scalar `'`, `"`, `|`, `>` or empty for plain; of a collection `{` for flow, empty for block."""
    tag: str = ""
    items: tuple[Item, ...] = ()
    anchored: bool = False
    alias: bool = False
    """It stands elsewhere in the text; here is `*name`."""
    cut: bool = False
    """What is in it was left out, for it lies deeper than was asked for."""
    full: int = -1
    """Where it begins with its tag and anchor."""

    @property
    def flow(self) -> bool:
        return self.style == "{"

    def item(self, name: str) -> Item | None:
        """The last member of that name of a mapping."""
        return next((found for found in reversed(self.items) if found.name == name), None)


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A member of a mapping, or an element of a sequence (`key` is None)."""

    start: int
    """Where it begins: at the key or its `?`, at the dash, at the element of a flow sequence."""
    value: Node
    key: Node | None = None

    @property
    def name(self) -> str:
        """The key as text."""
        return "" if self.key is None else self.key.text

    @property
    def end(self) -> int:
        return self.value.span.end


def at(node: Node | None, path: tuple[str | int, ...]) -> Node | None:
    """The node at a path of member names and indexes; None where there is none."""
    for step in path:
        found = _step(node, step)
        if found is None:
            return None
        node = found.value
    return node


def item_at(node: Node | None, path: tuple[str | int, ...]) -> Item | None:
    """The member or element at a path, with its key; None where there is none, and for the empty path."""
    if not path:
        return None
    holder = at(node, path[:-1])
    return _step(holder, path[-1])


def _step(node: Node | None, step: str | int) -> Item | None:
    if node is None:
        return None
    if node.kind == "mapping":
        # A key of a mapping may look like a number (`404: …`), and a path may then hold either.
        return node.item(str(step))
    if node.kind == "sequence" and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


def is_whole(node: Node) -> bool:
    """Whether nothing of a node was left out."""
    return not node.cut and all(is_whole(item.value) for item in node.items)


def value_of(node: Node) -> Any:
    """The plain value: dicts with text keys, lists, texts, numbers, booleans, None. Dates stay text.

    The last of equal keys counts; `<<` merges. Values shared by an alias are shared.
    """
    return _value(node, {})


def _value(node: Node, seen: dict[int, Any]) -> Any:
    if node.kind == "scalar":
        return scalar_value(node.text, node.style, node.tag)
    known = seen.get(id(node.items))
    if known is not None and node.items:
        return known
    made: Any
    if node.kind == "sequence":
        made = [_value(item.value, seen) for item in node.items]
    else:
        made = {}
        merged: dict[str, Any] = {}
        for item in node.items:
            if item.key is not None and item.key.text == "<<" and not item.key.style:
                found = _value(item.value, seen)
                for one in reversed(found if isinstance(found, list) else [found]):
                    if isinstance(one, dict):
                        merged.update(one)
            else:
                made.pop(item.name, None)
                made[item.name] = _value(item.value, seen)
        if merged:
            made = {**{name: one for name, one in merged.items() if name not in made}, **made}
    seen[id(node.items)] = made
    return made


def scalar_value(text: str, style: str = "", tag: str = "") -> Any:
    """The value of a scalar by YAML 1.2's core schema. A tag that we do not know leaves the text."""
    if style and tag in ("", "!"):
        return text
    if tag and not (tag.startswith(_STANDARD) and tag.removeprefix(_STANDARD) in ("int", "float", "bool", "null")):
        return text
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text.lower() == "true"
    # Longer digits are no number that anybody means, and Python refuses to read some.
    if len(text) <= 400:
        if _INT.fullmatch(text):
            return int(text)
        if _BASED.fullmatch(text):
            return int(text, 0)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _INFINITE.fullmatch(text):
            return float(text.replace(".", "", 1))
    return text


def moved(node: Node, place: Callable[[Span], Span]) -> Node:
    """The same nodes with every span put through `place`."""
    items = tuple(
        Item(
            place(Span(item.start, item.start)).start,
            moved(item.value, place),
            None if item.key is None else moved(item.key, place),
        )
        for item in node.items
    )
    return replace(node, span=place(node.span), items=items, full=place(Span(node.full, node.full)).start)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key that its mapping has already."""

    path: tuple[str | int, ...]
    key: Span
    first: Span


@dataclass(frozen=True, slots=True)
class Tree:
    """A text's nodes. `root` is None where there is nothing in it."""

    root: Node | None
    duplicates: tuple[Duplicate, ...] = field(default=())
