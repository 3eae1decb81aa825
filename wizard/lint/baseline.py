"""The findings that were there before: they stay quiet, new ones do not.

A baseline is a JSON file with one finding a line. A finding is known again by its rule, its file and the text of its
line, so it stays known when lines move or the file is renamed, and comes up anew when its line is touched.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wizard.errors import ConfigError
from wizard.lint.located import LocatedFinding

if TYPE_CHECKING:
    from wizard.lint.engine import Report
    from wizard.lint.weighing import Weigher

VERSION = 1
DEFAULT = "skill-wizard-baseline.json"


class Entry(NamedTuple):
    """A finding that was there."""

    rule: str
    path: str
    """Relative to the baseline's folder."""
    mark: str
    times: int
    line: int
    """Where it stands in the baseline file."""


class Baseline:
    """The entries of a baseline file."""

    def __init__(self, path: str, text: str, entries: Sequence[Entry]) -> None:
        self.path, self.text, self.entries = path, text, tuple(entries)
        self.folder = os.path.dirname(os.path.abspath(path))

    def apply(self, findings: Iterable[LocatedFinding], looked: set[str], weigher: Weigher) -> list[LocatedFinding]:
        """The findings with those marked that were there before, and with a finding for each entry that is stale."""
        left = {(entry.rule, entry.path, entry.mark): entry.times for entry in self.entries}
        marked = []
        for found in findings:
            key = (found.rule, self.relative(found.spot.path), found.mark)
            if not found.suppressed and left.get(key, 0) > 0:
                left[key] -= 1
                marked.append(found._replace(suppressed="baseline"))
            else:
                marked.append(found)
        marked = self.moved(marked, left)
        here = {self.relative(path) for path in looked}
        stale = []
        for entry in self.entries:
            gone = not os.path.exists(os.path.join(self.folder, entry.path))
            if left[(entry.rule, entry.path, entry.mark)] > 0 and (entry.path in here or gone):
                stale.append(entry)
        return marked + self.stale(stale, weigher)

    def moved(self, findings: Iterable[LocatedFinding], left: dict[tuple[str, str, str], int]) -> list[LocatedFinding]:
        """The findings with those marked that were there before in a file that is gone: it has another name now."""
        gone: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
        for key, times in left.items():
            if times > 0 and not os.path.exists(os.path.join(self.folder, key[1])):
                gone.setdefault((key[0], key[2]), []).append(key)
        marked = []
        for found in findings:
            keys = [key for key in gone.get((found.rule, found.mark), ()) if left[key] > 0]
            if keys and not found.suppressed:
                left[keys[0]] -= 1
                marked.append(found._replace(suppressed="baseline"))
            else:
                marked.append(found)
        return marked

    def stale(self, entries: Sequence[Entry], weigher: Weigher) -> list[LocatedFinding]:
        if not entries:
            return []
        from wizard.lint.model import Remark
        from wizard.lint.rulebook import rule_names
        from wizard.source import Position, Source, Span

        source = Source(self.path, self.text)
        remarks = []
        for entry in entries:
            if entry.rule in rule_names() and not weigher.runs(entry.rule):
                continue
            start = source.offset(Position(entry.line, 1))
            said = source.line(entry.line)
            indent = len(said) - len(said.lstrip())
            remarks.append(
                Remark(
                    rule="stale-baseline-entry",
                    span=Span(start + indent, start + len(said.rstrip().rstrip(","))),
                    message=f"`{entry.path}` no longer breaks `{entry.rule}` here; write the baseline anew",
                )
            )
        shown = os.path.relpath(self.path).replace(os.sep, "/")
        return weigher.remarked(shown, self.text, tuple(remarks))

    def relative(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def read_baseline(path: str) -> Baseline:
    """Reads a baseline file. Raises ConfigError."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except FileNotFoundError:
        raise ConfigError("there is no such baseline", place=path, remedy="`--write-baseline` writes it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the baseline cannot be read: {error}", place=path) from None
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"the baseline is no JSON: {error}", place=path, remedy="`--write-baseline` writes it anew") from None  # fmt: skip  # noqa: E501
    if not isinstance(data, dict) or data.get("version") != VERSION or not isinstance(data.get("findings"), list):
        raise ConfigError(
            f"this is no baseline of version {VERSION}", place=path, remedy="`--write-baseline` writes it anew"
        )
    lines = _lines(text)
    entries = []
    for index, one in enumerate(data["findings"]):
        try:
            entry = Entry(str(one["rule"]), str(one["path"]), str(one["mark"]), int(one.get("count", 1)), lines[index])
        except (KeyError, TypeError, ValueError, IndexError):
            raise ConfigError(
                f"finding {index + 1} of the baseline is not whole",
                place=path,
                remedy="`--write-baseline` writes it anew",
            ) from None
        entries.append(entry)
    return Baseline(path, text, entries)


def _lines(text: str) -> list[int]:
    """The line of each finding, in their order; however a formatter laid the file out."""
    return [number for number, line in enumerate(text.split("\n"), 1) for _ in range(line.count('"mark"'))]


def unseen(path: str, report: Report, weigher: Weigher) -> tuple[Entry, ...]:
    """The entries of the baseline that is there of which a run says nothing: it did not look at their file, or their
    rule does not run. Empty where there is no baseline, or none that can be read."""
    if not os.path.exists(path):
        return ()
    from wizard.lint.rulebook import rule_names

    try:
        baseline = read_baseline(path)
    except ConfigError:
        return ()
    looked = {baseline.relative(name) for name in report.files}
    looked |= {baseline.relative(found.spot.path) for found in report.findings}
    kept = []
    for entry in baseline.entries:
        elsewhere = entry.path not in looked and os.path.exists(os.path.join(baseline.folder, entry.path))
        if elsewhere or (entry.rule in rule_names() and not weigher.runs(entry.rule)):
            kept.append(entry)
    return tuple(kept)


def print_baseline(findings: Iterable[LocatedFinding], path: str, kept: Iterable[Entry] = ()) -> str:
    """The text of the baseline that holds these findings and entries, for a file at `path`."""
    folder = os.path.dirname(os.path.abspath(path))
    counts: dict[tuple[str, str, str], int] = {}
    for found in findings:
        if found.suppressed in ("", "baseline") and found.family != "linter":
            where = os.path.relpath(found.spot.path, folder).replace(os.sep, "/")
            key = (where, found.rule, found.mark)
            counts[key] = counts.get(key, 0) + 1
    for one in kept:
        key = (one.path, one.rule, one.mark)
        counts[key] = counts.get(key, 0) + one.times
    lines = []
    for (where, rule, mark), count in sorted(counts.items()):
        entry: dict[str, object] = {"rule": rule, "path": where, "mark": mark}
        if count > 1:
            entry["count"] = count
        lines.append("  " + json.dumps(entry, ensure_ascii=False))
    body = ",\n".join(lines)
    return (
        f'{{"version": {VERSION}, "findings": [\n{body}\n]}}\n'
        if lines
        else f'{{"version": {VERSION}, "findings": []}}\n'
    )
