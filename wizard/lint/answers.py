"""What an editor asks of the linter, answered from a path and a text: marks, actions, hover and completions."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wizard.lint.config import find_config, load_config
from wizard.lint.engine import Engine, Request
from wizard.lint.rulebook import load_rule
from wizard.lint.settings import Settings
from wizard.lint.signs import may_declare
from wizard.lint.writing import about_member, about_operation, member_at, offers
from wizard.skill.document import parse_skill
from wizard.skill.form import form_of
from wizard.source import Position, Source

if TYPE_CHECKING:
    from wizard.lint.documents import Documents
    from wizard.lint.located import LocatedFinding
    from wizard.lint.writing import Offer
    from wizard.spec.model import ApiDocument


@dataclass(frozen=True, slots=True)
class Near:
    """Another place in the same file that a mark speaks of. Offsets count code points."""

    start: int
    end: int
    message: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding as an editor shows it."""

    rule: str
    severity: str
    message: str
    start: int
    end: int
    related: tuple[Near, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """The text between two offsets becomes `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """Something that puts a mark right, or allows it."""

    title: str
    mark: Mark
    edits: tuple[Change, ...]
    safe: bool = False


class Answers:
    """Answers questions about open files; API documents are read once and again when somebody saves."""

    def __init__(self) -> None:
        self.documents: Documents | None = None
        self.known: tuple[str, str, tuple[LocatedFinding, ...]] | None = None

    def forget(self) -> None:
        """A file was saved: what was read may be another now."""
        self.documents = None
        self.known = None

    def settings(self, path: str) -> Settings:
        found = find_config(os.path.dirname(path) or ".")
        return load_config(found) if found is not None else Settings(root=os.path.dirname(path) or ".")

    def engine(self, path: str, text: str) -> Engine:
        request = Request(paths=(path,), texts={path: text}, cache=False, jobs=1)
        engine = Engine(request, self.settings(path), start=os.path.dirname(path) or ".")
        if self.documents is not None and self.documents.top == engine.documents.top:
            engine.documents = self.documents
        self.documents = engine.documents
        return engine

    def findings(self, path: str, text: str) -> tuple[LocatedFinding, ...]:
        """What the linter says of a file; nothing of one that is no skill. Raises ConfigError."""
        if self.known is not None and self.known[:2] == (path, text):
            return self.known[2]
        found: tuple[LocatedFinding, ...] = ()
        if form_of(path) == "skill" or may_declare(text.encode("utf-8", "surrogatepass")):
            report = self.engine(path, text).run()
            found = tuple(one for one in report.findings if one.spot.path == path)
        self.known = (path, text, found)
        return found

    def marks(self, path: str, text: str) -> list[Mark]:
        source = Source(path, text)
        return [_mark(source, found) for found in self.findings(path, text)]

    def actions(self, path: str, text: str, start: int, end: int) -> list[Action]:
        """The fixes of the marks that touch a stretch, and the comments that would allow them."""
        source = Source(path, text)
        fixes, allowed = [], []
        for found in self.findings(path, text):
            mark = _mark(source, found)
            if mark.start > end or mark.end < start:
                continue
            if found.fix is not None and all(edit.path == path for edit in found.fix.edits):
                edits = tuple(Change(edit.start, edit.end, edit.text) for edit in found.fix.edits)
                safe = found.fix.safety == "safe"
                fixes.append(Action(found.fix.title, mark, edits, safe))
            if mark.rule not in _BEFORE_COMMENTS:
                allowed.append(_allow(source, mark))
        return [*fixes, *allowed]

    def hover(self, path: str, text: str, offset: int) -> str:
        """What to show at an offset, in Markdown; empty where there is nothing."""
        parts = []
        member = member_at(text, offset)
        if member is not None:
            mapping, name = member
            if mapping:
                said = about_member(mapping, name)
                if said:
                    parts.append(f"**{name}**: {said}")
            else:
                operation = parse_skill(Source(path, text)).operation
                if operation is not None:
                    parts.append(about_operation(operation))
        source = Source(path, text)
        touched = [found.rule for found in self.findings(path, text) if _touches(_mark(source, found), offset)]
        for rule in dict.fromkeys(touched):
            parts.append(f"### {rule}\n\n{load_rule(rule).why.strip()}")
        return "\n\n---\n\n".join(parts)

    def offers(self, path: str, text: str, offset: int) -> list[Offer]:
        """What may be written at an offset."""
        return offers(text, offset, self.document(path, text))

    def document(self, path: str, text: str) -> ApiDocument | None:
        """The API document that the file is checked against."""
        engine = self.engine(path, text)
        chosen = engine.choose(path, engine.settings_of(path))
        return engine.documents.load(chosen.name) if chosen is not None else None


_BEFORE_COMMENTS = ("frontmatter-missing", "frontmatter-invalid", "file-unreadable")
"""Rules on files in which no comment can be read."""


def _touches(mark: Mark, offset: int) -> bool:
    return mark.start <= offset <= mark.end


def _mark(source: Source, found: LocatedFinding) -> Mark:
    spot = found.spot
    start = source.offset(Position(spot.line, spot.column))
    end = source.offset(Position(spot.end_line, spot.end_column))
    near = tuple(
        Near(
            source.offset(Position(other.spot.line, other.spot.column)),
            source.offset(Position(other.spot.end_line, other.spot.end_column)),
            other.message,
        )
        for other in found.related
        if other.spot.path == spot.path
    )
    return Mark(found.rule, found.severity, found.message, start, max(start, end), near)


def _allow(source: Source, mark: Mark) -> Action:
    """The comment above a place that allows a rule there; the reason is left to be written."""
    line = source.position(mark.start).line
    start = source.line_starts[line - 1]
    said = source.line(line)
    indent = said[: len(said) - len(said.lstrip())]
    fences = [found.end() for found in re.finditer(r"^---[ \t]*\r?$", source.text, re.MULTILINE)]
    front = len(fences) > 1 and mark.start < fences[1]
    if front and mark.start <= fences[0]:
        # What is missing is said at the opening fence, and allowed behind it.
        start = source.line_starts[line]
    end = "\r\n" if "\r\n" in source.text else "\n"
    if front:
        comment = f"{indent}# skill-wizard: allow {mark.rule}: REASON{end}"
    else:
        fence = _fence_start(source, line)
        start = source.line_starts[fence - 1]
        comment = f"<!-- skill-wizard: allow {mark.rule}: REASON -->{end}"
    return Action(f"Allow {mark.rule} here", mark, (Change(start, start, comment),))


def _fence_start(source: Source, line: int) -> int:
    """The line that opens the code fence around a line; the line itself outside of one; of a table or a paragraph
    its first line."""
    opened = None
    for number in range(1, line + 1):
        if re.match(r"[ \t>]*(?:`{3,}|~{3,})", source.line(number)):
            opened = None if opened is not None else number
    if opened is not None:
        return opened
    while line > 1 and source.line(line - 1).strip():
        line -= 1
    return line
