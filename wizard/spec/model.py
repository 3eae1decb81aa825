"""One model of an API document for all its versions: operations, parameters, bodies flattened to fields, answers.

The facts are values with JSON pointers (`#/paths/~1bookings/post`; in a document of several files with the file before
the `#`, relative to the root document's folder). What is costly (an answer's fields) is worked out when asked for.

Field names are those of FORMAT 2: `customer.email` goes into an object, `items[].sku` into each element of an array,
`$body` is a body that is one array. A name that itself contains `. [ ] : ? "` is quoted by `operation.FieldPath`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from wizard.source import Place

ParameterPlace = Literal["path", "query", "header", "cookie"]


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Something of a document that could not be read, and was passed over."""

    message: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Raw:
    """The raw document behind the model."""

    resolve: Callable[[str], Any] = lambda pointer: None
    """The raw value at a pointer; None where there is none."""
    follow: Callable[[str, str], tuple[str, Any] | None] = lambda pointer, ref: None
    """What a `$ref` that stands at a pointer leads to: its pointer and its raw value; None where it leads to nothing.
    It reads the file that the `$ref` names where nobody read it yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a schema says of one value; absent facts are None or empty."""

    type: str = ""
    """`string`, `number`, `integer`, `boolean`, `object`, `array`, or empty where the document does not say."""
    format: str = ""
    enum: tuple[Any, ...] = ()
    const: Any = None
    default: Any = None
    examples: tuple[Any, ...] = ()
    pattern: str = ""
    min_length: int | None = None
    max_length: int | None = None
    nullable: bool = False
    read_only: bool = False
    write_only: bool = False
    deprecated: bool = False
    title: str = ""
    description: str = ""
    item_type: str = ""
    """For an array, the type of its elements."""
    extensions: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A path, query, header or cookie parameter (Swagger 2.0 `body` and `formData` are in the body instead)."""

    name: str
    location: ParameterPlace
    required: bool
    shape: Shape
    pointer: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One value of a body. Objects and arrays have a field of their own, before those of their members."""

    path: str
    """As FORMAT 2 writes it, without `?`."""
    name: str
    """The last member's own name, unquoted."""
    parent: str
    """The path of the object or array element that holds it (`items[]`), empty at the top."""
    required: bool
    """Its own object requires it (in every branch of a oneOf/anyOf)."""
    always: bool
    """Required, and so is everything around it: it stands in each request."""
    depth: int
    """0 at the top of the body."""
    composite: bool
    """An object or array whose members are fields too."""
    branch: str = ""
    """Which branch of a oneOf/anyOf it belongs to, where not all have it: its title, its schema's name, or its pointer;
    of several the first three (`Card, Bank and 2 more`)."""
    shape: Shape
    pointer: str
    """Of the property's schema."""
    required_at: str = ""
    """Of the `required` list that names it."""
    schema_name: str = ""
    """The name of the schema behind it, where it is a `$ref` to a named one (`Money`)."""

    @property
    def in_array(self) -> bool:
        return "[]" in self.path


@dataclass(frozen=True, kw_only=True)
class Body:
    """A request's body, or an answer's, in one media type."""

    media_type: str
    required: bool
    fields: tuple[Field, ...]
    shape: Shape
    """Of the body as a whole (`object`, `array`, a scalar)."""
    pointer: str
    """Of its schema."""
    description: str = ""
    examples: tuple[Any, ...] = ()
    """Whole example bodies, as the document has them."""
    cut: bool = False
    """Its schema goes deeper, or has more members, than we flatten."""
    schema_name: str = ""
    element: tuple[Field, ...] = ()
    """Of a body that is an array, the fields of one element, with paths inside it (`id`, `room.id`); `fields` is
    then the one field `$body`."""

    @cached_property
    def by_path(self) -> Mapping[str, Field]:
        """The first field of each path (branches may have several)."""
        return {found.path: found for found in reversed(self.fields)}


@dataclass(frozen=True, kw_only=True)
class Response:
    """One answer of an operation. `body` is worked out when asked for."""

    status: str
    """`200`, `4XX`, `default`."""
    description: str
    pointer: str
    headers: Mapping[str, str] = field(default_factory=dict)
    """Name to description."""
    links: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    media_types: tuple[str, ...] = ()
    read_body: Callable[[], Body | None] = field(default=lambda: None, repr=False, compare=False)

    @cached_property
    def body(self) -> Body | None:
        """The body in the most JSON-like media type, None where there is none."""
        return self.read_body()


@dataclass(frozen=True, kw_only=True)
class ApiOperation:
    """One method of one path."""

    method: str
    """In capitals."""
    path: str
    """As written in the document."""
    operation_id: str
    """Empty where there is none."""
    pointer: str
    summary: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    parameters: tuple[Parameter, ...] = ()
    """Path-level ones included, the operation's own first."""
    responses: tuple[Response, ...] = ()
    servers: tuple[str, ...] = ()
    """Absolute where the document tells, variables filled with their defaults."""
    extensions: Mapping[str, Any] = field(default_factory=dict)
    """`x-…` members of the operation, and of its path where the operation has none of that name."""
    security: tuple[str, ...] = ()
    """Names of the security schemes that it asks for."""
    media_types: tuple[str, ...] = ()
    """Of the request body, in the document's order."""
    read_body: Callable[[], Body | None] = field(default=lambda: None, repr=False, compare=False)
    raw: Raw = field(default=Raw(), repr=False, compare=False)

    @cached_property
    def name(self) -> str:
        """`POST /bookings`."""
        return f"{self.method} {self.path}"

    @cached_property
    def body(self) -> Body | None:
        """The request body in the media type that suits best: JSON, +json, merge-patch, form, multipart, others."""
        return self.read_body()

    @property
    def fields(self) -> tuple[Field, ...]:
        """The body's fields, none where there is no body."""
        return self.body.fields if self.body else ()

    def parameters_in(self, location: ParameterPlace) -> tuple[Parameter, ...]:
        return tuple(found for found in self.parameters if found.location == location)

    @cached_property
    def success(self) -> Response | None:
        """The first 2xx answer that has a body, else the first 2xx, else `default`'s, else None."""
        good = [found for found in self.responses if found.status.startswith("2")]
        good.sort(key=lambda found: not found.media_types)
        if good:
            return good[0]
        return next((found for found in self.responses if found.status == "default"), None)


@dataclass(frozen=True, kw_only=True)
class ApiDocument:
    """An API document that was read, as far as it could be."""

    title: str
    openapi: str
    """Its version as written: `2.0`, `3.0.3`, `3.1.0`."""
    source: str
    """Its name: a path as given, a URL, or `-`."""
    root: Mapping[str, Any] = field(repr=False)
    """The raw document: dates are text, keys are text."""
    operations: tuple[ApiOperation, ...] = ()
    problems: tuple[DocumentProblem, ...] = ()
    servers: tuple[str, ...] = ()
    description: str = ""
    version: str = ""
    """`info.version`."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tag name to description, in the document's order."""
    webhooks: tuple[str, ...] = ()
    """Names of webhooks and callbacks that the API sends; they are no operations of ours."""
    locate: Callable[[str], Place] = field(default=lambda pointer: Place("", pointer), repr=False, compare=False)
    resolve: Callable[[str], Any] = field(default=lambda pointer: None, repr=False, compare=False)
    """The raw value at a pointer; None where there is none."""
    raw: Raw = field(default=Raw(), repr=False, compare=False)

    def place(self, pointer: str) -> Place:
        """Where a pointer stands: file, line and column. Costs a pass over the text the first time."""
        return self.locate(pointer)

    @cached_property
    def by_name(self) -> Mapping[str, ApiOperation]:
        """`POST /bookings` to its operation."""
        return {found.name: found for found in self.operations}
