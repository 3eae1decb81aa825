"""What a read answers with: where the records lie, what each shows, when it was made, and how further pages come."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from wizard.infer.alike import Phrase, canonical
from wizard.infer.lexicon import phrase
from wizard.infer.naming import root, stems
from wizard.infer.probe_words import joined, pattern, word_set
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.operation.model import Cursor
from wizard.spec.model import ApiOperation, Body, Field

_MANY = 6
"""Members of its own beside an array, from which on an answer is one thing that has a list, and no list."""


_PREFIXED = 2
"""A name of more words may have the house's own name before it (`acme_metric_id`)."""


@dataclass(frozen=True)
class Answer:
    """A read's 2xx answer."""

    is_list: bool
    items: str
    """RFC 9535 JSONPath of the candidates; empty where the answer is the one candidate."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    """Path in a candidate to what is known of it."""
    schema_name: str = ""
    """Of a candidate."""
    since: str = ""
    """Path in a candidate of the time when it was made."""
    pages: str | Cursor = ""
    """As FORMAT 4 has it; empty where the document does not tell."""
    paged_by: str = ""
    """The parameter that pages are asked for with, where there is one."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Arrays of objects inside a candidate: path to the names of their members."""
    pointer: str = ""

    @cached_property
    def by_name(self) -> Mapping[Phrase, tuple[str, ...]]:
        """The words of a member's name, and their common form, to the paths that end in it, shallow ones first."""
        shown: dict[Phrase, list[str]] = {}
        for path in sorted(self.fields, key=lambda path: (path.count("[]"), path.count("."))):
            last = phrase(path.rpartition(".")[2])
            shown.setdefault(last, []).append(path)
            for other in {canonical(last), last[1:] if len(last) > _PREFIXED else last} - {last}:
                shown.setdefault(other, []).append(path)
        return {words: tuple(paths) for words, paths in shown.items()}

    @cached_property
    def names(self) -> frozenset[frozenset[str]]:
        """The roots of the words of each member's name; those of error messages are left out."""
        names = {stems(path.rpartition(".")[2]) for path in self.fields}
        return frozenset(frozenset(root(word) for word in own) for own in names if "error" not in own)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The roots of all words in names of members and in the values that they can have."""
        values = {value for one in self.fields.values() for value in one.shape.enum if isinstance(value, str)}
        said = frozenset(root(word) for value in values for word in stems(value))
        return said.union(*self.names)

    @property
    def shows_record(self) -> bool:
        """Whether one thing with values of its own is answered."""
        return sum("." not in path and not one.composite for path, one in self.fields.items()) >= 3

    @cached_property
    def shows_state(self) -> str:
        """The path of a field that tells the candidate's state; empty where it shows none."""
        return next((path for path in self.fields if pattern("answers", "state").search(_name(path))), "")


def _name(path: str) -> str:
    return joined(path.rpartition(".")[2])


def read_answer(operation: ApiOperation, subjects: tuple[str, ...], *, ends_in_variable: bool) -> Answer | None:
    """Reads what the document says of a GET's answer.

    `subjects` are the words that its path is about: of several arrays the one called so holds the records.
    """
    success = operation.success
    body = success.body if success else None
    if body is None:
        return None
    if body.shape.type == "array" or body.element:
        return _listed(operation, body, "$[*]", {one.path: one for one in body.element}, body.pointer)
    array = _records(body, subjects, ends_in_variable)
    if array is None:
        shown, pointer = _inside_envelope(body)
        return Answer(
            False, "", shown, body.schema_name, created_in(shown), "none", lists=_lists(shown), pointer=pointer
        )
    prefix = f"{array.path}[]."
    inside = {one.path.removeprefix(prefix): one for one in body.fields if one.path.startswith(prefix)}
    inside = {path: one for path, one in inside.items() if path}
    return _listed(operation, body, f"{json_path(array.path)}[*]", inside, array.pointer)


def _listed(operation: ApiOperation, body: Body, items: str, shown: Mapping[str, Field], pointer: str) -> Answer:
    pages, by = _pages(operation, body, items)
    return Answer(True, items, shown, body.schema_name, created_in(shown), pages, by, _lists(shown), pointer)


def _records(body: Body, subjects: tuple[str, ...], ends_in_variable: bool) -> Field | None:
    """The array that holds the records, None where the answer is one thing."""
    holders = frozenset(one.parent for one in body.fields)
    arrays = [one for one in body.fields if one.depth <= 2 and "[]" not in one.path and _is_array(one, holders)]
    if not arrays:
        return None
    envelopes = word_set("answers", "envelopes")
    roots = {root(word) for word in subjects}

    def named(one: Field) -> int:
        about = {root(word) for word in stems(one.name)}
        if about == roots:
            return 0
        return 1 if one.name.lower() in envelopes else 2 if about & roots else 3

    best = min(arrays, key=lambda one: (named(one), one.depth, 0 if one.composite else 1))
    by_itself = named(best) >= 2
    own = _beside(body, best, arrays)
    about = named(best) == 0 and not ends_in_variable
    if own and (
        ends_in_variable
        or by_itself
        or (len(own) >= _MANY and not about)
        or any(_name(one.name) == "id" for one in own)
    ):
        return None
    if by_itself and any(_alike(one, best, body) for one in arrays if one is not best):
        return None  # neither of `before` and `after` is the list of all
    return None if ends_in_variable and by_itself else best


def _alike(one: Field, other: Field, body: Body) -> bool:
    """Whether two arrays have elements of the same members."""
    names = [{inner.name for inner in body.fields if inner.parent == f"{array.path}[]"} for array in (one, other)]
    return bool(names[0]) and names[0] == names[1]


def _beside(body: Body, array: Field, arrays: list[Field]) -> list[Field]:
    """What stands beside an array, or beside what it lies in, and is not about the list."""
    around = {array.path} | {array.path[:index] for index, letter in enumerate(array.path) if letter == "."}
    levels = {path.rpartition(".")[0] for path in around}
    about_lists = pattern("answers", "about_lists")
    return [
        one
        for one in body.fields
        if one.parent in levels
        and one.path not in around
        and one not in arrays
        and not about_lists.match(_name(one.name))
    ]


def _is_array(one: Field, holders: frozenset[str]) -> bool:
    return one.shape.type == "array" or (one.composite and f"{one.path}[]" in holders)


def _is_instant(one: Field) -> bool:
    return one.shape.type in ("", "string", "integer", "number") and one.shape.format != "date"


def _inside_envelope(body: Body) -> tuple[Mapping[str, Field], str]:
    """The fields of an answer that is one thing. They keep their paths: `data.status` stays so.

    Beside a thing in an envelope (`data`), what is called `status` or `message` is about the call and not of the thing.
    """
    envelopes, about = word_set("answers", "envelopes"), pattern("answers", "about_lists")
    holders = {one.parent for one in body.fields}
    wrapped = any(one.composite and one.name.lower() in envelopes and one.path in holders for one in _top(body))
    aside = {one.path for one in _top(body) if wrapped and not one.composite and about.match(_name(one.name))}
    return {one.path: one for one in body.fields if one.path not in aside}, body.pointer


def _top(body: Body) -> list[Field]:
    return [one for one in body.fields if one.depth == 0]


def _lists(shown: Mapping[str, Field]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in shown:
        holder, _, name = path.rpartition("[].")
        if holder and "." not in name:
            found.setdefault(holder, []).append(name)
    return {path: tuple(names) for path, names in found.items()}


def created_in(shown: Mapping[str, Field]) -> str:
    """The time of creation, where it is a text or a number with a time in it; the shallowest, in a candidate's own
    fields.

    What lies in another thing (`currency.created_at`) is that thing's time; in an object that holds all the rest
    (`booking.created_at`) it is the candidate's.
    """
    created, holders = pattern("answers", "created"), word_set("answers", "envelopes") | word_set("answers", "facts")
    tops = {path.partition(".")[0] for path in shown}
    own = tops if len(tops) == 1 and any("." in path for path in shown) else set()
    good = [
        path
        for path, one in shown.items()
        if "[]" not in path
        and _is_instant(one)
        and created.match(_name(path))
        and all(
            joined(holder) in holders or (depth == 0 and holder in own)
            for depth, holder in enumerate(path.split(".")[:-1])
        )
    ]
    return min(good, key=lambda path: path.count("."), default="")


def json_path(path: str) -> str:
    """A field path as RFC 9535 JSONPath: `data.list` is `$.data.list`, other names go in brackets."""
    try:
        segments = FieldPath.parse(path).segments
    except FieldPathError:
        return "$"
    out = "$"
    for segment in segments:
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", segment.name):
            out += f".{segment.name}"
        else:
            escaped = segment.name.replace("\\", "\\\\").replace("'", "\\'")
            out += f"['{escaped}']"
        out += "[*]" * segment.each
    return out


# Pages ---------------------------------------------------------------------------------------------------------------


def _pages(operation: ApiOperation, body: Body, items: str) -> tuple[str | Cursor, str]:
    """How further pages come, and the parameter that asks for them."""
    query = {joined(one.name): one.name for one in operation.parameters if one.location == "query"}
    numbered = next((name for stem, name in query.items() if pattern("parameters", "numbered").match(stem)), "")
    limited = next((name for stem, name in query.items() if pattern("parameters", "limits").match(stem)), "")
    by = next((name for stem, name in query.items() if pattern("parameters", "cursors").match(stem)), "")
    outside = [one for one in body.fields if "[]" not in one.path]
    url = _next_url(outside, cursor=bool(by), numbered=bool(numbered))
    if url:
        return json_path(url.path), by or numbered
    if by:
        cursor = _next_cursor(outside, by)
        if cursor:
            return Cursor(json_path(cursor.path), by), by
    headers = {name.lower() for name in (operation.success.headers if operation.success else {})}
    if "link" in headers:
        return "link", by or numbered
    if not (by or numbered or limited) and not _has_paging(outside):
        return "none", ""
    return "", by or numbered or limited


def _next_url(outside: list[Field], *, cursor: bool, numbered: bool) -> Field | None:
    """The member with the next page's address. Where a parameter asks for pages it may hold that parameter's value."""
    for one in outside:
        name = _name(one.name)
        if not pattern("answers", "next_url").match(name) or one.shape.type not in ("", "string"):
            continue
        held = _name(one.parent) if one.parent else ""
        says = f"{name} {one.shape.format} {one.shape.description}".lower()
        if re.search(r"\b(ur[il]|link|href)|_ur[il]|_link|_href", says) or pattern("answers", "links").match(held):
            return one
        if any("://" in str(example) for example in one.shape.examples) or (
            one.name == "next" and not one.parent and not cursor
        ):
            return one
        if not cursor and not numbered and one.shape.type == "string":
            return one
    for one in outside:  # HAL: _links.next.href
        if one.name == "href" and _name(one.parent.rpartition(".")[2]) == "next":
            return one
    return None


def _next_cursor(outside: list[Field], parameter: str) -> Field | None:
    same = _name(parameter)
    cursors = [one for one in outside if pattern("answers", "next_cursor").match(_name(one.name)) and not one.composite]
    cursors = [one for one in cursors if one.shape.type in ("", "string", "integer")]
    exact = [one for one in cursors if _name(one.name) in (same, f"next_{same}")]
    return next(iter(exact or cursors), None)


def _has_paging(outside: list[Field]) -> bool:
    telling = re.compile(
        r"^(has_more|has_next|next_cursor|next_page|next_page_token|next_token|cursor|total_page|page|last_page|next)$"
    )
    return any(telling.match(_name(one.name)) for one in outside)


def example_values(one: Any) -> tuple[Any, ...]:
    """The examples of a parameter or field, without those that every name has (`string`, 0)."""
    return tuple(value for value in one.shape.examples if value not in ("string", "", 0, None, "id", "1"))
