"""Turns nodes of a text into new values, and gathers the edits that it takes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from wizard.source import Span
from wizard.yamltext.changes import REMOVED, Branch, EditError, Path, changed, same
from wizard.yamltext.nodes import Item, Node, is_whole, value_of
from wizard.yamltext.printing import Style, after_colon, block_of, element, flow, json_text, literal, member, scalar


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """A stretch of a text, and what stands there afterwards."""

    span: Span
    text: str


_NEWLINE = re.compile(r"\r\n|\n|\r")
_TAIL = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_BEHIND_COLON = re.compile(r"[ \t]*:")
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")


class Editor:
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
                branch = branch.setdefault(step, Branch())
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
                if not isinstance(value, Branch) or value.kept():
                    new.append((step, value.kept() if isinstance(value, Branch) else value))
            elif not isinstance(value, Branch):
                self.value(node, found, value)
            elif found.value.items and not found.value.alias and not self.coarse:
                self.branch(found.value, value)
            elif not is_whole(found.value):
                raise EditError("this part was not read")
            else:
                old = value_of(found.value)
                self.value(node, found, changed(old if isinstance(old, dict | list) else {}, value.paths()))
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
        if same(value_of(old), new):
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
            elif name not in merged or not same(merged[name], value):
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
