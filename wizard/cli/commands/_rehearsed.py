"""What a rehearsal is told of: the writes that skills declare, each with its document, and what is left out and why."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.cli.terminal import progress
from wizard.errors import UsageError, WizardError, ended

if TYPE_CHECKING:
    from wizard.lint.documents import Documents
    from wizard.operation.model import Operation
    from wizard.rehearse.subject import Subject
    from wizard.skill.document import SkillDocument


@dataclass(slots=True)
class Rehearsed:
    """The operations to rehearse; and by file or name, with the reason, what is not."""

    subjects: list[Subject] = field(default_factory=list)
    passed_over: dict[str, str] = field(default_factory=dict)
    """There is nothing to rehearse: a read."""
    blocked: dict[str, str] = field(default_factory=dict)
    """A write may be declared there, and nothing can be said of it."""


def rehearsed(args: argparse.Namespace, configured: Callable[[str], str | None]) -> Rehearsed:
    """Reads the skills that the arguments name. `configured` gives the document that the configuration names for a
    file. Raises UsageError for a path or an operation that is not there, DocumentError for a document that cannot be
    read."""
    from wizard.lint.documents import Documents
    from wizard.skill.document import parse_skill
    from wizard.skill.files import find_skills, read_text

    documents = Documents(args.document, ".")
    found, named = Rehearsed(), set()
    paths = list(find_skills([Path(one) for one in args.paths]))
    for path in progress(paths, "Looking at skills:", len(paths)):
        try:
            skill = parse_skill(read_text(path))
        except WizardError as error:
            found.blocked[str(path)] = error.message
            continue
        broken = _broken(skill)
        if skill.operation is None and not broken:
            continue
        name = skill.name or path.stem
        named.add(name)
        if args.operation and name not in args.operation:
            continue
        if broken:
            found.blocked[_placed(found, name, path)] = f"{ended(broken)} `skill-wizard lint` says more"
        elif skill.operation is not None and not skill.operation.is_write:
            found.passed_over[_placed(found, name, path)] = _harmless(skill.operation)
        else:
            _take(found, skill, name, path, documents, args, configured(str(path.absolute())))
    for name in args.operation:
        if name not in named:
            there = f"There are {', '.join(sorted(named))}." if named else "No operation is declared there."
            raise UsageError(f"no skill there declares `{name}`", remedy=there)
    return found


def _take(
    found: Rehearsed, skill: SkillDocument, name: str, path: Path, documents: Documents, args: argparse.Namespace,
    configured: str | None,
) -> None:  # fmt: skip
    from wizard.lint.matching import operation_of
    from wizard.rehearse.rehearsing import subject_of

    operation = skill.operation
    assert operation is not None
    chosen = documents.choose(str(path), configured)
    document = documents.load(chosen.name) if chosen is not None else None
    if chosen is not None and document is None:
        raise documents.broken[chosen.name]
    api = operation_of(document, operation) if document is not None else None
    if document is not None and api is None:
        if chosen is not None and chosen.how in ("given", "configured"):
            found.blocked[_placed(found, name, path)] = f"{document.source} has no {operation.method} {operation.url}"
            return
        document = None
    try:
        found.subjects.append(subject_of(name, operation, str(path), api, document, seed=args.seed))
    except WizardError as error:
        found.blocked[_placed(found, name, path)] = error.message


def _broken(skill: SkillDocument) -> str:
    """What is wrong with a declaration that cannot be read, or not all of it; empty where nothing is, or where the
    file declares nothing."""
    from wizard.skill.document import IN_SKILL

    problem = next((one for one in skill.problems if one.rule != "frontmatter-missing"), None)
    if problem is None or (skill.form == "skill" and str(IN_SKILL[-1]) not in skill.source.text):
        return ""
    line = skill.source.position(problem.span.start).line
    return f"{skill.source.name}:{line}: its declaration cannot be read: {problem.message}"


def _harmless(operation: Operation) -> str:
    """Why there is nothing to rehearse of an operation of which nothing is recorded."""
    if operation.method in ("GET", "HEAD", "OPTIONS"):
        return "it is a read"
    if operation.write is False:
        return "it is declared as `write: false`"
    return f"a {operation.method} replaces, and may be repeated, unless `write: true` says otherwise"


def _placed(found: Rehearsed, name: str, path: Path) -> str:
    """The name; with its file where another one has it already."""
    return f"{name} ({path})" if name in found.blocked or name in found.passed_over else name
