"""What is written: operations with their declarations, files with their old and new text, and what a person is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from wizard.operation.model import Operation
from wizard.spec.model import ApiOperation


class Layout(StrEnum):
    """How skills are laid out in files (FORMAT 1)."""

    FOLDER = "folder"
    """`<api>/SKILL.md`, an index, beside `<api>/operations/<operation>.md`."""
    SINGLE = "single"
    """`<operation>/SKILL.md`, one skill for each operation."""
    SPECS = "specs"
    """`<operation>.md`, operation specs and no index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One operation to write a skill for."""

    api: ApiOperation
    operation: Operation
    key_source: str = ""
    """Where a key comes from that the document does not show: the address of the vendor's page, or who said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """An operation that gets no skill, and why; the lock remembers it."""

    api: ApiOperation
    decision: str
    """`skipped`, or `no-write` where somebody said that it changes nothing."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file, before and after."""

    path: str
    """Relative to the output folder, with `/`."""
    old: str | None
    """None where there is no such file."""
    new: str
    what: str
    """`create`, `update`, or `unchanged`."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What writing would do. Nothing of it is done yet."""

    changes: tuple[FileChange, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    """Files that would have to be overwritten and are not ours, each with the reason."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())
    """What a person may want to know and need not act on."""
