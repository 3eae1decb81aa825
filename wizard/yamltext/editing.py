"""The smallest edit of a YAML or JSON text that gives it other values.

A change is a path of member names (and indexes of lists) with its new value, or REMOVED. What is not changed keeps
its bytes: comments, order, quotes, indentation, line ends. The edited text is read again, and is what was asked for,
or EditError is raised and nothing is given.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import Enum
from typing import Any, Final

from wizard.source import Span
from wizard.yamltext.nodes import Item, Node, Tree, YamlError, is_whole, value_of
from wizard.yamltext.printing import (
    Style,
    after_colon,
    block_of,
    element,
    flow,
    json_text,
    literal,
    member,
    scalar,
)  # fmt: skip

Path = tuple[str | int, ...]
Read = Callable[[str], Tree]


class Removed(Enum):
    """What takes a member away."""

    REMOVED = "removed"


REMOVED: Final = Removed.REMOVED


class EditError(ValueError):
    """An edit that this text does not take."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A stretch of a text, and what stands there afterwards."""

    span: Span
    text: str


_NEWLINE = re.compile(r"\r\n|\n|\r")
_TAIL = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_BEHIND_COLON = re.compile(r"[ \t]*:")
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits done; they do not overlap."""
    pieces, done = [], 0
    # Of two at one place the empty span comes first: an insertion before what replaces the text there.
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < done:
            raise EditError("two changes meet in one place")
        pieces += [text[done : edit.span.start], edit.text]
        done = edit.span.end
    return "".join([*pieces, text[done:]])


def newline_of(text: str) -> str:
    """The line end that a text uses first; LF where it has none."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def edit_text(text: str, read: Read, changes: Mapping[Path, Any], style: Style) -> str:
    """The text with the changes made. Raises EditError; YamlError where the text cannot be read."""
    tree = read(text)
    root = tree.root
    expected = _changed({} if root is None else value_of(root), changes)
    if root is None:
        return _into_nothing(text, expected, style)
    if _same(expected, value_of(root)):
        return text
    for text_now, literals, coarse in _attempts(text, root):
        now = read(text_now).root if text_now is not text else root
        if now is None:
            continue
        editor = _Editor(text_now, replace(style, literals=literals), coarse=coarse)
        try:
            editor.all(now, changes)
            edited = apply_edits(text_now, editor.edits)
            again = read(edited).root
        except (YamlError, EditError):
            continue
        if again is not None and _same(value_of(again), expected):
            return edited
    names = ", ".join(".".join(map(str, path)) or "all of it" for path in changes)
    raise EditError(f"this text cannot be edited without rewriting it ({names})")


def _into_nothing(text: str, value: Any, style: Style) -> str:
    if not value:
        return text
    gap = style.newline if text and not text.endswith(("\n", "\r")) else ""
    lines = (
        [member(str(name), one, 0, style) for name, one in value.items()]
        if isinstance(value, Mapping)
        else [flow(value)]
    )
    return text + gap + style.newline.join([*lines, ""])


def _changed(value: Any, changes: Mapping[Path, Any]) -> Any:
    """The value with the changes made."""
    value = _copy(value)
    for path, new in changes.items():
        if not path:
            value = {} if new is REMOVED else new
            continue
        holder: Any = value
        step: Any
        for step in path[:-1]:
            if isinstance(holder, dict) and not isinstance(holder.get(step), dict | list) and new is not REMOVED:
                holder[step] = {}
            try:
                holder = holder[step]
            except (KeyError, IndexError, TypeError):
                holder = None
                break
        last: Any = path[-1]
        if new is REMOVED:
            if (isinstance(holder, dict) and last in holder) or isinstance(holder, list):
                del holder[last]
        elif holder is None or not isinstance(holder, dict | list):
            raise EditError(f"there is nothing to put `{last}` into")
        else:
            holder[last] = new
    return value


def _copy(value: Any) -> Any:
    """A copy in which nothing is shared: what an alias repeats is changed in one place only."""
    if isinstance(value, dict):
        return {name: _copy(one) for name, one in value.items()}
    return [_copy(one) for one in value] if isinstance(value, list) else value


def _same(one: Any, other: Any) -> bool:
    """Whether two plain values mean the same; 1, 1.0 and true are three values, a tuple is a list."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and (
        one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))
    )


def _attempts(text: str, root: Node) -> Iterator[tuple[str, bool, bool]]:
    """The text to edit, whether with literal blocks, and how coarsely, from the smallest edit on.

    A change to what an alias repeats needs the alias spelled out; a literal block would swallow a comment behind it.
    """
    spelled = _without_aliases(root)
    texts = [text, apply_edits(text, spelled)] if spelled else [text]
    for coarse in (False, True):
        for one in texts:
            for literals in (True, False):
                yield one, literals, coarse


def _without_aliases(root: Node) -> list[Edit]:
    """Every alias spelled out; none where something of the text was left out."""
    edits: list[Edit] = []
    if not is_whole(root):
        return edits

    def walk(node: Node) -> None:
        for item in node.items:
            if item.key is not None and item.key.alias:
                edits.append(Edit(item.key.span, scalar(item.key.text, flow=True)))
            if item.value.alias:
                edits.append(Edit(item.value.span, flow(value_of(item.value))))
            else:
                walk(item.value)

    walk(root)
    return edits


def flow_to_block(text: str, read: Read, style: Style) -> str:
    """The text with every list and mapping that stands in brackets in lines of its own. Raises EditError."""
    root = read(text).root
    editor = _Editor(text, replace(style, flow=False))

    def walk(node: Node) -> None:
        for item in node.items:
            old = item.value
            if old.flow and old.items and not old.alias:
                editor.replace(node, item, value_of(old))
            elif not old.alias:
                walk(old)

    if root is not None:
        walk(root)
    edited = apply_edits(text, editor.edits)
    again = read(edited).root
    if root is not None and (again is None or not _same(value_of(again), value_of(root))):
        raise EditError("this text cannot be edited without rewriting it")
    return edited


class _Branch(dict[str | int, Any]):
    """Changes below a member."""

    def kept(self) -> dict[str, Any]:
        """What there is of it where the member is missing."""
        inner = {name: one.kept() if isinstance(one, _Branch) else one for name, one in self.items()}
        return {str(name): one for name, one in inner.items() if one is not REMOVED and one != {}}

    def paths(self) -> dict[Path, Any]:
        found: dict[Path, Any] = {}
        for name, one in self.items():
            inner = one.paths() if isinstance(one, _Branch) else {(): one}
            found.update({(name, *path): value for path, value in inner.items()})
        return found


class _Editor:
    """Gathers the edits that turn nodes of one text into new values."""

    def __init__(self, text: str, style: Style, *, coarse: bool = False) -> None:
        self.text = text
        self.style = style
        self.coarse = coarse
        """Members that change are printed anew, whole."""
        self.edits: list[Edit] = []

    def say(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(Span(start, end), text))

    def all(self, root: Node, changes: Mapping[Path, Any]) -> None:
        """Puts every new value at its path, with the mappings around it that are missing."""
        if () in changes:
            self.value(Node("sequence", root.span, style="{"), Item(root.span.start, root), changes[()])
            return
        wanted: dict[str | int, Any] = {}
        for path, value in changes.items():
            branch = wanted
            for step in path[:-1]:
                branch = branch.setdefault(step, _Branch())
            branch[path[-1]] = value
        self.branch(root, wanted)

    def branch(self, node: Node, wanted: Mapping[str | int, Any]) -> None:
        known = dict(_items(node))
        gone: list[Item] = []
        new: list[tuple[str | int, Any]] = []
        for step, value in wanted.items():
            found = known.get(step)
            if value is REMOVED:
                gone += [item for name, item in _items(node) if name == step]
            elif found is None:
                if not isinstance(value, _Branch) or value.kept():
                    new.append((step, value.kept() if isinstance(value, _Branch) else value))
            elif not isinstance(value, _Branch):
                self.value(node, found, value)
            elif found.value.items and not found.value.alias and not self.coarse:
                self.branch(found.value, value)
            elif not is_whole(found.value):
                raise EditError("this part was not read")
            else:
                old = value_of(found.value)
                self.value(node, found, _changed(old if isinstance(old, dict | list) else {}, value.paths()))
        if new and node.items and len(gone) == len(node.items):
            self.replace_collection(node, {str(name): value for name, value in new})
            return
        self.remove(node, gone)
        if new:
            self.insert(node, new, after=len(node.items) - 1)

    # One value

    def value(self, holder: Node, item: Item, new: Any) -> None:
        """Edits the value of a member so that it is `new`."""
        old = item.value
        if _same(value_of(old), new):
            return
        plain = not old.alias and not old.tag and not self.coarse and is_whole(old)
        if plain and old.kind == "mapping" and isinstance(new, Mapping) and new and old.items:
            self.mapping(old, new)
        elif plain and old.kind == "sequence" and isinstance(new, list | tuple) and new and old.items:
            self.sequence(old, list(new))
        else:
            self.replace(holder, item, new)

    def mapping(self, node: Node, new: Mapping[str, Any]) -> None:
        names = list(dict.fromkeys(item.name for item in node.items))
        if not set(names) & set(new):
            self.replace_collection(node, new)
            return
        self.remove(node, [item for item in node.items if item.name not in new and item.name != "<<"])
        merged = value_of(node) if "<<" in names else {}
        after = -1
        places: dict[int, list[tuple[str | int, Any]]] = {}
        for name, value in new.items():
            found = node.item(name)
            if found is not None:
                self.value(node, found, value)
                after = next(index for index, item in enumerate(node.items) if item is found)
            elif name not in merged or not _same(merged[name], value):
                places.setdefault(after, []).append((name, value))
        for index, members in places.items():
            self.insert(node, members, after=index)

    def sequence(self, node: Node, new: list[Any]) -> None:
        old = [_text(value_of(item.value)) for item in node.items]
        steps = SequenceMatcher(None, old, [_text(value) for value in new], autojunk=False).get_opcodes()
        if all(step[0] != "equal" for step in steps):
            self.replace_collection(node, new)
            return
        gone: list[Item] = []
        for what, start, end, new_start, new_end in steps:
            if what == "equal":
                continue
            both = min(end - start, new_end - new_start)
            for offset in range(both):
                self.value(node, node.items[start + offset], new[new_start + offset])
            gone += node.items[start + both : end]
            rest = [(index, new[index]) for index in range(new_start + both, new_end)]
            if rest:
                self.insert(node, rest, after=start + both - 1)
        self.remove(node, gone)

    def replace(self, holder: Node, item: Item, new: Any) -> None:
        """Prints a value anew in its place."""
        old = item.value
        start = old.full if old.tag else old.span.start
        end = old.span.end
        gap = "" if (start > 0 and self.text[start - 1] in " \t\r\n[{(") or start == 0 else " "
        if self.style.json:
            self.say(start, end, json_text(new, self.indentation(item.start), self.style))
            return
        collection = isinstance(new, Mapping | list | tuple)
        if old.style == "|" and isinstance(new, str) and not old.tag:
            inner = self.block_indent(old)
            block = literal(new, inner, self.style) if inner else None
            if block is not None:
                self.say(start, end, block)
                return
        if holder.flow:
            said = scalar(new, style=old.style, flow=True) if not collection else flow(new)
            self.say(start, end, gap + said)
            return
        indent = self.column(item.start)
        if item.key is None:
            inside = indent + (self.column(start) - indent if self.same_line(item.start, start) else 2)
            self.say(start, end, gap + element(new, inside, self.style))
            return
        colon = _BEHIND_COLON.match(self.text, item.key.span.end)
        if colon is None or self.text[item.start] == "?":
            self.say(start, end, gap + (flow(new) if collection else scalar(new, style=old.style)))
            return
        if old.kind != "scalar" and collection and new and not old.flow:
            self.replace_collection(old, new)
            return
        between = self.text[colon.end() : start]
        if not between.strip(" \t\r\n"):
            start = colon.end()
            said = after_colon(new, indent, self.style, taken=start - item.start)
            if not collection and "\n" not in str(new):
                said = " " + scalar(new, style=old.style)
            if "\n" not in said and "\r" not in said:
                self.say(start, end, said)
                return
            tail = self.text[end : self.line_end(end)]
            if tail.strip():
                # A comment behind the old value stays in the key's line.
                self.say(start, end, "")
                self.say(self.line_end(end), self.line_end(end), said if said[0] != " " else "")
                if said[0] == " ":
                    self.edits.pop()
                    self.edits[-1] = Edit(Span(start, end + len(tail)), said)
                return
            self.say(start, end, said)
            return
        self.say(start, end, gap + (element(new, self.column(start), self.style) if collection else scalar(new)))

    def replace_collection(self, node: Node, new: Any) -> None:
        """Prints all members of a collection anew where it stands; it stays flow or block."""
        start, end = node.span.start, node.span.end
        if self.style.json:
            self.say(start, end, json_text(new, self.indentation(start), self.style))
        elif node.flow:
            self.say(start, end, flow(new))
        else:
            self.say(start, end, block_of(new, self.column(start), self.style))

    # Members

    def insert(self, node: Node, members: Sequence[tuple[str | int, Any]], *, after: int) -> None:
        """Puts members behind the one at index `after`, before all for -1."""
        if not node.items:
            new: Any = dict(members) if node.kind == "mapping" else [value for _, value in members]
            self.say(node.span.start, node.span.end, self.from_nothing(node, new))
        elif node.flow:
            self.insert_in_flow(node, members, after)
        else:
            self.insert_in_block(node, members, after)

    def from_nothing(self, node: Node, new: Any) -> str:
        if self.style.json:
            return json_text(new, self.indentation(node.span.start), self.style)
        return flow(new)

    def insert_in_block(self, node: Node, members: Sequence[tuple[str | int, Any]], after: int) -> None:
        column = self.column(node.items[0].start)
        margin = self.text[self.line_start(node.items[0].start) :][:column]
        if margin.strip(" "):
            # The first member shares its line with a dash.
            margin = " " * column
        said = [
            member(str(name), value, column, self.style)
            if node.kind == "mapping"
            else "- " + element(value, column + 2, self.style)
            for name, value in members
        ]
        newline = self.style.newline
        if after < 0:
            start = node.items[0].start
            self.say(start, start, "".join(line + newline + margin for line in said))
            return
        end = self.members_end(node.items[after])
        lead = "" if end == 0 or self.text[end - 1] in "\r\n" else newline
        body = newline.join(margin + line for line in said)
        self.say(end, end, lead + body + ("" if lead else newline))

    def insert_in_flow(self, node: Node, members: Sequence[tuple[str | int, Any]], after: int) -> None:
        first = node.items[0].start
        gap = self.text[node.span.start + 1 : first]
        in_lines = "\n" in gap or "\r" in gap
        margin = self.style.newline + self.indentation(first) if in_lines else " "
        said = []
        for name, value in members:
            if self.style.json:
                printed = json_text(
                    value, self.indentation(first) if in_lines else "", self.style if in_lines else _ONE_LINE
                )
                head = json.dumps(name, ensure_ascii=False) + ": " if node.kind == "mapping" else ""
            else:
                printed = flow(value)
                head = scalar(str(name), flow=True) + ": " if node.kind == "mapping" else ""
            said.append(head + printed)
        if after < 0:
            self.say(first, first, "".join(line + "," + margin for line in said))
        else:
            end = node.items[after].value.span.end
            self.say(end, end, "".join("," + margin + line for line in said))

    def remove(self, node: Node, gone: Sequence[Item]) -> None:
        if not gone:
            return
        if len(gone) == len(node.items):
            before = self.text[: node.span.start].rstrip(" \t\r\n")
            behind_key = before.endswith(":") and "#" not in before[self.line_start(len(before)) :]
            start = len(before) if behind_key else node.span.start
            self.say(start, node.span.end, (" " if behind_key else "") + ("{}" if node.kind == "mapping" else "[]"))
            return
        going = [any(one is item for one in gone) for item in node.items]
        if node.flow:
            self.remove_from_flow(node, going)
            return
        for index, item in enumerate(node.items):
            if not going[index]:
                continue
            start = self.line_start(item.start)
            if self.text[start : item.start].strip(" "):
                # It shares its line with a dash: the next member that stays moves up.
                stays = next(later for later in range(index, len(going)) if not going[later])
                if index == 0:
                    self.say(item.start, node.items[stays].start, "")
            elif not any(edit.span.start <= item.start < edit.span.end for edit in self.edits):
                end = self.members_end(item)
                if end == len(self.text) and start > 0 and self.text[end - 1] not in "\r\n":
                    start = len(self.text[:start].removesuffix("\n").removesuffix("\r"))
                self.say(start, end, "")

    def remove_from_flow(self, node: Node, going: Sequence[bool]) -> None:
        index = 0
        while index < len(going):
            if not going[index]:
                index += 1
                continue
            run = index
            while run < len(going) and going[run]:
                run += 1
            if run < len(going):
                self.say(node.items[index].start, node.items[run].start, "")
            else:
                self.say(node.items[index - 1].value.span.end, node.items[run - 1].value.span.end, "")
            index = run

    # Places

    def line_start(self, offset: int) -> int:
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends, before its line end."""
        found = _NEWLINE.search(self.text, offset)
        return found.start() if found else len(self.text)

    def column(self, offset: int) -> int:
        return (
            offset
            - self.line_start(offset)
            - (1 if self.text.startswith("\ufeff") and self.line_start(offset) == 0 else 0)
        )

    def indentation(self, offset: int) -> str:
        """The blanks at the beginning of the line of an offset."""
        start = self.line_start(offset)
        line = self.text[start:offset]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def block_indent(self, node: Node) -> int:
        """How far the lines of a block scalar are indented; 0 where it has none."""
        for line in _NEWLINE.split(self.text[node.span.start : node.span.end])[1:]:
            if line.strip(" "):
                return len(line) - len(line.lstrip(" "))
        return 0

    def same_line(self, one: int, other: int) -> bool:
        return self.line_start(one) == self.line_start(other)

    def members_end(self, item: Item) -> int:
        """Behind the last line of a member of a block, its line end included."""
        end = item.value.span.end
        last = item.value
        while last.items:
            last = last.items[-1].value
        tail = _TAIL.match(self.text, end)
        end = tail.end() if tail else end
        if last.style in ("|", ">") and "+" in self.text[last.span.start : self.line_end(last.span.start)]:
            # Its empty lines at the end are part of it.
            blank = _BLANK_LINES.match(self.text, end)
            end = blank.end() if blank else end
        return end


_ONE_LINE = Style(json=True, indent="")


def _items(node: Node) -> list[tuple[str | int, Item]]:
    if node.kind == "mapping":
        return [(item.name, item) for item in node.items]
    return list(enumerate(node.items))


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
