"""A skill file: its frontmatter with places, its prose, and the operation that it declares.

Nothing is lost and nothing raises: what cannot be read is a problem with its place, and the rest is read. A place in
the YAML text of a `SKILL.md`'s `metadata.outturn-operation` string is a place in the file, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wizard.operation.model import Operation
from wizard.operation.parsing import Problem, parse_operation
from wizard.skill.form import Form, form_of
from wizard.source import Source, Span

if TYPE_CHECKING:
    from wizard.yamltext.nodes import Node

Path = tuple[str | int, ...]

IN_SPEC: Path = ("operation",)
IN_SKILL: Path = ("metadata", "outturn-operation")

_OPENING = re.compile(r"\ufeff?(?P<before>(?:[ \t]*(?:\r\n|\n|\r))*)(?P<fence>---)[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class SkillProblem:
    """One thing that is wrong with a frontmatter."""

    rule: str
    """The lint rule it belongs to."""
    message: str
    span: Span
    suggestion: str = ""
    """What would stand in the span's place, where that is plain."""
    remedy: str = ""


@dataclass(frozen=True)
class SkillDocument:
    """A skill file that was read, as far as it could be."""

    source: Source
    form: Form
    """`skill` for a `SKILL.md`, `spec` for every other file."""
    frontmatter: Mapping[str, Any] | None
    """Its plain values; dates are text, keys are text. None where there is none, or none that can be read."""
    yaml_span: Span | None
    """Of the text between the fences; None where there are none."""
    body_span: Span
    """Of the prose behind the closing fence."""
    operation: Operation | None
    operation_path: Path
    """Where the operation stands in the frontmatter; empty where there is none."""
    problems: tuple[SkillProblem, ...]
    root: Node | None = None
    """The frontmatter's nodes. Their spans are places in the file."""
    inner: Node | None = None
    """The nodes of the string under `metadata.outturn-operation`, also by places in the file."""

    @property
    def body(self) -> str:
        return self.source.text[self.body_span.start : self.body_span.end]

    @property
    def name(self) -> str:
        return self._text("name")

    @property
    def description(self) -> str:
        return self._text("description")

    def _text(self, member: str) -> str:
        value = (self.frontmatter or {}).get(member)
        return value if isinstance(value, str) else ("" if value is None else str(value))

    def span(self, *path: str | int) -> Span | None:
        """The place of a value of the frontmatter; of all of it for the empty path. None where there is none."""
        from wizard.yamltext.nodes import at

        if self.inner is not None and path[:2] == IN_SKILL and len(path) > 2:
            found = at(self.inner, path[2:])
        else:
            found = at(self.root, path)
        return None if found is None else found.span

    def key_span(self, *path: str | int) -> Span | None:
        """The place of a member's key; of an element of a list, its value's place. None where there is none."""
        from wizard.yamltext.nodes import item_at

        if self.inner is not None and path[:2] == IN_SKILL and len(path) > 2:
            found = item_at(self.inner, path[2:])
        else:
            found = item_at(self.root, path)
        if found is None:
            return None
        return found.value.span if found.key is None else found.key.span

    def operation_span(self, *path: str | int) -> Span | None:
        """The place of a value of the operation (`"probe", "match"`), wherever the operation stands."""
        return self.span(*self.operation_path, *path) if self.operation_path else None

    def operation_key_span(self, *path: str | int) -> Span | None:
        """The place of a key of the operation; of the operation's own key for the empty path."""
        return self.key_span(*self.operation_path, *path) if self.operation_path else None


def prose_of(text: str) -> str:
    """What stands behind the frontmatter, all of a text that has none; without reading the frontmatter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    return text[closing.end() :] if closing else text.removeprefix("\ufeff")


def parse_skill(source: Source) -> SkillDocument:
    """Reads a skill file. Never raises for what is in it."""
    form = form_of(source.name)
    text = source.text
    opening = _OPENING.match(text)
    if opening is None:
        start = 1 if text.startswith("\ufeff") else 0
        missing = SkillProblem(
            "frontmatter-missing", "the file has no frontmatter", Span(start, _line_end(text, start)),
            remedy="Begin it with a line of `---`, the members `name` and `description`, and another line of `---`",
        )  # fmt: skip
        return SkillDocument(source, form, None, None, Span(start, len(text)), None, (), (missing,))
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        unended = SkillProblem(
            "frontmatter-invalid", "the frontmatter does not end", Span(opening.start("fence"), opening.end("fence")),
            remedy="Close it with a line of `---`",
        )  # fmt: skip
        return SkillDocument(source, form, None, None, Span(opening.end(), len(text)), None, (), (unended,))
    found = _Reading(source, form, Span(opening.end(), closing.start()), Span(closing.end(), len(text)))
    if opening["before"]:
        found.problems.append(SkillProblem(
            "frontmatter-invalid", "the frontmatter does not begin in the first line",
            Span(opening.start("fence"), opening.end("fence")), remedy="Take out the empty lines above it",
        ))  # fmt: skip
    return found.document()


class _Reading:
    def __init__(self, source: Source, form: Form, yaml: Span, body: Span) -> None:
        self.source, self.form, self.yaml, self.body = source, form, yaml, body
        self.problems: list[SkillProblem] = []
        self.inner: Node | None = None

    def document(self) -> SkillDocument:
        root, frontmatter = self.frontmatter()
        operation, path = (None, ()) if root is None else self.operation(root, frontmatter or {})
        return SkillDocument(
            self.source, self.form, frontmatter, self.yaml, self.body, operation, path, tuple(self.problems), root,
            self.inner,
        )  # fmt: skip

    def read(self, text: str, place: Callable[[Span], Span]) -> Node | None:
        """The nodes of a YAML text with places in the file; problems are noted, and give None."""
        from wizard.yamltext.nodes import YamlError, moved
        from wizard.yamltext.reading import read_yaml

        try:
            tree = read_yaml(text)
        except YamlError as error:
            span = place(error.span)
            quoted = ""
            if error.plain is not None:
                plain = text[error.plain.start : error.plain.end]
                quoted = "'" + plain.replace("'", "''") + "'"
            self.say("frontmatter-invalid", error.message, span, quoted, error.remedy)
            return None
        for twice in tree.duplicates:
            line = self.source.position(place(twice.first).start).line
            message = f"`{twice.path[-1]}` stands here a second time; the first is in line {line}"
            self.say("frontmatter-duplicate-key", message, place(twice.key), "", "Keep one of them")
        return None if tree.root is None else moved(tree.root, place)

    def say(self, rule: str, message: str, span: Span, suggestion: str = "", remedy: str = "") -> None:
        self.problems.append(SkillProblem(rule, message, span, suggestion, remedy))

    def frontmatter(self) -> tuple[Node | None, dict[str, Any] | None]:
        from wizard.yamltext.nodes import value_of

        start = self.yaml.start
        before = len(self.problems)
        root = self.read(
            self.source.text[start : self.yaml.end], lambda span: Span(start + span.start, start + span.end)
        )
        if root is None:
            if len(self.problems) == before:
                self.say(
                    "frontmatter-missing", "the frontmatter is empty", self.yaml, "", "Give `name` and `description`"
                )
            return None, None
        if root.kind != "mapping":
            self.say(
                "frontmatter-invalid", "the frontmatter is no mapping of names to values", root.span, "",
                "Write one `name: value` a line",
            )  # fmt: skip
            return None, None
        for item in root.items:
            if item.key is not None and item.key.kind != "scalar":
                self.say("frontmatter-invalid", "a name here is a text, not a list or a mapping", item.key.span)
        return root, value_of(root)

    def operation(self, root: Node, frontmatter: dict[str, Any]) -> tuple[Operation | None, Path]:
        if "operation" in frontmatter:
            return self.parsed(frontmatter["operation"], root, IN_SPEC), IN_SPEC
        metadata = frontmatter.get("metadata")
        if not isinstance(metadata, Mapping) or IN_SKILL[1] not in metadata:
            return None, ()
        value = metadata[str(IN_SKILL[1])]
        if isinstance(value, str):
            value = self.inner_value(root, value)
            if self.inner is None:
                return None, IN_SKILL
        return self.parsed(value, root, IN_SKILL), IN_SKILL

    def inner_value(self, root: Node, text: str) -> Any:
        from wizard.skill.embedded import places_of
        from wizard.yamltext.nodes import at, value_of

        holder = at(root, IN_SKILL)
        if holder is None:
            # Behind a merge key: its text stands elsewhere in the frontmatter.
            holder = root
        self.inner = self.read(text, places_of(self.source.text, holder, text))
        return None if self.inner is None else value_of(self.inner)

    def parsed(self, value: object, root: Node, path: Path) -> Operation | None:
        from wizard.yamltext.nodes import at, item_at

        operation, problems = parse_operation(value)
        for problem in problems:
            if self.inner is not None and path == IN_SKILL:
                place = _place(self.inner, problem) or _nearest(self.inner, problem.path)
            else:
                whole = replace(problem, path=(*path, *problem.path))
                place = _place(root, whole) or _nearest(root, whole.path)
            if not problem.path and (holder := item_at(root, path)) is not None and holder.key is not None:
                # The operation as a whole: its key says it better than a dozen marked lines.
                place = holder.key.span
            if place is None:
                found = at(root, ())
                place = root.span if found is None else found.span
            self.say(problem.rule, problem.message, place, problem.suggestion)
        return operation


def _place(root: Node, problem: Problem) -> Span | None:
    from wizard.yamltext.nodes import item_at

    found = item_at(root, problem.path)
    if found is None:
        return None
    value = found.value
    lines = value.kind != "scalar" and not value.flow
    # Of a mapping in lines of its own the key says it better than a dozen marked lines.
    if found.key is not None and (problem.at_key or lines or value.span.start == value.span.end):
        return found.key.span
    return value.span


def _nearest(root: Node, path: Path) -> Span | None:
    """The key of the innermost member of a path that there is."""
    from wizard.yamltext.nodes import item_at

    for length in range(len(path), 0, -1):
        found = item_at(root, path[:length])
        if found is not None:
            return found.value.span if found.key is None else found.key.span
    return None


def _line_end(text: str, start: int) -> int:
    found = re.compile(r"[^\r\n]*").match(text, start)
    return found.end() if found else start
