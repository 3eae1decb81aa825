"""The form of a skill file: what the Agent Skills specification and its strictest readers ask for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wizard.lint.model import Context, Fix
    from wizard.skill.document import SkillDocument
    from wizard.source import Span

KNOWN_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
MAX_NAME = 64
MAX_DESCRIPTION = 1024

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def name_problem(name: str, folder: str) -> str:
    """What a strict client has against the name of a `SKILL.md` in a folder; empty where it has nothing."""
    if len(name) > MAX_NAME:
        return f"`name` has {len(name)} characters; strict clients take at most {MAX_NAME}"
    if not _NAME.fullmatch(name):
        return "strict clients take a `name` of a to z, digits and single hyphens only"
    if folder and unicodedata.normalize("NFKC", folder) != name:
        return f"`name` is not that of its folder, `{folder}`"
    return ""


def description_problem(description: str) -> str:
    """What a strict client has against a description; empty where it has nothing."""
    if len(description) > MAX_DESCRIPTION:
        return f"`description` has {len(description):,} characters; strict clients take at most {MAX_DESCRIPTION:,}"
    if "<" in description or ">" in description:
        return "strict clients refuse angle brackets in a `description`"
    return ""


def declares(skill: SkillDocument) -> bool:
    """Whether a file holds a declaration, however broken."""
    return bool(skill.operation_path)


def head_span(skill: SkillDocument) -> Span:
    """The line that opens the frontmatter: where something is missing from all of it."""
    from wizard.source import Span

    text = skill.source.text
    start = text.find("---")
    return Span(max(start, 0), max(start, 0) + 3)


def frontmatter_fix(context: Context, title: str, edited: Callable[[SkillDocument], str]) -> Fix | None:
    """The safe fix that an edit of the whole frontmatter comes to: what differs, as one edit. None where the
    frontmatter cannot be edited so."""
    from wizard.errors import SkillError
    from wizard.lint.model import Edit, Fix
    from wizard.source import Span

    old = context.source.text
    try:
        new = edited(context.skill)
    except SkillError:
        return None
    if new == old:
        return None
    start, shorter = 0, min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Fix(title, (Edit(Span(start, len(old) - end), new[start : len(new) - end]),))
