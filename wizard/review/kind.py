"""What a kind of change is, what it sees, and what it says.

A module of `wizard.review.changes` has `KIND`, a value of `Kind`; it is found by its folder, and the kind's name is the
module's with hyphens for underscores. A kind looks at one operation on both sides through a `Pair` and yields what it
found; it reads and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from wizard.discover import module_names
from wizard.lint.matching import operation_of
from wizard.operation.model import Operation
from wizard.operation.printing import print_operation
from wizard.review.model import Example, Grade, Harm, Side
from wizard.skill.document import SkillDocument
from wizard.spec.model import ApiDocument, ApiOperation, Field, Parameter

Step = str | int


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A declaration of one side, with the skill that it stands in and what the API document says of its operation."""

    name: str
    """The skill's name; where it has none, its path without ending."""
    operation: Operation
    path: str
    """Of the skill's file, as a report shows it."""
    skill: SkillDocument | None = None
    """None where the declaration stands in no file."""
    document: ApiDocument | None = None
    prose: tuple[tuple[str, str, int, int], ...] = ()
    """What the prose says of building keys: rule, the words, and where they begin and end in the file."""

    @cached_property
    def api(self) -> ApiOperation | None:
        """The document's operation; None without a document, or where it has none."""
        return None if self.document is None else operation_of(self.document, self.operation)

    @cached_property
    def probed(self) -> ApiOperation | None:
        """The document's GET that the probe calls."""
        probe = self.operation.probe
        if probe is None or self.document is None:
            return None
        return operation_of(self.document, Operation(method="GET", url=probe.url))

    @cached_property
    def printed(self) -> Mapping[str, Any]:
        """The declaration's mapping, as it is printed."""
        return print_operation(self.operation)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """The fields of the document's body by their paths; none where the document does not show a body."""
        return self.api.body.by_path if self.api is not None and self.api.body is not None else {}

    def parameter(self, place: str, name: str) -> Parameter | None:
        """A parameter of the document's operation; headers whatever their case."""
        for found in self.api.parameters if self.api is not None else ():
            same = found.name == name or (place == "header" and found.name.lower() == name.lower())
            if found.location == place and same:
                return found
        return None


@dataclass(frozen=True, slots=True)
class InSkill:
    """The place of a part of the declaration: `("probe", "match")`, `("identity", 2)`; empty for all of it."""

    side: Side
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class InDocument:
    """The place of a pointer of the API document."""

    side: Side
    pointer: str


@dataclass(frozen=True, slots=True)
class InProse:
    """A stretch of the skill's file, by offsets."""

    side: Side
    start: int
    end: int


At = InSkill | InDocument | InProse


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a kind says of a pair; see `model.Change` for what the members mean."""

    grade: Grade
    harm: Harm
    title: str
    effect: str
    remedy: str = ""
    subject: str = ""
    before: str = ""
    after: str = ""
    example: Example | None = None
    at: tuple[At, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One operation on both sides; one of them may be missing."""

    before: Declared | None
    after: Declared | None
    shared: dict[str, Any] = field(default_factory=dict, compare=False)
    """What one kind worked out and another can use."""
    drifted: bool = False
    """The older document is not at hand, but it is known to have shown all that is declared."""
    indexes: dict[int, dict[str, Any]] = field(default_factory=dict, compare=False)
    """What proposals keep of a document, by its id, for as long as the review lasts."""

    @property
    def both(self) -> tuple[Declared, Declared] | None:
        """Both declarations; None where one is missing."""
        return None if self.before is None or self.after is None else (self.before, self.after)

    @property
    def writes(self) -> tuple[Declared, Declared] | None:
        """Both declarations, where both are of writes."""
        both = self.both
        return both if both is not None and all(one.operation.is_write for one in both) else None

    @property
    def compared(self) -> tuple[Declared, Declared] | None:
        """Both declarations, where the newer one has an operation of its document to be held against, and the
        document differs from the older one's."""
        both = self.both
        if both is None or both[1].api is None or both[0].document is both[1].document:
            return None
        return both

    @property
    def knew(self) -> bool:
        """Whether it is known what the older document showed of the operation."""
        return self.drifted or (self.before is not None and self.before.api is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of change."""

    name: str
    summary: str
    """One line: what happened."""
    check: Callable[[Pair], Iterable[Found]]
    why: str
    """The docstring of its module: what it means and what it does."""
    of_document: bool = False
    """It tells what the API document says otherwise, not the declaration."""
    of_host: bool = False
    """It matters only where the host goes by the declaration: not while that is only proposed."""


@cache
def kind_names() -> tuple[str, ...]:
    """The names of all kinds, sorted; imports none."""
    from wizard.review import changes

    return tuple(sorted(name.replace("_", "-") for name in module_names(changes)))


@cache
def load_kinds() -> dict[str, Kind]:
    """Every kind by its name."""
    from wizard.review import changes

    found: dict[str, Kind] = {}
    for name in kind_names():
        module = import_module(f"{changes.__name__}.{name.replace('-', '_')}")
        found[name] = module.KIND
    return found


def newly(pair: Pair, faults: Callable[[Declared], Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What `faults` finds on the newer side and did not find on the older; what cannot be known of the older side (it
    has no document, or that has no such operation) counts as not found."""
    if pair.after is None or pair.after.api is None:
        return
    old = faults(pair.before) if pair.before is not None and pair.before.api is not None else {}
    for subject, found in faults(pair.after).items():
        if subject not in old:
            yield subject, found
