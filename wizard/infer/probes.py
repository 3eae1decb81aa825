"""Probes: a GET that shows whether a write is there, fed only from what was known before it was sent.

The detectors `probe_*` look for reads of one kind each; `fill` gives every parameter that a read needs a value of the
write, `propose` makes a proposal of it, and `choose_probe` takes the best. A GET by an id that only the lost answer
held is never proposed: no value of the write fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from wizard.infer.alike import Phrase, without_ids
from wizard.infer.answers import Answer
from wizard.infer.comparing import match_fields
from wizard.infer.detector import Candidate, Subject
from wizard.infer.feeds import Known, is_broad, knowns, may_be_respelled
from wizard.infer.lexicon import phrase
from wizard.infer.lookups import Lookup, fill
from wizard.infer.model import Confidence, Evidence, ProbeProposal
from wizard.infer.probe_declared import Written, changed_fields, declared_probe, key_source, may_declare
from wizard.infer.probe_words import joined, pattern, word_set
from wizard.infer.resources import Resources, resources
from wizard.infer.route import PREFIX, Route
from wizard.operation.field_path import FieldPath
from wizard.spec.model import ApiOperation

_NEAR_ENOUGH = 0.65
_ITS_OWN = 0.85

Way = Literal["exact", "filter", "search", "scan", "state"]


@dataclass(frozen=True)
class Seen:
    """What the detectors need to know of a write, worked out once."""

    subject: Subject
    index: Resources
    route: Route
    known: tuple[Known, ...]
    identity: tuple[str, ...]
    lookups: dict[str, Lookup | None] = field(default_factory=dict)
    """Reads that were tried, by name."""

    @property
    def about(self) -> Phrase:
        return self.route.subjects

    @cached_property
    def near(self) -> tuple[tuple[Route, float], ...]:
        """The reads about what the write makes, with how near each is, the nearest first."""
        return _near_reads(self)


def look(subject: Subject) -> Seen:
    """The subject with its index, its path taken apart and its values."""
    held: tuple[Subject, Seen] | None = subject.shared.get("look")
    if held is not None and held[0] is subject:
        return held[1]
    index = resources(subject)
    seen = Seen(
        subject,
        index,
        index.route(subject.operation),
        knowns(subject),
        subject.identity.fields if subject.identity else (),
    )
    subject.shared["look"] = (subject, seen)
    return seen


def choose_probe(subject: Subject, candidates: Iterable[Candidate]) -> ProbeProposal | None:
    """The probe to propose from what the `probe_*` detectors saw, None where no read shows whether the write landed."""
    if subject.write is False:
        return None
    best = max(candidates, key=lambda one: (one.weight, -len(one.value.path), one.value.path), default=None)
    if best is None:
        return None
    return _with_limits(subject, best.value)


def _with_limits(subject: Subject, found: ProbeProposal) -> ProbeProposal:
    """The probe with what keeps it from being declared, or from being asked."""
    optional = subject.identity.optional if subject.identity else frozenset()
    paths = [FieldPath.parse(name) for name in (subject.identity.fields if subject.identity else ())]
    identity = tuple(FieldPath(path.place, path.segments, optional=path.name in optional) for path in paths)
    reference = subject.reference.name if subject.reference else ""
    written = Written(
        document=subject.document,
        operation=subject.operation,
        kind=subject.kind or "create",
        identity=identity,
        reference=FieldPath.parse(reference)
        if reference and may_declare(reference, identity, subject.operation)
        else None,
        key=key_source(subject.key),
        repeats=bool(subject.keep),
    )
    probe, why = declared_probe(found, written, "https://host.invalid")
    said = [f"Its probe is not declared: {why}."] if why else []
    for name in dict.fromkeys(probe.variables if probe else ()):
        if name in optional:
            said.append(f"a request leaves out `{name}`")
    return replace(found, cannot_tell=(*found.cannot_tell, *said))


# Which reads are near ------------------------------------------------------------------------------------------------


def nearness(write: Route, read: Route) -> float:
    """How surely a read's path is about what the write makes: 1 for the collection itself, 0 for something else."""
    if read.form == write.form:
        return 1.0
    ours, theirs = write.base, read.base
    if ours == theirs:
        return 0.95
    if theirs[:-1] == ours and theirs[-1] == "{}":
        return 1.0
    if len(theirs) > len(ours) and theirs[: len(ours)] == ours and "{}" not in theirs[len(ours) : -1]:
        return 0.95 if theirs[-1] == "{}" else 0.0
    about, asked = write.roots, read.roots
    if not about or not asked:
        return 0.0
    near = theirs[:-1] == ours[:-1] or theirs[:-2] == ours[:-1]
    if asked == about:
        return 0.9 if near else 0.8 if theirs[:-1] == ours[:-2] else 0.7
    if near and asked[-1] == about[-1] and set(about) < set(asked):
        return 0.8
    return 0.0


def _near_reads(seen: Seen) -> tuple[tuple[Route, float], ...]:
    found: dict[str, tuple[Route, float]] = {}
    ours = seen.route.base
    forms = dict.fromkeys((seen.route.form, ours, (*ours, "{}")))
    words = {word for part in seen.route.literals[-2:] for word in part.stems}
    at = (route for form in forms for route in seen.index.reads_at(form))
    about = (route for route in seen.index.reads_about(words) if not _is_aside(seen.route, route))
    for route in (*at, *about):
        name = route.operation.name
        if name not in found and route.operation is not seen.subject.operation:
            near = nearness(seen.route, route)
            if near >= _ITS_OWN or (near >= _NEAR_ENOUGH and (_of_the_same(seen, route) or _by_own_id(seen, route))):
                found[name] = (route, near)
    return tuple(sorted(found.values(), key=lambda one: (-one[1], len(one[0].operation.path), one[0].operation.path)))


def _of_the_same(seen: Seen, read: Route) -> bool:
    """Whether a read elsewhere is about the same things, of the same owner.

    What stands in its path beside things and their ids must stand in the write's path too (`preheat/policies` are no
    `webhook/policies`), and the other way round where the write's own path can be read; and the last id of the write's
    path must narrow it.
    """
    if any(one not in seen.route.form for one in _qualifiers(read)):
        return False
    base = seen.route.base
    at_home = seen.index.reads_at(base) or seen.index.reads_at((*base, "{}"))
    if at_home and any(one not in read.form for one in _qualifiers(seen.route)):
        return False
    if not seen.route.variables:
        return True
    found = lookup(seen, read)
    return found is not None and any(one.path == f"path:{seen.route.variables[-1]}" for one in found.fed.values())


def _qualifiers(route: Route) -> Iterator[str]:
    """What stands before the things in a path: `templates` in `/templates/scripts`."""
    for part, after in pairwise(route.parts):
        if not (part.variable or after.variable or part.acts or after.acts or PREFIX.fullmatch(part.text)):
            yield part.form


def _by_own_id(seen: Seen, read: Route) -> bool:
    """Whether a read elsewhere gives the one record by an id of its own that the client chose: `/shows/{showGuid}`."""
    if not read.ends_in_variable or read.variables != (read.parts[-1].text,):
        return False
    own, found = read.parts[-1].text, lookup(seen, read)
    known = found.fed.get(f"path:{own}") if found else None
    if known is None or known.role not in ("identity", "key", "reference"):
        return False
    return joined(known.path.rpartition(".")[2]) == joined(own) and bool(without_ids(phrase(own)))


def _is_aside(write: Route, read: Route) -> bool:
    """Whether a read lists something about the things: counts, suggestions, reports."""
    return bool(read.aside - write.aside)


# From a read to a proposal -------------------------------------------------------------------------------------------


def lookup(seen: Seen, route: Route) -> Lookup | None:
    """The read filled from the write, None where something it needs is not known before."""
    name = route.operation.name
    if name not in seen.lookups:
        seen.lookups[name] = fill(seen.subject, seen.route, seen.known, route, seen.about)
    return seen.lookups[name]


@dataclass(frozen=True)
class Compared:
    """What of the write a candidate shows."""

    match: Mapping[str, str]
    missing: tuple[str, ...]
    """Identity fields that neither the URL fixes nor a candidate shows."""
    also: Mapping[str, str] = field(default_factory=dict)
    """What a candidate shows of the fields that the URL fixes, and of the reference: a filter may take more."""


def compare(seen: Seen, found: Lookup, answer: Answer | None, names: Iterable[str] | None = None) -> Compared:
    """Matches the identity (or `names`) that the URL does not fix with a candidate's fields."""
    fixed = found.fixes
    asked = list(seen.identity if names is None else names)
    wanted = [name for name in asked if not any(_covers(one, name) for one in fixed)]
    if answer is None:
        return Compared({}, tuple(wanted))
    about = found.route.subjects or seen.about
    match, missing = match_fields(wanted, answer, seen.subject.operation, about)
    reference = seen.subject.reference
    more = [name for name in asked if name not in wanted and not name.startswith("path:")]
    if reference is not None and reference.name not in asked and seen.subject.kind in ("create", "upsert"):
        more.append(reference.name)
    if seen.subject.kind in ("update", "upsert"):
        more += [name for name in changed_fields(seen.subject.operation) if not _touched(name, [*asked, *more])]
    also, _ = match_fields(more, answer, seen.subject.operation, about)
    return Compared(match, tuple(missing), also)


def _touched(name: str, others: list[str]) -> bool:
    return any(one == name or _covers(name, one) or _covers(one, name) for one in others)


def _covers(whole: str, part: str) -> bool:
    return part == whole or whole.startswith((f"{part}.id", f"{part}[]")) or part.startswith((f"{whole}.", f"{whole}["))


def propose(
    seen: Seen, found: Lookup, way: Way, answer: Answer | None, compared: Compared, *, why: str, because: str,
    weight: float, confidence: Confidence, cannot_tell: tuple[str, ...] = (), deletes: bool = False,
) -> Candidate:  # fmt: skip
    """A candidate for the question `probe`."""
    operation = found.route.operation
    found = _without_spelled(seen, found, compared, answer)
    reasons = [*cannot_tell, *_cannot_tell(seen, found, way, answer, compared)]
    absent = _absent(seen, way, answer, compared, found, operation, reasons, deletes=deletes)
    if found.demands or _outside(found):
        confidence = Confidence.LOW
    proposal = ProbeProposal(
        path=operation.path,
        parameters={name: known.path for name, known in found.fed.items()},
        fixed=dict(found.fixed),
        match=_in_order(seen, {**compared.match, **compared.also}),
        items=answer.items if answer else "",
        since=answer.since if answer and way != "state" and seen.subject.kind in ("create", "upsert", "bulk") else "",
        absent=absent,
        pages=answer.pages if answer and answer.is_list else "",
        way=way,
        loose=found.loose,
        confidence=confidence,
        evidence=tuple(_evidence(found, answer)),
        why=why,
        cannot_tell=tuple(dict.fromkeys(reasons)),
    )
    weight -= 1.5 * bool(found.demands) + 2.0 * bool(_outside(found))
    evidence = Evidence(because, operation.pointer)
    return Candidate(
        value=proposal,
        weight=weight,
        because=because,
        evidence=evidence,
    )


def _in_order(seen: Seen, match: dict[str, str]) -> dict[str, str]:
    """The identity's fields first, in its order."""
    first = {name: match[name] for name in seen.identity if name in match}
    return {**first, **match}


def _outside(found: Lookup) -> list[str]:
    """The values that fill it and are no part of what a declaration may fill a probe with."""
    return [known.path for known in found.fed.values() if known.role == "other"]


def _evidence(found: Lookup, answer: Answer | None) -> Iterable[Evidence]:
    operation = found.route.operation
    pointers = {f"{one.location}:{one.name}": one.pointer for one in operation.parameters}
    yield Evidence(f"`{operation.name}` can be asked before the write's answer is known", operation.pointer)
    for name, known in found.fed.items():
        yield Evidence(f"`{name}` is filled from `{known.path}`", pointers.get(name, operation.pointer))
    if answer is not None and answer.is_list:
        yield Evidence(f"the candidates lie at `{answer.items}`", answer.pointer)


def is_late(operation: ApiOperation) -> bool:
    """Whether the answer is not the outcome: 202, or a text that says so."""
    if "x-ms-long-running-operation" in operation.extensions:
        return True
    good = [one for one in operation.responses if one.status.startswith("2")]
    if good and all(one.status == "202" for one in good):
        return True
    said = f"{operation.summary} {operation.description[:2000]}".lower()
    return any(one.status == "202" for one in good) and bool(pattern("answers", "late").search(said))


def _cannot_tell(seen: Seen, found: Lookup, way: Way, answer: Answer | None, compared: Compared) -> Iterable[str]:
    operation = found.route.operation
    if is_late(seen.subject.operation):
        yield "the write is accepted first and carried out later"
    if _outside(found):
        yield f"{_names(_outside(found))} would have to be in the identity"
    if found.demands:
        yield f"{_names(found.demands)} must be given, and no value of the write says what"
    if headers := _headers(operation):
        yield f"the read demands the header {_names(headers)}, and a probe is only a URL"
    if any(known.many and "[]" in known.path for known in found.fed.values()):
        yield "a request with several elements needs one call for each"
    if compared.missing and way != "exact":
        yield f"the answer does not show {_names(compared.missing)}"
    if answer is None:
        yield "the document does not say what the read answers with"
    if answer is not None and answer.is_list and answer.pages == "" and way != "exact":
        yield "the list comes in pages, and the document does not say how the next one is reached"
    if found.windows and way != "exact":
        yield f"{_names(name.partition(':')[2] for name in sorted(found.windows))} may leave out what lies on the edge"
    if way != "exact" and (spelled := _spelled(seen, found)):
        yield f"it is stored in another spelling than {_names(spelled)}, and not found by it"
    if pattern("answers", "lags").search(f"{operation.summary} {operation.description[:2000]}".lower()):
        yield "the list comes after what is stored"
    if found.searched:
        yield f"`{found.searched}` searches texts; what it does not find may be there all the same"
    changing = [
        name for name in compared.match if set(phrase(name.rpartition(".")[2])) & word_set("answers", "changing")
    ]
    if changing and way in ("filter", "scan"):
        yield f"{_names(changing)} changes after it is stored"
    hidden = _hides(found)
    if hidden and answer is not None and answer.is_list:
        yield f"without `{hidden}` the list shows only some states"
    if pattern("answers", "own").search(f"{operation.summary} {operation.description[:500]}".lower()):
        yield "the list holds the caller's own records only"


def _headers(operation: ApiOperation) -> list[str]:
    """The headers that a read demands and neither the transport adds nor the document gives one value for."""
    known = pattern("parameters", "sent_headers")
    return [
        one.name
        for one in operation.parameters
        if one.location == "header" and one.required and not known.search(joined(one.name))
        if one.shape.default is None and one.shape.const is None and len(one.shape.enum) != 1
    ]


def _without_spelled(seen: Seen, found: Lookup, compared: Compared, answer: Answer | None) -> Lookup:
    """A list that exact values narrow is not narrowed by a name too, where the candidates show it."""
    spelled = set(_spelled(seen, found)) & set(compared.also)
    exact = [
        name
        for name in found.filters
        if name not in found.loose and found.fed[name].path not in spelled and found.fed[name].role != "other"
        if not is_broad(found.fed[name])
    ]
    needed = {one.name for one in found.route.operation.parameters if one.required and one.location == "query"}
    if not spelled or not exact or answer is None or not answer.is_list:
        return found
    kept = {
        name: known
        for name, known in found.fed.items()
        if known.path not in spelled or not name.startswith("query:") or name.partition(":")[2] in needed
    }
    return replace(found, fed=kept)


def _spelled(seen: Seen, found: Lookup) -> list[str]:
    """The values of filters that a recipient may store in another spelling: names, texts, phone numbers."""
    return [
        known.path
        for name, known in found.fed.items()
        if name.startswith("query:")
        and name not in found.loose
        and may_be_respelled(known)
        and not seen.index.has_things_called(known.phrase[-1])
    ]


def _hides(found: Lookup) -> str:
    """A parameter about states whose default leaves some out."""
    by_default, states = pattern("parameters", "open_by_default"), pattern("parameters", "states")
    for parameter in found.route.operation.parameters:
        if (
            parameter.location == "query"
            and f"query:{parameter.name}" not in found.fed
            and states.search(joined(parameter.name))
            and by_default.match(str(parameter.shape.default).lower())
        ):
            return parameter.name
    return ""


def _absent(
    seen: Seen, way: Way, answer: Answer | None, compared: Compared, found: Lookup, operation: ApiOperation,
    reasons: list[str], *, deletes: bool,
) -> tuple[Literal["empty", "404"], ...]:  # fmt: skip
    """What "not there" looks like, only where the document lets us say so."""
    if is_late(seen.subject.operation):
        return ()
    if answer is not None and answer.is_list:
        return () if reasons or compared.missing or seen.subject.kind in ("update", "action") else ("empty",)
    answers = {one.status.upper() for one in operation.responses}
    if deletes:
        if answer is not None and (flag := _deleted_flag(answer)):
            reasons.append(f"a deleted one may be answered with 200 and `{flag}`")
            return ()
        return ("404",)
    if way == "exact" and answers & {"404", "4XX"} and not _many_may_match(found) and not left_to_server(seen, found):
        return ("404",)
    return ()


def left_to_server(seen: Seen, found: Lookup) -> bool:
    """Whether the read is by an id that a request may leave out: then the recipient makes it, and perhaps always."""
    optional = seen.subject.identity.optional if seen.subject.identity else frozenset()
    return any(
        known.path in optional and known.role == "identity" and without_ids(known.phrase) != known.phrase
        for name, known in found.fed.items()
        if name.startswith("path:")
    )


def _many_may_match(found: Lookup) -> bool:
    return any(one.startswith("query:") for one in found.fed) and not found.route.ends_in_variable


def _deleted_flag(answer: Answer) -> str:
    """A member that says that a record is deleted, while it is still shown."""
    gone, envelopes = pattern("answers", "gone"), word_set("answers", "envelopes")
    near = (path for path in answer.fields if "." not in path or path.partition(".")[0].lower() in envelopes)
    return next((path for path in near if gone.match(joined(path.rpartition(".")[2]))), "")


def _names(names: Iterable[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


names_of = _names
