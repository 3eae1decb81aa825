"""JSON text read into the same nodes as YAML, for edits that keep its layout."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from wizard.source import Span
from wizard.yamltext.nodes import Item, Node, NodeKind, Tree, YamlError

_TOKEN = re.compile(r'[ \t\r\n]*(?:([\[\]{},:])|("(?:[^"\\]|\\.)*")|([^\s\[\]{},:"]+))', re.DOTALL)


@dataclass(slots=True)
class _Open:
    kind: NodeKind
    start: int
    whole: bool
    cut: bool = False
    items: list[Item] = field(default_factory=list)
    key: Node | None = None
    expects: str = "first"
    """`first` (a member or the end), `member`, `colon`, `value`, `more` (a comma or the end)."""


def read_json(text: str, *, depth: int | None = None, whole: Callable[[str], bool] = lambda name: False) -> Tree:
    """Reads a JSON text. Raises YamlError. `depth` and `whole` as `read_yaml` has them."""
    at = 1 if text.startswith("\ufeff") else 0
    opened: list[_Open] = []
    root: Node | None = None
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            break
        at = found.end()
        sign, start = found[1], found.start(found.lastindex or 0)
        holder = opened[-1] if opened else None
        if holder is None and root is not None:
            raise YamlError("something stands behind the JSON value", Span(start, at))
        if sign in ("}", "]"):
            if holder is None or (holder.kind == "mapping") != (sign == "}") or holder.expects not in ("first", "more"):
                raise YamlError(f"`{sign}` cannot stand here", Span(start, at))
            opened.pop()
            node = Node(
                holder.kind, Span(holder.start, at), style="{", items=tuple(holder.items), cut=holder.cut,
                full=holder.start,
            )  # fmt: skip
        elif sign in (",", ":"):
            if holder is None or holder.expects != {",": "more", ":": "colon"}[sign]:
                raise YamlError(f"`{sign}` cannot stand here", Span(start, at))
            holder.expects = "member" if sign == "," else "value"
            continue
        else:
            if holder is not None and holder.expects in ("more", "colon"):
                raise YamlError(f"a `{'`,`' if holder.expects == 'more' else '`:`'}` is missing here", Span(start, at))
            if sign:
                kind: NodeKind = "mapping" if sign == "{" else "sequence"
                kept = holder is not None and (holder.whole or (holder.key is not None and whole(holder.key.text)))
                opened.append(_Open(kind, start, kept))
                if holder is not None and holder.kind == "mapping" and holder.key is None:
                    raise YamlError("a member's name is a text", Span(start, at))
                continue
            near = depth is None or len(opened) <= depth + 1 or (holder is not None and holder.whole)
            naming = holder is not None and holder.kind == "mapping" and holder.key is None
            node = _scalar(text, Span(start, at), near or naming)
            if holder is not None and naming:
                if not found[2]:
                    raise YamlError("a member's name is a text in double quotes", Span(start, at))
                holder.key, holder.expects = node, "colon"
                continue
        holder = opened[-1] if opened else None
        if holder is None:
            root = node
            continue
        if depth is None or len(opened) <= depth + 1 or holder.whole:
            begins = holder.key.span.start if holder.key is not None else node.span.start
            holder.items.append(Item(begins, node, holder.key))
        else:
            holder.cut = True
        holder.key, holder.expects = None, "more"
    rest = text[at:].strip(" \t\r\n")
    if rest or opened or root is None:
        where = len(text) - len(text[at:].lstrip(" \t\r\n")) if rest else (opened[-1].start if opened else at)
        what = "this is no JSON" if rest else ("what opens here is not closed" if opened else "the text is empty")
        raise YamlError(what, Span(where, min(where + 1, len(text))))
    return Tree(root)


def _scalar(text: str, span: Span, wanted: bool) -> Node:
    raw = text[span.start : span.end]
    if raw[0] != '"':
        return Node("scalar", span, raw, full=span.start)
    value = ""
    if wanted:
        try:
            value = json.loads(raw, strict=False) if "\\" in raw else raw[1:-1]
        except ValueError as error:
            raise YamlError("this text has an escape that JSON does not have", span) from error
    return Node("scalar", span, value, '"', cut=not wanted, full=span.start)
