"""Approvals: a reviewer's word on single changes, in `skill-wizard.approvals.yaml`.

    approvals:
      - fingerprint: a8fac497afc2c5e2
        who: Ada Byron
        why: Two rooms a night are meant.
        when: 2026-11-30

The file lies in the reviewed folder, or above it up to the repository's top.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from wizard.errors import ConfigError, UsageError
from wizard.operation.parsing import nearest
from wizard.review.model import Approval
from wizard.review.trees import Tree
from wizard.source import Source, Span

if TYPE_CHECKING:
    from wizard.yamltext.nodes import Node

NAME = "skill-wizard.approvals.yaml"
TOP_KEYS = ("approvals",)
KEYS = ("fingerprint", "who", "why", "when")
NEEDED = ("fingerprint", "who", "why")

_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_AN_EXAMPLE = "Write `- fingerprint: …`, `who: …` and `why: …` for each"


def approvals_of(tree: Tree, path: str | None = None) -> tuple[Approval, ...]:
    """The approvals that hold for a side: of the file that is named, else of the nearest in the reviewed folder or
    above it. Raises ConfigError."""
    if path is not None:
        try:
            with open(path, "rb") as file:
                return parse_approvals(path, file.read())
        except OSError as error:
            raise ConfigError(f"it cannot be read: {error.strerror or error}", place=path) from None
    folder: str | None = "."
    while folder is not None:
        name = posixpath.normpath(posixpath.join(folder, NAME))
        if NAME in tree.folder(folder):
            return parse_approvals(name if tree.working else f"{tree.label}:{name}", tree.read(name) or b"")
        folder = tree.above(folder)
    return ()


def is_fingerprint(text: str) -> bool:
    """Whether a text has the form of a fingerprint."""
    return bool(_FINGERPRINT.fullmatch(text))


def parse_approvals(name: str, data: bytes) -> tuple[Approval, ...]:
    """Reads a file of approvals. Raises ConfigError with the place of the fault and what to do."""
    try:
        source = Source(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ConfigError("it is not UTF-8", place=name, remedy="Save it as UTF-8") from None
    root = _read(source)
    if root is None:
        return ()
    _mapping(source, root, TOP_KEYS, "the file")
    listed = root.item("approvals")
    if listed is None or _is_null(listed.value):
        return ()
    if listed.value.kind != "sequence":
        raise _wrong(source, listed.value.span, "`approvals` is a list", _AN_EXAMPLE)
    found: dict[str, Approval] = {}
    for item in listed.value.items:
        one = _approval(source, item.value)
        if one.fingerprint in found:
            raise _wrong(source, item.value.span, f"`{one.fingerprint}` is approved twice", "Keep one of them")
        found[one.fingerprint] = one
    return tuple(found.values())


def _read(source: Source) -> Node | None:
    from wizard.yamltext.nodes import YamlError
    from wizard.yamltext.reading import read_yaml

    try:
        tree = read_yaml(source.text)
    except YamlError as error:
        raise _wrong(source, error.span, error.message, error.remedy) from None
    for twice in tree.duplicates:
        raise _wrong(source, twice.key, f"`{twice.path[-1]}` stands here a second time", "Keep one of them")
    return tree.root


def _wrong(source: Source, span: Span, message: str, remedy: str) -> ConfigError:
    return ConfigError(message, place=str(source.place(span.start)), remedy=remedy.rstrip("."))


def _is_null(node: Node) -> bool:
    return node.kind == "scalar" and not node.style and node.text in ("", "null", "~")


def _mapping(source: Source, node: Node, known: tuple[str, ...], what: str) -> None:
    if node.kind != "mapping":
        raise _wrong(source, node.span, f"{what} is a mapping with {_listed(known)}", _AN_EXAMPLE)
    for item in node.items:
        if item.name not in known:
            near = nearest(item.name, known)
            hint = f"Did you mean `{near}`?" if near else f"There is {_listed(known)}"
            raise _wrong(
                source, item.key.span if item.key else node.span, f"there is no key `{item.name}` here", hint
            )  # fmt: skip


def _listed(names: tuple[str, ...]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _approval(source: Source, node: Node) -> Approval:
    _mapping(source, node, KEYS, "an approval")
    values: dict[str, str] = {}
    for item in node.items:
        if item.value.kind != "scalar":
            raise _wrong(source, item.value.span, f"`{item.name}` is a text", "Write it in one line, or behind `|`")
        values[item.name] = "" if _is_null(item.value) else item.value.text.strip()
    for name in NEEDED:
        if not values.get(name):
            raise _wrong(source, node.span, f"the approval has no `{name}`", f"Add `{name}: …`")
    if not is_fingerprint(values["fingerprint"]):
        raise _wrong(
            source, _value(node, "fingerprint").span,
            f"`{values['fingerprint']}` is no fingerprint: it has 16 digits of 0-9 and a-f",
            "`skill-wizard review` prints it below each change",
        )  # fmt: skip
    when = values.get("when", "")
    if when and not _DAY.match(when):
        raise _wrong(source, _value(node, "when").span, f"`{when}` is no day", "Write it as `2026-11-30`")
    return Approval(fingerprint=values["fingerprint"], who=values["who"], why=values["why"], when=when)


def _value(node: Node, name: str) -> Node:
    found = node.item(name)
    return node if found is None else found.value


def add_approval(text: str, approval: Approval, name: str = NAME) -> str:
    """The text of a file of approvals with one more, or with that fingerprint's one changed; comments and everything
    else stay. Raises ConfigError where the text is broken, UsageError where it does not take the edit."""
    from wizard.yamltext.editing import EditError, edit_text, newline_of
    from wizard.yamltext.printing import Style
    from wizard.yamltext.reading import read_yaml

    old = parse_approvals(name, text.encode("utf-8", "surrogatepass"))
    style = Style(newline=newline_of(text), flow=False)
    value = {key: one for key in KEYS if (one := getattr(approval, key))}
    index = next((at for at, one in enumerate(old) if one.fingerprint == approval.fingerprint), None)
    if index is not None:
        changes: dict[tuple[str | int, ...], Any] = {("approvals", index, key): one for key, one in value.items()}
    else:
        appended = _appended(text, value, style)
        if appended is not None and parse_approvals(name, appended.encode()) == (*old, approval):
            return appended
        listed = [{key: given for key in KEYS if (given := getattr(one, key))} for one in old]
        changes = {("approvals",): [*listed, value]}
    try:
        return edit_text(text, read_yaml, changes, style)
    except EditError as error:
        raise UsageError(f"{name} cannot be edited: {error}", remedy="Write the approval into it by hand") from None


def _appended(text: str, value: dict[str, str], style: Any) -> str | None:
    """The text with one more element behind the last of a block list; None where it has no such list."""
    from wizard.yamltext.printing import element
    from wizard.yamltext.reading import read_yaml

    root = read_yaml(text).root
    listed = root.item("approvals") if root is not None and root.kind == "mapping" else None
    if listed is None or listed.value.kind != "sequence" or listed.value.flow or not listed.value.items:
        return None
    last = listed.value.items[-1]
    start = text.rfind("\n", 0, last.start) + 1
    indent = last.start - start
    end = text.find("\n", max(last.value.span.end - 1, last.start))
    head = text[: end + 1] if end >= 0 else text + style.newline
    tail = text[end + 1 :] if end >= 0 else ""
    return f"{head}{' ' * indent}- {element(value, indent + 2, style)}{style.newline}{tail}"
