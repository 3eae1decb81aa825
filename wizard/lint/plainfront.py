"""A frontmatter that is plain to see: read in microseconds, or not at all.

Most skills have a few lines of `name: text`, lists and folded texts. Those are read here, without a YAML parser, so
that a run over a thousand of them takes a second. Whatever is not beyond doubt is left to the parser: this says None
and never something that the parser would not say.
"""

from __future__ import annotations

import json
import re
from typing import Any

_OPENING = re.compile(r"\ufeff?---[ ]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_STRANGE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What YAML forbids or takes for a line's end; a tab is looked at where it stands."""
_KEY = re.compile(r"( *)([A-Za-z_][A-Za-z0-9_.-]*):(?: +(.*))?$")
_ELEMENT = re.compile(r"( *)- +([^ ].*)$")
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=~.].*")
_DASHED = re.compile(r"-[^\s\-].*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_ ./-]*")
_BLOCK = re.compile(r"[|>][+-]?$")
_SINGLE = re.compile(r"'(?:[^']|'')*'$")
_DOUBLE = re.compile(r'"(?:[^"\\]|\\["\\/nt])*"$')
_IN_LIST = re.compile(r"\w[^,\[\]{}:#\"']*|\"[^\"\\,\[\]{}]*\"|'[^',\[\]{}]*'")
NO_TEXT = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])

MAX_LINES = 400


def plain_members(text: str) -> dict[str, str | None] | None:
    """The members of a frontmatter: their texts, None for what is no text; None where it is not plain to see."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    inside = text[opening.end() : closing.start()]
    if _STRANGE.search(inside.replace("\r\n", "\n")) or "\t" in inside:
        return None
    lines = [line.rstrip() for line in inside.split("\n")[:-1]]
    if len(lines) > MAX_LINES:
        return None
    try:
        members, end = _mapping(lines, 0, 0)
    except _Unclear:
        return None
    return members if end == len(lines) and members else None


class _Unclear(Exception):
    """It takes a parser."""


def _skip(lines: list[str], at: int) -> int:
    """The next line that says something; a comment at the beginning of a line says nothing."""
    while at < len(lines) and (not lines[at] or lines[at].lstrip().startswith("#")):
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _mapping(lines: list[str], at: int, indent: int) -> tuple[dict[str, str | None], int]:
    members: dict[str, str | None] = {}
    while (at := _skip(lines, at)) < len(lines):
        depth = _indent(lines[at])
        if depth < indent:
            break
        found = _KEY.match(lines[at])
        if depth > indent or found is None or found[2] in members:
            raise _Unclear
        value, at = _value(lines, at, indent, (found[3] or "").strip())
        members[found[2]] = value
    return members, at


def _value(lines: list[str], at: int, indent: int, said: str) -> tuple[str | None, int]:
    """The value behind a colon: its text, None where it is no text; and the line behind it."""
    if not said:
        return None, _nested(lines, at + 1, indent)
    if _BLOCK.match(said):
        return _block(lines, at + 1, indent)
    if said[0] in "'\"":
        return _quoted(lines, at, indent, said)
    if said[0] in "[{":
        return _flow(lines, at, indent, said)
    if not _stands_plain(said):
        raise _Unclear
    at += 1
    parts = [said]
    while at < len(lines) and lines[at] and _indent(lines[at]) > indent:
        more = lines[at].strip()
        if more.startswith("#") or ": " in more or " #" in more or more.endswith(":"):
            raise _Unclear
        parts.append(more)
        at += 1
    _ends(lines, at, indent)
    return (_text(" ".join(parts))), at


def _stands_plain(said: str) -> bool:
    plain = _PLAIN.match(said) or _DASHED.match(said)
    return bool(plain) and ": " not in said and " #" not in said and not said.endswith(":")


def _text(said: str) -> str | None:
    """The text of a plain value; None where it may be a number, a date or a word that means something else."""
    if said.lower() in NO_TEXT or not _WORD.match(said):
        # A leading sign that is no ASCII letter (an emoji, a Chinese word) makes it a text, too.
        return said if said[0] > "\u00a0" else None
    return said


def _ends(lines: list[str], at: int, indent: int) -> None:
    """Behind a value nothing deeper may follow, not even after an empty line."""
    after = _skip(lines, at)
    if after < len(lines) and _indent(lines[after]) > indent:
        raise _Unclear


def _quoted(lines: list[str], at: int, indent: int, said: str) -> tuple[str | None, int]:
    whole = _SINGLE.match(said) or _DOUBLE.match(said)
    if whole is None:
        raise _Unclear
    _ends(lines, at + 1, indent)
    # What an escape stands for is no matter here: it is a text.
    return said[1:-1].replace("''", "'") if said[0] == "'" else said[1:-1], at + 1


def _flow(lines: list[str], at: int, indent: int, said: str) -> tuple[None, int]:
    at += 1
    if said[0] == "[" and said.endswith("]") and _words(said[1:-1].strip()):
        _ends(lines, at, indent)
        return None, at
    parts = [said]
    while at < len(lines) and lines[at] and _indent(lines[at]) > indent:
        parts.append(lines[at].strip())
        at += 1
    _ends(lines, at, indent)
    try:
        json.loads(" ".join(parts), object_pairs_hook=_each_once)
    except ValueError:
        raise _Unclear from None
    return None, at


def _words(inner: str) -> bool:
    """Whether the inside of a flow list is a row of plain words or simple quoted texts."""
    if not inner:
        return True
    return all(_IN_LIST.fullmatch(part.strip()) for part in inner.split(","))


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _block(lines: list[str], at: int, indent: int) -> tuple[str | None, int]:
    """A literal or folded text: all that is deeper. Its text is only told to be one."""
    if at < len(lines) and not lines[at]:
        raise _Unclear
    first = _indent(lines[at]) if at < len(lines) else 0
    if first <= indent:
        raise _Unclear
    begin = at
    while at < len(lines) and (not lines[at] or _indent(lines[at]) > indent):
        if lines[at] and _indent(lines[at]) < first:
            raise _Unclear
        at += 1
    return "\n".join(lines[begin:at]), at


def _nested(lines: list[str], at: int, indent: int) -> int:
    """What stands in lines of its own under a key: a mapping, a list, or nothing; gives the line behind it."""
    at = _skip(lines, at)
    if at == len(lines) or _indent(lines[at]) < indent:
        return at
    depth = _indent(lines[at])
    if lines[at][depth:].startswith("- "):
        return _list(lines, at, depth)
    if depth == indent:
        return at
    if lines[at][depth] in "{[":
        return _flow(lines, at, indent, lines[at].strip())[1]
    _, at = _mapping(lines, at, depth)
    return at


def _list(lines: list[str], at: int, indent: int) -> int:
    while (at := _skip(lines, at)) < len(lines) and _indent(lines[at]) == indent:
        found = _ELEMENT.match(lines[at])
        if found is None:
            # A member of the mapping around it, at the same depth.
            return at
        said = found[2]
        if _KEY.match(said):
            # The members of a mapping begin where its first one does.
            _, at = _mapping([*lines[:at], lines[at].replace("-", " ", 1), *lines[at + 1 :]], at, found.start(2))
        elif said[0] in "'\"":
            _, at = _quoted(lines, at, indent, said)
        elif _stands_plain(said) and not said.startswith("-"):
            at += 1
            _ends(lines, at, indent)
        else:
            raise _Unclear
    return at
