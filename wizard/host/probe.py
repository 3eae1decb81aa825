"""Judging what a probe's pages say of a write (FORMAT 4): there, not there, or cannot tell. Pure.

Cannot tell is everything that is neither: an error, a redirect, another status, another type, a page not seen, a
candidate that may be ours in another spelling. It leaves the write attempted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit, urlunsplit

from wizard.host.compare import Likeness, likeness, when
from wizard.host.exactjson import InexactError, read_json, write_json
from wizard.host.filling import RequestError, text_of
from wizard.host.jsonpaths import select, select_items
from wizard.host.outcome import Outcome, Reply, Request
from wizard.host.prepare import Arguments, stored_arguments
from wizard.host.record import Answer, Record
from wizard.host.state import Finding, ProbeAnswer
from wizard.operation.field_path import MISSING, FieldPath
from wizard.operation.model import Cursor, Operation, Probe

MOST_PAGES = 50
"""Pages that are read of one answer; behind them lies a page not seen."""
DOUBT = timedelta(minutes=5)
"""How long before the first send a candidate must have been made to be surely another one."""

_LINK = re.compile(r'<([^>]*)>((?:\s*;\s*[\w*!-]+\s*=\s*(?:"[^"]*"|[^",;\s]+))*)')
_RELATION = re.compile(r';\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]+))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """One of a probe's requests and what was seen of it."""

    url: str
    outcome: Outcome


class CannotAsk(ValueError):
    """The probe cannot be asked, or its next page cannot be found; the text says why."""


def first_request(operation: Operation, record: Record) -> Request:
    """The probe's first request for a record's write. Raises CannotAsk."""
    probe, arguments = _parts(operation, record)
    path, mark, parameters = probe.url.partition("?")
    for name in probe.variables:
        text = _in_url(operation, record, arguments, name)
        place = "{" + name + "}"
        if place in path and text in ("", ".", ".."):
            # It would be the path of something else.
            raise CannotAsk(f"`{text}` cannot stand in the path of the probe's URL for `{name}`")
        path, parameters = (part.replace(place, quote(text, safe="")) for part in (path, parameters))
    return Request("GET", f"{path}{mark}{parameters}", ())


def next_request(operation: Operation, pages: Sequence[Page]) -> Request | None:
    """The request for the page after those that were seen; None where they are all. Raises CannotAsk."""
    probe, page = operation.probe, pages[-1]
    assert probe is not None
    reply = page.outcome
    if not isinstance(reply, Reply) or reply.status != 200 or probe.pages in (None, "none"):
        return None
    try:
        url = _next_url(probe, page.url, reply)
    except InexactError as error:
        raise CannotAsk(f"where the next page is cannot be read: {error}") from error
    if url is None:
        return None
    if _origin(url) != _origin(page.url):
        raise CannotAsk("the next page lies on another host")
    if any(url == seen.url for seen in pages):
        raise CannotAsk("the pages lead back to one that was seen")
    if len(pages) >= MOST_PAGES:
        raise CannotAsk(f"there are more than {MOST_PAGES} pages")
    return Request("GET", url, ())


def judge(
    operation: Operation, record: Record, pages: Sequence[Page], asked_at: datetime, gap: str = ""
) -> ProbeAnswer:
    """What the pages say of the record's write. `gap` says why a further page was not seen, empty where all were.

    That an absence was asked for late enough is `state.settle_by_probe`'s to judge.
    """
    try:
        finding, why, found = _judge(operation, record, pages, gap)
    except InexactError as error:
        finding, why, found = Finding.CANNOT_TELL, f"the answer cannot be read: {error}", None
    except CannotAsk as error:
        finding, why, found = Finding.CANNOT_TELL, str(error), None
    return ProbeAnswer(finding, asked_at, record.fence, why, found)


Verdict = tuple[Finding, str, Answer | None]


def _judge(operation: Operation, record: Record, pages: Sequence[Page], gap: str) -> Verdict:
    probe, arguments = _parts(operation, record)
    fields = [FieldPath.parse(name) for name, _ in probe.match]
    ours = {field.name: _field(operation, record, arguments, field) for field in fields}
    if operation.method == "PATCH":
        # RFC 5789: what a patch does not name it leaves as it is, so there is nothing to compare.
        ours = {name: value for name, value in ours.items() if value is not MISSING}
        if probe.match and not ours:
            return Finding.CANNOT_TELL, "the request names nothing that the probe compares", None
    empty, nearly = not gap, ""
    for page in pages:
        reply = page.outcome
        if (unreadable := _unreadable(reply)) or not isinstance(reply, Reply):
            return Finding.CANNOT_TELL, unreadable, None
        if reply.status == 404:
            if probe.items is None and probe.absent == "404" and len(pages) == 1:
                return _absent(operation, "404")
            return Finding.CANNOT_TELL, "status 404, which the declaration does not take for absence", None
        if operation.failed is not None and select(operation.failed, reply.body):
            return Finding.CANNOT_TELL, "the answer says that it failed", None
        candidates, one_array = [read_json(reply.body)], False
        if probe.items is not None:
            candidates, one_array = select_items(probe.items, reply.body)
        empty = empty and one_array
        for candidate in candidates:
            likely, doubt = _ours(probe, ours, candidate, record.first_send, operation.method)
            if likely is Likeness.SAME:
                return _present(operation, candidate)
            if likely is Likeness.UNCLEAR:
                empty, nearly = False, nearly or doubt
    if probe.absent == "empty" and empty and _all_seen(probe, pages):
        return _absent(operation, "none of what it lists is this write" if pages else "")
    return Finding.CANNOT_TELL, nearly or gap or "it is not among what was seen, which does not prove absence", None


def _present(operation: Operation, candidate: Any) -> Verdict:
    if operation.method == "DELETE":
        return Finding.NOT_THERE, "what was to be deleted is still there", None
    found = Answer(200, (("Content-Type", "application/json"),), write_json(candidate))
    return Finding.THERE, "it was found", found


def _absent(operation: Operation, why: str) -> Verdict:
    if operation.method == "DELETE":
        return Finding.THERE, f"what was to be deleted is gone: {why}", Answer(200)
    if operation.method in ("PATCH", "PUT"):
        return Finding.CANNOT_TELL, f"{why}; somebody may have changed it since", None
    return Finding.NOT_THERE, why, None


def _unreadable(outcome: Outcome) -> str:
    """Why an answer tells nothing; empty where it does."""
    if not isinstance(outcome, Reply):
        return f"no answer: {outcome.why}"
    if not outcome.complete:
        return f"the answer was cut off or cannot be read: {outcome.why}".rstrip(": ")
    if outcome.status not in (200, 404):
        return f"status {outcome.status}"
    kind = _header(outcome, "content-type").partition(";")[0].strip().lower()
    if outcome.status == 200 and kind and kind != "application/json" and not kind.endswith("+json"):
        return f"the answer is {kind}, not JSON"
    if "html" in kind:
        # As a proxy answers for a service that it does not find.
        return f"status {outcome.status} with a page of {kind}"
    return ""


def _ours(
    probe: Probe, ours: Mapping[str, Any], candidate: Any, first_send: datetime | None, method: str
) -> tuple[Likeness, str]:
    """Whether a candidate is our write, and what is in doubt where that is unclear."""
    doubt = ""
    for name, path in probe.match:
        field = FieldPath.parse(name).name
        if field not in ours:
            continue
        match likeness(ours[field], FieldPath.parse(path).get(candidate)):
            case Likeness.DIFFERENT:
                return Likeness.DIFFERENT, ""
            case Likeness.UNCLEAR:
                doubt = doubt or f"`{path}` of something there may or may not be our `{field}`"
    made = _made_since(probe, candidate, first_send)
    if method == "DELETE" and probe.since is not None:
        # What was made after our delete is not what it was to delete; what was there before is.
        made = {Likeness.SAME: Likeness.UNCLEAR, Likeness.DIFFERENT: Likeness.SAME}.get(made, made)
    elif made is Likeness.DIFFERENT:
        return Likeness.DIFFERENT, ""
    if doubt:
        return Likeness.UNCLEAR, doubt
    if made is Likeness.UNCLEAR:
        return Likeness.UNCLEAR, f"something equal is there, and `{probe.since}` does not say whether it is ours"
    return Likeness.SAME, ""


def _made_since(probe: Probe, candidate: Any, first_send: datetime | None) -> Likeness:
    """SAME: made after our first send, or nobody asks. DIFFERENT: made surely before it."""
    if probe.since is None:
        return Likeness.SAME
    made = when(FieldPath.parse(probe.since).get(candidate))
    if made is None or first_send is None:
        return Likeness.UNCLEAR
    if made.point is not None:
        if made.point >= first_send:
            return Likeness.SAME
        return Likeness.DIFFERENT if made.point < first_send - DOUBT else Likeness.UNCLEAR
    if made.dated and made.start >= first_send:
        return Likeness.SAME
    return Likeness.DIFFERENT if made.dated and made.end <= first_send - DOUBT else Likeness.UNCLEAR


def _all_seen(probe: Probe, pages: Sequence[Page]) -> bool:
    """Whether the pages are declared, and none is left."""
    if probe.pages is None or not pages:
        return False
    replies = [page.outcome for page in pages if isinstance(page.outcome, Reply)]
    return probe.pages != "none" or all(_link_next(reply) is None for reply in replies)


def _parts(operation: Operation, record: Record) -> tuple[Probe, Arguments]:
    """The probe, and what the call gave."""
    probe = operation.effective().probe
    if probe is None or record.request is None:
        raise CannotAsk("the operation declares no probe, or the request is no longer kept")
    return probe, stored_arguments(record)


def _in_url(operation: Operation, record: Record, arguments: Arguments, name: str) -> str:
    """The text that stands for a variable of the probe's URL. Raises CannotAsk."""
    field = FieldPath.parse(name)
    given = [arguments.variables[name]] if name in arguments.variables else []
    if not given or _identifies(operation, field):
        given.append(_value(operation, record, arguments, field))
    texts = set()
    for value in given:
        if value is MISSING or value is None or isinstance(value, list | dict):
            raise CannotAsk(f"the request has no value for `{name}`, which the probe's URL needs")
        try:
            texts.add(text_of(value, f"`{name}`"))
        except RequestError as error:
            raise CannotAsk(str(error)) from error
    if len(texts) > 1:
        raise CannotAsk(f"`{name}` in the probe's URL is a field and a path parameter of the write, which differ")
    return texts.pop()


def _field(operation: Operation, record: Record, arguments: Arguments, field: FieldPath) -> Any:
    """The value of a field of the write; a path parameter only where no field of that name identifies it."""
    if field.name in arguments.variables and not _identifies(operation, field):
        return arguments.variables[field.name]
    return _value(operation, record, arguments, field)


def _identifies(operation: Operation, field: FieldPath) -> bool:
    reference = [operation.reference.path] if operation.reference else []
    return any(path.required() == field.required() for path in (*operation.identity, *reference))


def _value(operation: Operation, record: Record, arguments: Arguments, path: FieldPath) -> Any:
    if path.place == "query":
        return arguments.query.get(path.segments[0].name, MISSING)
    if path.place == "header":
        name = path.segments[0].name.lower()
        return next((value for one, value in arguments.header.items() if one.lower() == name), MISSING)
    reference = operation.reference
    if reference is not None and operation.host_fills_reference and reference.path == path.required():
        return record.reference or MISSING
    return path.get(arguments.body)


def _next_url(probe: Probe, url: str, reply: Reply) -> str | None:
    if probe.pages == "link":
        target = _link_next(reply)
        return None if target is None else urljoin(url, target)
    path = probe.pages.at if isinstance(probe.pages, Cursor) else probe.pages
    assert path is not None
    found = [value for value in select(path, reply.body) if value not in (None, "")]
    if not found:
        return None
    if len(found) > 1 or isinstance(found[0], bool | list | dict):
        raise CannotAsk(f"`{path}` does not say which page is next")
    if not isinstance(probe.pages, Cursor):
        if not isinstance(found[0], str):
            raise CannotAsk(f"`{path}` is no URL")
        return urljoin(url, found[0])
    parts = urlsplit(url)
    pairs = [(name, value) for name, value in parse_qsl(parts.query, True) if name != probe.pages.parameter]
    query = urlencode([*pairs, (probe.pages.parameter, text_of(found[0], "the cursor"))], quote_via=quote)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))


def _link_next(reply: Reply) -> str | None:
    """The target of the RFC 8288 link whose relation is `next`."""
    for name, value in reply.headers:
        if name.lower() != "link":
            continue
        for target, parameters in _LINK.findall(value):
            relations = _RELATION.findall(parameters)
            if any("next" in (quoted or plain).lower().split() for quoted, plain in relations):
                return str(target)
    return None


def _header(reply: Reply, name: str) -> str:
    return next((value for one, value in reply.headers if one.lower() == name), "")


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme.lower(), parts.netloc.lower()
