"""The smallest edit of a YAML or JSON text that gives it other values.

A change is a path of member names (and indexes of lists) with its new value, or REMOVED. What is not changed keeps
its bytes: comments, order, quotes, indentation, line ends. The edited text is read again, and is what was asked for,
or EditError is raised and nothing is given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wizard.yamltext.changes import REMOVED, EditError, Path, Removed, changed, same
from wizard.yamltext.editor import Edit, Editor
from wizard.yamltext.nodes import Node, Tree, YamlError, is_whole, value_of
from wizard.yamltext.printing import Style, flow, member, scalar

__all__ = ["REMOVED", "Edit", "EditError", "Path", "Removed", "apply_edits", "edit_text", "flow_to_block", "newline_of"]

Read = Callable[[str], Tree]

_NEWLINE = re.compile(r"\r\n|\n|\r")


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits done; they do not overlap."""
    pieces, done = [], 0
    # Of two at one place the empty span comes first: an insertion before what replaces the text there.
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        if edit.span.start < done:
            raise EditError("two changes meet in one place")
        pieces += [text[done : edit.span.start], edit.text]
        done = edit.span.end
    return "".join([*pieces, text[done:]])


def newline_of(text: str) -> str:
    """The line end that a text uses first; LF where it has none."""
    found = _NEWLINE.search(text)
    return found[0] if found else "\n"


def edit_text(text: str, read: Read, changes: Mapping[Path, Any], style: Style) -> str:
    """The text with the changes made. Raises EditError; YamlError where the text cannot be read."""
    tree = read(text)
    root = tree.root
    expected = changed({} if root is None else value_of(root), changes)
    if root is None:
        return _into_nothing(text, expected, style)
    if same(expected, value_of(root)):
        return text
    for text_now, literals, coarse in _attempts(text, root):
        now = read(text_now).root if text_now is not text else root
        if now is None:
            continue
        editor = Editor(text_now, replace(style, literals=literals), coarse=coarse)
        try:
            editor.all(now, changes)
            edited = apply_edits(text_now, editor.edits)
            again = read(edited).root
        except (YamlError, EditError):
            continue
        if again is not None and same(value_of(again), expected):
            return edited
    names = ", ".join(".".join(map(str, path)) or "all of it" for path in changes)
    raise EditError(f"this text cannot be edited without rewriting it ({names})")


def _into_nothing(text: str, value: Any, style: Style) -> str:
    if not value:
        return text
    gap = style.newline if text and not text.endswith(("\n", "\r")) else ""
    lines = (
        [member(str(name), one, 0, style) for name, one in value.items()]
        if isinstance(value, Mapping)
        else [flow(value)]
    )
    return text + gap + style.newline.join([*lines, ""])


def _attempts(text: str, root: Node) -> Iterator[tuple[str, bool, bool]]:
    """The text to edit, whether with literal blocks, and how coarsely, from the smallest edit on.

    A change to what an alias repeats needs the alias spelled out; a literal block would swallow a comment behind it.
    """
    spelled = _without_aliases(root)
    texts = [text, apply_edits(text, spelled)] if spelled else [text]
    for coarse in (False, True):
        for one in texts:
            for literals in (True, False):
                yield one, literals, coarse


def _without_aliases(root: Node) -> list[Edit]:
    """Every alias spelled out; none where something of the text was left out."""
    edits: list[Edit] = []
    if not is_whole(root):
        return edits

    def walk(node: Node) -> None:
        for item in node.items:
            if item.key is not None and item.key.alias:
                edits.append(Edit(item.key.span, scalar(item.key.text, flow=True)))
            if item.value.alias:
                edits.append(Edit(item.value.span, flow(value_of(item.value))))
            else:
                walk(item.value)

    walk(root)
    return edits


def flow_to_block(text: str, read: Read, style: Style) -> str:
    """The text with every list and mapping that stands in brackets in lines of its own. Raises EditError."""
    root = read(text).root
    editor = Editor(text, replace(style, flow=False))

    def walk(node: Node) -> None:
        for item in node.items:
            old = item.value
            if old.flow and old.items and not old.alias:
                editor.replace(node, item, value_of(old))
            elif not old.alias:
                walk(old)

    if root is not None:
        walk(root)
    edited = apply_edits(text, editor.edits)
    again = read(edited).root
    if root is not None and (again is None or not same(value_of(again), value_of(root))):
        raise EditError("this text cannot be edited without rewriting it")
    return edited
