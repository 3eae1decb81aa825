"""YAML that is plain to see, read into nodes without a YAML parser: in microseconds, or not at all.

Most frontmatter has names, texts in one line, short lists and mappings in one line. Loading the parser takes ten times
as long as reading that. The nodes are those that the parser would give, place by place; whatever is not beyond doubt
(comments, anchors, tags, escapes, folded texts) is left to it.
"""

from __future__ import annotations

import re

from wizard.source import Span
from wizard.yamltext.nodes import Item, Node, Tree

_KEY = re.compile(r"( *)([A-Za-z_$][\w$.-]*):(?: +|$)", re.ASCII)
_BEGINS = re.compile(r"[\w$/(<.~+]")
_DASH = re.compile(r"( *)- +(?=[^ ])")
_IN_FLOW = re.compile(r"[\w$/(<.~+][^,\[\]{}:#'\"&*!|>%@`?]*\??")
_QUOTED = re.compile(r"'((?:[^']|'')*)'|\"([^\"\\]*)\"")
_BLANK = re.compile(r" *")
_DEEPEST = 12


class _Unclear(Exception):
    """It takes a parser."""


def plain_tree(text: str) -> Tree | None:
    """The nodes of a YAML text, as `read_yaml` gives them; None where that is not plain to see."""
    lines = text.split("\n")
    if not "".join(lines).isprintable():
        return None
    try:
        reader = _Plain(lines)
        root = reader.mapping(reader.skip(0), 0)
    except _Unclear:
        return None
    return Tree(root) if reader.skip(reader.at) == len(lines) else None


class _Plain:
    """Reads lines; `at` is the one behind what was read."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.at = 0

    def skip(self, at: int) -> int:
        """The next line with something in it."""
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        return at

    def depth(self, at: int) -> int:
        """How far the next line with something in it is indented; -1 at the end."""
        at = self.skip(at)
        return len(self.lines[at]) - len(self.lines[at].lstrip(" ")) if at < len(self.lines) else -1

    def mapping(self, at: int, depth: int) -> Node:
        items: dict[str, Item] = {}
        start = end = -1
        while at < len(self.lines) and self.depth(at) == depth:
            found = _KEY.match(self.lines[at])
            if found is None or found[2] in items:
                raise _Unclear
            begin = self.starts[at] + depth
            start = begin if start < 0 else start
            key = self.scalar(begin, found[2])
            value = self.value(at, found.end(), depth)
            items[found[2]] = Item(begin, value, key)
            end = value.span.end
            at = self.skip(self.at)
        if not items or self.depth(at) > depth:
            raise _Unclear
        return Node("mapping", Span(start, end), items=tuple(items.values()), full=start)

    def sequence(self, at: int, depth: int) -> Node:
        items: list[Item] = []
        while at < len(self.lines) and self.depth(at) == depth and (found := _DASH.match(self.lines[at])):
            items.append(Item(self.starts[at] + depth, self.value(at, found.end(), depth)))
            at = self.skip(self.at)
        if not items or self.depth(at) > depth:
            raise _Unclear
        return Node("sequence", Span(items[0].start, items[-1].end), items=tuple(items), full=items[0].start)

    def value(self, at: int, column: int, depth: int) -> Node:
        """What stands in line `at` from a column on, in a collection that is indented by `depth`."""
        said = self.lines[at][column:].rstrip(" ")
        if not said:
            return self.nested(at + 1, depth)
        start = self.starts[at] + column
        self.at = at + 1
        if said == "|":
            return self.literal(at + 1, start, depth)
        if self.depth(at + 1) > depth:
            return self.folded(at, start, said, depth)
        if said[0] in "[{'\"":
            node, end = self.flow(said, 0, start, 0)
            if end != len(said):
                raise _Unclear
            return node
        if not _is_plain(said):
            raise _Unclear
        return self.scalar(start, said)

    def nested(self, at: int, depth: int) -> Node:
        """What stands in lines of its own under a key."""
        at = self.skip(at)
        deeper = self.depth(at)
        if deeper >= max(depth, 0) and _DASH.match(self.lines[at]):
            return self.sequence(at, deeper)
        if deeper > depth:
            return self.mapping(at, deeper)
        raise _Unclear

    def folded(self, at: int, start: int, said: str, depth: int) -> Node:
        """A plain text that goes on in deeper lines."""
        parts = [said]
        while self.at < len(self.lines) and self.lines[self.at].strip() and self.depth(self.at) > depth:
            parts.append(self.lines[self.at].strip(" "))
            self.at += 1
        if not all(_is_plain(part) for part in parts) or self.depth(self.at) > depth:
            raise _Unclear
        end = self.starts[self.at - 1] + len(self.lines[self.at - 1].rstrip(" "))
        return Node("scalar", Span(start, end), " ".join(parts), full=start)

    def literal(self, at: int, start: int, depth: int) -> Node:
        """A literal text: all lines that are deeper."""
        inside = self.depth(at)
        if inside <= depth or not self.lines[at].strip():
            raise _Unclear
        parts = []
        while at < len(self.lines) and (not self.lines[at].strip() or self.depth(at) > depth):
            line = self.lines[at]
            if line[:inside].strip():
                raise _Unclear
            parts.append(line[inside:])
            at += 1
        if any(not part.strip() and part for part in parts):
            raise _Unclear
        while not parts[-1]:
            parts.pop()
            at -= 1
        if at == len(self.lines):
            # The text does not end with a line's end, and so neither does this.
            raise _Unclear
        self.at = at
        end = self.starts[at - 1] + len(self.lines[at - 1].rstrip())
        return Node("scalar", Span(start, end), "\n".join(parts) + "\n", "|", full=start)

    def scalar(self, start: int, text: str) -> Node:
        return Node("scalar", Span(start, start + len(text)), text, full=start)

    def flow(self, said: str, at: int, start: int, depth: int) -> tuple[Node, int]:
        """A value that ends in its line; gives where it ends. `start` is the place of the line's value."""
        if depth > _DEEPEST or at >= len(said):
            raise _Unclear
        if said[at] in "'\"":
            found = _QUOTED.match(said, at)
            if found is None:
                raise _Unclear
            text = found[2] if found[1] is None else found[1].replace("''", "'")
            return Node("scalar", Span(start + at, start + found.end()), text, said[at], full=start + at), found.end()
        if said[at] not in "[{":
            found = _IN_FLOW.match(said, at)
            if found is None:
                raise _Unclear
            text = found[0].rstrip(" ")
            return self.scalar(start + at, text), found.end()
        return self.collection(said, at, start, depth)

    def collection(self, said: str, at: int, start: int, depth: int) -> tuple[Node, int]:
        begin, mapping = at, said[at] == "{"
        closing = "}" if mapping else "]"
        items: list[Item] = []
        at = _blank(said, at + 1)
        while not said.startswith(closing, at):
            key = None
            if mapping:
                key, at = self.flow(said, at, start, depth + 1)
                if key.kind != "scalar" or key.style or not said.startswith(": ", at):
                    raise _Unclear
                at = _blank(said, at + 1)
            value, at = self.flow(said, at, start, depth + 1)
            items.append(Item(key.span.start if key else value.span.start, value, key))
            at = _blank(said, at)
            if said.startswith(",", at):
                at = _blank(said, at + 1)
                if said.startswith(closing, at):
                    raise _Unclear
            elif not said.startswith(closing, at):
                raise _Unclear
        if len({item.name for item in items}) < len(items) and mapping:
            raise _Unclear
        span = Span(start + begin, start + at + 1)
        node = Node("mapping" if mapping else "sequence", span, style="{", items=tuple(items), full=span.start)
        return node, at + 1


def _blank(said: str, at: int) -> int:
    found = _BLANK.match(said, at)
    return found.end() if found else at


def _is_plain(said: str) -> bool:
    """Whether a text in a block is itself."""
    return bool(_BEGINS.match(said)) and ": " not in said and " #" not in said and said[-1] != ":"
