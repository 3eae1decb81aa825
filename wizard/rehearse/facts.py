"""What is true of a recipient: from its document first, from the declaration only where the document is silent.

A rehearsal tries a declaration, so it must not be told with a recipient that simply does what is declared. A key place
that the document shows to be something else is not honoured, a filter that the read does not have is ignored, a member
that shows something else is not filled. What no document shows is believed, and `Facts.notes` says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wizard.operation.duration import Duration
from wizard.operation.model import Operation
from wizard.spec.model import ApiDocument, ApiOperation, Field

Does = Literal["create", "upsert", "change", "delete"]
Source = str
"""A value of the write: a field's path, `query:NAME`, `path:NAME` of its own path."""
Steps = tuple[str | None, ...]
"""A way into a value: members' names, and None for each element of an array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFacts:
    """The key that the recipient honours."""

    place: Literal["header", "field", "query"]
    name: str
    memory: Duration
    remembers: Literal["all", "success"] = "all"
    other_body: int | None = None
    """The status for the same key with another body; None: the first answer again."""
    in_progress: int | None = None
    """The status while the first request is being worked on; None: the second waits for the first."""
    required: bool = False
    by: Literal["document", "declaration"] = "document"
    """Who shows the place."""

    @property
    def per_element(self) -> bool:
        return self.place == "field" and "[]" in self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFacts:
    """A field that the recipient stores and gives back."""

    name: Source
    unique: bool = False
    """A second one with the same value is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateFacts:
    """Something must be unique, and is refused where it is there already."""

    status: int
    fields: tuple[Source, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalFacts:
    """How a request that is not carried out is answered."""

    status: int
    """Of what the document would not accept: 400, 422, or the success status where a member says it."""
    member: Steps = ()
    """The member that says it in an answer of the success status; empty where the status does."""
    bad: Any = None
    good: Any = None
    """Its value where the call went well; None: it is not there."""

    @property
    def in_success(self) -> bool:
        return bool(self.member)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A query parameter that narrows a list."""

    parameter: str
    source: Source
    way: Literal["equal", "contains", "from", "to"] = "equal"
    any_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """How a list is cut into pages, and how an answer tells where the next one is."""

    tells: Literal["nothing", "link", "url", "cursor"] = "nothing"
    at: Steps = ()
    """The member with the next page's URL or cursor."""
    parameter: str = ""
    """The one that asks for a page."""
    numbered: Literal["", "page", "offset"] = ""
    """What the parameter counts, where it counts."""
    limit: str = ""
    """The parameter that says how many."""
    size: int | None = None
    """How many at most in one answer; None: all."""
    nullable: bool = False
    """The member is null on the last page."""
    always: bool = False
    """The member is there on the last page, too."""
    whole_number: bool = False
    """The cursor is a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What an answer shows of a write: where a candidate lies, and which member has which value."""

    api: ApiOperation | None
    status: int
    base: Any = None
    """An example of the whole answer, without what is stored; None where it has no body."""
    items: Steps | None = None
    """The way to the array of candidates; None where the answer is the one candidate."""
    element: Any = None
    """An example of one candidate."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    """What the document says of each member of a candidate; empty where it says nothing."""
    members: Mapping[Source, str] = field(default_factory=dict)
    """A value of the write to the member (FORMAT 2) that shows it; each member shows one."""
    own_id: str = ""
    made: tuple[str, ...] = ()
    """Members with the time of creation."""
    touched: tuple[str, ...] = ()
    """Members with the time of the last change."""
    media_type: str = "application/json"
    added: tuple[tuple[Literal["header", "query"], str, str], ...] = ()
    """What each request must have and the caller's transport adds: place, name, an example of it."""

    @property
    def is_list(self) -> bool:
        return self.items is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFacts:
    """A GET that can show the write."""

    path: str
    """With what stands before the document's paths: `/v1/bookings/{id}`."""
    shown: Shown
    variables: Mapping[str, Source] = field(default_factory=dict)
    """Its path's variables to values of the write; empty text: the id that the recipient gave."""
    filters: tuple[Filter, ...] = ()
    paging: Paging = Paging()
    newest_first: bool = False
    absent: int | None = None
    """The status where nothing is there; None for a list, which is empty then."""
    by: Literal["document", "declaration"] = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that the simulated recipient goes by."""

    operation: Operation
    api: ApiOperation | None
    document: ApiDocument | None
    does: Does
    path: str
    """Of the write, with what stands before the document's paths."""
    origin: str
    """Scheme and authority of the declared URL."""
    answer: Shown
    """The answer of the write itself."""
    key: KeyFacts | None = None
    reference: ReferenceFacts | None = None
    duplicate: DuplicateFacts | None = None
    again: int | None = None
    """The status for doing a second time what can be done once only (cancelling); None: it is simply done again."""
    refusal: RefusalFacts = RefusalFacts(status=400)
    reads: tuple[ReadFacts, ...] = ()
    given: Mapping[Source, Any] = field(default_factory=dict)
    """Of a change: what an example request gives; what was there before differs from it."""
    late: bool = False
    """The answer is not the outcome: it is carried out after it was accepted."""
    repeats: bool = False
    """An equal one again means something: no two are the same."""
    matter: tuple[Source, ...] = ()
    """Fields that surely tell two writes apart; the filled path always does."""
    wording: tuple[Source, ...] = ()
    """Fields that surely do not."""
    unsure: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    """What had to be believed, and where declaration and document disagree; a sentence each."""


def facts_of(operation: Operation, api: ApiOperation | None, document: ApiDocument | None) -> Facts:
    """What is true of the recipient of an operation. Kept: asking again for the same costs nothing."""
    from wizard.rehearse.truth.whole import whole_facts

    return whole_facts(operation, api, document)
