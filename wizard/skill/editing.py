"""The smallest edit of a skill file's frontmatter. The prose keeps its bytes, and so does what is not changed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wizard.errors import SkillError
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.skill.document import IN_SKILL, IN_SPEC, Path, SkillDocument
from wizard.yamltext.editing import REMOVED, EditError, Removed, edit_text, flow_to_block, newline_of
from wizard.yamltext.nodes import YamlError, at, item_at, value_of
from wizard.yamltext.printing import Style, member
from wizard.yamltext.reading import read_yaml

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


def edit_frontmatter(document: SkillDocument, changes: Mapping[Path, Any]) -> str:
    """The file's text with other values in its frontmatter; a value of REMOVED takes a member away.

    A path below `metadata`, `outturn-operation` goes into the YAML text of that string. Without a frontmatter the file
    gets one. Raises SkillError where the frontmatter cannot be read, or cannot be edited without rewriting it.
    """
    text = document.source.text
    if document.yaml_span is None:
        if any(problem.rule == "frontmatter-invalid" for problem in document.problems):
            raise _unreadable(document)
        start = 1 if text.startswith("\ufeff") else 0
        newline = newline_of(text)
        inner = _edited(document, "", _outer(document, changes))
        return f"{text[:start]}---{newline}{inner}---{newline}{text[start:]}"
    if document.root is None and any(problem.rule == "frontmatter-invalid" for problem in document.problems):
        raise _unreadable(document)
    span = document.yaml_span
    yaml = text[span.start : span.end]
    return text[: span.start] + _edited(document, yaml, _outer(document, changes)) + text[span.end :]


def set_operation(document: SkillDocument, operation: Operation | Mapping[str, Any] | Removed) -> str:
    """The file's text with another operation where its operation stands, or where one belongs in this kind of file."""
    value: Any = print_operation(operation) if isinstance(operation, Operation) else operation
    path = document.operation_path or (IN_SKILL if document.form == "skill" else IN_SPEC)
    if path == IN_SKILL and value is not REMOVED and not isinstance(_at(document, IN_SKILL), Mapping):
        value = _inner_text(document, {(): value})
    return edit_frontmatter(document, {path: value})


def move_operation(document: SkillDocument) -> str:
    """The text of a `SKILL.md` with its operation as one string under `metadata`, its comments kept.

    The same text where it stands there already, or where there is none. Raises SkillError.
    """
    path = document.operation_path
    value = _at(document, path) if path else None
    if document.form != "skill" or not isinstance(value, Mapping):
        return document.source.text
    inner = _own_text(document, path)
    if inner is None:
        inner = _printed(value)
    changes: dict[Path, Any] = {IN_SKILL: inner}
    if path != IN_SKILL:
        changes[path] = REMOVED
    return edit_frontmatter(document, changes)


def frontmatter_in_lines(document: SkillDocument) -> str:
    """The file's text with no list or mapping of its frontmatter in brackets. Raises SkillError."""
    if document.yaml_span is None or document.root is None:
        return document.source.text
    span, text = document.yaml_span, document.source.text
    try:
        edited = flow_to_block(text[span.start : span.end], read_yaml, _style(document))
    except (EditError, YamlError) as error:
        raise SkillError(str(error), place=document.source.name) from error
    return text[: span.start] + edited + text[span.end :]


def _unreadable(document: SkillDocument) -> SkillError:
    problem = next(one for one in document.problems if one.rule == "frontmatter-invalid")
    place = str(document.source.place(problem.span.start))
    return SkillError(f"the frontmatter cannot be edited: {problem.message}", place=place, remedy=problem.remedy)


def _style(document: SkillDocument) -> Style:
    # Clients read a SKILL.md with parsers that refuse `[a, b]`.
    return Style(newline=newline_of(document.source.text), flow=document.form == "spec")


def _edited(document: SkillDocument, yaml: str, changes: Mapping[Path, Any]) -> str:
    try:
        return edit_text(yaml, read_yaml, changes, _style(document))
    except (EditError, YamlError) as error:
        raise SkillError(str(error), place=document.source.name) from error


def _at(document: SkillDocument, path: Path) -> Any:
    value: Any = document.frontmatter
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _outer(document: SkillDocument, changes: Mapping[Path, Any]) -> dict[Path, Any]:
    """The changes with those of the string's own text as one change of the string."""
    outer: dict[Path, Any] = {}
    inner: dict[Path, Any] = {}
    for path, value in changes.items():
        if path[:2] == IN_SKILL and len(path) > 2 and not isinstance(_at(document, IN_SKILL), Mapping):
            inner[path[2:]] = value
        else:
            outer[path] = value
    if inner:
        outer[IN_SKILL] = _inner_text(document, inner)
    return outer


def _inner_text(document: SkillDocument, changes: Mapping[Path, Any]) -> str:
    old = _at(document, IN_SKILL)
    try:
        return edit_text(old if isinstance(old, str) else "", read_yaml, changes, Style(flow=False))
    except (EditError, YamlError) as error:
        raise SkillError(str(error), place=document.source.name) from error


def _printed(value: Mapping[str, Any]) -> str:
    style = Style(flow=False)
    return "".join(member(name, one, 0, style) + "\n" for name, one in value.items())


def _own_text(document: SkillDocument, path: Path) -> str | None:
    """The lines of a mapping as they stand, no longer indented; None where they mean something else by themselves."""
    holder = item_at(document.root, path)
    if holder is None or holder.value.flow or not holder.value.items:
        return None
    text, node = document.source.text, holder.value
    first = node.items[0].start
    start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    column = first - start
    key_line_end = _LINE.match(text, holder.key.span.end if holder.key else first)
    if text[start:first].strip(" ") or key_line_end is None or key_line_end.end() > start:
        return None
    last = _LINE.match(text, node.span.end)
    raw = text[key_line_end.end() : last.end() if last else node.span.end]
    lines = []
    for line in re.split(r"\r\n|\n|\r", raw.removesuffix("\n").removesuffix("\r")):
        blanks = len(line) - len(line.lstrip(" "))
        lines.append(line[min(blanks, column) :])
    inner = "\n".join(lines) + "\n"
    try:
        root = read_yaml(inner).root
    except YamlError:
        return None
    there = at(document.root, path)
    return inner if root is not None and there is not None and value_of(root) == value_of(there) else None
