"""A run of the linter: files found, looked at on all cores or taken from the cache, compared with each other, and what
is said of them weighed by the configuration, the suppressions and the baseline."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from wizard.lint.cache import Cache, cache_folder
from wizard.lint.checking import Checker, Looked, Work, load
from wizard.lint.documents import Chosen, Documents
from wizard.lint.ignored import Ignored, Patterns, repository_root
from wizard.lint.located import LocatedFinding, at_path, with_fingerprints
from wizard.lint.quick import prose_signs
from wizard.lint.settings import PerPath, Settings
from wizard.lint.signs import may_declare, may_link
from wizard.lint.weighing import Weigher
from wizard.lint.workers import spread

if TYPE_CHECKING:
    from wizard.lint.baseline import Baseline


class Request(NamedTuple):
    """What one run is asked for."""

    paths: tuple[str, ...] = ()
    """Files and folders; none means the configuration's, or the working directory."""
    texts: Mapping[str, str] = {}
    """Path to the text that stands in for the file's own."""
    document: str | None = None
    since: str | None = None
    baseline: Baseline | None = None
    cache: bool = True
    jobs: int | None = None
    named_only: bool = False
    """No paths means no files, and not the usual ones."""


class Report(NamedTuple):
    """What a run found."""

    findings: tuple[LocatedFinding, ...]
    """What is reported, by path and place."""
    suppressed: tuple[LocatedFinding, ...]
    """What a comment, the configuration or the baseline allows."""
    files: tuple[str, ...]
    """Every file that was looked at."""
    broken: tuple[str, ...]
    """Faults of ours: a rule that failed on a file."""
    settings: Settings
    root: str
    """The top of the repository, else the configuration's folder, else the working directory."""


class File(NamedTuple):
    """A file of the run."""

    path: str
    data: bytes
    work: Work
    key: str | None
    """Of its result in the cache; None where the result must not be kept."""
    declares: bool
    links: bool


class Engine:
    """What stays the same over the runs of one request (a run with fixes takes several)."""

    def __init__(self, request: Request, settings: Settings, start: str = ".") -> None:
        self.request = request
        self.settings = settings
        here = os.path.abspath(start)
        top = repository_root(here)
        self.root = top or (settings.root if settings.file else here)
        base = os.path.abspath(settings.root) if settings.file else here
        self.base = base
        keeps = request.cache and settings.cache
        wanted = os.path.join(base, settings.cache_folder) if settings.cache_folder else None
        project = top or (base if settings.file else None)
        self.cache = Cache(cache_folder(project, wanted) if keeps else None)
        self.documents = Documents(request.document, self.root)
        self.partial = False
        """Only files that were named are looked at."""
        self.closed: list[str] = []
        """Folders that cannot be read."""
        self.per_path = [(Patterns(one.paths, base), one) for one in settings.per_path]

    # Files --------------------------------------------------------------------------------------------------------

    def find(self) -> tuple[str, ...]:
        """The paths to look at, as a report shows them."""
        if self.request.named_only and not self.request.paths:
            return ()
        given = self.request.paths or self.configured() or (".",)
        found: list[str] = []
        folders: list[str] = []
        for path in given:
            if path in self.request.texts:
                found.append(path)
            elif os.path.isfile(path):
                found.append(_shown(path))
            else:
                folders.append(path)
        self.partial = not folders
        if folders:
            from wizard.skill.files import skill_paths

            start = folders[0] if len(folders) == 1 else "."
            ignored = Ignored(start, self.settings.exclude, self.base, named=folders)
            found += map(_shown, skill_paths(folders, ignored=ignored, closed=self.closed.append))
        return tuple(dict.fromkeys(found))

    def configured(self) -> tuple[str, ...]:
        """The paths that the configuration names. Raises ConfigError for one that is not there."""
        for path in self.settings.paths:
            if not os.path.exists(os.path.join(self.base, path)):
                from wizard.errors import ConfigError

                raise ConfigError(
                    f"`paths` names `{path}`, and there is no such file or folder", place=self.settings.file
                )
        return tuple(os.path.join(self.base, path) for path in self.settings.paths)

    def read(self, path: str) -> bytes:
        text = self.request.texts.get(path)
        if text is not None:
            return text.encode("utf-8", "surrogatepass")
        with open(path, "rb") as file:
            return file.read()

    def settings_of(self, path: str) -> Iterable[PerPath]:
        if not self.per_path:
            return ()
        whole = os.path.abspath(path)
        return [one for patterns, one in self.per_path if patterns.match(whole, False)]

    def prepare(self, path: str) -> File:
        data = self.read(path)
        here = self.settings_of(path)
        profile = next((one.profile for one in reversed(list(here)) if one.profile), self.settings.profile)
        declares = may_declare(data)
        chosen = self.choose(path, here) if declares else None
        folder = _folder_of(path)
        locked = self.documents.locked(path) if chosen is not None else None
        work = Work(
            path, data, folder, profile == "strict", chosen.name if chosen else None, locked.source if locked else "",
            near=bool(chosen and chosen.how == "near"),
        )  # fmt: skip
        return File(path, data, work, self.key(work), declares, declares or may_link(data))

    def choose(self, path: str, here: Iterable[PerPath]) -> Chosen | None:
        named = next((one.document for one in reversed(list(here)) if one.document), self.settings.document)
        if named is not None and "://" not in named:
            named = _shown(os.path.join(self.base, named))
        return self.documents.choose(path, named)

    def key(self, work: Work) -> str | None:
        document = b""
        if work.document is not None:
            digest = self.documents.digest(work.document)
            if digest is None:
                return None
            document = digest + work.document.encode("utf-8", "replace")
        facts = (
            f"{os.path.basename(work.path).lower() == 'skill.md'} {work.folder} {work.strict} {work.near} {work.locked}"
        )
        return self.cache.key(facts.encode("utf-8", "replace"), document, work.data)

    # Looking ------------------------------------------------------------------------------------------------------

    def look(self, files: Sequence[File]) -> dict[str, Looked]:
        """What the rules say of each file by itself."""
        looked: dict[str, Looked] = {}
        pending = []
        for file in files:
            known = self.cache.get(file.key) if file.key is not None else None
            result = _loaded(known)
            if result is None:
                pending.append(file)
            else:
                looked[file.path] = result
        if pending:
            if len(pending) > 1:
                for name in dict.fromkeys(file.work.document for file in pending):
                    if name is not None:
                        self.documents.load(name)
            checker = Checker(self.documents, prose_signs())
            size = sum(len(file.data) for file in pending)
            for file, value in zip(
                pending, spread([file.work for file in pending], checker.task(), size, self.request.jobs), strict=True
            ):
                looked[file.path] = load(value)
                if file.key is not None and not looked[file.path].broken:
                    self.cache.put(file.key, value)
        return looked

    def run(self) -> Report:
        """Looks at everything once."""
        self.closed.clear()
        paths = self.find()
        changed = None
        if self.request.since is not None:
            from wizard.lint.changed import changed_files

            changed = changed_files(self.request.since)
        files, broken = [], [f"{_shown(path)}: this folder cannot be read" for path in self.closed]
        for path in paths:
            try:
                files.append(self.prepare(path))
            except OSError as error:
                broken.append(f"{path}: it cannot be read: {error.strerror or error}")
        wanted = files if changed is None else [file for file in files if self.is_changed(file, changed)]
        looked = self.look(wanted)
        across = self.across(files, wanted)
        self.cache.save()
        weigher = self.weigher()
        findings: list[LocatedFinding] = []
        for file in wanted:
            mine = looked[file.path]
            broken.extend(f"{file.path}: {said}" for said in mine.broken)
            said = [at_path(found, file.path) for found in (*mine.findings, *across.get(file.path, ()))]
            findings.extend(weigher.file(file.path, file.data, said, mine.suppressions))
        for path, others in across.items():
            if path not in looked:
                findings.extend(weigher.file(path, b"", [at_path(found, path) for found in others], ()))
        findings.extend(weigher.configuration())
        findings = with_fingerprints(sorted(findings, key=_order), self.root)
        if self.request.baseline is not None:
            findings = self.request.baseline.apply(findings, {file.path for file in wanted}, weigher)
        return Report(
            tuple(found for found in findings if not found.suppressed),
            tuple(found for found in findings if found.suppressed),
            tuple(file.path for file in wanted), tuple(broken), self.settings, self.root,
        )  # fmt: skip

    def weigher(self) -> Weigher:
        return Weigher(self.settings, self.settings_of)

    def is_changed(self, file: File, changed: frozenset[str]) -> bool:
        near = (file.path, file.work.document)
        if any(os.path.realpath(path) in changed for path in near if path is not None):
            return True
        if not may_link(file.data):
            return False
        linked = os.path.join(os.path.dirname(os.path.realpath(file.path)), "operations") + os.sep
        return any(path.startswith(linked) for path in changed)

    def across(self, files: Sequence[File], wanted: Sequence[File]) -> dict[str, tuple[LocatedFinding, ...]]:
        """What is said of files compared with each other and with the whole document, by path."""
        part = [file for file in files if file.links]
        alone = len(part) == 1 and part[0].work.document is None and not may_link(part[0].data)
        if not part or alone:
            return {}
        from wizard.lint.across import compare

        return compare(part, {file.path for file in wanted}, self.documents, self.cache, partial=self.partial)


def lint(request: Request, settings: Settings) -> Report:
    """Runs the linter once. Raises WizardError where the job cannot be done."""
    return Engine(request, settings).run()


def _loaded(known: Any) -> Looked | None:
    if known is None:
        return None
    try:
        return load(known)
    except (ValueError, TypeError, IndexError):
        return None


def _order(found: LocatedFinding) -> tuple[str, int, int, str, str]:
    return (found.spot.path, found.spot.line, found.spot.column, found.rule, found.message)


def _folder_of(path: str) -> str:
    """The name of the folder that a file lies in."""
    above = os.path.basename(os.path.dirname(path))
    return above if above not in ("", ".", "..") else os.path.basename(os.path.dirname(os.path.abspath(path)))


def _shown(path: str) -> str:
    """A path as a report shows it: with slashes, and relative where it lies under the working directory."""
    whole = os.path.normpath(path)
    here = os.getcwd() + os.sep
    return whole.removeprefix(here).replace(os.sep, "/")
