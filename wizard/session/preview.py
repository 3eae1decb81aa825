"""What would be written for one operation, as it stands: the file's text, what changes in it, what lint says of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from wizard.emit.lock import FILE, Lock, read_lock
from wizard.emit.model import FileChange, Plan, Subject
from wizard.emit.planning import Options, plan_skills
from wizard.emit.render import Templates
from wizard.errors import WizardError
from wizard.session.linting import UNCONFIGURED, Linting
from wizard.session.state import Choice, Entry, Session
from wizard.skill.document import prose_of


@dataclass(frozen=True, slots=True)
class Remark:
    """What lint says of a place in the text."""

    rule: str
    severity: str
    message: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The skill as confirming and writing would leave it."""

    path: str = ""
    """Relative to the output folder; empty where nothing would be written."""
    text: str = ""
    old: str | None = None
    """None where there is no such file."""
    remarks: tuple[Remark, ...] = ()
    unlinted: str = ""
    """Why the linter says nothing of it."""
    problem: str = ""
    """Why nothing would be written."""

    @property
    def prose(self) -> str:
        return prose_of(self.text).lstrip("\r\n")

    @property
    def diff(self) -> tuple[str, ...]:
        return () if self.old is None else tuple(diff(self.path, self.old, self.text))


def diff(path: str, old: str | None, new: str) -> list[str]:
    """The lines of a unified diff, without line ends; none where nothing changes."""
    before = [] if old is None else old.splitlines()
    return list(difflib.unified_diff(before, new.splitlines(), f"a/{path}", f"b/{path}", lineterm=""))


def preview(
    session: Session, name: str, *, source: str, existing: Callable[[str], str | None], lock: Lock,
    linting: Linting = UNCONFIGURED, unlinted: str = "",
) -> Preview:  # fmt: skip
    """What writing the named operation would give, taken as confirmed. `source` is the document's name in the lock;
    `unlinted` says why the linter cannot be asked."""
    entry = session[name]
    operation = entry.declaration
    if operation is None:
        return Preview(problem=entry.problem or "No proposal has arrived yet.")
    if entry.choice is Choice.SKIPPED:
        return Preview(problem="Skipped: no skill is written. The lock remembers it.")
    if entry.choice is Choice.NO_WRITE:
        return Preview(problem="Not a write: no skill is written. The lock remembers it.")
    confirmed = replace(entry, choice=Choice.CONFIRMED).to_write
    subject = Subject(api=entry.api, operation=confirmed or operation, key_source=entry.key_source)
    try:
        plan = plan_skills(
            session.document, [subject], options=Options(source=source, layout=session.layout),
            templates=Templates(None), existing=existing, lock=lock,
        )  # fmt: skip
    except WizardError as error:
        return Preview(problem=str(error))
    plan = with_prose(plan, {name: entry.prose} if entry.prose is not None else {})
    if plan.refused:
        path, why = plan.refused[0]
        return Preview(path=path, problem=f"{path} would be overwritten, and {why}. Choose another folder.")
    change = plan.changes[0]
    if not unlinted and linting.leaves_out(change.path):
        unlinted = f"The linter does not look at this file: `exclude` of {linting.settings.file} leaves it out."
    found = () if unlinted else remarks(session, change.path, change.new, linting)
    return Preview(path=change.path, text=change.new, old=change.old, remarks=found, unlinted=unlinted)


def remarks(session: Session, path: str, text: str, linting: Linting) -> tuple[Remark, ...]:
    """What the linter says of a text, by its place."""
    found = linting.findings(session.document, path, text)
    return tuple(Remark(one.rule, one.severity, one.message, one.spot.line) for one in found)


def files_of(plan: Plan) -> Mapping[str, str]:
    """`POST /bookings` to the file that a plan puts its skill into."""
    lock = next((change for change in plan.changes if change.path == FILE), None)
    if lock is None:
        return {}
    return {
        name: held.file
        for document in read_lock(lock.new, FILE).documents
        for name, held in document.by_operation().items()
        if held.file
    }


def with_prose(plan: Plan, prose: Mapping[str, str]) -> Plan:
    """The plan with the author's own text under some declarations, by operation.

    The lock keeps the digest of the template's text, so that the author's counts as edited and is never replaced.
    """
    if not prose:
        return plan
    files = files_of(plan)
    texts = {files[name]: text for name, text in prose.items() if name in files}
    changes = [_retold(change, texts[change.path]) if change.path in texts else change for change in plan.changes]
    return replace(plan, changes=tuple(changes))


def _retold(change: FileChange, prose: str) -> FileChange:
    body = prose_of(change.new)
    text = prose.strip("\r\n")
    new = f"{change.new.removesuffix(body)}\n{text}\n" if text else change.new.removesuffix(body)
    what = "create" if change.old is None else ("unchanged" if change.old == new else "update")
    return replace(change, new=new, what=what)


def proses(entries: tuple[Entry, ...]) -> dict[str, str]:
    """The author's own texts, by operation."""
    return {entry.name: entry.prose for entry in entries if entry.prose is not None}
