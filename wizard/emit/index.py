"""The index of a skill folder: every operation with a link to its file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wizard.emit.safety import code, inline, instructions_in, plain
from wizard.emit.wording import summary, title_of
from wizard.spec.model import ApiDocument, ApiOperation

INDEX_FILE = "SKILL.md"
MOST_SIGNS = 16_000
"""An index that would be longer than that has the links of a group in one line: a model reads it before all else."""

_LINK = re.compile(r"\]\((operations/[^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One operation in an index."""

    operation: ApiOperation
    name: str
    file: str
    """Relative to the index."""

    @classmethod
    def of(cls, operation: ApiOperation, name: str, names: Mapping[str, str]) -> Entry:
        return cls(operation, name or names[operation.name], f"operations/{name or names[operation.name]}.md")


def index_values(document: ApiDocument, entries: Sequence[Entry]) -> dict[str, Any]:
    """What the index's template is given: `title`, `count`, `short` and `groups` of entries."""
    groups: dict[str, list[Entry]] = {tag: [] for tag in document.tags}
    for entry in entries:
        groups.setdefault(entry.operation.tags[0] if entry.operation.tags else "", []).append(entry)
    listed: list[dict[str, Any]] = [
        {
            "name": "" if instructions_in(tag) else inline(tag, 60).lstrip("#- "),
            "about": _about(document.tags.get(tag, "")),
            "entries": [
                {
                    "title": summary(entry.operation).replace("[", "(").replace("]", ")"),
                    "name": entry.name,
                    "file": entry.file,
                    "call": code(entry.operation.name),
                }
                for entry in group
            ],
        }
        for tag, group in groups.items()
        if group
    ]
    signs = sum(len(str(value)) for group in listed for entry in group["entries"] for value in entry.values())
    return {
        "title": title_of(document.title),
        "count": len(entries),
        "short": signs > MOST_SIGNS,
        "groups": listed,
    }


def _about(text: str) -> str:
    return "" if instructions_in(text) else inline(plain(text), 200)


def add_links(text: str, entries: Sequence[Entry]) -> str:
    """An index that somebody has edited, with the links that it lacks behind the last one that it has."""
    linked = set(_LINK.findall(text))
    missing = [entry for entry in entries if entry.file not in linked]
    if not missing:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [
        f"- [{summary(one.operation).replace('[', '(').replace(']', ')')}]({one.file}): {code(one.operation.name)}"
        for one in missing
    ]
    found = list(_LINK.finditer(text))
    if not found:
        return text.rstrip("\r\n") + newline * 2 + newline.join(lines) + newline
    end = text.find("\n", found[-1].end())
    if end < 0:
        return text + newline + newline.join(lines)
    return text[: end + 1] + newline.join(lines) + newline + text[end + 1 :]
