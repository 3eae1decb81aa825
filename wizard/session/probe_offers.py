"""What an API document offers for each member of a probe: where to ask, what the answer shows, how two compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from wizard.infer.answers import Answer, json_path, read_answer
from wizard.infer.declaration import server_of
from wizard.infer.route import Route, parse_path
from wizard.operation.field_path import FieldPath
from wizard.operation.model import DEFAULT_AFTER, Cursor, Operation, Probe
from wizard.session.fields import is_field_name
from wizard.session.probes import ProbeForm, form_of
from wizard.session.state import Entry, Session
from wizard.spec.model import ApiDocument, ApiOperation, Field

_MOST = 40
_LIKE = 0.72
"""From which likeness on two names are taken for the same thing."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A value for a member, with what it means."""

    value: str
    about: str = ""


def asked(document: ApiDocument, url: str) -> ApiOperation | None:
    """The GET of the document that a probe's URL asks; None where it has none of that path."""
    given = _segments(re.sub(r"^[a-zA-Z][\w+.-]*://[^/?#]*", "", url))
    best: tuple[int, int] | None = None
    found = None
    for operation in document.operations:
        own = _segments(operation.path)
        if operation.method != "GET" or not own or len(own) > len(given):
            continue
        pairs = list(zip(own, given[-len(own) :], strict=True))
        if all(one == other or ("{" in one and "{" in other) for one, other in pairs):
            rank = (len(own), sum("{" not in one for one in own))
            if best is None or rank > best:
                best, found = rank, operation
    return found


def _segments(path: str) -> list[str]:
    return [part for part in path.partition("?")[0].split("/") if part]


def answer_of(document: ApiDocument, url: str) -> Answer | None:
    """What the document says of the answer to a probe's URL."""
    operation = asked(document, url)
    if operation is None:
        return None
    route = Route(operation, parse_path(operation.path))
    return read_answer(operation, route.subjects, ends_in_variable=route.ends_in_variable)


def nameable(operation: Operation) -> tuple[str, ...]:
    """The names that a probe's URL may have in braces: the path's, the identity's, the reference."""
    names = [*operation.path_variables, *(path.name for path in operation.identity)]
    names += [operation.reference.name] if operation.reference is not None else []
    return tuple(dict.fromkeys(names))


def offers(session: Session, entry: Entry, form: ProbeForm, name: str) -> tuple[Offer, ...]:
    """What a member of MEMBERS may be, as far as the document tells; the likeliest first. Other values may be typed."""
    if name == "absent":
        return _absences(form)
    if name == "after":
        return (Offer("", f"{DEFAULT_AFTER}, the default"), Offer("30s"), Offer("1m"), Offer("15m"), Offer("1h"))
    if name == "url":
        return tuple(_urls(session, entry))[:_MOST]
    answer = answer_of(session.document, form.url)
    if name == "items":
        return tuple(_lists(session.document, form, answer))
    if name == "since":
        return tuple(_times(session.document, form, answer))
    return tuple(_pages(answer))


def _absences(form: ProbeForm) -> tuple[Offer, ...]:
    nothing = Offer("", "nothing: what is found counts, and what is not found cannot tell")
    if form.items:
        return (Offer("empty", "the list is empty, or holds only others"), nothing)
    return (Offer("404", "the answer is a 404"), nothing)


def _urls(session: Session, entry: Entry) -> Iterator[Offer]:
    operation, document = entry.declaration, session.document
    if operation is None:
        return
    seen = set()
    for probe, about in (
        (operation.probe, "as declared"),
        (entry.proposed.probe if entry.proposed is not None else None, "as proposed"),
    ):
        if probe is not None and probe.url not in seen:
            seen.add(probe.url)
            yield Offer(probe.url, about)
    write = _segments(entry.api.path)
    names = nameable(operation)
    ranked = []
    for api in document.operations:
        if api.method == "GET":
            own = _segments(api.path)
            common = next((at for at, pair in enumerate(zip(own, write, strict=False)) if pair[0] != pair[1]), None)
            near = min(len(own), len(write)) if common is None else common
            ranked.append((-near, len(own), api.path, api))
    for near, _, _, api in sorted(ranked, key=lambda one: one[:3]):
        url = _filled(api, write, names, session.server or server_of(document, api))
        if url not in seen and near:
            seen.add(url)
            yield Offer(url, api.summary or api.operation_id)


def _filled(api: ApiOperation, write: list[str], names: tuple[str, ...], server: str) -> str:
    """A GET's address with what the write knows: in its path by place and name, in its query by name."""
    path = []
    for index, part in enumerate(_segments(api.path)):
        if part.startswith("{") and part.endswith("}"):
            here = write[index] if index < len(write) and write[index].startswith("{") else part
            path.append("{" + _nearest(here[1:-1], names) + "}")
        else:
            path.append(part)
    known = {FieldPath.parse(name).segments[-1].name: name for name in names}
    query = [f"{one.name}={{{known[one.name]}}}" for one in api.parameters_in("query") if one.name in known]
    return f"{server}/{'/'.join(path)}" + (f"?{'&'.join(query)}" if query else "")


def _nearest(name: str, names: tuple[str, ...]) -> str:
    return name if name in names else next((one for one in names if _alike(name, one) >= _LIKE), name)


def _lists(document: ApiDocument, form: ProbeForm, answer: Answer | None) -> Iterator[Offer]:
    seen = set()
    if answer is not None:
        seen.add(answer.items)
        yield Offer(answer.items, "the list of the answer" if answer.items else "the whole answer is the one candidate")
    for field in _answered(document, form.url):
        if field.shape.type == "array" and field.composite and "[]" not in field.path:
            path = f"{json_path(field.path)}[*]"
            if path not in seen:
                seen.add(path)
                yield Offer(path, field.shape.description)
    if "" not in seen:
        yield Offer("", "the whole answer is the one candidate")


def _answered(document: ApiDocument, url: str) -> tuple[Field, ...]:
    operation = asked(document, url)
    body = operation.success.body if operation is not None and operation.success is not None else None
    return (*body.fields, *body.element) if body is not None else ()


def candidate_fields(document: ApiDocument, form: ProbeForm) -> Mapping[str, Field]:
    """What a candidate shows, by its path in it; empty where the document does not tell."""
    answer = answer_of(document, form.url)
    if answer is not None and answer.items == form.items:
        return answer.fields
    found = {}
    for field in _answered(document, form.url):
        for holder in {field.path[:at] for at in range(len(field.path)) if field.path.startswith("[].", at)}:
            if f"{json_path(holder)}[*]" == form.items:
                found[field.path[len(holder) + 3 :]] = field
        if not form.items:
            found[field.path] = field
    return found


def _times(document: ApiDocument, form: ProbeForm, answer: Answer | None) -> Iterator[Offer]:
    fields = candidate_fields(document, form)
    named = answer.since if answer is not None and answer.items == form.items else ""
    paths = [path for path, field in fields.items() if field.shape.format == "date-time" and "[]" not in path]
    for path in dict.fromkeys([*([named] if named else []), *paths]):
        yield Offer(path, fields[path].shape.description if path in fields else "")
    yield Offer("", "none: an equal write of last week counts as this one")


def _pages(answer: Answer | None) -> Iterator[Offer]:
    shown = _shown(answer.pages) if answer is not None else ""
    known = [
        Offer("none", "one answer is all"),
        Offer("link", "a Link header names the next page"),
        Offer("", "not known: then an empty list proves nothing"),
    ]
    if shown and shown not in ("none", "link"):
        yield Offer(shown, "the next page, as the document shows it")
    yield from sorted(known, key=lambda one: one.value != shown)


def _shown(pages: str | Cursor) -> str:
    return f"{pages.at} as query:{pages.parameter}" if isinstance(pages, Cursor) else pages


# What is compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A field of the write, and where a candidate shows it."""

    name: str
    path: str = ""
    """Empty where it is not compared."""
    by_url: bool = False
    """The URL fixes it."""
    wanted: bool = True
    """It is part of the identity, or the reference."""


def compared(entry: Entry, form: ProbeForm) -> tuple[Compared, ...]:
    """The fields that a probe may compare: the identity's, the reference, and what is compared beside them."""
    operation = entry.declaration
    if operation is None:
        return ()
    fixed = {FieldPath.parse(name).name for name in Probe(url=form.url).variables if not is_field_name(name)}
    given = dict(form.match)
    wanted = dict.fromkeys(path.required().name for path in operation.identity)
    if operation.reference is not None:
        wanted[operation.reference.name] = None
    return tuple(
        Compared(name=name, path=given.get(name, ""), by_url=name in fixed, wanted=name in wanted)
        for name in dict.fromkeys([*wanted, *given])
    )


def targets(session: Session, form: ProbeForm, name: str) -> tuple[Offer, ...]:
    """Where a candidate may show a field of the write, the likeliest first."""
    fields = candidate_fields(session.document, form)
    plain = [path for path, field in fields.items() if not field.composite and "[]" not in path]
    ordered = sorted(plain, key=lambda path: (-_alike(name, path), path.count(".")))
    return tuple(Offer(path, fields[path].shape.description) for path in ordered)


def target_of(session: Session, form: ProbeForm, name: str) -> str:
    """Where a candidate shows a field, as far as the names tell; else the field's own name."""
    found = targets(session, form, name)
    return found[0].value if found and _alike(name, found[0].value) >= _LIKE else FieldPath.parse(name).name


def _alike(name: str, path: str) -> float:
    """From 0 to 1: how much two names say the same. `room_id` is `room.id`, and `guest` is about `guest_name`."""
    one, other = (re.sub(r"[^a-z0-9]+", "", re.sub(r".*:", "", text.lower())) for text in (name, path))
    if one == other:
        return 1.0
    last = re.sub(r"[^a-z0-9]+", "", path.lower().rpartition(".")[2])
    same = 0.95 if last == re.sub(r"[^a-z0-9]+", "", name.lower().rpartition(".")[2]) else 0.0
    inside = 0.8 if min(len(one), len(other)) >= 4 and (one.startswith(other) or other.startswith(one)) else 0.0
    return max(same, inside, SequenceMatcher(None, one, other).ratio() * 0.9)


def with_match(form: ProbeForm, name: str, path: str) -> ProbeForm:
    """The form with a field compared at a path, or not compared where that is empty; its place stays."""
    pairs = dict(form.match)
    if path:
        pairs[name] = path
    else:
        pairs.pop(name, None)
    return replace(form, match=tuple(pairs.items()))


def begun(session: Session, entry: Entry) -> ProbeForm:
    """The form to begin with: the probe as declared, else as proposed, else the nearest GET with what it shows."""
    operation = entry.declaration
    probe = operation.probe if operation is not None else None
    if probe is None and entry.proposed is not None:
        probe = entry.proposed.probe
    if probe is not None:
        return form_of(probe)
    first = next(iter(offers(session, entry, ProbeForm(), "url")), None)
    return with_url(session, entry, ProbeForm(), first.value) if first is not None else ProbeForm()


def with_url(session: Session, entry: Entry, form: ProbeForm, url: str) -> ProbeForm:
    """The form with another URL: where it asks another GET, the rest is what the document tells of that answer."""
    changed = replace(form, url=url)
    if asked(session.document, url) is asked(session.document, form.url):
        return changed
    answer = answer_of(session.document, url)
    if answer is None:
        return changed
    pages = _shown(answer.pages) if answer.items else ""
    changed = ProbeForm(url=url, items=answer.items, since=answer.since, pages=pages, after=form.after)
    for one in compared(entry, changed):
        likely = targets(session, changed, one.name)
        if likely and _alike(one.name, likely[0].value) >= _LIKE:
            changed = with_match(changed, one.name, likely[0].value)
    return changed
