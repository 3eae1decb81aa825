"""The reads that can show a write: where they lie, what narrows them, how they are cut into pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import parse_qsl

from wizard.infer.answers import read_answer
from wizard.infer.feeds import window_edge
from wizard.infer.lexicon import phrase
from wizard.infer.lookups import Lookup
from wizard.infer.probe_words import joined
from wizard.infer.probe_words import pattern as probe_pattern
from wizard.infer.probes import look, lookup
from wizard.infer.propose import Looked
from wizard.infer.route import Route, parse_path
from wizard.operation.field_path import FieldPath, FieldPathError, url_variables
from wizard.operation.model import Cursor, Operation, Probe
from wizard.rehearse.facts import Filter, Paging, ReadFacts, Shown
from wizard.rehearse.truth.shown import Write, shown_by
from wizard.rehearse.truth.words import pattern
from wizard.rehearse.values import steps_of, steps_of_jsonpath
from wizard.spec.model import ApiDocument, ApiOperation, Body, Parameter

_MOST_READS = 6
_NEAR = 0.95
_VARIABLE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Asked:
    """Everything that the reads are made from."""

    declared: Operation
    document: ApiDocument
    write: Write
    looked: Looked
    base: str
    """What stands before the document's paths, without a last slash."""
    creates: bool


def read_facts(asked: Asked, notes: list[str]) -> tuple[ReadFacts, ...]:
    """The declared probe's read, the proposed one, and what else is near."""
    found: dict[str, ReadFacts] = {}
    probe = asked.declared.probe
    declared = declared_read(asked) if probe else None
    if probe is not None and declared is None:
        notes.append(
            f"The document does not show `GET {path_of(probe.url)}`; the declaration is believed in all of it."
        )
        believed = believed_read(asked.declared, probe)
        found[believed.path] = believed
    for api in dict.fromkeys(one.name for one in _reads(asked, declared)):
        read = asked.document.by_name[api]
        own = probe if declared is not None and read.name == declared.name else None
        made = _read(asked, read, own, notes)
        found.setdefault(made.path, made)
    return tuple(found.values())


def _reads(asked: Asked, declared: ApiOperation | None) -> Iterator[ApiOperation]:
    if declared is not None:
        yield declared
    by_name = asked.document.by_name
    proposed = asked.looked.proposal.probe
    if proposed is not None and f"GET {proposed.path}" in by_name:
        yield by_name[f"GET {proposed.path}"]
    if asked.looked.proposal.write:
        near = [route.operation for route, near in look(asked.looked.subject).near if near >= _NEAR]
        yield from (one for one in near[:_MOST_READS] if one.name in by_name)


def path_of(url: str) -> str:
    """A URL's path as it is written, its variables in braces."""
    bare = url.partition("?")[0].partition("#")[0]
    rest = bare.partition("://")[2] if "://" in bare else bare
    return "/" + rest.partition("/")[2] if "://" in bare else rest


def declared_read(asked: Asked) -> ApiOperation | None:
    """The document's operation behind the declared probe's URL."""
    probe = asked.declared.probe
    assert probe is not None
    return find_read(asked.document, asked.base, path_of(probe.url))


def find_read(document: ApiDocument, base: str, path: str) -> ApiOperation | None:
    """The GET whose path this is, with what stands before the document's paths or without it."""
    wanted = [path.removeprefix(base)] if base and path.startswith(f"{base}/") else []
    wanted.append(path)
    reads = [one for one in document.operations if one.method == "GET"]
    for own in wanted:
        bare = _VARIABLE.sub("{}", own).rstrip("/")
        for read in reads:
            if _VARIABLE.sub("{}", read.path.partition("?")[0]).rstrip("/") == bare:
                return read
        for read in reads:  # a value in the place of a variable
            if path_pattern(read.path).fullmatch(own):
                return read
    return None


def path_pattern(path: str) -> re.Pattern[str]:
    """What a filled path looks like; the groups are its variables' texts, in their order."""
    parts = re.split(r"\{[^{}]*\}", path.partition("?")[0].partition("#")[0])
    return re.compile("([^/]*?)".join(re.escape(part) for part in parts))


def _read(asked: Asked, read: ApiOperation, probe: Probe | None, notes: list[str]) -> ReadFacts:
    match = dict(probe.match) if probe else {}
    shown = shown_by(read, asked.write, match, notes, status=200, creates=asked.creates)
    seen = look(asked.looked.subject)
    route = seen.index.route(read)
    filled = lookup(seen, route) if asked.looked.proposal.write else None
    urls = _declared_parameters(probe) if probe else {}
    own = path_of(probe.url) if probe else ""
    return ReadFacts(
        path=asked.base + read.path.partition("?")[0],
        shown=shown if probe is None or shown.fields else _believed_shown(shown, probe),
        variables=_variables(asked, read, filled, own),
        filters=tuple(_filters(asked, read, filled, urls, notes)),
        paging=_paging(read, shown, probe, notes),
        newest_first=bool(pattern("order", "newest_first").search(_said(read))),
        absent=None if shown.is_list else 404,
    )


def _said(read: ApiOperation) -> str:
    answer = read.success.description if read.success else ""
    return f"{read.summary}. {read.description} {answer}"[:3000]


def _declared_parameters(probe: Probe) -> Mapping[str, str]:
    """Query parameters of the probe's URL to the field that fills them."""
    found = {}
    for name, value in parse_qsl(probe.url.partition("?")[2].partition("#")[0], keep_blank_values=True):
        if value.startswith("{") and value.endswith("}"):
            found[name] = value[1:-1]
    return found


def source_of(name: str, declared: Operation) -> str:
    """A name of a probe's URL as a value of the write."""
    try:
        own = FieldPath.parse(name)
    except FieldPathError:
        return name
    identified = any(one.required() == own.required() for one in declared.identity)
    return f"path:{name}" if name in declared.path_variables and not identified else own.name


def _variables(asked: Asked, read: ApiOperation, filled: Lookup | None, own: str) -> Mapping[str, str]:
    names = url_variables(read.path.partition("?")[0])
    mine = url_variables(asked.write.api.path)
    theirs = url_variables(own)
    found: dict[str, str] = {}
    for at, name in enumerate(names):
        before = read.path.partition("{" + name + "}")[0]
        if len(theirs) == len(names):
            found[name] = source_of(theirs[at], asked.declared)
        elif filled is not None and f"path:{name}" in filled.fed:
            found[name] = filled.fed[f"path:{name}"].path
        elif at < len(mine) and _VARIABLE.sub("{}", asked.write.api.path).startswith(
            _VARIABLE.sub("{}", before) + "{}"
        ):
            found[name] = f"path:{mine[at]}"
        elif name in mine:
            found[name] = f"path:{name}"
        else:
            found[name] = ""
    return found


def _filters(
    asked: Asked, read: ApiOperation, filled: Lookup | None, urls: Mapping[str, str], notes: list[str]
) -> Iterator[Filter]:
    fields = asked.write.api.body.by_path if asked.write.api.body else {}
    documented = {one.name for one in read.parameters_in("query")}
    for parameter in read.parameters_in("query"):
        fed = filled.fed.get(f"query:{parameter.name}") if filled is not None else None
        same = next((path for path in fields if path == parameter.name), "")
        source = same or (fed.path if fed else "")
        if not source and parameter.name in urls and not _is_of_pages(parameter):
            source = source_of(urls[parameter.name], asked.declared)
            notes.append(
                f"The document does not say what `{parameter.name}` of {read.name} looks at; the declaration is"
                f" believed that it is `{source}`."
            )
        if source:
            loose = filled is not None and f"query:{parameter.name}" in filled.loose
            yield Filter(
                parameter=parameter.name, source=source, way=_way(parameter, loose=loose),
                any_case=bool(pattern("compare", "any_case").search(parameter.description)),
            )  # fmt: skip
    for name in urls:
        if name not in documented:
            notes.append(f"{read.name} has no parameter `{name}`: it is ignored, as unknown parameters are.")


def _way(parameter: Parameter, *, loose: bool) -> Literal["equal", "contains", "from", "to"]:
    edge = window_edge(phrase(parameter.name))[0] if loose else ""
    if edge:
        return "from" if edge == "lower" else "to"
    return "contains" if loose else "equal"


def _is_of_pages(parameter: Parameter) -> bool:
    name = joined(parameter.name)
    return any(probe_pattern("parameters", kind).match(name) for kind in ("cursors", "numbered", "limits"))


# Pages ---------------------------------------------------------------------------------------------------------------


def _paging(read: ApiOperation, shown: Shown, probe: Probe | None, notes: list[str]) -> Paging:
    if not shown.is_list:
        return Paging()
    route = Route(read, parse_path(read.path))
    answer = read_answer(read, route.subjects, ends_in_variable=route.ends_in_variable)
    pages = answer.pages if answer else ""
    by = _parameter(read, "cursors") or _parameter(read, "numbered")
    if not pages and probe is not None and probe.pages is not None:
        pages = probe.pages
        notes.append(f"The document does not say how {read.name} goes on; the declared `pages` is believed.")
    body = read.success.body if read.success else None
    return _as_paging(pages, by.name if by else "", _parameter(read, "limits"), body)


def _parameter(read: ApiOperation, kind: str) -> Parameter | None:
    names = probe_pattern("parameters", kind)
    return next((one for one in read.parameters_in("query") if names.match(joined(one.name))), None)


def _as_paging(pages: str | Cursor | None, by: str, limit: Parameter | None, body: Body | None = None) -> Paging:
    name = limit.name if limit else ""
    size = limit.shape.default if limit else None
    if isinstance(size, str) and size.isdecimal():
        size = int(size)
    whole = isinstance(size, int) and not isinstance(size, bool) and size > 0
    known = Paging(parameter=by, numbered=_counts(by), limit=name, size=size if whole else None)
    if pages == "none":
        return Paging()
    if not pages:
        return replace(known, size=known.size or (_PAGE if name or by else None))
    known = replace(known, size=known.size or _PAGE, parameter=by or "page")
    if pages == "link":
        return replace(known, tells="link")
    at = steps_of_jsonpath(pages.at if isinstance(pages, Cursor) else pages) or ()
    known = replace(known, at=at, tells="url")
    if isinstance(pages, Cursor):
        known = replace(known, tells="cursor", parameter=pages.parameter, numbered=_counts(pages.parameter))
    for one in body.fields if body else ():
        if "[]" not in one.path and steps_of(one.path) == at:
            number = one.shape.type in ("integer", "number")
            return replace(known, nullable=one.shape.nullable, always=one.always, whole_number=number)
    return known


def _counts(by: str) -> Literal["", "page", "offset"]:
    """What a parameter counts: pages or records."""
    name = joined(by)
    if not by or not probe_pattern("parameters", "numbered").match(name):
        return ""
    return "page" if re.search(r"page|pagina|seite", name) and not re.search(r"offset|start", name) else "offset"


_PAGE = 50


# What only the declaration shows -------------------------------------------------------------------------------------


def believed_read(declared: Operation, probe: Probe) -> ReadFacts:
    """The declared probe's read, of which no document says anything."""
    items = steps_of_jsonpath(probe.items) if probe.items else None
    if items and items[-1] is None:
        items = items[:-1]
    members = {source_of(name, declared): path for name, path in probe.match}
    shown = Shown(
        api=None, status=200, base={} if items else None, items=items, element={}, members=members,
        made=(probe.since,) if probe.since else (),
    )  # fmt: skip
    by = probe.pages.parameter if isinstance(probe.pages, Cursor) else ""
    path = path_of(probe.url)
    return ReadFacts(
        path=path, shown=shown, by="declaration",
        variables={name: source_of(name, declared) for name in url_variables(path)},
        filters=tuple(
            Filter(parameter=name, source=source_of(field, declared))
            for name, field in _declared_parameters(probe).items()
        ),
        paging=_as_paging(probe.pages, by, None), absent=None if items is not None else 404,
    )  # fmt: skip


def _believed_shown(shown: Shown, probe: Probe) -> Shown:
    """What a read shows whose answer the document does not describe."""
    items = steps_of_jsonpath(probe.items) if probe.items else None
    if items and items[-1] is None:
        items = items[:-1]
    return Shown(
        api=shown.api, status=200, base={} if items else None, items=items, element={},
        members=dict(probe.match), made=(probe.since,) if probe.since else (),
    )  # fmt: skip


__all__ = ["Asked", "find_read", "path_of", "path_pattern", "read_facts"]
