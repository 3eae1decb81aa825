"""A probe as a form: read and shown, what the document offers for each member, what is wrong where."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.operation.duration import Duration
from wizard.operation.model import Cursor, Probe
from wizard.session import steps
from wizard.session.probe_offers import (
    asked,
    begun,
    candidate_fields,
    compared,
    nameable,
    offers,
    target_of,
    targets,
    with_match,
    with_url,
)
from wizard.session.probes import MEMBERS, ProbeForm, form_of, mapping_of, read_form, said_of
from wizard.session.state import Session
from wizard.spec.reader import read_bytes

BOOKING, CHARGE, INVOICE, GUEST = "POST /bookings", "POST /charges", "POST /invoices", "POST /guests"
LIST = "https://hotel.example/bookings?room_id={room_id}&arrival={arrival}"
FORM = ProbeForm(
    url=LIST,
    items="$.bookings[*]",
    match=(("room_id", "room.id"), ("guest_name", "guest"), ("arrival", "arrival"), ("departure", "departure")),
    since="created_at",
    absent="empty",
    pages="none",
)


def values(session: Session, name: str, form: ProbeForm, member: str) -> list[str]:
    return [one.value for one in offers(session, session[name], form, member)]


def said(session: Session, form: ProbeForm, name: str = BOOKING) -> list[tuple[str, str]]:
    return [(one.member, one.severity) for one in said_of(session, session[name], form)]


# Reading and showing


@pytest.mark.parametrize("name", [BOOKING, CHARGE, INVOICE])
def test_a_probe_comes_back_from_its_form(hotel: Session, name: str) -> None:
    probe = hotel[name].declaration.probe
    assert probe is not None
    assert read_form(hotel[name], form_of(probe)) == probe
    assert said(hotel, form_of(probe), name) == []


text = st.from_regex(r"[a-z]{1,6}(\.[a-z]{1,6})?", fullmatch=True)
probes = st.builds(
    Probe,
    url=st.sampled_from(["https://x.example/a", "https://x.example/a/{room_id}?b={arrival}"]),
    items=st.sampled_from([None, "$[*]", "$.a.b[*]"]),
    match=st.lists(st.tuples(text, text), max_size=4, unique_by=lambda pair: pair[0]).map(tuple),
    since=st.none() | text,
    pages=st.sampled_from(
        [None, "none", "link", "$.next", Cursor("$.next", "cursor"), Cursor("$['a as b']", "c as d")]
    ),
    after=st.none() | st.integers(1, 90).map(Duration),
)


@given(probe=probes)
def test_any_probe_comes_back_from_its_form(hotel: Session, probe: Probe) -> None:
    absent = "empty" if probe.items else "404"
    for one in (probe, replace(probe, absent=absent)):
        assert read_form(hotel[BOOKING], form_of(one)) == one


@given(
    url=st.text(max_size=20), items=st.text(max_size=9), path=st.text(max_size=9), pages=st.text(max_size=12),
    after=st.text(max_size=5), since=st.text(max_size=9),
)  # fmt: skip
def test_whatever_is_typed_is_read_or_said(hotel: Session, url, items, path, pages, after, since) -> None:
    form = ProbeForm(url=url, items=items, match=(("room_id", path),), since=since, pages=pages, after=after)
    found = read_form(hotel[BOOKING], form)
    if found is None:
        assert any(one.severity == "error" for one in said_of(hotel, hotel[BOOKING], form))
    else:
        assert steps.set_probe(hotel, BOOKING, found)[BOOKING].declaration.probe == found


def test_what_is_empty_is_not_declared() -> None:
    assert mapping_of(ProbeForm(url="https://x")) == {"url": "https://x"}
    assert mapping_of(ProbeForm(pages="$.next as query:after"))["pages"] == {"at": "$.next", "as": "query:after"}


# What is wrong, and where


@pytest.mark.parametrize(
    ("change", "member"),
    [
        ({"url": "/bookings"}, "url"),
        ({"url": ""}, "url"),
        ({"url": "https://hotel.example/nothing/{nope}"}, "url"),
        ({"items": "bookings"}, "items"),
        ({"items": "$["}, "items"),
        ({"match": (("room_id", "a["),)}, "match"),
        ({"match": (("room_id", "room.id"),)}, "match"),
        ({"since": "a b[", "absent": ""}, "since"),
        ({"absent": "404"}, "absent"),
        ({"items": ""}, "absent"),
        ({"pages": "all"}, "pages"),
        ({"pages": "$[ as query:next"}, "pages"),
        ({"pages": "$.next as query:"}, "pages"),
        ({"after": "5 minutes"}, "after"),
    ],
)
def test_it_is_said_where_it_happens(hotel: Session, change: dict[str, object], member: str) -> None:
    assert (member, "error") in said(hotel, replace(FORM, **change))


def test_without_a_time_the_linter_warns(hotel: Session) -> None:
    assert said(hotel, FORM) == []
    assert said(hotel, replace(FORM, since="")) == [("", "warning")]


# What the document offers


def test_where_to_ask(hotel: Session) -> None:
    found = values(hotel, BOOKING, FORM, "url")
    assert found[0] == hotel[BOOKING].declaration.probe.url
    assert found[1].endswith("/bookings/{booking_id}")
    assert values(hotel, "POST /bookings/{booking_id}/extras", FORM, "url")[0].endswith("/bookings/{booking_id}/extras")
    named = steps.set_probe(steps.toggle_identity(hotel, GUEST, "name"), GUEST, None)
    assert any("?email={email}" in one or "email={email}" in one for one in values(named, GUEST, FORM, "url"))


def test_the_get_behind_an_address(hotel: Session) -> None:
    document = hotel.document
    assert asked(document, LIST).operation_id == "listBookings"
    assert asked(document, "http://x/v1/bookings/{booking_id}").path == "/bookings/{booking_id}"
    assert asked(document, "http://x/nothing") is None
    assert asked(document, "") is None


def test_what_the_answer_shows(hotel: Session) -> None:
    assert values(hotel, BOOKING, FORM, "items") == ["$.bookings[*]", ""]
    assert values(hotel, BOOKING, FORM, "since") == ["created_at", ""]
    assert values(hotel, BOOKING, FORM, "absent") == ["empty", ""]
    assert values(hotel, BOOKING, replace(FORM, items=""), "absent") == ["404", ""]
    assert values(hotel, BOOKING, FORM, "pages") == ["none", "link", ""]
    assert (
        values(hotel, CHARGE, form_of(hotel[CHARGE].declaration.probe), "pages")[0] == "$.next_cursor as query:cursor"
    )
    assert "" in values(hotel, BOOKING, FORM, "after")
    unknown = replace(FORM, url="https://x.example/nothing")
    assert [values(hotel, BOOKING, unknown, name) for name in ("items", "since")] == [[""], [""]]


def test_every_offer_can_be_taken(hotel: Session) -> None:
    for entry in hotel:
        if entry.declaration is None or not entry.is_write or entry.harmless:
            continue
        for url in offers(hotel, entry, ProbeForm(), "url"):
            form = with_url(hotel, entry, ProbeForm(), url.value)
            assert read_form(entry, form) is not None, (entry.name, url)
            for name in MEMBERS:
                for one in offers(hotel, entry, form, name) if name != "match" else ():
                    assert read_form(entry, replace(form, **{name: one.value})) is not None, (entry.name, name, one)


def test_what_may_be_named_in_the_address(hotel: Session) -> None:
    assert nameable(hotel[BOOKING].declaration) == ("room_id", "guest_name", "arrival", "departure")
    assert nameable(hotel["POST /payments/{payment_id}/refunds"].declaration)[0] == "payment_id"
    assert "reference" in nameable(hotel[INVOICE].declaration)


# What is compared


def test_what_is_compared(hotel: Session) -> None:
    rows = {one.name: one for one in compared(hotel[BOOKING], FORM)}
    assert list(rows) == ["room_id", "guest_name", "arrival", "departure"]
    assert [one.by_url for one in rows.values()] == [True, False, True, False]
    assert rows["guest_name"].path == "guest"
    more = {one.name: one for one in compared(hotel[BOOKING], with_match(FORM, "notes", "notes"))}
    assert not more["notes"].wanted
    assert compared(hotel[BOOKING], with_match(FORM, "guest_name", ""))[1].path == ""


def test_where_a_candidate_shows_a_field(hotel: Session) -> None:
    assert target_of(hotel, FORM, "room_id") == "room.id"
    assert target_of(hotel, FORM, "guest_name") == "guest"
    assert target_of(hotel, FORM, "zzz") == "zzz"
    assert targets(hotel, FORM, "arrival")[0].value == "arrival"


def test_lists_inside_and_bare_lists() -> None:
    item = (
        '{"type": "object", "properties": {"id": {"type": "string"}, "at": {"type": "string", "format": "date-time"}}}'
    )
    bare = '{"type": "array", "items": ' + item + "}"
    inside = '{"type": "object", "properties": {"page": {"type": "object", "properties": {"rows": ' + bare + "}}}}"

    def answer(schema: str) -> str:
        return '{"200": {"description": "ok", "content": {"application/json": {"schema": ' + schema + "}}}}"

    document = read_bytes(
        (
            '{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "servers": [{"url": "https://x.example"}], '
            '"paths": {'
            '"/bare": {"get": {"responses": '
            + answer(bare)
            + '}}, "/in": {"get": {"responses": '
            + answer(inside)
            + "}}}}"
        ).encode(),
        "x.json",
    )
    assert set(candidate_fields(document, ProbeForm(url="https://x.example/bare", items="$[*]"))) == {"id", "at"}
    assert set(candidate_fields(document, ProbeForm(url="https://x.example/in", items="$.page.rows[*]"))) == {
        "id",
        "at",
    }


def test_where_a_form_begins(hotel: Session) -> None:
    assert begun(hotel, hotel[BOOKING]).match == FORM.match
    without = steps.set_probe(hotel, BOOKING, None)
    assert begun(without, without[BOOKING]).match == FORM.match, "the proposal's"
    log = "POST /housekeeping/log"
    assert read_form(hotel[log], begun(hotel, hotel[log])) is not None or begun(hotel, hotel[log]) == ProbeForm()


def test_another_address_changes_the_rest(hotel: Session) -> None:
    same = with_url(hotel, hotel[BOOKING], FORM, LIST + "&departure={departure}")
    assert same == replace(FORM, url=LIST + "&departure={departure}")
    other = with_url(hotel, hotel[BOOKING], FORM, "https://hotel.example/bookings/{booking_id}")
    assert (other.items, other.absent, other.pages) == ("", "", "")
    assert dict(other.match)["room_id"] == "room.id"
    nowhere = with_url(hotel, hotel[BOOKING], FORM, "https://hotel.example/nothing")
    assert nowhere == replace(FORM, url="https://hotel.example/nothing")
