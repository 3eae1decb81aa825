"""An operation as its declaration says it (FORMAT 2): frozen values, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, url_variables

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
WRITING_METHODS = frozenset({"POST", "PATCH", "DELETE"})
SHAPES = ("uuid", "uuid4", "hex32", "hex64")

DEFAULT_KEY_MEMORY = Duration(30 * 60)
"""How long a recipient is taken to remember a key that declares no `for`."""
DEFAULT_AFTER = Duration(5 * 60)
DEFAULT_KEEP = Duration(24 * 3600)
DEFAULT_KEEP_OF_CHANGES = Duration(5 * 60)
"""Of PATCH, PUT and DELETE: open, closed, open again is three writes."""


class Level(StrEnum):
    """What protects a write; it follows from the declaration and is never written down."""

    NONE = "none"
    CACHED = "cached"
    KEYED = "keyed"


class Scope(StrEnum):
    """What a record stands for."""

    IDENTITY = "identity"
    CALL = "call"
    ARGUMENTS = "arguments"


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the recipient takes an idempotency key, in what shape, and how it remembers it."""

    place: Literal["header", "field", "query"]
    name: str
    """A header's or parameter's name, or a field's path (`data.attributes.key`, `events[].transaction_id`)."""
    shape: Literal["uuid", "uuid4", "hex32", "hex64"] = "uuid"
    quoted: bool = False
    remembered_for: Duration | None = None
    """`for`; None where it is not declared."""
    remembers: Literal["all", "success"] = "all"

    @property
    def path(self) -> FieldPath:
        """The place as a field path."""
        if self.place == "field":
            return FieldPath.parse(self.name)
        return FieldPath.parse(f"{self.place}:{self.name}")

    @property
    def per_element(self) -> bool:
        """Whether each element of an array has a key of its own."""
        return self.place == "field" and self.path.in_array

    @property
    def memory(self) -> Duration:
        return self.remembered_for or DEFAULT_KEY_MEMORY


@dataclass(frozen=True, slots=True)
class Reference:
    """A field that the recipient stores and gives back but does not dedupe on."""

    name: str
    shape: Literal["uuid", "uuid4", "hex32", "hex64"] = "uuid"

    @property
    def path(self) -> FieldPath:
        return FieldPath.parse(self.name)


@dataclass(frozen=True, slots=True)
class Cursor:
    """`pages: {at: JSONPath, as: query:NAME}`."""

    at: str
    parameter: str
    """The query parameter's name, without `query:`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """How to ask whether the write is there (FORMAT 4)."""

    url: str
    items: str | None = None
    match: tuple[tuple[str, str], ...] = ()
    """Pairs of the write's field and the path in a candidate."""
    since: str | None = None
    absent: Literal["empty", "404"] | None = None
    pages: str | Cursor | None = None
    """`none`, `link`, a JSONPath of the next page's URL, or a cursor."""
    after: Duration | None = None
    """None where it is not declared; `wait` has the default."""

    @property
    def wait(self) -> Duration:
        return self.after or DEFAULT_AFTER

    @property
    def variables(self) -> tuple[str, ...]:
        """The names in braces of its URL."""
        return url_variables(self.url)

    @property
    def covered(self) -> frozenset[str]:
        """The write's fields (without `?`) that it fixes by URL or compares."""
        return frozenset(self.variables) | {FieldPath.parse(name).name for name, _ in self.match}


@dataclass(frozen=True, slots=True)
class Money:
    """The money that a write moves: the amount's field, and the currency's field or ISO 4217 code."""

    amount: str
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation's declaration. What is not declared is None or empty; the properties fill in the defaults."""

    method: str
    url: str
    query: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    content: str = "application/json"
    body: tuple[FieldPath, ...] = ()
    write: bool | None = None
    identity: tuple[FieldPath, ...] = ()
    scope: Literal["call", "arguments"] | None = None
    key: KeyPlace | None = None
    reference: Reference | None = None
    probe: Probe | None = None
    failed: str | None = None
    keep: Duration | None = None
    money: Money | None = None
    status: Literal["proposed"] | None = None
    extra: tuple[tuple[str, object], ...] = field(default=())
    """`x-…` members, kept as they are."""

    @property
    def is_write(self) -> bool:
        return self.write if self.write is not None else self.method in WRITING_METHODS

    @property
    def level(self) -> Level:
        if not self.is_write:
            return Level.NONE
        return Level.KEYED if self.effective().key is not None else Level.CACHED

    @property
    def record_scope(self) -> Scope:
        """What the host's record of this write stands for."""
        operation = self.effective()
        if operation.identity:
            return Scope.IDENTITY
        return Scope.ARGUMENTS if operation.scope == "arguments" else Scope.CALL

    @property
    def kept_for(self) -> Duration:
        """How long a completed record answers a repeat."""
        if self.keep is not None:
            return self.keep
        return DEFAULT_KEEP if self.method == "POST" else DEFAULT_KEEP_OF_CHANGES

    @property
    def path_variables(self) -> tuple[str, ...]:
        return url_variables(self.url)

    @property
    def host_fills_reference(self) -> bool:
        """The host fills the reference unless it is part of the identity, where the model does."""
        if self.reference is None:
            return False
        path = self.reference.path
        return not any(named.required().covers(path) for named in self.identity)

    @property
    def confirmed(self) -> bool:
        return self.status != "proposed"

    def effective(self) -> Operation:
        """What the host goes by: a proposed declaration counts as none (call scope, no key, no probe; nothing that
        nobody confirmed makes a write pass for none, or an answer for a refusal)."""
        if self.confirmed:
            return self
        write = self.write or None
        return replace(
            self, write=write, identity=(), scope=None, key=None, reference=None, probe=None, failed=None, keep=None
        )
