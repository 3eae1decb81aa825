"""A read's parameters filled from a write's values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from wizard.infer.alike import Phrase, without_ids
from wizard.infer.answers import example_values
from wizard.infer.comparing import wrapper_of
from wizard.infer.detector import Subject
from wizard.infer.feeds import (
    FITS,
    Known,
    bare_name,
    feed_window,
    is_about_the_answer,
    is_broad,
    is_clock,
    is_credential,
    is_date,
    is_free_name,
    is_free_text,
    is_recorded,
    name_strength,
    searched_for,
    window_edge,
)
from wizard.infer.lexicon import phrase
from wizard.infer.probe_words import joined, pattern, word_set
from wizard.infer.route import Route
from wizard.spec.model import ApiOperation, Parameter


@dataclass(frozen=True)
class Lookup:
    """A read, filled from the write."""

    route: Route
    fed: Mapping[str, Known]
    """`query:x` or `path:x` of the read to the value that fills it."""
    strengths: Mapping[str, float] = field(default_factory=dict)
    """How surely each is meant, from 0 to 1."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Query parameters that the read demands, to a value that the document names."""
    windows: frozenset[str] = frozenset()
    """Those of `fed` that only bound a time."""
    searched: str = ""
    """The full text parameter, where it is filled."""
    demands: tuple[str, ...] = ()
    """Required parameters that nothing fills: bounds of a time that nobody knows before."""

    @property
    def filters(self) -> tuple[str, ...]:
        """The query parameters that are filled, without the full text one."""
        return tuple(name for name in self.fed if name.startswith("query:") and name != f"query:{self.searched}")

    @property
    def loose(self) -> frozenset[str]:
        """The parameters that narrow and do not fix a value."""
        return self.windows | ({f"query:{self.searched}"} if self.searched else frozenset())

    @property
    def fixes(self) -> tuple[str, ...]:
        """The write's values that the URL fixes."""
        return tuple(known.path for name, known in self.fed.items() if name not in self.loose)


def fill(subject: Subject, write: Route, known: tuple[Known, ...], read: Route, about: Phrase) -> Lookup | None:
    """Gives each parameter of a read a value of the write; None where something that it needs is not known before."""
    fed: dict[str, Known] = {}
    strengths: dict[str, float] = {}
    for index, part in enumerate(read.parts):
        if not part.variable:
            continue
        value, strength = _fill_variable(subject, write, known, read, index)
        if value is None or (value.role != "path" and any(one is value for one in fed.values())):
            return None  # one value is no key of two parts
        fed[f"path:{part.text}"], strengths[f"path:{part.text}"] = value, strength
    return _fill_query(subject, known, read, about, fed, strengths)


# Path variables ------------------------------------------------------------------------------------------------------


def _fill_variable(
    subject: Subject, write: Route, known: tuple[Known, ...], read: Route, index: int
) -> tuple[Known | None, float]:
    name = read.parts[index].text
    paths = {one.path: one for one in known if one.role == "path"}
    same = _same_place(write, read, index, paths)
    if same is not None and same.path == f"path:{name}":
        return same, 1.0
    if is_about_the_answer(name) or is_free_name(name):
        return None, 0.0
    if same is not None:
        return same, 1.0
    if pattern("parameters", "states").search(joined(name)):
        return None, 0.0
    wanted, holder = phrase(name), phrase(read.holder(index).replace("_", " "))
    own_thing = index == len(read.parts) - 1 or read.holder(index) == write.holder(len(write.parts))
    best: Known | None = None
    strength = 0.0
    for one in known:
        if one.whole or (one.many and one.role != "key") or (one.path in paths and not without_ids(one.phrase)):
            continue
        if own_thing and is_date(one) and not (one.phrase == wanted and _is_second(read, index)):
            continue  # a view at a day, and no lookup
        fits = name_strength(wanted, one.phrase, one.full, holder)
        if not own_thing and not _of_another(wanted, one, holder):
            continue
        if fits >= FITS and own_thing and not _chosen_by_client(subject, write, one, wanted, holder):
            continue
        if one.many:
            fits -= 0.15
        if fits > strength and fits >= FITS:
            best, strength = one, fits
    if best is not None and strength >= 0.85:
        return best, strength
    told = _told_by_text(read.operation, name, known, holder) if own_thing else None
    if told is not None:
        return told, 0.8
    return best, strength


def _is_second(read: Route, index: int) -> bool:
    """Whether a variable stands behind another one: both together are a key, `/earnings/{code}/{start}`."""
    return index > 0 and read.parts[index - 1].variable


def write_wrapper(subject: Subject) -> str:
    """The object that the write's body wraps everything in."""
    return wrapper_of(subject.operation.fields)


def _same_place(write: Route, read: Route, index: int, paths: Mapping[str, Known]) -> Known | None:
    """The write's own path variable that stands where this one stands, or has its name."""
    name = read.parts[index].text
    if index < len(write.parts) and write.parts[index].variable and write.form[:index] == read.form[:index]:
        return paths.get(f"path:{write.parts[index].text}")
    holder = read.holder(index)
    for position, part in enumerate(write.parts):
        if part.variable and holder and write.holder(position) == holder:
            return paths.get(f"path:{part.text}")
    if without_ids(phrase(name)):
        return next((paths.get(f"path:{own}") for own in write.variables if joined(own) == joined(name)), None)
    return None


def _chosen_by_client(subject: Subject, write: Route, known: Known, wanted: Phrase, holder: Phrase) -> bool:
    """Whether a value that would be the new thing's id is one that the client chose.

    A bare `id` in the body of a create is the server's as often as not; it counts where the identity or the key has
    it, or where every request must have it.
    """
    if known.role == "path":
        return True
    if without_ids(wanted) != wanted and without_ids(known.phrase) == known.phrase:
        return False  # `{file_id}` is not the `file`
    if known.field is not None and known.field.parent not in ("", write_wrapper(subject)) and known.role != "key":
        return False  # the id of something inside
    if subject.kind in ("update", "action", "delete"):
        return True
    if known.role != "key" and pattern("names", "made_there").search(known.shape.description[:600].lower()):
        return False
    return known.role in ("key", "identity", "reference") and not known.part


def _of_another(wanted: Phrase, known: Known, holder: Phrase) -> bool:
    """Whether a value names the thing that a read's path goes through: `/lists/{id}/cards` by `idList`, not `name`."""
    if name_strength(wanted, known.phrase, known.full, ()) >= FITS:
        return True
    named = without_ids(known.phrase)
    return bool(holder) and named[-len(holder) :] == holder


_WORD = re.compile(r"[^\W_]+")
_LEADS = frozenset({"by", "or", "use", "using", "either", "with", "accept", "also", "and", "its", "your", "their"})
_BETWEEN = frozenset({"the", "a", "an", "its", "their", "your", "unique", "exact", "full", "own", "either", "s"})
_LEADS_BESIDE_AN_ID = frozenset({"or", "use", "using", "either", "accept", "also"})


def _told_by_text(operation: ApiOperation, name: str, known: tuple[Known, ...], holder: Phrase) -> Known | None:
    """The value that the read's text names: "by its ID or eventID", "the contact's id or email address"."""
    parameter = next((one for one in operation.parameters if one.location == "path" and one.name == name), None)
    id_like = without_ids(phrase(name)) != phrase(name)
    leads = _LEADS_BESIDE_AN_ID if id_like else _LEADS
    own = _plain(f"{parameter.description} {parameter.shape.description}") if parameter else ()
    around = _plain(f"{operation.summary}. {operation.description[:600]}")
    for one in known:
        if one.whole or one.many or one.part or one.role in ("path", "other") or set(one.phrase) <= set(holder):
            continue
        if one.field is not None and one.field.shape.read_only:
            continue
        if parameter is not None and one.field is not None and _same_example(parameter, one, holder, known):
            return one
        natural = "_".join(one.phrase) in word_set("names", "natural") or len(one.phrase) > 1
        if not natural or one.shape.type not in ("", "string", "integer"):
            continue
        between = _BETWEEN | set(holder)
        if _stands_in(one.phrase, own, leads if id_like else None, between) or _stands_in(
            one.phrase, around, leads, between
        ):
            return one
    return None


def _same_example(parameter: Parameter, known: Known, holder: Phrase, others: tuple[Known, ...]) -> bool:
    """The parameter's example is the field's and no other's: `unique-app-identifier` in both.

    The id of another thing (`carrier_id` for `{label_id}`) is none of this one, whatever the example.
    """
    named = without_ids(known.phrase)
    if named and named != known.phrase and named[-1:] != holder[-1:]:
        return False
    theirs = {str(value) for value in example_values(parameter)}
    same = [one for one in others if theirs & {str(value) for value in one.shape.examples if len(str(value)) > 5}]
    return len(same) == 1 and same[0] is known


def _plain(text: str) -> Phrase:
    return tuple(word for name in _WORD.findall(text) for word in phrase(name))


def _stands_in(words: Phrase, text: Phrase, leads: frozenset[str] | None, between: frozenset[str]) -> bool:
    """Whether the words stand together in a text, soon after one of `leads` where these are given.

    Only words of `between` may stand between: a "host name" after an "or" is no name.
    """
    for start in range(len(text) - len(words) + 1):
        if text[start : start + len(words)] != words:
            continue
        if leads is None:
            return True
        before = list(text[max(0, start - 3) : start])
        while before and before[-1] in between and before[-1] not in leads:
            before.pop()
        if before and before[-1] in leads:
            return True
    return False


# Query parameters ----------------------------------------------------------------------------------------------------


def _fill_query(
    subject: Subject,
    known: tuple[Known, ...],
    read: Route,
    about: Phrase,
    fed: dict[str, Known],
    strengths: dict[str, float],
) -> Lookup | None:
    fixed: dict[str, str] = {}
    signed = any("sign" in joined(one.name) for one in read.operation.parameters if one.location == "query")
    windows: set[str] = set()
    demands: list[str] = []
    free: Parameter | None = None
    usable = [one for one in known if one.role != "other"]
    dates = [one for one in usable if one.role == "identity" and is_date(one)]
    for parameter in read.operation.parameters:
        if parameter.location != "query":
            continue
        place = f"query:{parameter.name}"
        best, strength = _best(parameter, usable, _others(subject, parameter, known), read.subjects or about)
        if best is not None:
            fed[place], strengths[place] = best, strength
            continue
        bound = feed_window(phrase(bare_name(parameter.name)), dates)
        if bound is not None:
            fed[place], strengths[place] = bound, 0.8
            windows.add(place)
            continue
        if is_free_text(parameter):
            free = free or parameter
            continue
        if not parameter.required:
            continue
        value = _fixed_value(parameter)
        if value is not None:
            fixed[parameter.name] = value
        elif is_credential(parameter.name) or (signed and is_clock(parameter.name)):
            continue  # the transport adds them
        elif is_about_the_answer(parameter.name) or is_clock(parameter.name) or _bounds_a_time(parameter):
            demands.append(parameter.name)
        else:
            return None
    _drop_repeats(fed, strengths, read)
    searched = ""
    narrowed = [name for name, one in fed.items() if name.startswith("query:") and not is_broad(one)]
    if free is not None and (free.required or not any(name not in windows for name in narrowed)):
        best = searched_for(
            [one for one in usable if one.role != "path"], f"{free.description} {free.shape.description}"
        )
        if best is not None:
            searched = free.name
            fed[f"query:{free.name}"], strengths[f"query:{free.name}"] = best, 0.5
        elif free.required:
            return None
    fixed.update(_meanings(read, fed))
    return Lookup(read, fed, strengths, fixed, frozenset(windows), searched, tuple(demands))


def _others(subject: Subject, parameter: Parameter, known: tuple[Known, ...]) -> tuple[Known, ...]:
    """What may fill a parameter beside the identity: all where it must be filled, else an argument of the same name."""
    if parameter.required:
        return known
    if subject.kind != "create" or subject.operation.fields:
        return ()
    return tuple(one for one in known if one.path == f"query:{parameter.name}")  # its query holds what is written


def _meanings(read: Route, fed: Mapping[str, Known]) -> dict[str, str]:
    """A parameter that says what the path's value is (`lookupBy=sku`), where its text or its values name it."""
    if not read.ends_in_variable:
        return {}
    name = read.parts[-1].text
    value = fed[f"path:{name}"].phrase
    found: dict[str, str] = {}
    for parameter in read.operation.parameters:
        if parameter.location != "query" or parameter.required or f"query:{parameter.name}" in fed:
            continue
        told = _WORD.findall(f"{parameter.description} {parameter.shape.description}")
        values = [str(one) for one in parameter.shape.enum] or [word for word in told if word.islower()]
        same = next((one for one in values if phrase(one) == value), None)
        if same is not None and joined(name) in {joined(word) for word in (*told, *values)}:
            found[parameter.name] = same
    return found


def _best(
    parameter: Parameter, usable: Iterable[Known], others: Iterable[Known], about: Phrase
) -> tuple[Known | None, float]:
    """The value that a query parameter asks for by its name."""
    name = bare_name(parameter.name)
    wanted = phrase(name)
    if not wanted or _asks_otherwise(parameter.name, wanted):
        return None, 0.0
    neutral = is_about_the_answer(name) or is_credential(name) or is_clock(name) or is_free_text(parameter)
    states = pattern("parameters", "states").search(joined(name)) is not None
    best: Known | None = None
    strength = 0.0
    for one in (*usable, *others):
        if one.whole or states or not _types_agree(parameter, one):
            continue
        fits = name_strength(wanted, one.phrase, one.full, about)
        if neutral and (fits < 1.0 or one.role not in ("identity", "key")):
            continue
        if one.many and parameter.shape.type != "array" and one.shape.type != "array":
            fits -= 0.15
        if fits > strength and fits >= FITS:
            best, strength = one, fits
    return best, strength


def _asks_otherwise(name: str, wanted: Phrase) -> bool:
    """`name__icontains`, `not_room_id`, `has_target_date` ask for something else than an equal value."""
    words = set(wanted) | {piece for piece in re.split(r"[^a-z]+", name.lower()) if piece}
    if words & word_set("parameters", "other_sense"):
        return True
    return name.rstrip("]").endswith((">", "<", ">=", "<=", "!", "!="))


def _types_agree(parameter: Parameter, known: Known) -> bool:
    asked, given = parameter.shape, known.shape
    if "boolean" in (asked.type, given.type):
        return False
    if asked.type in ("integer", "number") and given.type == "string" and given.format in ("date", "date-time", "uuid"):
        return False
    if asked.enum and given.enum:
        return bool({str(one) for one in asked.enum} & {str(one) for one in given.enum})
    return True


def _fixed_value(parameter: Parameter) -> str | None:
    """The one value that a parameter can have, or its default; a list is read from its beginning."""
    if len(parameter.shape.enum) == 1:
        return str(parameter.shape.enum[0])
    if parameter.shape.const is not None:
        return str(parameter.shape.const)
    if joined(parameter.name) in ("offset", "skip"):
        return "0"
    if parameter.shape.default is not None and not isinstance(parameter.shape.default, bool | list | dict):
        return str(parameter.shape.default)
    return None


def _bounds_a_time(parameter: Parameter) -> bool:
    wanted = phrase(bare_name(parameter.name))
    return bool(window_edge(wanted)[0]) or is_recorded(wanted)


def _drop_repeats(fed: dict[str, Known], strengths: dict[str, float], read: Route) -> None:
    """One value fills one parameter: of several the surest stays, and those that only bound a time stay beside it."""
    required = {f"query:{one.name}" for one in read.operation.parameters if one.location == "query" and one.required}
    by_value: dict[str, list[str]] = {}
    for place, one in fed.items():
        if place.startswith("query:"):
            by_value.setdefault(one.path, []).append(place)
    for places in by_value.values():
        sure = max(strengths[place] for place in places)
        for place in places:
            if strengths[place] < sure - 0.05 and place not in required and strengths[place] != 0.8:
                del fed[place], strengths[place]
