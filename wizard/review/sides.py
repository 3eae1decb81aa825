"""One side of a review: its skills, and the API documents that belong to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.errors import SkillError, UsageError, ended
from wizard.review.kind import Declared
from wizard.review.loading import Loader
from wizard.review.trees import FolderTree, GitTree, Tree, revision_and_folder, too_large
from wizard.skill.document import SkillDocument, parse_skill
from wizard.skill.files import MAX_BYTES, decode
from wizard.source import Source

if TYPE_CHECKING:
    from wizard.spec.model import ApiDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSpec:
    """What a person named for one side."""

    text: str | None = None
    """A folder, a file, a git revision, or `REVISION:FOLDER`; None is the working tree."""
    documents: tuple[str, ...] = ()
    """The API documents (paths or URLs); none means those that belong to the skills."""
    start: str = "."
    """The folder that was reviewed from."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side, read as far as it could be."""

    label: str
    tree: Tree
    skills: tuple[tuple[str, SkillDocument], ...]
    """Names of files, and what they are."""
    declared: tuple[Declared, ...]
    given: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    documents: tuple[ApiDocument, ...] = ()
    """Those that were read, each once."""
    decided: dict[str, frozenset[str]] = field(default_factory=dict)
    """A document's name to the operations that a lock says somebody decided about."""
    loader: Loader | None = None


def tree_of(spec: SideSpec, ignored: Callable[[Path, bool], bool] | None = None) -> Tree:
    """The files of a side. A file or folder that exists wins over a revision of that name. Raises UsageError."""
    text = spec.text
    if text is None:
        return FolderTree(spec.start, "the working tree", ignored)
    if os.path.exists(text):
        return FolderTree(text, text, ignored)
    parts = revision_and_folder(text)
    if parts is None:
        return GitTree(text, start=spec.start)
    tree = GitTree(parts["revision"], start=spec.start, folder=parts["folder"], label=text)
    if tree.prefix and tree.prefix not in tree.blobs and not any(
        path.startswith(f"{tree.prefix}/") for path in tree.blobs
    ):  # fmt: skip
        raise UsageError(f"the revision `{parts['revision']}` has no file or folder `{parts['folder']}`")
    return tree


Parsed = dict[tuple[str, bytes], SkillDocument]
"""Skills by their names and bytes, so that what both sides have is parsed once."""


def load(
    tree: Tree,
    given: Sequence[str] = (),
    configured: Callable[[str], str | None] = lambda name: None,
    parsed: Parsed | None = None,
    start: str = ".",
) -> Side:
    """Reads a side: every skill, and for each declaration its API document.

    `given` are documents that stand for all; `configured` gives the one that the configuration names for a file,
    both as absolute paths; `parsed` is kept from side to side. Files that cannot be read are in `problems`.
    """
    parsed = {} if parsed is None else parsed
    loader = Loader(tree, tuple(given), configured, start)
    skills, declared, problems = [], [], []
    for name in tree.skills():
        try:
            skill = _skill(tree, name, parsed)
        except SkillError as error:
            problems.append(str(error))
            continue
        skills.append((name, skill))
        problems += _broken(skill, name if tree.working else f"{tree.label}:{name}")
        if skill.operation is None:
            continue
        declared.append(
            Declared(
                name=skill.name or name.rpartition(".")[0],
                operation=skill.operation,
                path=name,
                skill=skill,
                document=loader.document_for(name, skill.operation),
            )
        )
    return Side(
        label=tree.label, tree=tree, skills=tuple(skills), declared=tuple(declared), given=tuple(given),
        problems=(*problems, *loader.problems), documents=loader.documents, decided=loader.decided(), loader=loader,
    )  # fmt: skip


def _skill(tree: Tree, name: str, parsed: Parsed) -> SkillDocument:
    data = tree.read(name)
    shown = name if tree.working else f"{tree.label}:{name}"
    if data is None:
        raise SkillError("the file cannot be read", place=shown, remedy="Look at its permissions")
    if too_large(data):
        raise SkillError(f"the file has {len(data):,} bytes; a skill has at most {MAX_BYTES:,}", place=shown)
    if (name, data) not in parsed:
        # Its name tells its form, and so it is the plain one.
        parsed[name, data] = parse_skill(Source(name, decode(data, shown).text))
    return parsed[name, data]


def _broken(skill: SkillDocument, name: str) -> list[str]:
    """Why a file that declares an operation has none that can be compared, or not all of it."""
    if not skill.operation_path and not (skill.frontmatter is None and "operation" in skill.source.text):
        return []
    for problem in skill.problems:
        place = skill.source.position(problem.span.start)
        remedy = problem.remedy or "`skill-wizard lint` says more"
        what = "its operation cannot be compared" if skill.operation is None else "not all of its operation can be read"
        return [f"{name}:{place.line}:{place.column}: {what}: {ended(problem.message)} {remedy.rstrip('.')}"]
    return []
