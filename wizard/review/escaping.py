"""Text of skills and documents made fit to stand in Markdown that others show: it ends no place it stands in, calls
nobody, links nothing, and shows itself as it is."""

from __future__ import annotations

import re

from wizard.layout import shown

_ENTITIES = {sign: f"&#{ord(sign)};" for sign in "\\`*_[]<>|~&"}
_OPENING = re.compile(r"^(?:[-+=#>]|\d+(?=[.)]))")
_RUNS = re.compile("`+")
_ELLIPSIS = "…"
# Signs that no page shows, put where they part what a site would make a link or a mention of.
_APART = "&#8203;"


def one_line(text: str, limit: int) -> str:
    """A text in one line of at most `limit` characters, without what cannot be seen."""
    line = shown(" ".join(text[: limit * 4].split()))
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[: limit - 1].rstrip()}{_ELLIPSIS}"


def plain(text: str, limit: int = 300) -> str:
    """A text that stands in a sentence, a table's cell or an HTML element of a Markdown page."""
    line = one_line(text, limit)
    opening = _OPENING.match(line)
    told = "".join(_ENTITIES.get(sign, sign) for sign in line)
    if opening is not None:
        # Nothing of ours is as a list, a heading or a quotation begins.
        told = f"{_APART}{told}"
    told = told.replace("@", f"@{_APART}").replace("://", "&#58;//").replace("GH-", f"GH{_APART}-")
    return re.sub(r"(?<!&)#", f"#{_APART}", re.sub(r"(?i)www\.", lambda found: found[0][:-1] + _APART + ".", told))


def code(text: str, limit: int = 300) -> str:
    """A text as code inside a line; not for a table's cell."""
    line = one_line(text, limit)
    if not line:
        return ""
    fence = "`" * (max((len(run) for run in _RUNS.findall(line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def cell_code(text: str, limit: int = 300) -> str:
    """The same in a table's cell, where a pipe would end it."""
    return f"<code>{plain(text, limit)}</code>" if text.strip() else ""


def prose(text: str, limit: int = 1500, *, cell: bool = False) -> str:
    """A sentence of ours, in which names stand in backticks and may hold anything."""
    parts = one_line(text, limit).split("`")
    if len(parts) % 2 == 0:
        # The last one opens what nothing closes.
        parts[-2:] = ["`".join(parts[-2:])]
    told: list[str] = []
    for number, part in enumerate(parts):
        if not part:
            continue
        if number % 2 and part.strip():
            if told and told[-1].endswith("`"):
                told.append(_APART)
            told.append((cell_code if cell else code)(part, limit))
        else:
            spaced = part if number % 2 == 0 else f"`{part}`"
            inner = plain(spaced, limit)
            told.append(" " * spaced.startswith(" ") + inner + " " * (spaced.endswith(" ") and bool(spaced.strip())))
    return "".join(told).strip()


def fenced(lines: list[str], language: str = "", *, limit: int = 300, most: int = 16) -> str:
    """Lines as a block of code; what is more than `most` is counted."""
    told = [shown(line.rstrip("\r\n")) for line in lines[:most]]
    told = [line if len(line) <= limit else f"{line[: limit - 1]}{_ELLIPSIS}" for line in told]
    if len(lines) > most:
        told.append(f"{_ELLIPSIS} {len(lines) - most:,} more")
    fence = "`" * max(3, *(len(run) + 1 for run in _RUNS.findall("\n".join(told))), 3)
    return "\n".join([f"{fence}{language}", *told, fence])
