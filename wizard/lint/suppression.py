"""Comments that allow a rule to be broken at one place.

    <!-- skill-wizard: allow prose-builds-key: quoting the vendor's page -->      before a block of the prose
    # skill-wizard: allow key-memory-undeclared: the vendor does not say          in the frontmatter

In the prose it covers the block that follows (a paragraph, a list, a table, a whole code fence), or the block that it
stands in. In the frontmatter it covers the member that follows with all that is indented under it, or the member
whose line it ends. Above the first member it covers the frontmatter's first line, too, where what is missing is said.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MARK = "skill-wizard:"

_ALLOW = re.compile(r"skill-wizard:[ \t]*allow\b[ \t]*")
_NAMES = re.compile(r"[ \t]*([A-Za-z0-9_-]+)[ \t]*(,?)")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?(`{3,}|~{3,})")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
_MARKERS = re.compile(r"[ \t>]*(?:[-*+][ \t]+|[0-9]{1,9}[.)][ \t]+)?")
_FRONT = re.compile(r"\ufeff?(?:[ \t]*(?:\r\n|\n|\r))*---[ \t]*(?:\r\n|\n|\r)")
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)


class Allowed(NamedTuple):
    """One rule's name in a comment."""

    rule: str
    start: int
    end: int


class Suppression(NamedTuple):
    """A comment that allows rules. Offsets are of the file's text; lines count from 1."""

    start: int
    end: int
    rules: tuple[Allowed, ...]
    reason: str
    first_line: int
    last_line: int
    """The lines it covers, both included; `last_line` is below `first_line` where it covers nothing."""

    def covers(self, first: int, last: int) -> bool:
        return first <= self.last_line and last >= self.first_line


def find_suppressions(text: str) -> tuple[Suppression, ...]:
    """The suppressions of a skill file, in their order."""
    if MARK not in text:
        return ()
    lines = [found.span() for found in _LINE.finditer(text)][:-1] or [(0, 0)]
    opening = _FRONT.match(text)
    closing = _FRONT_END.search(text, opening.end()) if opening else None
    front = (opening.end(), closing.start()) if opening and closing else (0, 0)
    fenced = _fenced(text, lines, front[1])
    found = []
    for mark in _ALLOW.finditer(text):
        number = _line_of(lines, mark.start())
        if front[0] <= mark.start() < front[1]:
            one = _in_frontmatter(text, lines, number, mark, front)
        elif number in fenced:
            # A sample of how to suppress is no suppression.
            continue
        else:
            one = _in_prose(text, lines, number, mark, fenced)
        if one is not None:
            found.append(one)
    return tuple(found)


def _line_of(lines: list[tuple[int, int]], offset: int) -> int:
    """The index of the line that holds an offset."""
    low, high = 0, len(lines) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if lines[middle][0] <= offset:
            low = middle
        else:
            high = middle - 1
    return low


def _fenced(text: str, lines: list[tuple[int, int]], start: int) -> dict[int, int]:
    """Index of each line of a code fence, its marks included, to the index of the fence's last line."""
    found: dict[int, int] = {}
    opened, mark = -1, ""
    for number, (begin, end) in enumerate(lines):
        if begin < start:
            continue
        fence = _FENCE.match(text, begin, end)
        if opened < 0:
            if fence:
                opened, mark = number, fence[1]
        elif fence and fence[1][0] == mark[0] and len(fence[1]) >= len(mark) and not text[fence.end() : end].strip():
            found.update(dict.fromkeys(range(opened, number + 1), number))
            opened = -1
    if opened >= 0:
        found.update(dict.fromkeys(range(opened, len(lines)), len(lines) - 1))
    return found


def _names(text: str, at: int, end: int) -> tuple[tuple[Allowed, ...], str]:
    """The names from an offset on, and the reason behind the colon."""
    names = []
    while found := _NAMES.match(text, at, end):
        names.append(Allowed(found[1], found.start(1), found.end(1)))
        at = found.end()
        if not found[2]:
            break
    rest = text[at:end].strip()
    reason = rest.removeprefix(":").strip() if rest.startswith((":", "-")) else ""
    return tuple(names), " ".join(reason.lstrip("-").split())


def _in_prose(
    text: str, lines: list[tuple[int, int]], number: int, mark: re.Match[str], fenced: dict[int, int]
) -> Suppression | None:
    opened = text.rfind("<!--", 0, mark.start())
    if opened < 0 or text[opened + 4 : mark.start()].strip():
        return None
    closed = text.find("-->", mark.end())
    if closed < 0:
        return None
    names, reason = _names(text, mark.end(), closed)
    end = closed + 3
    first, last = _line_of(lines, opened), _line_of(lines, end - 1)
    before = _MARKERS.sub("", text[lines[first][0] : opened], count=1).strip()
    after = text[end : lines[last][1]].strip()
    if before or after:
        covered = _paragraph(text, lines, number, fenced)
    else:
        following = last + 1
        while following < len(lines) and not text[lines[following][0] : lines[following][1]].strip():
            following += 1
        covered = _block(text, lines, following, fenced)
    return Suppression(opened, end, names, reason, covered[0] + 1, covered[1] + 1)


def _blank(text: str, line: tuple[int, int]) -> bool:
    return not text[line[0] : line[1]].strip(" \t\r\n>")


def _block(text: str, lines: list[tuple[int, int]], first: int, fenced: dict[int, int]) -> tuple[int, int]:
    """From a line to the end of the block that it begins."""
    if first in fenced:
        return first, fenced[first]
    last = first
    while last + 1 < len(lines) and not _blank(text, lines[last + 1]) and last + 1 not in fenced:
        last += 1
    return (first, last) if first < len(lines) else (first, first - 1)


def _paragraph(text: str, lines: list[tuple[int, int]], number: int, fenced: dict[int, int]) -> tuple[int, int]:
    """The block around a line."""
    first = number
    while first > 0 and not _blank(text, lines[first - 1]) and first - 1 not in fenced:
        first -= 1
    return first, _block(text, lines, number, fenced)[1]


def _in_frontmatter(
    text: str, lines: list[tuple[int, int]], number: int, mark: re.Match[str], front: tuple[int, int]
) -> Suppression | None:
    start, end = front
    begin, line_end = lines[number]
    sign = text.rfind("#", begin, mark.start())
    if sign < 0 or text[sign + 1 : mark.start()].strip():
        return None
    names, reason = _names(text, mark.end(), len(text[:line_end].rstrip("\r\n")))
    finish = len(text[:line_end].rstrip())
    following = number
    if not text[begin:sign].strip():
        following += 1
        while following < len(lines) and lines[following][0] < end:
            said = text[lines[following][0] : lines[following][1]].strip()
            if said and not said.startswith("#"):
                break
            following += 1
    last = _member(text, lines, following, end)
    above = text[start:sign].splitlines()
    if last >= following and all(not line.strip() or line.lstrip().startswith("#") for line in above):
        following = _line_of(lines, start - 1)
    return Suppression(sign, finish, names, reason, following + 1, last + 1)


def _indent(text: str, line: tuple[int, int]) -> int:
    said = text[line[0] : line[1]]
    return len(said) - len(said.lstrip(" "))


def _member(text: str, lines: list[tuple[int, int]], first: int, end: int) -> int:
    """The index of the last line of a member that begins in line `first`."""
    if first >= len(lines) or lines[first][0] >= end:
        return first - 1
    depth = _indent(text, lines[first])
    element = text[lines[first][0] : lines[first][1]].lstrip().startswith("-")
    last = first
    for number in range(first + 1, len(lines)):
        if lines[number][0] >= end:
            break
        said = text[lines[number][0] : lines[number][1]].strip()
        if not said:
            continue
        indent = _indent(text, lines[number])
        inside = indent > depth or (indent == depth and said.startswith("- ") and not element)
        if not inside and not said.startswith(("]", "}")):
            break
        last = number
    return last
