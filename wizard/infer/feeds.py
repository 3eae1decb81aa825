"""What is known before a write is sent, and which of it fills a parameter of a read.

Names differ between the two: `room_id` and `roomId[]`, `customer.external_id` and `external_customer_id`,
`check_in_date` and `start_check_in_date`, `email` and `q`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from wizard.infer.alike import Phrase, canonical, without_ids
from wizard.infer.detector import Subject
from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import joined, pattern, probe_words, word_set
from wizard.infer.route import parse_path
from wizard.operation.field_path import FieldPath, FieldPathError
from wizard.spec.model import Field, Parameter, Shape

Role = Literal["key", "identity", "reference", "path", "other"]

FITS = 0.7
_NEAR_THE_TOP = 2
"""From this strength on a value fills a parameter."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value of the write that is known before it is sent."""

    path: str
    """As FORMAT 2 names it; `path:id` for a path parameter."""
    role: Role
    phrase: Phrase
    """The words of its own name."""
    full: Phrase
    """With the names of what it lies in."""
    shape: Shape
    field: Field | None = None
    many: bool = False
    """An array, or inside of one."""
    whole: bool = False
    """An object: it fills nothing by itself."""
    part: bool = False
    """A part of an object that the identity has as a whole."""


def knowns(subject: Subject) -> tuple[Known, ...]:
    """The values that a probe may be fed with, the surest first.

    These are the path parameters, the key and the reference (the host keeps what it sent), and the identity; behind
    them other fields that every request has.
    """
    return tuple(_knowns(subject))


def _knowns(subject: Subject) -> Iterator[Known]:
    operation = subject.operation
    fields = operation.body.by_path if operation.body else {}
    given: dict[str, Parameter] = {}
    for parameter in operation.parameters:
        given.setdefault(f"{parameter.location}:{parameter.name}", parameter)
    seen: set[str] = set()
    route = parse_path(operation.path)
    holders = {
        part.text: phrase(before.text) for before, part in pairwise(route) if part.variable and not before.variable
    }

    def of(path: str, role: Role) -> Iterator[Known]:
        if path in seen:
            return
        seen.add(path)
        if path in given:
            parameter = given[path]
            words = phrase(parameter.name)
            full = words if without_ids(words) else (*holders.get(parameter.name, ()), *words)
            yield Known(path, role, words, full, parameter.shape, many=parameter.shape.type == "array")
        elif path in fields:
            yield from _of_field(fields[path], role)
            if fields[path].composite:
                for inner in _leaves(fields.values(), path):
                    if inner.path not in seen:
                        seen.add(inner.path)
                        yield from (replace(one, part=True) for one in _of_field(inner, role))
        elif not path.startswith(("path:", "query:", "header:")):
            words = phrase(path.rpartition(".")[2])
            yield Known(path, role, words, words, Shape())

    if subject.key is not None and subject.key.declared and subject.key.place != "header":
        yield from of(subject.key.name if subject.key.place == "field" else f"query:{subject.key.name}", "key")
    for path in subject.identity.fields if subject.identity else ():
        yield from of(path, "identity")
    if subject.reference is not None:
        yield from of(subject.reference.name, "reference")
    for name in given:
        if name.startswith("path:"):
            yield from of(name, "path")
    for field in fields.values():
        if (
            not field.composite
            and not field.shape.read_only
            and "[]" not in field.path
            and field.depth <= _NEAR_THE_TOP
        ):
            yield from of(field.path, "other")
    for name, parameter in given.items():
        counts = parameter.required or (not fields and subject.kind == "create")
        if name.startswith("query:") and counts and not is_credential(parameter.name):
            yield from of(name, "other")


def _of_field(field: Field, role: Role) -> Iterator[Known]:
    own = phrase(field.name)
    full = tuple(word for name in _names(field.path) for word in phrase(name))
    many = "[]" in field.path or field.shape.type == "array"
    yield Known(field.path, role, own, full, field.shape, field, many, field.composite and field.shape.type != "array")


def _leaves(fields: Iterable[Field], path: str) -> Iterator[Field]:
    """The plain values inside an object or the elements of an array, up to two levels down."""
    for field in fields:
        inside = field.path.startswith((f"{path}.", f"{path}[]."))
        if inside and not field.composite and field.path.count(".") - path.count(".") <= 2:
            yield field


@lru_cache(maxsize=16384)
def _names(path: str) -> tuple[str, ...]:
    try:
        return tuple(segment.name for segment in FieldPath.parse(path).segments)
    except FieldPathError:
        return (path,)


# Parameters that are no filters --------------------------------------------------------------------------------------


_WRAPPED = re.compile(
    r"(?:filter|filters|q|query|where|search)[\[.](?:\w+[\]\[.]+)?([\w.-]+)\]?(?:\[\w*\])?", re.IGNORECASE
)


@lru_cache(maxsize=16384)
def bare_name(name: str) -> str:
    """A query parameter's name without what wraps it: `filter[room_id]` is `room_id`, `ids[]` is `ids`."""
    inner = _WRAPPED.fullmatch(name)
    return inner[1] if inner else name.removesuffix("[]")


def _is(kind: str, name: str) -> bool:
    """Whether a parameter's name is of one kind, as it is written or in plain English."""
    wanted = pattern("parameters", kind)
    return wanted.match(joined(name)) is not None or wanted.match("_".join(phrase(name))) is not None


@lru_cache(maxsize=16384)
def is_credential(name: str) -> bool:
    """A key, token or signature, which the transport adds."""
    return _is("credentials", name)


@lru_cache(maxsize=16384)
def is_about_the_answer(name: str) -> bool:
    """Paging, sorting, the answer's form."""
    return _is("paging", name) or _is("shaping", name)


@lru_cache(maxsize=16384)
def is_free_name(name: str) -> bool:
    """`q`, `search`, `filter` and the like."""
    return joined(name) == "filter" or _is("free_text", name)


@lru_cache(maxsize=16384)
def is_clock(name: str) -> bool:
    """A time of the call itself."""
    return _is("clocks", name)


def is_free_text(parameter: Parameter) -> bool:
    """A full text search."""
    texty = parameter.shape.type in ("", "string") and not parameter.shape.enum
    return texty and _is("free_text", parameter.name)


# How well a value fits a parameter -----------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def name_strength(wanted: Phrase, own: Phrase, full: Phrase, about: Phrase) -> float:
    """How surely a parameter `wanted` means the value `own`, from 0 to 1.

    `full`: the value's name with those of what it lies in; `about`: what the read is about.
    """
    filler = word_set("parameters", "filler")
    plain = tuple(word for word in wanted if word not in filler) or wanted
    value = tuple(word for word in own if word not in filler) or own
    if wanted == own:
        return 1.0
    if plain == value:
        return 0.98
    if "".join(wanted) == "".join(own) or "".join(wanted) == "".join(full):
        return 0.97
    if canonical(plain) == canonical(value):
        return 0.95
    if len(full) > len(own) and sorted(plain) == sorted(_once(full)):
        return 0.95
    if len(full) > len(own) and (plain == full[-len(plain) :] and len(plain) > len(own)):
        return 0.95
    if about and (without_ids(value) or len(full) == len(own)):
        less, least = _less(plain, about), _less(value, about)
        if less == value or least == plain or (less and less == least):
            return 0.88
        if less and canonical(less) == canonical(value):
            return 0.85
    bare, body = without_ids(plain), without_ids(value)
    if bare and bare == body:
        return 0.85
    holder = without_ids(full)
    if bare and not body and bare == holder[-len(bare) :]:
        return 0.85
    if len(value) > 1 and plain == value[:-1] and value[-1] in ("name", "code", "number", "value", "key"):
        return 0.75
    return 0.0


def _once(words: Phrase) -> Phrase:
    return tuple(dict.fromkeys(words))


def _less(words: Phrase, about: Phrase) -> Phrase:
    """A name without what it is about, before it (`booking_code`) or behind it (`idList`)."""
    if len(words) > len(about) and words[: len(about)] == about:
        return words[len(about) :]
    if len(words) > len(about) and words[-len(about) :] == about and words[0] in word_set("names", "ids"):
        return words[: -len(about)]
    if len(words) > 1 and words[0] == about[-1] and (len(about) == 1 or without_ids(words[1:])):
        return words[1:]  # but `contact_id` is not the id of a `firm contact`
    return words


# Windows of time -----------------------------------------------------------------------------------------------------


def window_edge(wanted: Phrase) -> tuple[str, Phrase]:
    """`lower` or `upper` where a parameter bounds a time, with the words that say which; ("", ()) where it does not."""
    lower, upper = word_set("parameters", "lower"), word_set("parameters", "upper")
    for word in wanted:
        if word in lower or word in upper:
            rest = tuple(one for one in wanted if one != word)
            return ("lower" if word in lower else "upper"), rest
    return "", ()


def is_recorded(words: Phrase) -> bool:
    """Of the time when the recipient recorded something, which nobody knows before."""
    return bool(set(words) & word_set("parameters", "recorded"))


_VAGUE = frozenset({"date", "time", "at", "on", "day", "datetime", "range", "window", "timestamp", "dt"})


def is_date(known: Known) -> bool:
    """Whether a value is a day or an instant of the matter."""
    if known.shape.format in ("date", "date-time"):
        return True
    texty = known.shape.type in ("", "string", "integer")
    return texty and bool(set(known.phrase) & word_set("names", "dates")) and not is_recorded(known.phrase)


@lru_cache(maxsize=8)
def _edge_words(name: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words.split("_")) for words in word_set("names", name))


def edge_of(known: Known) -> str:
    """`lower` for a start, `upper` for an end, empty for a date that says neither."""
    name = known.phrase
    runs = {name[start : start + length] for length in (1, 2) for start in range(len(name) - length + 1)}
    if runs & _edge_words("ends"):
        return "upper"
    return "lower" if runs & _edge_words("starts") else ""


def feed_window(wanted: Phrase, dates: list[Known]) -> Known | None:
    """The date that fills a bound: `start_check_in_date` by `check_in_date`, `till` by `end`."""
    edge, rest = window_edge(wanted)
    if not edge or not dates or is_recorded(wanted):
        return None
    meant = tuple(word for word in rest if word not in _VAGUE)
    if meant:
        named = [one for one in dates if set(meant) <= set(one.phrase)]
        return named[0] if named else None
    if not set(wanted) <= _VAGUE | word_set("parameters", "lower") | word_set("parameters", "upper"):
        return None
    same_edge = [one for one in dates if edge_of(one) == edge]
    if same_edge:
        return same_edge[0]
    return dates[0] if len(dates) == 1 else None


def is_broad(known: Known) -> bool:
    """Whether many records share a value: a type, a category, one of a few."""
    if known.role in ("key", "reference", "path"):
        return False
    few = bool(known.shape.enum) or known.shape.type == "boolean"
    return few or bool(known.phrase and known.phrase[-1] in word_set("names", "broad"))


def may_be_respelled(known: Known) -> bool:
    """Whether a value is a text of people, which a recipient may store in other letters than it was sent in."""
    shape = known.shape
    if known.role in ("key", "path", "reference") or shape.type not in ("", "string") or shape.enum or is_date(known):
        return False
    ids, codes = word_set("names", "ids"), word_set("names", "exact")
    return shape.format != "uuid" and not set(known.phrase[-1:]) & (ids | codes)


_WORD = re.compile(r"[^\W_]+")

# Free text -----------------------------------------------------------------------------------------------------------


def searched_for(candidates: Iterable[Known], description: str) -> Known | None:
    """The value that a full text search finds best; one that the parameter's description names goes first."""
    order: list[str] = probe_words()["names"]["searched"]
    said = f" {' '.join(word for name in _WORD.findall(description) for word in phrase(name))} "
    best: tuple[tuple[int, int], Known] | None = None
    for known in candidates:
        if (
            known.whole
            or known.shape.type not in ("", "string")
            or known.shape.enum
            or known.shape.format in ("date", "date-time")
        ):
            continue
        names = ("_".join(known.phrase), "_".join(canonical(known.phrase)))
        place = next((index for index, word in enumerate(order) if word in names), None)
        if place is None:
            ending = next((i for i, word in enumerate(order) if any(name.endswith(f"_{word}") for name in names)), None)
            if ending is None:
                continue
            place = ending + 40
        mentioned = 0 if f" {' '.join(known.phrase)} " in said else 1
        rank = (mentioned, place + (50 if known.many else 0))
        if best is None or rank < best[0]:
            best = (rank, known)
    return best[1] if best else None
