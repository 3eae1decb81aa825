"""YAML that is plain to see, read without a YAML parser: in microseconds, or not at all.

Most frontmatter has names, texts in one line, short lists and mappings in one line. Loading the parser takes ten times
as long as reading that. What is read is what the parser would give; whatever is not beyond doubt (comments, anchors,
tags, escapes, folded texts) is left to it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_KEY = re.compile(r"( *)([A-Za-z_$][\w$.-]*):(?: +|$)", re.ASCII)
_BEGINS = re.compile(r"[\w$/(<.~+]")
_DASH = re.compile(r"( *)- +(?=[^ ])")
_IN_FLOW = re.compile(r"[\w$/(<.~+][^,\[\]{}:#'\"&*!|>%@`?]*\??")
_QUOTED = re.compile(r"'((?:[^']|'')*)'|\"([^\"\\]*)\"")
_BLANK = re.compile(r" *")
_TEXT = re.compile(r"[A-Za-z_/$(<]|[0-9]{1,9}[smhd]\Z")
"""How a plain value begins that is a text to every reader; a duration is one, too."""
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])
_DEEPEST = 12


class Unclear(Exception):
    """It takes a parser."""


class Member(NamedTuple):
    """A member of a mapping, or an element of a sequence (its key has no text and no place)."""

    start: int
    name: str | None
    key: Any
    value: Any


class PlainReader:
    """Reads the lines of a text; what it makes of them is for those who derive from it to say.

    Places are offsets into the text. `at` is the line behind what was read.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.at = 0

    def made_scalar(self, start: int, end: int, text: str, style: str) -> Any:
        """A text; the style is `'`, `"`, `|`, or nothing where it stands plain."""
        raise NotImplementedError

    def made_collection(self, start: int, end: int, members: list[Member], *, flow: bool, mapping: bool) -> Any:
        """A mapping or a sequence."""
        raise NotImplementedError

    def whole(self) -> Any:
        """What the text holds; None where that is not plain to see."""
        if not "".join(self.lines).isprintable():
            return None
        try:
            found, _ = self._mapping(self._skip(0), 0)
        except Unclear:
            return None
        return found if self._skip(self.at) == len(self.lines) else None

    def _skip(self, at: int) -> int:
        """The next line with something in it."""
        while at < len(self.lines) and not self.lines[at].strip():
            at += 1
        return at

    def _depth(self, at: int) -> int:
        """How far the next line with something in it is indented; -1 at the end."""
        at = self._skip(at)
        return len(self.lines[at]) - len(self.lines[at].lstrip(" ")) if at < len(self.lines) else -1

    def _mapping(self, at: int, depth: int) -> tuple[Any, int]:
        members: dict[str, Member] = {}
        end = -1
        while at < len(self.lines) and self._depth(at) == depth:
            found = _KEY.match(self.lines[at])
            if found is None or found[2] in members:
                raise Unclear
            start = self.starts[at] + depth
            key = self._scalar(start, found[2])[0]
            value, end = self._value(at, found.end(), depth)
            members[found[2]] = Member(start, found[2], key, value)
            at = self._skip(self.at)
        if not members or self._depth(at) > depth:
            raise Unclear
        begin = next(iter(members.values())).start
        return self.made_collection(begin, end, list(members.values()), flow=False, mapping=True), end

    def _sequence(self, at: int, depth: int) -> tuple[Any, int]:
        members: list[Member] = []
        end = -1
        while at < len(self.lines) and self._depth(at) == depth and (found := _DASH.match(self.lines[at])):
            value, end = self._value(at, found.end(), depth)
            members.append(Member(self.starts[at] + depth, None, None, value))
            at = self._skip(self.at)
        if not members or self._depth(at) > depth:
            raise Unclear
        return self.made_collection(members[0].start, end, members, flow=False, mapping=False), end

    def _value(self, at: int, column: int, depth: int) -> tuple[Any, int]:
        """What stands in line `at` from a column on, in a collection that is indented by `depth`; and where it ends."""
        said = self.lines[at][column:].rstrip(" ")
        if not said:
            return self._nested(at + 1, depth)
        start = self.starts[at] + column
        self.at = at + 1
        if said == "|":
            return self._literal(at + 1, start, depth)
        if self._depth(at + 1) > depth:
            return self._folded(start, said, depth)
        if said[0] in "[{'\"":
            value, end, _ = self._flow(said, 0, start, 0)
            if end != len(said):
                raise Unclear
            return value, start + end
        if not _is_plain(said):
            raise Unclear
        return self._scalar(start, said)

    def _nested(self, at: int, depth: int) -> tuple[Any, int]:
        """What stands in lines of its own under a key."""
        at = self._skip(at)
        deeper = self._depth(at)
        if deeper >= max(depth, 0) and _DASH.match(self.lines[at]):
            return self._sequence(at, deeper)
        if deeper > depth:
            return self._mapping(at, deeper)
        raise Unclear

    def _folded(self, start: int, said: str, depth: int) -> tuple[Any, int]:
        """A plain text that goes on in deeper lines."""
        parts = [said]
        while self.at < len(self.lines) and self.lines[self.at].strip() and self._depth(self.at) > depth:
            parts.append(self.lines[self.at].strip(" "))
            self.at += 1
        if not all(_is_plain(part) for part in parts) or self._depth(self.at) > depth:
            raise Unclear
        end = self.starts[self.at - 1] + len(self.lines[self.at - 1].rstrip(" "))
        return self.made_scalar(start, end, " ".join(parts), ""), end

    def _literal(self, at: int, start: int, depth: int) -> tuple[Any, int]:
        """A literal text: all lines that are deeper."""
        inside = self._depth(at)
        if inside <= depth or not self.lines[at].strip():
            raise Unclear
        parts = []
        while at < len(self.lines) and (not self.lines[at].strip() or self._depth(at) > depth):
            line = self.lines[at]
            if line[:inside].strip():
                raise Unclear
            parts.append(line[inside:])
            at += 1
        if any(not part.strip() and part for part in parts):
            raise Unclear
        while not parts[-1]:
            parts.pop()
            at -= 1
        if at == len(self.lines):
            # The text does not end with a line's end, and so neither does this.
            raise Unclear
        self.at = at
        end = self.starts[at - 1] + len(self.lines[at - 1].rstrip())
        return self.made_scalar(start, end, "\n".join(parts) + "\n", "|"), end

    def _scalar(self, start: int, text: str) -> tuple[Any, int]:
        return self.made_scalar(start, start + len(text), text, ""), start + len(text)

    def _flow(self, said: str, at: int, start: int, depth: int) -> tuple[Any, int, str | None]:
        """A value that ends in its line, where it ends in `said`, and its text where it stands plain. `start` is the
        place of the line's value."""
        if depth > _DEEPEST or at >= len(said):
            raise Unclear
        if said[at] in "'\"":
            found = _QUOTED.match(said, at)
            if found is None:
                raise Unclear
            text = found[2] if found[1] is None else found[1].replace("''", "'")
            return self.made_scalar(start + at, start + found.end(), text, said[at]), found.end(), None
        if said[at] not in "[{":
            found = _IN_FLOW.match(said, at)
            if found is None:
                raise Unclear
            text = found[0].rstrip(" ")
            return self._scalar(start + at, text)[0], found.end(), text
        value, end = self._collection(said, at, start, depth)
        return value, end, None

    def _collection(self, said: str, at: int, start: int, depth: int) -> tuple[Any, int]:
        begin, mapping = at, said[at] == "{"
        closing = "}" if mapping else "]"
        members: list[Member] = []
        at = _blank(said, at + 1)
        while not said.startswith(closing, at):
            key = name = None
            place = start + at
            if mapping:
                key, at, name = self._flow(said, at, start, depth + 1)
                if name is None or not said.startswith(": ", at):
                    raise Unclear
                at = _blank(said, at + 1)
            value, at, _ = self._flow(said, at, start, depth + 1)
            members.append(Member(place, name, key, value))
            at = _blank(said, at)
            if said.startswith(",", at):
                at = _blank(said, at + 1)
                if said.startswith(closing, at):
                    raise Unclear
            elif not said.startswith(closing, at):
                raise Unclear
        if mapping and len({member.name for member in members}) < len(members):
            raise Unclear
        end = at + 1
        return self.made_collection(start + begin, start + end, members, flow=True, mapping=mapping), end


def _blank(said: str, at: int) -> int:
    found = _BLANK.match(said, at)
    return found.end() if found else at


def _is_plain(said: str) -> bool:
    """Whether a text in a block is itself."""
    return bool(_BEGINS.match(said)) and ": " not in said and " #" not in said and said[-1] != ":"


class _Values(PlainReader):
    def made_scalar(self, start: int, end: int, text: str, style: str) -> Any:
        if not style and (text.lower() in _WORDS or not _TEXT.match(text)):
            return NO_TEXT
        return text

    def made_collection(self, start: int, end: int, members: list[Member], *, flow: bool, mapping: bool) -> Any:
        return {m.name: m.value for m in members} if mapping else [m.value for m in members]


class NoText:
    """Stands for a value that may be no text: a number, a date, a word that means something else."""


NO_TEXT = NoText()


def plain_values(text: str) -> Any:
    """The mappings, sequences and texts of a YAML text, NO_TEXT for every other value; None where they are not plain
    to see."""
    return _Values(text).whole()
