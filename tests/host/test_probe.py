"""What a probe's pages say: there, not there, or cannot tell."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.host import probe, state
from wizard.host.compare import Likeness, likeness, when
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import GatewayRefusal, NeverSent, Outcome, Reply, Silence
from wizard.host.prepare import Arguments, prepare
from wizard.host.probe import CannotAsk, Page
from wizard.host.record import Call, Record, State
from wizard.host.state import Finding, Terms
from wizard.operation.field_path import MISSING
from wizard.operation.model import Operation
from wizard.operation.parsing import parse_operation

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATE = NOW + timedelta(hours=1)
THERE, NOT_THERE, CANNOT_TELL = Finding.THERE, Finding.NOT_THERE, Finding.CANNOT_TELL
JSON = (("Content-Type", "application/json"),)
BOOKING = {
    "method": "POST", "url": "http://h/bookings",
    "identity": ["room_id", "guest_name", "arrival", "departure"],
    "probe": {
        "url": "http://h/bookings?room_id={room_id}&arrival={arrival}", "items": "$.bookings[*]",
        "match": {"room_id": "room.id", "guest_name": "guest", "arrival": "arrival", "departure": "departure"},
        "absent": "empty", "pages": "none",
    },
}  # fmt: skip
ADA = {"room_id": "r-12", "guest_name": "Ada Lovelace", "arrival": "2026-05-01", "departure": "2026-05-04"}
OURS = {"room": {"id": "r-12"}, "guest": "Ada Lovelace", "arrival": "2026-05-01", "departure": "2026-05-04", "id": 7}


def operation_of(mapping: dict[str, Any], **changes: Any) -> Operation:
    """The operation of a mapping, its probe changed."""
    probed = {name: value for name, value in {**mapping["probe"], **changes}.items() if value is not None}
    operation, problems = parse_operation({**mapping, "probe": probed})
    assert operation is not None
    assert not problems, problems
    return operation


def record_of(operation: Operation, body: Any = MISSING, **arguments: Any) -> Record:
    made = prepare(
        "op", operation, Call("w", "s", "t", 0), Arguments(body=body, **arguments), Secrets(Secret("k", b"1" * 32))
    )
    return state.claim(None, made.new_write(0), "w", NOW + timedelta(minutes=1), NOW + timedelta(minutes=1), NOW)


def reply(value: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = JSON) -> Reply:
    return Reply(status, headers, json.dumps(value).encode())


def finding(operation: Operation, body: Any, *pages: Outcome, gap: str = "", **arguments: Any) -> Finding:
    seen = [Page(f"http://h/{index}", outcome) for index, outcome in enumerate(pages)]
    return probe.judge(operation, record_of(operation, body, **arguments), seen, LATE, gap).finding


def listed(*candidates: Any) -> Reply:
    return reply({"bookings": list(candidates)})


# The request


@pytest.mark.requirement(30)
def test_a_probe_is_a_get_filled_from_the_write() -> None:
    operation = operation_of(BOOKING)
    request = probe.first_request(operation, record_of(operation, {**ADA, "room_id": "a&b/ü"}))
    assert (request.method, request.body) == ("GET", None)
    assert request.url == "http://h/bookings?room_id=a%26b%2F%C3%BC&arrival=2026-05-01"


def test_a_probes_url_may_name_path_variables_parameters_and_the_reference() -> None:
    mapping = {
        "method": "POST", "url": "http://h/{shop}/orders", "query": ["page"], "header": ["X-T"],
        "identity": ["query:page", "header:X-T", '"a.b"'], "reference": "field ref",
        "probe": {"url": 'http://h/{shop}/orders?r={ref}&p={query:page}&t={header:X-T}&n={"a.b"}', "items": "$[*]"},
    }  # fmt: skip
    operation = operation_of(mapping)
    record = record_of(operation, {"a.b": 12}, variables={"shop": "é"}, query={"page": "2"}, header={"x-t": "ü"})
    assert record.reference
    url = f"http://h/%C3%A9/orders?r={record.reference}&p=2&t=%C3%BC&n=12"
    assert probe.first_request(operation, record).url == url


@pytest.mark.parametrize("value", [None, [1], {"a": 1}])
def test_a_probe_without_a_value_for_its_url_cannot_be_asked(value: Any) -> None:
    operation = operation_of({**BOOKING, "identity": ["room_id?", "arrival?"]}, match=["arrival"])
    for body in ({"arrival": "2026-05-01"}, {"room_id": value, "arrival": "2026-05-01"}):
        record = record_of(operation, body)
        with pytest.raises(CannotAsk, match="no value for `room_id`"):
            probe.first_request(operation, record)
        assert probe.judge(operation, record, [], LATE, "no value").finding is CANNOT_TELL


# There, not there, cannot tell


@pytest.mark.requirement(29, 32)
def test_a_candidate_that_matches_in_every_field_is_there() -> None:
    operation = operation_of(BOOKING)
    record = record_of(operation, ADA)
    answer = probe.judge(operation, record, [Page("u", listed({**OURS, "room": {"id": "r-9"}}, OURS))], LATE)
    assert answer.finding is THERE
    assert answer.found is not None
    assert json.loads(answer.found.body) == OURS
    assert (answer.asked_at, answer.fence) == (LATE, record.fence)


@pytest.mark.requirement(32)
@pytest.mark.parametrize(
    ("candidates", "expected"),
    [
        ([], NOT_THERE),
        ([{**OURS, "guest": "Bob"}], NOT_THERE),
        ([{**OURS, "guest": "Bob"}, {**OURS, "arrival": "2026-06-01"}], NOT_THERE),
        ([{**OURS, "guest": "ADA LOVELACE"}], CANNOT_TELL),
        ([{**OURS, "guest": "ada  lovelace."}], CANNOT_TELL),
        ([{**OURS, "guest": "Lovelace"}], CANNOT_TELL),
        ([{**OURS, "guest": "Ms Ada Lovelace"}], CANNOT_TELL),
        ([{**OURS, "guest": None}], CANNOT_TELL),
        ([{name: value for name, value in OURS.items() if name != "guest"}], CANNOT_TELL),
        ([{**OURS, "guest": 12}], CANNOT_TELL),
        ([{**OURS, "guest": ["Ada Lovelace"]}], CANNOT_TELL),
        ([{**OURS, "room": None}], CANNOT_TELL),
        ([{**OURS, "arrival": "2026-05-02"}], CANNOT_TELL),
        ([{**OURS, "arrival": "2026-05-01T00:00:00Z"}], CANNOT_TELL),
        ([{**OURS, "arrival": "1 May 2026"}], CANNOT_TELL),
        ([{**OURS, "guest": None, "departure": "2026-09-09"}], NOT_THERE),
        ([{**OURS, "guest": "Bob"}, {**OURS, "guest": None}], CANNOT_TELL),
        (["a text"], CANNOT_TELL),
        ([OURS, {**OURS, "guest": None}], THERE),
        ([{**OURS, "guest": None}, OURS], THERE),
    ],
)  # fmt: skip
def test_what_a_list_says(candidates: list[Any], expected: Finding) -> None:
    assert finding(operation_of(BOOKING), ADA, listed(*candidates)) is expected


@pytest.mark.requirement(33, 34)
@pytest.mark.parametrize(
    "outcome",
    [
        reply({"bookings": []}, 500), reply({"bookings": []}, 503), reply({"bookings": []}, 401),
        reply({"bookings": []}, 403), reply({"bookings": []}, 404), reply({"bookings": []}, 429),
        reply({"bookings": []}, 301), reply({"bookings": []}, 201), reply({"bookings": []}, 206), Reply(204),
        Silence("timeout"), NeverSent("refused"), GatewayRefusal("no"),
        Reply(200, JSON, b"<html></html>"), Reply(200, (("Content-Type", "text/html"),), b'{"bookings": []}'),
        Reply(200, JSON, b'{"bookings": [', complete=False), Reply(200, JSON, b'{"bookings": [], "bookings": []}'),
        reply({"items": []}), reply([]), reply({"bookings": None}), reply({"bookings": {}}), reply({"bookings": ""}),
        reply(None), Reply(200, JSON, b""),
        reply({"bookings": []}, headers=(*JSON, ("Link", '<http://h/?page=2>; rel="next"'))),
    ],
    ids=lambda outcome: f"{type(outcome).__name__} {getattr(outcome, 'status', '')} {getattr(outcome, 'body', b'')!r}",
)  # fmt: skip
def test_what_is_no_evidence(outcome: Outcome) -> None:
    operation = operation_of(BOOKING)
    record = record_of(operation, ADA)
    answer = probe.judge(operation, record, [Page("u", outcome)], LATE)
    assert answer.finding is CANNOT_TELL
    assert answer.why
    assert state.settle_by_probe(record, answer, Terms.of(operation), LATE)[0].state is State.ATTEMPTED


@pytest.mark.requirement("T4")
def test_an_absence_that_was_asked_for_too_early_does_not_count() -> None:
    operation = operation_of(BOOKING)
    record = record_of(operation, ADA)
    for at, ends in (
        (NOW + timedelta(minutes=6), State.ABSENT),
        (NOW + timedelta(minutes=5, seconds=59), State.ATTEMPTED),
    ):
        answer = probe.judge(operation, record, [Page("u", listed())], at)
        assert state.settle_by_probe(record, answer, Terms.of(operation), at)[0].state is ends


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"absent": None}, CANNOT_TELL), ({"pages": None}, CANNOT_TELL), ({}, NOT_THERE),
    ({"items": "$.bookings"}, CANNOT_TELL),
     ({"items": "$..bookings[*]"}, NOT_THERE), ({"items": "$.bookings[?@.room.id == 'r-12']"}, NOT_THERE),
     ({"items": "$.*[*]"}, NOT_THERE), ({"items": "$.bookings[0]"}, CANNOT_TELL)],
)  # fmt: skip
def test_absence_needs_its_declaration(changes: dict[str, Any], expected: Finding) -> None:
    assert finding(operation_of(BOOKING, **changes), ADA, listed()) is expected


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Tom & Jerry", "Tom &amp; Jerry"), ("O'Brien", "O&#39;Brien"), ("O'Brien", "O&apos;Brien"),
        ("José Müller", "Jose Muller"), ("Łukasz", "Łukasz&nbsp;"), ("Ada Lovelace", "Lovelace, Ada"),
        ("Ada Lovelace", "LOVELACE/ADA MS"), ("Ada B. Lovelace", "Lovelace Ada"), ("Ada Lovelace", "Ada%20Lovelace"),
        ("Ada Lovelace", "Ada+Lovelace"), ("A&B Ltd", "A%26B Ltd"),
    ],
)  # fmt: skip
def test_a_text_in_another_spelling_is_not_surely_another(ours: str, theirs: str) -> None:
    for mine, other in ((ours, theirs), (theirs, ours)):
        assert (
            finding(operation_of(BOOKING), {**ADA, "guest_name": mine}, listed({**OURS, "guest": other})) is CANNOT_TELL
        )
    assert likeness(ours, "Grace Hopper") is Likeness.DIFFERENT


def test_a_code_for_a_name_is_another_text() -> None:
    """A limit that the page on the guarantee names."""
    assert (
        finding(operation_of(BOOKING), {**ADA, "guest_name": "Germany"}, listed({**OURS, "guest": "DE"})) is NOT_THERE
    )
    assert finding(operation_of(BOOKING), {**ADA, "guest_name": "Spain"}, listed({**OURS, "guest": "ES"})) is NOT_THERE


@pytest.mark.parametrize(
    ("clock_is_off_by", "made_after_the_send_by", "expected"),
    [(0, 1, THERE), (-299, 1, CANNOT_TELL), (-301, 0, NOT_THERE), (60, -30, THERE), (0, -30, CANNOT_TELL)],
)
def test_since_goes_by_the_recipients_clock(
    clock_is_off_by: int, made_after_the_send_by: int, expected: Finding
) -> None:
    """A limit that the page on the guarantee names."""
    shown = NOW + timedelta(seconds=clock_is_off_by + made_after_the_send_by)
    made = {**OURS, "created_at": shown.isoformat()}
    assert finding(operation_of(BOOKING, since="created_at"), ADA, listed(made)) is expected


def test_an_answer_that_says_that_it_failed_lists_nothing() -> None:
    operation = operation_of({**BOOKING, "failed": "$[?@ == false]"})
    assert finding(operation, ADA, reply({"ok": False, "bookings": []})) is CANNOT_TELL
    assert finding(operation, ADA, reply({"ok": True, "bookings": []})) is NOT_THERE


CHARGE = {
    "method": "POST", "url": "http://h/charges", "identity": ["ref"],
    "probe": {"url": "http://h/charges/{ref}", "match": ["ref"], "absent": "404"},
}  # fmt: skip


def test_a_404_of_a_page_is_a_proxys_word_and_not_the_recipients() -> None:
    operation = operation_of(CHARGE)
    assert finding(operation, {"ref": "r"}, reply({"error": "no such charge"}, 404)) is NOT_THERE
    assert finding(operation, {"ref": "r"}, Reply(404)) is NOT_THERE
    page = Reply(404, (("Content-Type", "text/html; charset=utf-8"),), b"<h1>404 Not Found</h1>")
    assert finding(operation, {"ref": "r"}, page) is CANNOT_TELL


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_probe_is_not_asked_at_the_path_of_something_else(value: str) -> None:
    operation = operation_of(CHARGE)
    with pytest.raises(CannotAsk, match="cannot stand in the path"):
        probe.first_request(operation, record_of(operation, {"ref": value}))


def test_a_field_that_is_called_like_a_path_parameter_is_the_field() -> None:
    mapping = {
        "method": "POST", "url": "http://h/shops/{id}/orders", "identity": ["id"],
        "probe": {
            "url": "http://h/shops/1/orders", "items": "$[*]", "match": ["id"], "absent": "empty", "pages": "none",
        },
    }  # fmt: skip
    operation = operation_of(mapping)
    body, at = {"id": "order-7"}, {"id": "shop-1"}
    assert finding(operation, body, reply([{"id": "order-7"}]), variables=at) is THERE
    assert finding(operation, body, reply([{"id": "shop-1"}]), variables=at) is NOT_THERE
    both = operation_of(mapping, url="http://h/shops/{id}/orders")
    with pytest.raises(CannotAsk, match="is a field and a path parameter"):
        probe.first_request(both, record_of(both, body, variables=at))
    assert probe.first_request(both, record_of(both, at, variables=at)).url == "http://h/shops/shop-1/orders"


def test_two_arrays_of_candidates_prove_no_absence() -> None:
    operation = operation_of(BOOKING, items="$.pages[*].bookings[*]")
    assert finding(operation, ADA, reply({"pages": [{"bookings": []}]})) is NOT_THERE
    assert finding(operation, ADA, reply({"pages": [{"bookings": []}, {"bookings": []}]})) is CANNOT_TELL
    assert finding(operation, ADA, reply({"pages": []})) is CANNOT_TELL
    assert finding(operation, ADA, reply({"pages": [{"bookings": []}, {"bookings": [OURS]}]})) is THERE


SINGLE = {
    "method": "POST", "url": "http://h/orders", "identity": ["number"],
    "probe": {"url": "http://h/orders/{number}", "match": ["number"], "absent": "404"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (reply({"number": "A-1"}), THERE), (reply({"number": "B-2"}), CANNOT_TELL), (reply({}), CANNOT_TELL),
        (reply({}, 404), NOT_THERE), (Reply(404), NOT_THERE), (Reply(404, (("Content-Type", "text/html"),),
        b"<html>"), CANNOT_TELL),
        (Reply(404, complete=False), CANNOT_TELL), (Reply(410), CANNOT_TELL), (reply([]), CANNOT_TELL),
    ],
)  # fmt: skip
def test_what_a_single_answer_says(outcome: Outcome, expected: Finding) -> None:
    assert finding(operation_of(SINGLE), {"number": "A-1"}, outcome) is expected
    if isinstance(outcome, Reply) and outcome.status == 404:
        assert finding(operation_of(SINGLE, absent=None), {"number": "A-1"}, outcome) is CANNOT_TELL


def test_what_the_url_fixes_alone_is_covered() -> None:
    operation = operation_of(SINGLE, match=None)
    assert finding(operation, {"number": "A-1"}, reply({"anything": 1})) is THERE


# When it was made


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("2026-03-01T12:00:00Z", THERE), ("2026-03-01T12:00:01Z", THERE), ("2026-03-01T13:00:00+01:00", THERE),
        ("2026-03-01T11:59:59Z", CANNOT_TELL), ("2026-03-01T11:55:00Z", CANNOT_TELL),
        ("2026-03-01T11:54:59Z", NOT_THERE),
        ("2026-02-22T12:00:00Z", NOT_THERE), ("2026-03-01T12:30:00", CANNOT_TELL), ("2026-02-01T12:30:00", CANNOT_TELL),
        ("2026-03-01", CANNOT_TELL), ("2026-02-01", NOT_THERE), ("2026-02-28", CANNOT_TELL), ("2026-03-05", THERE),
        (None, CANNOT_TELL), ("yesterday", CANNOT_TELL), ("2026-02-31T00:00:00Z", CANNOT_TELL), (True, CANNOT_TELL),
        (int(NOW.timestamp()), THERE), (int(NOW.timestamp()) - 301, NOT_THERE),
        (int(NOW.timestamp()) - 10, CANNOT_TELL),
        (int(NOW.timestamp()) * 1000 + 5, THERE), (int(NOW.timestamp()) * 1000 - 301000, NOT_THERE), (17, CANNOT_TELL),
        ("2026-03-01 12:00:01Z", THERE), ("2026-03-01T12:00:01.123456789Z", THERE),
    ],
)  # fmt: skip
def test_when_a_candidate_was_made_tells_whose_it_is(made: Any, expected: Finding) -> None:
    operation = operation_of(BOOKING, since="created_at")
    assert finding(operation, ADA, listed({**OURS, "created_at": made})) is expected


def test_an_equal_one_of_last_week_beside_ours() -> None:
    operation = operation_of(BOOKING, since="created_at")
    old, new = {**OURS, "created_at": "2026-02-20T12:00:00Z"}, {**OURS, "created_at": "2026-03-01T12:00:05Z"}
    assert finding(operation, ADA, listed(old, new)) is THERE
    assert finding(operation, ADA, listed({**OURS, "guest": None, "created_at": "2026-02-20T12:00:00Z"})) is NOT_THERE
    assert finding(operation_of(BOOKING), ADA, listed(old)) is THERE


# Pages


def test_absence_needs_every_page() -> None:
    operation = operation_of(BOOKING, pages="link")
    more = (*JSON, ("Link", '<http://h/x?page=1>; rel="prev", </x?page=3>; rel="last next"'))
    assert finding(operation, ADA, listed()) is NOT_THERE
    assert finding(operation, ADA, reply({"bookings": []}, headers=more), listed()) is NOT_THERE
    assert finding(operation, ADA, reply({"bookings": []}, headers=more), listed(OURS)) is THERE
    assert finding(operation, ADA, listed(), gap="the next page lies on another host") is CANNOT_TELL
    assert finding(operation, ADA, listed(OURS), gap="whatever") is THERE
    assert finding(operation, ADA, listed(), Silence("timeout")) is CANNOT_TELL


@pytest.mark.parametrize(
    ("pages", "answer", "following"),
    [
        ("none", reply({}), None), (None, reply({}), None), ("link", reply({}), None),
        ("link", reply({}, headers=(("Link", '<http://h/x?page=2>; rel=next'),)), "http://h/x?page=2"),
        ("link", reply({}, headers=(("link", '<?page=2>; title="a, b"; rel="next"'),)), "http://h/x?page=2"),
        ("link", reply({}, headers=(("Link", '<http://h/x?page=2>; rel="prev"'),)), None),
        ("$.next", reply({"next": "http://h/x?page=2"}), "http://h/x?page=2"), ("$.next", reply({"next": "/y"}),
        "http://h/y"),
        ("$.next", reply({"next": None}), None), ("$.next", reply({"next": ""}), None), ("$.next", reply({}), None),
        ({"at": "$.c", "as": "query:cursor"}, reply({"c": "a&b"}), "http://h/x?a=1&cursor=a%26b"),
        ({"at": "$.c", "as": "query:cursor"}, reply({"c": 12}), "http://h/x?a=1&cursor=12"),
        ({"at": "$.c", "as": "query:a"}, reply({"c": "2"}), "http://h/x?a=2"),
        ({"at": "$.c", "as": "query:cursor"}, reply({"c": None}), None),
        ("$.next", reply({"next": "/y"}, 500), None), ("$.next", Silence("x"), None),
    ],
)  # fmt: skip
def test_where_the_next_page_is(pages: Any, answer: Outcome, following: str | None) -> None:
    operation = operation_of(BOOKING, pages=pages)
    request = probe.next_request(operation, [Page("http://h/x?a=1", answer)])
    assert (request.url if request else None) == following


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply({"next": "http://evil/x"}), "another host"), (reply({"next": "https://h/x"}), "another host"),
        (reply({"next": "http://h/x?a=1"}), "lead back"), (reply({"next": 5}), "is no URL"),
        (reply({"next": True}), "does not say"), (Reply(200, JSON, b"<"), "cannot be read"),
    ],
)  # fmt: skip
def test_a_page_that_is_not_fetched(answer: Outcome, said: str) -> None:
    operation = operation_of(BOOKING, pages="$.next")
    with pytest.raises(CannotAsk, match=said):
        probe.next_request(operation, [Page("http://h/x?a=1", answer)])


def test_pages_end_somewhere() -> None:
    operation = operation_of(BOOKING, pages="$.next")
    pages = [Page(f"http://h/{index}", reply({"next": f"http://h/{index + 1}"})) for index in range(probe.MOST_PAGES)]
    with pytest.raises(CannotAsk, match="more than"):
        probe.next_request(operation, pages)


# Other methods

DELETE = {"method": "DELETE", "url": "http://h/x/{id}", "probe": {"url": "http://h/x/{id}", "absent": "404"}}
DELETE_LISTED = {
    "method": "DELETE", "url": "http://h/x/{id}",
    "probe": {"url": "http://h/x", "items": "$[*]", "match": {"id": "id"}, "absent": "empty", "pages": "none"},
}  # fmt: skip
PATCH = {
    "method": "PATCH", "url": "http://h/x/{id}", "identity": ["state"],
    "probe": {"url": "http://h/x/{id}", "match": ["state"], "absent": "404"},
}  # fmt: skip


def test_for_a_delete_the_sense_turns() -> None:
    single, among = operation_of(DELETE), operation_of(DELETE_LISTED)
    here = {"variables": {"id": "7"}}
    assert finding(single, MISSING, Reply(404), **here) is THERE
    assert finding(single, MISSING, reply({"id": "7"}), **here) is NOT_THERE
    assert finding(single, MISSING, Reply(500), **here) is CANNOT_TELL
    assert finding(operation_of(DELETE, absent=None), MISSING, Reply(404), **here) is CANNOT_TELL
    assert finding(among, MISSING, reply([]), **here) is THERE
    assert finding(among, MISSING, reply([{"id": "abc"}]), **here) is CANNOT_TELL, "an id that is a number in a text"
    assert finding(among, MISSING, reply([{"id": "7"}]), **here) is NOT_THERE
    assert finding(among, MISSING, reply([{"id": None}]), **here) is CANNOT_TELL
    since = operation_of(DELETE_LISTED, since="made")
    assert finding(since, MISSING, reply([{"id": "7", "made": "2026-03-01T12:30:00Z"}]), **here) is CANNOT_TELL
    assert finding(since, MISSING, reply([{"id": "7", "made": "2026-01-01T12:30:00Z"}]), **here) is NOT_THERE


@pytest.mark.requirement(32)
@pytest.mark.parametrize(
    ("method", "body", "shown", "expected"),
    [
        ("PATCH", {"phone": "1"}, {"phone": "1", "email": "a@b"}, THERE),
        ("PATCH", {"phone": "1"}, {"phone": "2", "email": "a@b"}, CANNOT_TELL),
        ("PATCH", {"phone": "1", "email": "x@y"}, {"phone": "1", "email": "a@b"}, CANNOT_TELL),
        ("PATCH", {"phone": None}, {"phone": None, "email": "a@b"}, THERE),
        ("PATCH", {}, {"phone": "1", "email": "a@b"}, CANNOT_TELL),
        ("PUT", {"phone": "1"}, {"phone": "1", "email": "a@b"}, CANNOT_TELL),
        ("POST", {"phone": "1"}, {"phone": "1", "email": "a@b"}, CANNOT_TELL),
    ],
)
def test_a_patch_is_compared_in_what_it_names(method: str, body: Any, shown: dict[str, Any], expected: Finding) -> None:
    operation = operation_of({
        "method": method, "url": "http://h/x/{id}", "write": True, "identity": ["phone?", "email?"],
        "probe": {"url": "http://h/x/{id}", "match": ["phone", "email"]},
    })  # fmt: skip
    assert finding(operation, body, reply(shown), variables={"id": "1"}) is expected


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_for_a_change_only_a_match_tells(method: str) -> None:
    operation = operation_of({**PATCH, "method": method, "write": True})
    here = {"variables": {"id": "7"}}
    assert finding(operation, {"state": "closed"}, reply({"state": "closed"}), **here) is THERE
    assert finding(operation, {"state": "closed"}, reply({"state": "open"}), **here) is CANNOT_TELL
    assert finding(operation, {"state": "closed"}, Reply(404), **here) is CANNOT_TELL


# Values

SAME, DIFFERENT, UNCLEAR = Likeness.SAME, Likeness.DIFFERENT, Likeness.UNCLEAR


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("a", "a", SAME), ("é", "e\u0301", SAME), ("Ada", "Bob", DIFFERENT), ("Ada", "ADA", UNCLEAR),
        ("Ada", "Ada B", UNCLEAR),
        ("straße", "STRASSE", UNCLEAR), ("ﬁn", "fin", UNCLEAR), ("a", "", UNCLEAR), ("--", "..", UNCLEAR),
        ("ab-1", "ab1", UNCLEAR),
        ("1", "2", UNCLEAR), ("1", "a", UNCLEAR), ("12,50", "12.50", UNCLEAR), ("2026-05-01", "Bob", UNCLEAR),
        (1, 2, DIFFERENT), (1, 1, SAME), (1, "1", UNCLEAR), ("1", 1, UNCLEAR), (True, False, DIFFERENT),
        (True, True, SAME),
        (True, 1, UNCLEAR), (0, False, UNCLEAR), (None, None, SAME), (None, "a", UNCLEAR), ("a", None, UNCLEAR),
        ("a", MISSING, UNCLEAR), (MISSING, "a", UNCLEAR), (MISSING, MISSING, SAME), (MISSING, None, SAME),
        (None, MISSING, UNCLEAR),
        ("2026-05-01T10:00:00Z", "2026-05-01T12:00:00+02:00", SAME),
        ("2026-05-01T10:00:00Z", "2026-05-01T11:00:00Z", DIFFERENT),
        ("2026-05-01T10:00:00.7Z", "2026-05-01T10:00:00Z", UNCLEAR),
        ("2026-05-01T10:00:00.4Z", "2026-05-01T10:00Z", UNCLEAR),
        ("2026-05-01", "2026-05-02", UNCLEAR), ("2026-05-01", "2026-06-01", DIFFERENT),
        ("2026-05-01", "2026-05-01T10:00:00Z", UNCLEAR),
        ("2026-05-01", "2026-07-01T10:00:00Z", DIFFERENT), ("2026-05-01T10:00:00", "2026-05-01T10:00:00Z", UNCLEAR),
        ([1, 2], [1, 2], SAME), ([1, 2], [2, 1], UNCLEAR), ({"a": 1}, {"a": 1}, SAME), ({"a": 1}, {"a": 2}, UNCLEAR),
        ("a", ["a"], UNCLEAR),
    ],
)  # fmt: skip
def test_how_two_values_compare(mine: Any, theirs: Any, expected: Likeness) -> None:
    assert likeness(mine, theirs) is expected


json_values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.just(MISSING), st.lists(st.integers(), max_size=2)
)


@given(json_values)
def test_a_value_is_never_surely_another_than_itself(value: Any) -> None:
    assert likeness(value, value) is SAME


@given(json_values, json_values)
def test_comparing_looks_the_same_from_both_sides(one: Any, other: Any) -> None:
    if likeness(one, other) is DIFFERENT:
        assert likeness(other, one) is DIFFERENT


@given(st.text(min_size=1, max_size=10))
def test_a_text_in_another_spelling_is_never_surely_another(text: str) -> None:
    for spelled in (text.upper(), text.lower(), f" {text} ", text.replace(" ", ""), f"{text}!", f"Mr {text}"):
        assert likeness(text, spelled) is not DIFFERENT


@given(st.datetimes(datetime(1971, 1, 1), datetime(2099, 1, 1)), st.timezones())
def test_an_instant_is_the_same_in_every_zone(at: datetime, zone: Any) -> None:
    utc = at.replace(tzinfo=UTC)
    there = utc.astimezone(zone)
    assert likeness(utc.isoformat(), there.replace(tzinfo=None).isoformat()) is not DIFFERENT
    if there.utcoffset() is not None and there.utcoffset().total_seconds() % 60 == 0:  # type: ignore[union-attr]
        assert likeness(utc.isoformat(), there.isoformat()) is SAME
    assert likeness(utc.date().isoformat(), there.date().isoformat()) is not DIFFERENT
    read = when(utc.isoformat())
    assert read is not None
    assert read.point == utc


@given(st.binary(max_size=40), st.sampled_from([200, 404, 500]))
def test_no_answer_breaks_the_judging(body: bytes, status: int) -> None:
    assert finding(operation_of(BOOKING), ADA, Reply(status, JSON, body)) in Finding
