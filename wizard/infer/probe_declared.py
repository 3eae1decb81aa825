"""A proposed probe as FORMAT 4 can say it, or the reason why it is better not declared.

A probe that says "there" of something else loses a write, and one that says "not there" too soon repeats it. So what is
declared compares the whole identity, the write's path with it, and takes for absence only what can be nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

from wizard.infer.comparing import wrapper_of
from wizard.infer.feeds import is_about_the_answer, is_clock, is_credential
from wizard.infer.lexicon import phrase
from wizard.infer.model import KeyProposal, Kind, ProbeProposal
from wizard.infer.probe_apart import is_one_of_a_kind
from wizard.infer.probe_words import word_set
from wizard.infer.route import parse_path
from wizard.operation.field_path import FieldPath, FieldPathError, url_variables
from wizard.operation.model import Probe
from wizard.spec.extensions import on_server
from wizard.spec.model import ApiDocument, ApiOperation

_DESIGNATIONS = frozenset({("id",), ("name",), ("uid",), ("uuid",)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a write's declaration says beside its probe."""

    document: ApiDocument
    operation: ApiOperation
    kind: Kind
    identity: tuple[FieldPath, ...] = ()
    reference: FieldPath | None = None
    key: str = ""
    """The key's place as a proposal's parameters name it: a field's path, `query:NAME`."""
    repeats: bool = False
    """An equal write may soon be meant again, as the same words said twice."""

    @property
    def host_filled(self) -> str:
        """The reference's name where the host fills it; empty where there is none, or the model does."""
        if self.reference is None or any(path.required().covers(self.reference) for path in self.identity):
            return ""
        return self.reference.name

    @property
    def variables(self) -> tuple[str, ...]:
        return url_variables(self.operation.path)

    def named(self, source: str) -> str:
        """A value of the write as a probe names it; empty where it cannot."""
        bare = source.removeprefix("path:")
        if bare in self.variables:
            return bare
        names = {path.name for path in self.identity} | ({self.reference.name} if self.reference else set())
        return source if source in names and not source.startswith("path:") else ""

    def is_one_value(self, name: str) -> bool:
        """Whether a field is no list and no object, and so can stand in a URL."""
        field = self.operation.body.by_path.get(name) if self.operation.body else None
        if name in self.variables or field is None:
            return "[]" not in name and name != "$body"
        return not field.composite and field.shape.type not in ("array", "object") and "[]" not in name


def key_source(key: KeyProposal | None) -> str:
    """The key's place as a probe's parameters name it; empty for a header, and where there is none."""
    if key is None or key.place == "header":
        return ""
    return f"query:{key.name}" if key.place == "query" else key.name


def changed_fields(operation: ApiOperation) -> list[str]:
    """The fields that a change sends, each as a whole: the body's members, or those of what wraps them."""
    wrapper = wrapper_of(operation.fields)
    return [one.path for one in operation.fields if one.parent == wrapper and not one.shape.read_only]


def may_declare(reference: str, identity: tuple[FieldPath, ...], operation: ApiOperation) -> bool:
    """Whether a reference can be declared.

    The host fills one that the identity has not. It makes up no number that people know a thing by (`po_number`), and
    no object that a request may leave out for the sake of the reference in it.
    """
    path = FieldPath.parse(reference)
    in_identity = any(one.required().covers(path) for one in identity)
    fields = operation.body.by_path if operation.body else {}
    parents = {reference[: at.start()] for at in re.finditer(r"\.", reference)} - {wrapper_of(operation.fields)}
    made_up = any(parent in fields and not fields[parent].always for parent in parents)
    words = phrase(path.segments[-1].name) if path.segments else ()
    of_people = set(words[-1:]) & word_set("names", "of_people") and not set(words) & word_set("names", "of_callers")
    return path.place == "body" and (in_identity or not (of_people or made_up))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The probe's URL, and the names that it fixes."""

    url: str
    fixed: frozenset[str]


def declared_probe(found: ProbeProposal, write: Written, base: str) -> tuple[Probe | None, str]:
    """The probe to be declared, or None and a clause that says why it is left out."""
    asked = _asked(found, write, base)
    if isinstance(asked, str):
        return None, asked
    match = tuple(_match(found, write, asked))
    own = write.host_filled
    by_reference = bool(own) and own in {*asked.fixed, *(name for name, _ in match)}
    if by_reference and any(name == own for name, _ in match):
        match = tuple(pair for pair in match if pair[0] == own)
    probe = Probe(
        url=asked.url,
        items=found.items or None,
        match=match,
        since=_since(found, write, by_reference=by_reference),
        absent=_absent(found, write),
        pages=found.pages or None,
    )
    why = _left_out(found, write, asked, probe, by_reference=by_reference)
    return (None, why) if why else (probe, "")


# The URL -------------------------------------------------------------------------------------------------------------


def _asked(found: ProbeProposal, write: Written, base: str) -> _Asked | str:
    url = on_server(base, found.path)
    query: list[str] = []
    filled: set[str] = set()
    fixed: set[str] = set()
    spared = _spared(found, write)
    for parameter, source in found.parameters.items():
        if parameter in spared:
            continue
        place, _, own = parameter.partition(":")
        name = write.named(source)
        usable = bool(name) and write.is_one_value(name)
        if place == "path":
            if not usable:
                return _unusable(own, source, name, write)
            url = url.replace(f"{{{own}}}", f"{{{name}}}")
        elif place == "query" and usable:
            query.append(f"{quote(own, safe='[]$.')}={{{name}}}")
            filled.add(own)
        else:
            continue
        if parameter not in found.loose:
            fixed.add(name)
    query += [f"{quote(name, safe='[]$.')}={quote(value)}" for name, value in found.fixed.items()]
    if query:
        head, mark, fragment = url.partition("#")
        url = f"{head}{'&' if urlsplit(head).query else '?'}{'&'.join(query)}{mark}{fragment}"
    if any(not write.named(name) for name in url_variables(url)):
        return "a part of its path is filled by no value of the write"
    demanded = next(_demanded(found, write.document, filled | set(found.fixed)), "")
    if demanded and found.way:
        return f"it demands `{demanded}`, which no value of the write fills"
    return _Asked(url, frozenset(fixed))


def _spared(found: ProbeProposal, write: Written) -> frozenset[str]:
    """Filters that are left away: a request may have no value for them, and then nothing could be asked.

    What they would narrow by is compared all the same. Where pages cannot be followed and nothing else narrows the
    list, the first of them stays.
    """
    if not found.items or not found.way:
        return frozenset()
    read = write.document.by_name.get(f"GET {found.path}")
    needed = {f"query:{one.name}" for one in read.parameters_in("query") if one.required} if read else set()
    optional = {path.name for path in write.identity if path.optional}
    compared = optional & set(found.match)
    query = [name for name in found.parameters if name.startswith("query:")]
    spared = [name for name in query if found.parameters[name] in compared and name not in needed]
    narrowed = len(spared) < len(query) or found.pages != ""
    return frozenset(spared if narrowed else [name for name in spared if name != _first(spared, found)])


def _first(names: list[str], found: ProbeProposal) -> str:
    return next((name for name in names if name not in found.loose), "")


def _unusable(parameter: str, source: str, name: str, write: Written) -> str:
    if name:
        return f"`{source}` is a list or an object, and `{parameter}` takes one value"
    if source == write.key:
        return f"it asks by the key `{source}`, which a probe's URL cannot name"
    return f"its `{parameter}` would be filled from `{source}`, which is not in the identity"


def _demanded(found: ProbeProposal, document: ApiDocument, filled: set[str]) -> Iterator[str]:
    """Query parameters that the read must have and nobody fills."""
    read = document.by_name.get(f"GET {found.path}")
    for parameter in read.parameters_in("query") if read else ():
        by_transport = is_credential(parameter.name) or is_clock(parameter.name)
        if parameter.required and parameter.name not in filled and not by_transport:
            yield parameter.name


# What is compared ----------------------------------------------------------------------------------------------------


def _match(found: ProbeProposal, write: Written, asked: _Asked) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    sent = write.operation.body.by_path if write.operation.body else {}
    for source, path in found.match.items():
        name = write.named(source) or (source if source in sent else "")
        if name and name not in seen and not (name in write.variables and name in asked.fixed):
            seen.add(name)
            yield name, path


def _since(found: ProbeProposal, write: Written, *, by_reference: bool) -> str | None:
    """The time of creation, where the write creates: a thing that was there before is older than its change."""
    if not found.way:
        return found.since or None
    creates = write.kind in ("create", "bulk") and write.operation.method not in ("PUT", "PATCH", "DELETE")
    return found.since or None if creates and found.way != "state" and not by_reference else None


def _absent(found: ProbeProposal, write: Written) -> Literal["empty", "404"] | None:
    wanted: Literal["empty", "404"] = "empty" if found.items else "404"
    if wanted not in found.absent:
        return None
    changes = write.operation.method in ("PUT", "PATCH") or write.kind in ("update", "action")
    state = found.way == "state" and write.operation.method != "DELETE"
    return None if found.way and (changes or state) else wanted


def _left_out(found: ProbeProposal, write: Written, asked: _Asked, probe: Probe, *, by_reference: bool) -> str:
    """Why a probe would mislead, as a clause; empty where it would not."""
    matched = {name for name, _ in probe.match}
    covered = (asked.fixed if found.way else probe.covered) | matched
    if not by_reference:
        missing = next(_uncovered(write, covered), "")
        if missing:
            return f"`{missing}` is neither fixed by its URL nor compared, and another write may differ in it only"
    if not found.way:
        return ""  # the document's author declares it
    if write.operation.method != "DELETE" and (write.kind == "delete" or _takes_away(write.operation)):
        return "what it takes away is not there afterwards, and FORMAT turns a probe's sense for DELETE only"
    if write.operation.method == "DELETE":
        return "" if probe.absent else "it does not show that something is gone"
    unseen = next(_unseen(write, covered), "") if write.kind in ("update", "upsert") else ""
    if unseen:
        return f"it does not show `{unseen}`, which a request may change alone"
    if write.kind != "create" and not by_reference and _shows_the_thing_alone(found, write, matched):
        return "it finds the thing that is changed, which was there before, and nothing of the change"
    if write.kind == "action" and found.way == "state" and _is_its_own_name(write, matched):
        return "it reads something that was there before, and compares nothing that the write changes"
    if not by_reference and _compares_choices(found, write, matched, asked):
        return "it compares nothing but choices of few values, which other writes share"
    undated = probe.since is None and not by_reference
    told = matched or asked.fixed - set(write.variables)
    if undated and (write.repeats or (told and _may_be_equal(found, write, covered, alone=not matched))):
        return "no answer shows when one was made, and an equal one of before would be taken for this one"
    if by_reference or matched - asked.fixed:
        return ""
    if found.way == "state" or write.kind in ("update", "action"):
        return "it reads something that was there before, and compares nothing that the write changes"
    by_identity = bool(write.identity) and bool(asked.fixed - set(write.variables))
    new_at_path = found.way == "exact" and write.kind == "create" and not write.identity
    if matched or by_identity or (new_at_path and probe.items is None):
        return ""
    return "it would take anything that is there for the write"


def _shows_the_thing_alone(found: ProbeProposal, write: Written, matched: set[str]) -> bool:
    """Whether a list that the write's own path leads through is looked at for the thing of that path alone."""
    path, own = found.path.rstrip("/"), write.operation.path.rstrip("/")
    return matched <= set(write.variables) and own.startswith(f"{path}/{{")


def _is_its_own_name(write: Written, matched: set[str]) -> bool:
    """Whether all that is compared is what the thing is called: `name` in an action on it, which does not rename it."""
    last = parse_path(write.operation.path)[-1:]
    renames = any("name" in word for part in last if not part.variable for word in part.stems)
    own = {phrase(name.rpartition(".")[2]) for name in matched}
    return bool(own) and own <= _DESIGNATIONS and not renames


def _compares_choices(found: ProbeProposal, write: Written, matched: set[str], asked: _Asked) -> bool:
    """Whether one of many is found by truth values and choices of few alone."""
    if write.kind not in ("create", "bulk") and not (found.items and not matched & set(write.variables)):
        return False
    sent = write.operation.body.by_path if write.operation.body else {}
    told = {*matched, *asked.fixed} - set(write.variables)
    shapes = [sent[name].shape for name in told if name in sent]
    return bool(told) and len(shapes) == len(told) and all(one.enum or one.type == "boolean" for one in shapes)


def _may_be_equal(found: ProbeProposal, write: Written, covered: frozenset[str] | set[str], *, alone: bool) -> bool:
    """Whether another record of the same values may be meant: the write makes one, and nothing tells it apart."""
    if write.kind not in ("create", "bulk") or write.operation.method == "PUT":
        return False
    given = {write.named(source) for place, source in found.parameters.items() if place.startswith("path:")}
    if given - {"", *write.variables}:
        return False  # an id that the client chose
    sent = write.operation.body.by_path if write.operation.body else {}
    alone = alone and bool(found.items)
    return not is_one_of_a_kind(write.identity, sent, covered, below=bool(write.variables), alone=alone)


def _takes_away(operation: ApiOperation) -> bool:
    """Whether the last word of its path takes something away: `removeFollowers`, `members/delete`."""
    literals = [part for part in parse_path(operation.path) if not part.variable]
    return bool(literals) and bool(set(literals[-1].stems) & word_set("actions", "taking"))


def _uncovered(write: Written, covered: frozenset[str] | set[str]) -> Iterator[str]:
    paths = [path for name in covered if (path := _parsed(name)) is not None]
    for field in write.identity:
        if not any(path.covers(field.required()) for path in paths):
            yield field.name
    for name in write.variables:
        if name not in covered and not is_about_the_answer(name) and not is_credential(name):
            yield name


def _unseen(write: Written, covered: frozenset[str] | set[str]) -> Iterator[str]:
    """The fields of a change that the probe does not look at: with these changed alone, all the rest is as before."""
    paths = [path for name in covered if (path := _parsed(name)) is not None]
    for name in changed_fields(write.operation):
        own = _parsed(name)
        if own is None or name in write.variables or name == write.key:
            continue
        if not any(path.covers(own) or own.covers(path) for path in paths):
            yield name


def _parsed(name: str) -> FieldPath | None:
    try:
        return FieldPath.parse(name)
    except FieldPathError:
        return None
