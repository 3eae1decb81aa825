"""What the linter would say of a skill before it is written: by the configuration that holds for its folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from wizard.lint.baseline import Baseline, read_baseline
from wizard.lint.checking import check_source
from wizard.lint.config import find_config, load_config
from wizard.lint.ignored import Patterns
from wizard.lint.located import LocatedFinding, at_path
from wizard.lint.model import Context
from wizard.lint.settings import PerPath, Settings
from wizard.lint.weighing import Weigher
from wizard.source import Source
from wizard.spec.model import ApiDocument

LINTED = ("file", "declaration", "document", "prose-key", "prose")
"""The families of rules that look at one file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linting:
    """How the linter looks at the files of a folder."""

    settings: Settings
    out: str = ""
    """The folder, absolute; paths are relative to it."""
    baseline: Baseline | None = None

    def leaves_out(self, path: str) -> bool:
        """Whether the configuration keeps the linter from looking at a file."""
        excluded = Patterns(self.settings.exclude, os.path.abspath(self.settings.root))
        return bool(self.settings.exclude) and bool(excluded.match(os.path.join(self.out, path), False))

    def findings(self, document: ApiDocument, path: str, text: str) -> tuple[LocatedFinding, ...]:
        """What `lint` would report of a text at a path, in the order of its lines: rules that are off, and what a
        comment, the configuration or the baseline allows, are left out."""
        whole = os.path.join(self.out, path)
        here = self._per_path(whole)
        profile = next((one.profile for one in reversed(here) if one.profile), self.settings.profile)
        folder = os.path.basename(os.path.dirname(path)) or os.path.basename(self.out)
        context = Context(source=Source(path, text), document=document, strict=profile == "strict", folder=folder)
        looked = check_source(context, families=LINTED)
        weigher = Weigher(self.settings, lambda _: here)
        data = text.encode("utf-8", "surrogatepass")
        told = [at_path(one, whole) for one in looked.findings]
        found = weigher.file(whole, data, told, looked.suppressions)
        if self.baseline is not None:
            marked = self.baseline.apply(found, {whole}, weigher)
            found = [one for one in marked if one.spot.path == whole]
        return tuple(sorted([one for one in found if not one.suppressed], key=lambda one: (one.spot.line, one.rule)))

    def _per_path(self, whole: str) -> tuple[PerPath, ...]:
        root = os.path.abspath(self.settings.root)
        return tuple(one for one in self.settings.per_path if Patterns(one.paths, root).match(whole, False))


UNCONFIGURED = Linting(settings=Settings())
"""Without a configuration."""


def linting_of(out: Path) -> Linting:
    """How the linter looks at a folder: by the nearest configuration at or above it. Raises ConfigError."""
    folder = os.path.abspath(out)
    file = find_config(folder)
    if file is None:
        return Linting(settings=Settings(root=folder), out=folder)
    settings = load_config(file)
    known = settings.baseline and os.path.join(settings.root, settings.baseline)
    return Linting(settings=settings, out=folder, baseline=read_baseline(known) if known else None)
