"""What would be written: new skills, and the smallest change of those that are there. Pure: nothing is read or written.

A file is ours if the lock knows it. What somebody changed in it since stays: their prose, their name and description,
their declaration. A confirmed declaration is never made a proposed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from wizard.emit import digests
from wizard.emit.index import INDEX_FILE, Link, add_links, groups_of, index_values
from wizard.emit.lock import FILE, Lock, LockedDocument, LockedFile, LockedOperation, print_lock
from wizard.emit.model import FileChange, Layout, PassedOver, Plan, Subject
from wizard.emit.names import api_name, cut, operation_names
from wizard.emit.render import GROUP, INDEX, OPERATION, Templates
from wizard.emit.safety import inline
from wizard.emit.views import view
from wizard.emit.wording import description, index_description
from wizard.errors import SkillError
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation
from wizard.operation.printing import print_operation
from wizard.skill.document import SkillDocument, parse_skill, prose_of
from wizard.skill.editing import set_operation
from wizard.source import Source
from wizard.spec.model import ApiDocument
from wizard.yamltext.printing import Style, member

Existing = Callable[[str], str | None]
"""The text of a file by its path from the output folder; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to write."""

    source: str
    """The document's path from the output folder, with `/`, or its URL."""
    layout: Layout = Layout.FOLDER
    force: bool = False
    """Files that are not ours are overwritten."""


def plan_skills(
    document: ApiDocument,
    subjects: Sequence[Subject],
    *,
    options: Options,
    templates: Templates,
    existing: Existing,
    lock: Lock,
    passed_over: Iterable[PassedOver] = (),
) -> Plan:
    """What writing skills for `subjects` would change. Raises UsageError where a template cannot be filled in."""
    return _Planner(document, options, templates, existing, lock).plan(subjects, tuple(passed_over))


class _Planner:
    def __init__(
        self, document: ApiDocument, options: Options, templates: Templates, existing: Existing, lock: Lock
    ) -> None:  # fmt: skip
        self.document, self.options, self.templates, self.existing, self.lock = (
            document, options, templates, existing, lock,
        )  # fmt: skip
        self.known = lock.document(options.source) or LockedDocument(source=options.source)
        self.operations = self.known.by_operation()
        self.files = self.known.by_path()
        self.changes: list[FileChange] = []
        self.refused: list[tuple[str, str]] = []
        self.warnings: dict[str, None] = {}
        self.notes: list[str] = []
        self.api = self.known.name or self._free_api_name()
        self.names = self._names()

    def _free_api_name(self) -> str:
        name = api_name(self.document.title, self.document.servers)
        others = {one.name for one in self.lock.documents if one.source != self.options.source}
        free, number = name, 2
        while free in others:
            free, number = f"{cut(name, 60)}-{number}", number + 1
        return free

    def _names(self) -> dict[str, str]:
        taken = {one.operation: one.name for one in self.operations.values() if one.name}
        others = {
            one.name for held in self.lock.documents if held.source != self.options.source for one in held.operations
        }
        prefix = self.api if self.options.layout is Layout.SINGLE else ""
        return operation_names(self.document.operations, taken, prefix=prefix, others=others, other_prefix=self.api)

    def plan(self, subjects: Sequence[Subject], passed_over: tuple[PassedOver, ...]) -> Plan:
        for subject in subjects:
            self.operation(subject)
        for one in passed_over:
            self.operations[one.api.name] = LockedOperation(
                operation=one.api.name, operation_id=one.api.operation_id, decision=one.decision, reason=one.reason,
                source=digests.of_operation(one.api, self.document),
            )  # fmt: skip
        if self.options.layout is Layout.FOLDER:
            self.index()
        for name, held in self.operations.items():
            if name not in self.document.by_name and held.file:
                self.notes.append(f"{name} is no longer in the document; `{held.file}` stays as it is")
        if not self.refused:
            self.write_lock()
        return Plan(
            changes=tuple(self.changes), refused=tuple(self.refused), warnings=tuple(self.warnings),
            notes=tuple(self.notes),
        )  # fmt: skip

    # One operation

    def path(self, name: str) -> str:
        if self.options.layout is Layout.SINGLE:
            return f"{name}/SKILL.md"
        return f"{self.api}/operations/{name}.md" if self.options.layout is Layout.FOLDER else f"{name}.md"

    def operation(self, subject: Subject) -> None:
        api = subject.api
        _, problems = parse_operation(print_operation(subject.operation))
        if problems:
            place = self.document.place(api.pointer)
            self.warnings[f"{place}: {api.name} is left out: {inline(problems[0].message, 200)}"] = None
            return
        name = self.names[api.name]
        path = self.path(name)
        old = self.existing(path)
        held = None if old is None else parse_skill(Source(path, old))
        operation = self.kept_declaration(subject, held)
        prose = self.prose(name, operation, subject)
        text = self.operation_text(name, operation, subject, prose)
        if old is not None and held is not None:
            found = self.updated(path, old, held, operation, text, prose)
            if found is None:
                return
            text = found
        self.change(path, old, text)
        self.operations[api.name] = LockedOperation(
            operation=api.name, operation_id=api.operation_id, name=name, file=path,
            source=digests.of_operation(api, self.document), declaration=digests.of_declaration(operation),
            status=("confirmed" if operation.confirmed else "proposed") if operation.is_write else "",
            key_source=subject.key_source,
        )  # fmt: skip

    def kept_declaration(self, subject: Subject, held: SkillDocument | None) -> Operation:
        """The declaration to write: the new one, or the one that stands there and that a person has had a say in."""
        new, name = subject.operation, subject.api.name
        old = None if held is None else held.operation
        if old is None or (new.confirmed and new.is_write):
            return new if old is None else replace(new, extra=new.extra or old.extra)
        locked = self.operations.get(name)
        edited = locked is not None and locked.declaration and locked.declaration != digests.of_declaration(old)
        if not edited and (not old.confirmed or not old.is_write):
            return replace(new, extra=new.extra or old.extra)
        if not edited and digests.of_declaration(old) == digests.of_declaration(new):
            return old
        if digests.of_declaration(old) != digests.of_declaration(new):
            differs = ", ".join(f"`{one}`" for one in _differing(old, new))
            what = "was changed by hand" if edited else "is confirmed"
            self.notes.append(f"{name}: its declaration {what} and stays as it is; the proposal differs in {differs}")
        return old

    def prose(self, name: str, operation: Operation, subject: Subject) -> str:
        found = view(name, operation, subject.api, self.document.title, self.warn)
        return self.templates.render(OPERATION, {"operation": found})

    def warn(self, pointer: str, said: str) -> None:
        place = self.document.place(pointer)
        self.warnings[f"{place}: this text reads like instructions to a model and is left out: {said!r}"] = None

    def operation_text(self, name: str, operation: Operation, subject: Subject, prose: str) -> str:
        hidden = () if operation.key is None else (operation.key.name,)
        head: dict[str, object] = {
            "name": name,
            "description": description(subject.api, self.document.title, hidden),
        }
        printed = print_operation(operation)
        if self.options.layout is Layout.SINGLE:
            style = Style(flow=False)
            inner = "".join(member(one, value, 0, style) + "\n" for one, value in printed.items())
            head["metadata"] = {"outturn-operation": inner}
        else:
            head["operation"] = printed
        return _with_frontmatter(head, prose)

    def updated(
        self, path: str, old: str, held: SkillDocument, operation: Operation, text: str, prose: str
    ) -> str | None:  # fmt: skip
        """The new text of a file that is there; None, and a refusal, where it is not ours."""
        locked = self.files.get(path)
        if old == text or (locked is not None and locked.text == digests.of_text(old)):
            return text
        if locked is None and not self.options.force:
            self.refuse(path, "it was not written by skill-wizard")
            return None
        if locked is None:
            return text
        try:
            edited = old if held.operation == operation else set_operation(held, operation)
        except SkillError as error:
            if self.options.force:
                return text
            self.refuse(path, error.message)
            return None
        if locked.prose == digests.of_text(held.body.lstrip("\r\n")):
            return edited.removesuffix(prose_of(edited)) + "\n" + prose
        return edited

    def refuse(self, path: str, why: str) -> None:
        self.refused.append((path, why))

    def change(self, path: str, old: str | None, new: str) -> None:
        what = "create" if old is None else ("unchanged" if old == new else "update")
        self.changes.append(FileChange(path=path, old=old, new=new, what=what))
        prose = prose_of(new).lstrip("\r\n")
        self.files[path] = LockedFile(path=path, text=digests.of_text(new), prose=digests.of_text(prose))

    # The index and the lock

    def index(self) -> None:
        named = [
            (self.document.by_name[name], held.name) for name, held in self._written() if name in self.document.by_name
        ]
        if not named:
            return
        groups = groups_of(self.document, named)
        for group in groups:
            if group.file:
                self.listing(f"{self.api}/{group.file}", self.templates.render(GROUP, {"group": group}), group.links)
        names = [group.name for group in groups if group.name]
        head = {"name": self.api, "description": index_description(self.document.title, names, len(named))}
        values = index_values(self.document, groups)
        links = values["files"] or tuple(link for group in groups for link in group.links)
        text = _with_frontmatter(head, self.templates.render(INDEX, {"index": values}))
        self.listing(f"{self.api}/{INDEX_FILE}", text, links)

    def listing(self, path: str, text: str, links: Sequence[Link]) -> None:
        """Writes a file of links; one that somebody edited only gets those that it lacks."""
        old = self.existing(path)
        locked = self.files.get(path)
        if old is not None and old != text and (locked is None or locked.text != digests.of_text(old)):
            if locked is not None:
                text = add_links(old, links)
            elif not self.options.force:
                self.refuse(path, "it was not written by skill-wizard")
                return
        self.change(path, old, text)

    def _written(self) -> list[tuple[str, LockedOperation]]:
        """The operations that have a skill, in the document's order."""
        places = {one.name: index for index, one in enumerate(self.document.operations)}
        held = [(name, one) for name, one in self.operations.items() if one.decision == "written" and one.file]
        return sorted(held, key=lambda one: places.get(one[0], len(places)))

    def write_lock(self) -> None:
        lock = self.lock.with_document(
            LockedDocument(
                source=self.options.source,
                title=self.document.title,
                openapi=self.document.openapi,
                version=self.document.version,
                digest=digests.of_document(self.document),
                layout=str(self.options.layout),
                name=self.api,
                operations=tuple(self.operations.values()),
                files=tuple(self.files.values()),
            )
        )
        old, new = self.existing(FILE), print_lock(lock)
        what = "create" if old is None else ("unchanged" if old == new else "update")
        self.changes.append(FileChange(path=FILE, old=old, new=new, what=what))


def _with_frontmatter(head: Mapping[str, object], prose: str) -> str:
    # Block style on top: clients read the frontmatter of a SKILL.md with parsers that refuse brackets.
    lines = "".join(member(name, value, 0, Style()) + "\n" for name, value in head.items())
    return f"---\n{lines}---\n\n{prose}"


def _differing(old: Operation, new: Operation) -> list[str]:
    before, after = print_operation(old), print_operation(new)
    return sorted(name for name in {*before, *after} - {"status"} if before.get(name) != after.get(name))
