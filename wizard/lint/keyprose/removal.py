"""The edits that take a filled key out of a sample and leave a sample that still works."""

from __future__ import annotations

import re

from wizard.lint.keyprose.samples import Site
from wizard.lint.model import Edit
from wizard.skill.prose_text import Text
from wizard.source import Source, Span

_VARIABLE = re.compile(r"[\"'\\]*\$\{?([A-Za-z_]\w*)\}?[\"'\\]*|([A-Za-z_]\w*)")
_SPACES = " \t"


def without_site(source: Source, text: Text, site: Site) -> tuple[Edit, ...] | None:
    """The edits that take a place out of a code block's text; None where we cannot tell what would be left."""
    code = text.text
    match site.kind:
        case "header" if site.in_quotes and code[site.whole[0] : site.whole[0] + 1] in "\"'\\":
            cut = _member(code, site)
        case "header" | "flag":
            cut = _argument(code, site)
        case "member":
            cut = (
                _member(code, site) if site.in_quotes or not _is_line(code, site.whole) else (_line(code, site.whole),)
            )
        case "parameter":
            cut = _parameter(code, site)
        case "variable":
            cut = (_line(code, site.whole),) if _is_line(code, site.whole) else None
    if cut is None:
        return None
    cut = (*cut, *_unused(code, site, cut))
    return tuple(Edit(_in_source(source, text, start, end), "") for start, end in sorted(cut) if end > start)


def _in_source(source: Source, text: Text, start: int, end: int) -> Span:
    """A stretch of the code in the source; whole lines take the marks before them (`> `) and their line end along."""
    code = text.text
    span = text.span(start, end)
    if (start == 0 or code[start - 1] == "\n") and (end == len(code) or code[end - 1 : end] == "\n"):
        first = source.line_starts[source.position(text.offset(start)).line - 1]
        last = source.position(text.offset(end - 1)).line
        stop = source.line_starts[last] if last < len(source.line_starts) else len(source.text)
        return Span(first, stop)
    return span


def _line(code: str, stretch: tuple[int, int]) -> tuple[int, int]:
    """The lines that a stretch stands on, with the last line end."""
    start = code.rfind("\n", 0, stretch[0]) + 1
    end = code.find("\n", stretch[1])
    return start, (len(code) if end < 0 else end + 1)


def _is_line(code: str, stretch: tuple[int, int]) -> bool:
    """Whether nothing but white space, a comma or a semicolon stands beside a stretch on its lines."""
    start, end = _line(code, stretch)
    return not code[start : stretch[0]].strip() and not code[stretch[1] : end].strip().strip(",;")


def _argument(code: str, site: Site) -> tuple[tuple[int, int], ...] | None:
    """An argument of a command, or a line of a raw request."""
    start, end = site.whole
    first, stop = _line(code, site.whole)
    before, after = code[first:start], code[end:stop]
    if "\n" in code[start:end]:
        return None
    if before.strip():
        while start > first and code[start - 1] in _SPACES:
            start -= 1
        if after.strip() or not before.strip():
            return ((start, end),)
        return ((start, end),)
    if after.strip() not in ("", "\\"):
        while end < stop and code[end] in _SPACES:
            end += 1
        return ((site.whole[0], end),)
    cut = [(first, stop)]
    if after.strip() != "\\" and first > 0 and code[:first].rstrip(" \t\r\n").endswith("\\"):
        # It was the last line of the command: the line before it must no longer ask for another.
        slash = len(code[:first].rstrip(" \t\r\n")) - 1
        begin = slash
        while begin > 0 and code[begin - 1] in _SPACES:
            begin -= 1
        cut.append((begin, slash + 1))
    return tuple(cut)


def _member(code: str, site: Site) -> tuple[tuple[int, int], ...] | None:
    """A member of an object, with the comma behind it, or the one before it where it is the last."""
    start, end = site.whole
    if "\n" in code[start:end].strip():
        return None
    behind = end
    while behind < len(code) and code[behind] in " \t\r\n":
        behind += 1
    if code[behind : behind + 1] == ",":
        behind += 1
        line_start, line_end = _line(code, (start, behind))
        if not code[line_start:start].strip() and not code[behind:line_end].strip():
            return ((line_start, line_end),)
        while behind < len(code) and code[behind] in _SPACES:
            behind += 1
        return ((start, behind),)
    if code[behind : behind + 1] not in "}\\'\"]":
        return None
    before = start
    while before > 0 and code[before - 1] in " \t\r\n":
        before -= 1
    if before > 0 and code[before - 1] == ",":
        return ((before - 1, end),)
    if before > 0 and code[before - 1] in "{[":
        return ((before, end),)
    return None


def _parameter(code: str, site: Site) -> tuple[tuple[int, int], ...] | None:
    """A parameter of a URL."""
    start, end = site.whole
    before, after = code[start - 1 : start], code[end : end + 1]
    if before == "&":
        return ((start - 1, end),)
    if before == "?":
        return ((start, end + 1),) if after == "&" else ((start - 1, end),)
    return None


def _unused(code: str, site: Site, cut: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The line that made the value, where nothing uses it any more."""
    found = _VARIABLE.fullmatch(code[slice(*site.value)].strip())
    if found is None or site.kind == "variable":
        return ()
    name = re.escape(found[1] or found[2])
    uses = [
        use for use in re.finditer(rf"\b{name}\b", code) if not any(start <= use.start() < end for start, end in cut)
    ]
    if len(uses) != 1:
        return ()
    line = _line(code, uses[0].span())
    made = re.fullmatch(rf"[ \t]*(?:export |const |let |var |\$)?[ \t]*{name}[ \t]?=[^\n]*\n?", code[slice(*line)])
    return (
        (line,) if made and "\\\n" not in code[slice(*line)] and not code[slice(*line)].rstrip().endswith("\\") else ()
    )
