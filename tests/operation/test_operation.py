from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.operation.duration import Duration
from wizard.operation.field_path import FieldPath, Segment
from wizard.operation.model import Cursor, KeyPlace, Level, Money, Operation, Probe, Reference, Scope
from wizard.operation.parsing import OPERATION_KEYS, parse_operation
from wizard.operation.printing import print_operation

NAMES = st.text('abcdefgh_.:[]?"\\é', min_size=1, max_size=8)
PATHS = st.builds(
    lambda names, optional: FieldPath("body", tuple(Segment(name) for name in names), optional),
    st.lists(NAMES, min_size=1, max_size=3),
    st.booleans(),
)
PLAIN = PATHS.map(lambda path: path.required())
DISTINCT = st.lists(PATHS, max_size=3, unique_by=lambda path: path.required()).map(tuple)
DURATIONS = st.builds(Duration, st.integers(0, 10**8))
SHAPES = st.sampled_from(["uuid", "uuid4", "hex32", "hex64"])
KEYS = st.builds(
    lambda place, name, path, shape, quoted, memory, remembers: KeyPlace(
        place, str(path) if place == "field" else name, shape, quoted and place == "header", memory, remembers
    ),
    st.sampled_from(["header", "field", "query"]),
    st.text("abcXYZ-", min_size=1, max_size=10),
    PLAIN,
    SHAPES,
    st.booleans(),
    st.none() | DURATIONS | st.just(Duration(None)),
    st.sampled_from(["all", "success"]),
)
PROBES = st.builds(
    lambda items, match, since, absent, pages, after: Probe(
        url="https://hotel.example/bookings?room={room}",
        items=items,
        match=match,
        since=since,
        absent=None if absent is None else "empty" if items else "404",
        pages=pages,
        after=after,
    ),
    st.none() | st.just("$.items[*]"),
    st.lists(st.tuples(PLAIN.map(str), PLAIN.map(str)), max_size=3, unique_by=lambda pair: pair[0]).map(tuple),
    st.none() | PLAIN.map(str),
    st.none() | st.just(True),
    st.sampled_from([None, "none", "link", "$.next", Cursor("$.cursor", "after")]),
    st.none() | DURATIONS,
)
OPERATIONS = st.builds(
    Operation,
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    url=st.sampled_from(["https://hotel.example/bookings", "http://h:80/a/{id}?x=1#f"]),
    query=st.lists(NAMES, max_size=2).map(tuple),
    header=st.lists(st.just("X-Tenant"), max_size=1).map(tuple),
    content=st.sampled_from(["application/json", "application/x-www-form-urlencoded"]),
    body=DISTINCT,
    write=st.none() | st.booleans(),
    identity=DISTINCT,
    key=st.none() | KEYS,
    reference=st.none() | st.builds(Reference, PLAIN.map(str), SHAPES),
    probe=st.none() | PROBES,
    failed=st.none() | st.just("$[?@.ok == false]"),
    keep=st.none() | DURATIONS | st.just(Duration(None)),
    money=st.none() | st.builds(Money, PLAIN.map(str), st.just("EUR") | PLAIN.map(str)),
    status=st.none() | st.just("proposed"),
)


@given(OPERATIONS)
def test_a_printed_operation_reads_back_as_the_same_operation(operation: Operation) -> None:
    assert parse_operation(print_operation(operation)) == (operation, ())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(JSON | st.fixed_dictionaries({}, optional=dict.fromkeys(OPERATION_KEYS, JSON)))
def test_anything_is_an_operation_or_has_problems(value: object) -> None:
    operation, problems = parse_operation(value)
    assert operation is not None or problems
    assert all(problem.message and problem.rule for problem in problems)


def test_all_problems_are_reported_together() -> None:
    operation, problems = parse_operation(
        {
            "method": "POST",
            "url": "/bookings",
            "identitty": ["room_id"],
            "key": "headr Idempotency-Key",
            "keep": 5,
            "probe": {"url": "https://hotel.example/b", "absent": "empty"},
        }
    )
    assert operation is not None
    assert [(problem.rule, problem.path, problem.suggestion) for problem in problems] == [
        ("unknown-key", ("identitty",), "identity"),
        ("url-form", ("url",), ""),
        ("key-form", ("key",), "header Idempotency-Key"),
        ("probe-form", ("probe", "absent"), ""),
        ("value-form", ("keep",), ""),
    ]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("/bookings", "not absolute"),
        ("ftp://h/x", "begins with"),
        ("https://ann:secret@h/x", "credentials"),
        ("https://h/{id", "no partner"),
        ("https://h/{}", "names nothing"),
        ("https://h/a b", "no spaces"),
        ("https:///x", "no host"),
        ("https://h:99999/x", "no URL"),
    ],
)
def test_a_url_says_what_is_wrong_with_it(url: str, says: str) -> None:
    _, problems = parse_operation({"method": "GET", "url": url})
    assert [says in problem.message for problem in problems] == [True]


BASE = Operation(method="POST", url="https://h/x")
ROOM = (FieldPath.body("room_id"),)
KEY = KeyPlace("header", "Idempotency-Key")


@pytest.mark.parametrize(
    ("method", "write", "is_write"),
    [("GET", None, False), ("HEAD", None, False), ("PUT", None, False), ("POST", None, True), ("PATCH", None, True),
     ("DELETE", None, True), ("PUT", True, True), ("POST", False, False), ("GET", True, True)],
)  # fmt: skip
def test_a_write_is_post_patch_or_delete_unless_said_otherwise(method: str, write: bool | None, is_write: bool) -> None:
    assert replace(BASE, method=method, write=write).is_write is is_write


@pytest.mark.parametrize(
    ("changes", "level", "scope"),
    [
        ({}, Level.CACHED, Scope.CALL),
        ({"identity": ROOM}, Level.CACHED, Scope.IDENTITY),
        ({"identity": ROOM, "key": KEY}, Level.KEYED, Scope.IDENTITY),
        ({"key": KEY}, Level.KEYED, Scope.CALL),
        ({"scope": "arguments"}, Level.CACHED, Scope.ARGUMENTS),
        ({"write": False, "key": KEY}, Level.NONE, Scope.CALL),
        ({"identity": ROOM, "key": KEY, "status": "proposed"}, Level.CACHED, Scope.CALL),
    ],
)
def test_levels_and_scopes_follow(changes: dict[str, object], level: Level, scope: Scope) -> None:
    operation = replace(BASE, **changes)
    assert (operation.level, operation.record_scope) == (level, scope)


def test_a_completed_record_answers_for_a_day_or_five_minutes() -> None:
    assert BASE.kept_for == Duration(24 * 3600)
    assert replace(BASE, method="PATCH").kept_for == Duration(300)
    assert replace(BASE, keep=Duration(None)).kept_for.delta is None


@pytest.mark.parametrize(
    ("text", "seconds", "printed"),
    [
        ("30s", 30, "30s"),
        ("90m", 5400, "90m"),
        ("24h", 86400, "24h"),
        ("30d", 2592000, "30d"),
        ("forever", None, "forever"),
        ("0s", 0, "0s"),
    ],
)
def test_durations(text: str, seconds: int | None, printed: str) -> None:
    assert Duration.parse(text).seconds == seconds
    assert str(Duration.parse(text)) == printed


@pytest.mark.parametrize("name", ["Host", "content-type", "Content-Length", "Authorization"])
def test_a_key_cannot_stand_in_a_header_of_the_transport(name: str) -> None:
    operation, problems = parse_operation({"method": "POST", "url": "http://h/", "key": f"header {name}"})
    assert [problem.rule for problem in problems] == ["key-form"]
    assert operation is None or operation.key is None


@pytest.mark.parametrize("text", ["36501d", "999999999d", "999999999h"])
def test_a_duration_longer_than_instants_go_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="at most 36500d, or `forever`"):
        Duration.parse(text)


def test_the_host_fills_a_reference_that_is_no_part_of_the_identity() -> None:
    numbered = replace(BASE, reference=Reference("invoice.number"), identity=ROOM)
    assert numbered.host_fills_reference
    assert not replace(numbered, identity=(FieldPath.parse("invoice?"),)).host_fills_reference


def test_a_path_variable_of_any_name_may_stand_in_the_probe() -> None:
    _, problems = parse_operation(
        {"method": "POST", "url": "https://h/{a:b}/x", "probe": {"url": "https://h/{a:b}/x", "items": "$[*]"}}
    )
    assert problems == ()


@pytest.mark.parametrize("name", ["Authorization", "cookie", "Proxy-Authorization"])
def test_a_model_is_never_asked_for_credentials(name: str) -> None:
    operation, problems = parse_operation({"method": "POST", "url": "https://h/x", "header": ["X-Tenant", name]})
    assert operation is not None
    assert operation.header == ("X-Tenant",)
    assert [problem.path for problem in problems] == [("header", 1)]
    assert "credentials" in problems[0].message
