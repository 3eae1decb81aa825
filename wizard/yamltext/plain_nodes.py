"""The nodes of a YAML text that is plain to see, place by place those that the parser would give."""

from __future__ import annotations

from typing import Any

from wizard.source import Span
from wizard.yamltext.nodes import Item, Node, Tree
from wizard.yamltext.plain_reading import Member, PlainReader


class _Nodes(PlainReader):
    def made_scalar(self, start: int, end: int, text: str, style: str) -> Node:
        return Node("scalar", Span(start, end), text, style, full=start)

    def made_collection(self, start: int, end: int, members: list[Member], *, flow: bool, mapping: bool) -> Node:
        items = tuple(Item(member.start, member.value, member.key) for member in members)
        kind: Any = "mapping" if mapping else "sequence"
        return Node(kind, Span(start, end), style="{" if flow else "", items=items, full=start)


def plain_tree(text: str) -> Tree | None:
    """The nodes of a YAML text, as `read_yaml` gives them; None where that is not plain to see."""
    root = _Nodes(text).whole()
    return None if root is None else Tree(root)
