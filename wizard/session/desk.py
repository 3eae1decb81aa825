"""Where a session meets the disk: the skills and the lock in the output folder, the drafts in the state folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from wizard.emit.digests import of_operation
from wizard.emit.lock import LockedDocument
from wizard.emit.model import Plan
from wizard.emit.writing import lock_in, plan_into, source_name, write_plan
from wizard.errors import SkillError, WizardError
from wizard.session.drafts import print_decisions, print_drafts, read_drafts
from wizard.session.drift import gone
from wizard.session.linting import UNCONFIGURED, Linting, linting_of
from wizard.session.preview import Preview, files_of, preview, proses, with_prose
from wizard.session.state import Choice, Entry, Session, Written
from wizard.session.steps import passed_over, resume, subjects, written
from wizard.skill.document import parse_skill
from wizard.skill.files import read_text, write_text_atomic
from wizard.spec.model import ApiDocument


@dataclass(frozen=True, slots=True)
class Opened:
    """A session with what was there before, and what a person should be told of it."""

    session: Session
    notes: tuple[str, ...] = ()
    restored: int = 0
    """How many drafts were taken up that no skill holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What writing would do, and what it stands for."""

    plan: Plan
    names: tuple[str, ...]
    """The operations that get a skill."""
    passed: tuple[str, ...] = ()
    """Those that are passed over; the lock remembers them."""
    moved: tuple[str, ...] = ()
    """Files that somebody changed since they were read."""

    @property
    def changes(self) -> int:
        return sum(change.what != "unchanged" for change in self.plan.changes)


@dataclass(slots=True)
class Desk:
    """The folder that is written into, and where drafts are kept."""

    out: Path
    state: Path | None = None
    """None keeps no drafts."""
    seen: dict[str, str] = field(default_factory=dict)
    """Digests of the skills as they were read, by path from `out`."""

    # Drafts

    def drafts_file(self, source: str) -> Path | None:
        """Where the drafts of a document for this folder are kept."""
        if self.state is None:
            return None
        name = source if "://" in source or source == "-" else os.path.abspath(source)
        digest = hashlib.sha256(f"{name}\n{os.path.abspath(self.out)}".encode("utf-8", "surrogatepass")).hexdigest()
        return self.state / "drafts" / f"{digest[:24]}.json"

    def save_drafts(self, session: Session) -> None:
        """Keeps what was decided and not written; nothing is kept of a session without drafts. Raises SkillError."""
        file = self.drafts_file(session.document.source)
        if file is None or session.read_only:
            return
        text = print_drafts(session)
        try:
            if '"drafts": {}' in text:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                write_text_atomic(file, text)
        except OSError as error:
            raise SkillError(
                f"the drafts cannot be kept: {error.strerror or error}", place=str(file),
                remedy="Write what is confirmed before leaving",
            ) from error  # fmt: skip

    def decisions_file(self, session: Session, names: Iterable[str]) -> Path | None:
        """Keeps these operations' decisions for `author --decisions`, and says where. None keeps nothing."""
        drafts = self.drafts_file(session.document.source)
        if drafts is None:
            return None
        file = drafts.parent.parent / "decisions" / drafts.name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_text_atomic(file, print_decisions(session, names))
        except OSError as error:
            raise SkillError(f"it cannot be written: {error.strerror or error}", place=str(file)) from error
        return file

    # Opening

    def open(self, session: Session) -> Opened:
        """Takes up what the lock, the skills and the drafts hold. What cannot be read is a note, and is left alone."""
        notes: list[str] = []
        drafts: dict[str, Entry] = {}
        held = self._lock(session.document, notes)
        found = self._written(session, held, notes) if held is not None else {}
        file = self.drafts_file(session.document.source)
        if file is not None and file.exists():
            try:
                drafts = read_drafts(read_text(file).text, session, str(file))
            except (WizardError, OSError) as error:
                notes.append(str(error))
        if held is not None:
            notes += gone({one.operation: one.file for one in held.operations if one.file}, session.document)
        return Opened(resume(session, held, found, drafts), tuple(notes), len(drafts))

    def _lock(self, document: ApiDocument, notes: list[str]) -> LockedDocument | None:
        try:
            lock = lock_in(self.out)
        except (WizardError, OSError) as error:
            notes.append(str(error))
            return None
        return lock.document(source_name(document, self.out))

    def _written(self, session: Session, held: LockedDocument, notes: list[str]) -> dict[str, Written]:
        found = {}
        for one in held.operations:
            entry = session.entries.get(one.operation)
            if entry is None or not one.file:
                continue
            path = self.out / one.file
            if not path.exists():
                notes.append(f"{path} is no longer there; {one.operation} is to be written again")
                continue
            try:
                source = read_text(path)
            except (WizardError, OSError) as error:
                notes.append(str(error))
                continue
            self.seen[one.file] = _digest(source.text)
            skill = parse_skill(source)
            if skill.operation is None:
                notes.append(f"{path} no longer declares its operation")
                continue
            drifted = bool(one.source) and one.source != of_operation(entry.api, session.document)
            found[one.operation] = Written(operation=skill.operation, file=one.file, drifted=drifted)
        return found

    # Looking and writing

    def existing(self, path: str) -> str | None:
        """The text of a file in the folder; None where there is none. Raises SkillError."""
        file = self.out / path
        return read_text(file).text if file.exists() else None

    def linting(self) -> tuple[Linting, str]:
        """How the linter looks at the folder, and why it cannot where its configuration is broken."""
        try:
            return linting_of(self.out), ""
        except (WizardError, OSError) as error:
            return UNCONFIGURED, str(error)

    def preview(self, session: Session, name: str) -> Preview:
        """What writing the named operation would give; what keeps us from it is its `problem`."""
        try:
            source = source_name(session.document, self.out)
            linting, unlinted = self.linting()
            return preview(
                session, name, source=source, existing=self.existing, lock=lock_in(self.out), linting=linting,
                unlinted=unlinted,
            )  # fmt: skip
        except (WizardError, OSError) as error:
            return Preview(problem=str(error))

    def plan(self, session: Session, names: Collection[str] | None = None) -> Writing:
        """What writing would do: for all that is confirmed and not written, or for the named operations.

        Raises WizardError where files cannot be read or the layout is not the one that stands there.
        """
        chosen = frozenset(one.name for one in session.unwritten) if names is None else frozenset(names)
        listed = [
            one
            for one in subjects(session, chosen, unconfirmed=True)
            if session[one.api.name].choice is Choice.CONFIRMED
        ]
        passed = [one for one in passed_over(session) if one.api.name in chosen]
        plan = plan_into(self.out, session.document, listed, layout=session.layout, passed_over=passed)
        plan = with_prose(plan, proses(tuple(session[one.api.name] for one in listed)))
        return Writing(
            plan=plan, names=tuple(one.api.name for one in listed), passed=tuple(one.api.name for one in passed),
            moved=tuple(change.path for change in plan.changes if self._moved(change.path, change.old)),
        )  # fmt: skip

    def _moved(self, path: str, text: str | None) -> bool:
        return path in self.seen and text is not None and self.seen[path] != _digest(text)

    def write(self, session: Session, writing: Writing) -> Session:
        """Writes, and gives the session in which that stands in files. Raises SkillError, and writes nothing, where
        files would be lost or one changed since the plan was made."""
        if session.read_only:
            raise SkillError("this session only reads", remedy="Start it without `--read-only` to write")
        self.put(writing)
        done = self.after(session, writing)
        self.save_drafts(done)
        return done

    def put(self, writing: Writing, laid: Callable[[int], None] = lambda count: None) -> None:
        """Writes all of a plan's files or none; a worker may call it. `laid` is told how many are ready to take their
        places, and what it raises stops it. Raises SkillError."""
        for change in writing.plan.changes:
            if self.existing(change.path) != change.old:
                raise SkillError(
                    "it changed while you were looking at the plan, and nothing was written",
                    place=str(self.out / change.path), remedy="Look at it again",
                )  # fmt: skip
        try:
            write_plan(self.out, writing.plan, laid)
        except OSError as error:
            raise SkillError(
                f"it cannot be written: {error.strerror or error}", place=error.filename or str(self.out),
                remedy="Give another folder with `--out`, or mend its permissions",
            ) from error  # fmt: skip
        for change in writing.plan.changes:
            self.seen[change.path] = _digest(change.new)

    def after(self, session: Session, writing: Writing) -> Session:
        """The session in which what was put stands in files."""
        files = files_of(writing.plan)
        return written(session, {name: files[name] for name in writing.names if name in files}, writing.passed)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def reread(desk: Desk, session: Session, document: ApiDocument) -> Opened:
    """The same work over the document as it is now: decisions and drafts stay, proposals are to be made anew."""
    from wizard.session.steps import begin

    fresh = begin(document, layout=session.layout, server=session.server, read_only=session.read_only)
    opened = desk.open(fresh)
    drafts = read_drafts(print_drafts(session), opened.session, document.source)
    entries = dict(opened.session.entries)
    for name, draft in drafts.items():
        entries[name] = replace(
            entries[name], draft=draft.draft, as_write=draft.as_write, choice=draft.choice, prose=draft.prose,
            key_source=draft.key_source, reason=draft.reason,
        )  # fmt: skip
    return replace(opened, session=replace(opened.session, entries=entries, layout=session.layout))


def equivalent(session: Session, names: Iterable[str], out: Path, decisions: Path | None) -> str:
    """The command that does without a screen what was just written."""
    parts = ["skill-wizard", "author", _shell(session.document.source), "--out", _shell(str(out))]
    if session.layout != "folder":
        parts += ["--layout", str(session.layout)]
    listed = list(names)
    if decisions is not None:
        parts += ["--decisions", _shell(str(decisions))]
    else:
        for name in listed:
            entry = session[name]
            word = {Choice.SKIPPED: "--skip", Choice.NO_WRITE: "--no-write"}.get(entry.choice, "--confirm")
            parts += [word, _shell(entry.api.operation_id or name)]
    return " ".join(parts)


def _shell(text: str) -> str:
    from shlex import quote

    return quote(text)
