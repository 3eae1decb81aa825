"""The description in a skill's frontmatter as prose: what it says, every character of it with its place in the YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wizard.skill.prose import Block
from wizard.skill.prose_text import Run, Text, plain
from wizard.source import Source

if TYPE_CHECKING:
    from wizard.yamltext.nodes import Node

_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r\n|[\s\S])")
_BROKEN = re.compile(r"\\[ \t]*(?:\r\n|\n|\r)[ \t]*")
_HEADER = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)")


def description_block(source: Source, root: Node | None) -> Block | None:
    """The description of a frontmatter as a block of prose; None where there is no text of that name."""
    holder = None if root is None or root.kind != "mapping" else root.item("description")
    if holder is None or holder.value.kind != "scalar" or holder.value.alias or not holder.value.text.strip():
        return None
    node = holder.value
    text = plain(scalar_text(source.text, node)).stripped()
    return Block("description", text, node.span)


def scalar_text(source: str, node: Node) -> Text:
    """The value of a YAML scalar, of whatever style, with the place of each character in the source.

    What an escape or a folded line stands for has the place where that begins. Where a value cannot be followed
    through the source all of it stands at the scalar's beginning.
    """
    at, end = node.span.start, node.span.end
    if node.style in ("|", ">"):
        header = _HEADER.match(source, at, end)
        at = header.end() if header else at
    elif node.style:
        at += 1
    runs: list[Run] = []
    for index, char in enumerate(node.text):
        found = _place(source, at, end, char, node.style)
        if found is None:
            return Text(node.text, tuple((step, node.span.start) for step in range(len(node.text))))
        place, at = found
        if not runs or place - index != runs[-1][1] - runs[-1][0]:
            runs.append((index, place))
    return Text(node.text, tuple(runs) or ((0, node.span.start),))


def _place(source: str, at: int, end: int, char: str, style: str) -> tuple[int, int] | None:
    """Where the next character of a value stands, and where the one after it is looked for.

    White space stands where the source has some; how much of it one character is, is told by what follows.
    """
    if char.isspace():
        escape = _ESCAPE.match(source, at, end) if style == '"' and not _BROKEN.match(source, at, end) else None
        same = at < end and source[at] == char and char not in "\r\n"
        return at, escape.end() if escape else at + same
    while at < end and (source[at].isspace() or style == '"'):
        broken = _BROKEN.match(source, at, end) if style == '"' else None
        if broken is None and not source[at].isspace():
            break
        at = broken.end() if broken else at + 1
    escape = _ESCAPE.match(source, at, end) if style == '"' else None
    if escape:
        return at, escape.end()
    if at >= end or source[at] != char:
        return None
    return at, at + (2 if style == "'" and char == "'" else 1)
