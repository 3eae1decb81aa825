"""Files compared with each other, and API documents looked at as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wizard.errors import DocumentError, SkillError
from wizard.lint.cache import Cache
from wizard.lint.checking import NOTHING, Checker, Looked, check_source, dump, load
from wizard.lint.documents import Documents
from wizard.lint.located import LocatedFinding
from wizard.lint.model import Context, Remark
from wizard.lint.rulebook import load_families
from wizard.skill.files import decode
from wizard.source import Position, Source, Span

if TYPE_CHECKING:
    from wizard.lint.engine import File

Said = dict[str, tuple[LocatedFinding, ...]]


_OF_ALL_SKILLS = frozenset({"write-undeclared"})
"""Rules on a document that say something of all its skills."""


def compare(
    part: Sequence[File], wanted: set[str], documents: Documents, cache: Cache, *, partial: bool = False
) -> Said:
    """What is said of the files of `wanted` and of the documents, by path. `part` is every file that takes part.

    `partial` says that only files that were named take part: what the others declare is not known then.
    """
    key = _key(part, wanted, documents, cache, partial)
    known = cache.get(key) if key is not None else None
    if known is not None:
        try:
            return {path: load(value).findings for path, value in known.items()}
        except (ValueError, TypeError, IndexError, AttributeError):
            pass
    said, whole = _compared(part, wanted, documents, partial)
    if key is not None and whole:
        cache.put(key, {path: dump(check) for path, check in said.items()})
    return {path: check.findings for path, check in said.items()}


def _key(part: Sequence[File], wanted: set[str], documents: Documents, cache: Cache, partial: bool) -> str | None:
    facts = [b"across of some" if partial else b"across"]
    for name in dict.fromkeys(file.work.document for file in part):
        facts.append(" ".join(sorted(documents.decided(name))).encode("utf-8", "replace") if name else b"")
    for file in part:
        if file.key is None:
            return None
        facts += [file.path.encode("utf-8", "replace"), file.key.encode(), b"1" if file.path in wanted else b"0"]
        facts.append(_neighbours(file.path))
    return cache.key(*facts)


def _neighbours(path: str) -> bytes:
    """What lies beside a file and in the folder `operations`: names, and of other files than skills the times."""
    folder = os.path.dirname(os.path.abspath(path))
    facts = []
    for where in (folder, os.path.join(folder, "operations")):
        try:
            entries = sorted(os.scandir(where), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            stamp = "" if entry.name.endswith(".md") else f" {entry.stat().st_mtime_ns} {entry.stat().st_size}"
            facts.append(entry.name + stamp)
    return "\0".join(facts).encode("utf-8", "surrogateescape")


def _compared(
    part: Sequence[File], wanted: set[str], documents: Documents, partial: bool
) -> tuple[dict[str, Looked], bool]:
    """What is said, and whether every rule did its work."""
    everything: list[Context] = []
    contexts: dict[str, Context] = {}
    for file in part:
        read = _context(file, documents, everything)
        if read is not None:
            everything.append(read)
            contexts[file.path] = read
    said: dict[str, Looked] = {}
    for path, context in contexts.items():
        if path in wanted:
            said[path] = check_source(context, families=("repository",))
    for name in dict.fromkeys(file.work.document for file in part if file.path in wanted):
        if name is not None:
            said[name] = _document(name, documents, everything, partial)
            said |= _overlays(name, documents)
    whole = not any(found.broken for found in said.values())
    return {path: found._replace(suppressions=()) for path, found in said.items() if found.findings}, whole


def _context(file: File, documents: Documents, everything: list[Context]) -> Context | None:
    try:
        source = decode(file.data, file.path)
    except SkillError:
        return None
    checker = Checker(documents)
    return Context(
        source=source, document=checker.document(file.work, source), others=everything, strict=file.work.strict,
        folder=file.work.folder, exists=_beside(file.path),
    )  # fmt: skip


def _beside(path: str) -> Callable[[str], bool]:
    folder = os.path.dirname(os.path.abspath(path))
    return lambda relative: os.path.exists(os.path.join(folder, relative))


def _document(name: str, documents: Documents, everything: list[Context], partial: bool) -> Looked:
    """What is said of a document as a whole: that it cannot be read, or what the skills leave out of it."""
    document = documents.load(name)
    error = documents.broken.get(name)
    if error is not None:
        return _broken(name, error)
    skills = [one for one in everything if one.document is document and one.skill.operation is not None]
    if document is None or not skills:
        return NOTHING
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            source = Source(name, file.read())
    except OSError:
        source = Source(name, "")
    context = Context(
        source=source, document=document, others=skills, whole=True, decided=documents.decided(name)
    )  # fmt: skip
    passed_over = _OF_ALL_SKILLS if partial else ()
    rules = [rule.name for rule in load_families(("document",)) if rule.name not in passed_over]
    return check_source(context, only=rules)


def _overlays(name: str, documents: Documents) -> dict[str, Looked]:
    """What is said of the overlays of a document: actions that do not apply."""
    document = documents.load(name)
    said: dict[str, Looked] = {}
    if document is None:
        return said
    for overlay in documents.overlays(name):
        problems = [problem for problem in document.problems if problem.pointer.startswith(f"{overlay}#")]
        if not problems:
            continue
        with open(overlay, encoding="utf-8", errors="replace") as file:
            source = Source(overlay, file.read())
        remarks = []
        for problem in problems:
            place = document.place(problem.pointer)
            start = source.offset(place.position) if place.position is not None else 0
            line = source.line(source.position(start).line)
            end = start + max(1, len(line.rstrip()) - source.position(start).column + 1)
            remarks.append(
                Remark(
                    rule="overlay-does-not-apply",
                    span=Span(start, end),
                    message=problem.message.removeprefix("overlay: "),
                )
            )
        context = Context(source=source, whole=True, remarks=tuple(remarks))
        said[overlay] = check_source(context, only=("overlay-does-not-apply",))
    return said


def _broken(name: str, error: DocumentError) -> Looked:
    place = error.place.removeprefix(name).strip(":").split(":")
    line, column = (int(place[0]), int(place[1])) if len(place) == 2 and all(map(str.isdigit, place)) else (1, 1)
    source = Source(name, "\n" * (line - 1) + " " * column)
    start = source.offset(Position(line, column))
    remedy = error.remedy.removesuffix(".")
    said = f"{error.message}; {remedy[:1].lower()}{remedy[1:]}" if remedy else error.message
    remark = Remark(rule="document-unreadable", span=Span(start, start + (line > 1)), message=said)
    return check_source(Context(source=source, whole=True, remarks=(remark,)), only=("document-unreadable",))
