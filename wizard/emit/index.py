"""The index of a skill folder: every operation with a link to its file; for large APIs by way of a file a group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from wizard.emit.names import slug, usable
from wizard.emit.safety import code, inline, instructions_in, plain
from wizard.emit.wording import summary, title_of
from wizard.spec.model import ApiDocument, ApiOperation

INDEX_FILE = "SKILL.md"
MOST_SIGNS = 16_000
"""A longer index has a file for each group: a model reads the index before all else, and whole."""

_LINK = re.compile(r"\]\(([^)\s]+\.md)\)")


@dataclass(frozen=True, slots=True)
class Link:
    """One line of an index. The texts are fit to stand in it."""

    title: str
    file: str
    """Relative to the file that it stands in."""
    about: str

    @property
    def line(self) -> str:
        return f"- [{self.title}]({self.file}): {self.about}"


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that belong together: those of a tag, or of the first part of their paths."""

    name: str
    """Empty for those without one."""
    about: str
    links: tuple[Link, ...]
    file: str = ""
    """`groups/bookings.md`, where the group has a file of its own."""


def link_to(operation: ApiOperation, name: str) -> Link:
    """The link to an operation's file, from the index."""
    title = summary(operation).replace("[", "(").replace("]", ")")
    return Link(title, f"operations/{name}.md", code(operation.name))


def groups_of(document: ApiDocument, named: Sequence[tuple[ApiOperation, str]]) -> tuple[Group, ...]:
    """The operations, each with its skill's name, in groups in the document's order.

    Groups have files of their own where one index of all would be too long.
    """
    tagged = any(operation.tags for operation, _ in named)
    counted = Counter(part for operation, _ in named for part in set(_parts(operation)))
    # What stands in nearly all paths (`/api/v1`) tells none apart.
    shared = {part for part, count in counted.items() if count > 0.8 * len(named)}
    found: dict[str, list[Link]] = {tag: [] for tag in document.tags}
    for operation, name in named:
        key = (
            next(iter(operation.tags), "")
            if tagged
            else next((one for one in _parts(operation) if one not in shared), "")
        )
        found.setdefault(key, []).append(link_to(operation, name))
    groups = [
        Group("" if instructions_in(key) else inline(key, 60).lstrip("#- "), _about(document, key), tuple(links))
        for key, links in found.items()
        if links
    ]
    if sum(len(link.line) for group in groups for link in group.links) <= MOST_SIGNS:
        # Paths that share a beginning say little by themselves; tags were made to be read.
        return tuple(groups) if tagged else (Group("", "", tuple(link for group in groups for link in group.links)),)
    used: set[str] = set()
    return tuple(_with_file(group, used) for group in groups)


def _parts(operation: ApiOperation) -> list[str]:
    return [part for part in operation.path.split("/") if part and not part.startswith("{")]


def _with_file(group: Group, used: set[str]) -> Group:
    base = usable(slug(group.name, humps=False) or "others")
    name, number = base, 2
    while name in used:
        name, number = f"{base}-{number}", number + 1
    used.add(name)
    links = tuple(replace(link, file=f"../{link.file}") for link in group.links)
    return replace(group, name=group.name or "Others", links=links, file=f"groups/{name}.md")


def _about(document: ApiDocument, tag: str) -> str:
    text = document.tags.get(tag, "")
    return "" if instructions_in(text) else inline(plain(text), 200)


def group_links(groups: Sequence[Group]) -> tuple[Link, ...]:
    """The links to the files of groups, from the index."""
    links = []
    for group in groups:
        count = "1 operation" if len(group.links) == 1 else f"{len(group.links)} operations"
        about = f"{count}. {group.about}" if group.about else f"{count}."
        links.append(Link(group.name.replace("[", "(").replace("]", ")"), group.file, about))
    return tuple(links)


def index_values(document: ApiDocument, groups: Sequence[Group]) -> dict[str, Any]:
    """What the index's template is given: `title`, `count`, and `groups`, or `files`, the links to those of groups."""
    apart = any(group.file for group in groups)
    return {
        "title": title_of(document.title),
        "count": sum(len(group.links) for group in groups),
        "groups": () if apart else tuple(groups),
        "files": group_links(groups) if apart else (),
    }


def add_links(text: str, links: Sequence[Link]) -> str:
    """An index that somebody has edited, with the links that it lacks behind the last one that it has."""
    known = set(_LINK.findall(text))
    missing = [link.line for link in links if link.file not in known]
    if not missing:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    found = list(_LINK.finditer(text))
    if not found:
        return text.rstrip("\r\n") + newline * 2 + newline.join(missing) + newline
    end = text.find("\n", found[-1].end())
    if end < 0:
        return text + newline + newline.join(missing)
    return text[: end + 1] + newline.join(missing) + newline + text[end + 1 :]
