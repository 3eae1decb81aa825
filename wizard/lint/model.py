"""What a rule is, what it sees, and what it says.

A module of `wizard.lint.rules` has `RULE`, a value of `Rule`; it is found by its folder, and the rule's name is the
module's with hyphens for underscores. A rule looks at one file through a `Context` and yields findings; it reads and
writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from wizard.source import Source, Span

if TYPE_CHECKING:
    from wizard.skill.document import SkillDocument
    from wizard.spec.model import ApiDocument

Severity = Literal["error", "warning", "info", "off"]
"""How bad it is; `off` is a rule that speaks only where it is asked for by name."""
Confidence = Literal["high", "medium", "low"]
"""How sure we are."""
Safety = Literal["safe", "unsafe"]
"""An unsafe fix is to be looked at by a person."""
Family = Literal["file", "declaration", "document", "repository", "prose-key", "prose", "linter"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info", "off")
CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The text of `span` becomes `text`; an empty span inserts. `name` is another file, empty for the rule's own."""

    span: Span
    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that put a finding right; they overlap nowhere, and are made together or not at all."""

    title: str
    """What it does, as a person would choose it from a menu: `Take the header out`."""
    edits: tuple[Edit, ...]
    safety: Safety = "safe"


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding speaks of. `source` is None where it lies in the same file."""

    span: Span
    message: str
    source: Source | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a rule says about a place. Severity and confidence are the rule's own where they are None."""

    span: Span
    """The few characters that matter, in the context's source."""
    message: str
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something that only the run knows of a file: a suppression that nothing needed, a document that is broken."""

    rule: str
    span: Span
    message: str
    fix: Fix | None = None


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a rule may look at: one file, the API document where there is one, and the other skills of the run."""

    source: Source
    """The file's text as it lies on the disk, a byte order mark included; every span is one of this text."""
    document: ApiDocument | None = None
    others: Sequence[Context] = ()
    """The files that take part in the family `repository`, this one among them."""
    shared: dict[str, Any] = field(default_factory=dict)
    """What one rule worked out about this file and another can use, kept under a name."""
    whole: bool = False
    """The source is the API document itself, and `others` are the skills that are checked against it."""
    locked: str = ""
    """The digest of the document's operation when the declaration was made, as a lock file has it; empty without."""
    decided: frozenset[str] = frozenset()
    """Of the whole document: the operations (`POST /bookings`) that a lock file says somebody decided about."""
    strict: bool = False
    """The profile `strict`: what only the strictest reader refuses is reported, too."""
    folder: str = ""
    """The name of the folder that the file lies in; empty where nobody knows."""
    exists: Callable[[str], bool] | None = None
    """Whether there is a file at a path that is relative to the file's folder; None where nobody can tell."""
    remarks: tuple[Remark, ...] = ()
    """What the run itself came upon, for the rules that report it."""

    @cached_property
    def skill(self) -> SkillDocument:
        """The file read as a skill, when the first rule asks: reading YAML costs more than all that stands before."""
        from wizard.skill.document import parse_skill

        return parse_skill(self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its name in words, how bad and how sure, one line that sums it up, and the page that explains it."""

    name: str
    family: Family
    severity: Severity
    confidence: Confidence
    summary: str
    check: Callable[[Context], Iterable[Finding]]
    why: str
    """What it finds, why it matters, and an example before and after; the docstring of its module, in Markdown."""
    needs_document: bool = False
    """It says nothing of a skill that is checked against no API document."""
