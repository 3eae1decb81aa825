"""Lists as a recipient answers them: narrowed by filters, in their order, cut into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from wizard.host.compare import when
from wizard.operation.field_path import MISSING
from wizard.rehearse.arriving import Answer, Arrived
from wizard.rehearse.facts import Filter, Paging, ReadFacts
from wizard.rehearse.records import Record, same_text
from wizard.rehearse.values import json_text, plain_text, put, without

_FIRST = 1


def narrowed(record: Record, request: Arrived, filters: Iterable[Filter]) -> bool:
    """Whether a record is what the request's filters ask for. A filter that is not given lets all pass."""
    return all(
        text in (None, "") or _passes(record.value(one.source), str(text), one)
        for one in filters
        for text in (request.parameter(one.parameter),)
    )


def _passes(value: Any, text: str, one: Filter) -> bool:
    if value is MISSING or value is None:
        return False
    match one.way:
        case "equal":
            wanted = text.split(",") if "," in text and not isinstance(value, str) else [text]
            return any(same_text(value, each, any_case=one.any_case) for each in wanted)
        case "contains":
            return text.casefold() in plain_text(value).casefold()
    mine, bound = _instant(value), _instant(text)
    if mine is None or bound is None:
        return True
    return mine >= bound if one.way == "from" else mine <= bound


def _instant(value: Any) -> datetime | None:
    known = when(value)
    return known.start if known is not None else None


def listed_answer(
    request: Arrived, read: ReadFacts, found: Sequence[Record], shown: Callable[[Record], Any], most: int | None,
    origin: str,
) -> Answer:  # fmt: skip
    """One page of the records that were found. `most` cuts it where nothing says so."""
    ordered = sorted(found, key=lambda one: (one.made, one.number), reverse=read.newest_first)
    paging = read.paging
    size = _size(request, paging, most)
    begin = _begin(request, paging, size)
    page = ordered if size is None else ordered[begin : begin + size]
    assert read.shown.items is not None
    body = put(read.shown.base, read.shown.items, [shown(one) for one in page])
    headers = [("Content-Type", read.shown.media_type)]
    after = begin + len(page) if size is not None and begin + len(page) < len(ordered) else None
    if paging.tells != "nothing":
        token = "" if after is None else _token(paging, after, size or 1)
        if paging.tells == "link" and after is not None:
            headers.append(("Link", f'<{_url(request, paging, token, origin)}>; rel="next"'))
        if paging.at:
            body = _told(body, read, paging, token, request, origin, last=after is None)
    return Answer(200, tuple(headers), json_text(body))


def _told(body: Any, read: ReadFacts, paging: Paging, token: str, request: Arrived, origin: str, *, last: bool) -> Any:
    """The answer with what it says of the next page."""
    if not last:
        value: Any = token if paging.tells == "cursor" else _url(request, paging, token, origin)
        return put(body, paging.at, _as_cursor(value, read))
    if paging.nullable:
        return put(body, paging.at, None)
    return put(body, paging.at, "") if paging.always else without(body, paging.at)


def _as_cursor(value: Any, read: ReadFacts) -> Any:
    return int(value) if read.paging.whole_number and str(value).isdecimal() else value


def _size(request: Arrived, paging: Paging, most: int | None) -> int | None:
    asked = request.parameter(paging.limit) if paging.limit else None
    size = int(asked) if asked is not None and asked.isdecimal() and int(asked) > 0 else paging.size
    if most is None:
        return size
    return most if size is None else min(size, most)


def _begin(request: Arrived, paging: Paging, size: int | None) -> int:
    text = request.parameter(paging.parameter) if paging.parameter else None
    digits = (text or "").removeprefix("after-")
    if not digits.isdecimal():
        return 0
    if paging.numbered == "page":
        return max(int(digits) - _FIRST, 0) * (size or 1)
    return int(digits)


def _token(paging: Paging, after: int, size: int) -> str:
    if paging.numbered == "page":
        return str(after // size + _FIRST)
    return str(after) if paging.numbered or paging.whole_number else f"after-{after}"


def _url(request: Arrived, paging: Paging, token: str, origin: str) -> str:
    pairs = [(name, value) for name, value in request.query if name != paging.parameter]
    query = urlencode([*pairs, (paging.parameter, token)], quote_via=quote)
    host = request.header("host")
    base = f"http://{host}" if host else origin
    return f"{base}{request.path}?{query}"
