"""Every step: what it changes, what it leaves, and that it can be taken back."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from wizard.emit.model import Layout
from wizard.errors import UsageError
from wizard.operation.duration import Duration
from wizard.operation.model import KeyPlace, Probe, Reference
from wizard.session import steps
from wizard.session.state import Choice, Mark, Session, Written, progress, visible
from wizard.spec.reader import read_document

HOTEL = Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml"
NAMES = [operation.name for operation in read_document(HOTEL).operations]
WRITES = [
    "PUT /rooms/{room_id}/state", "POST /guests", "PATCH /guests/{guest_id}", "POST /guests/{guest_id}/messages",
    "POST /bookings", "PATCH /bookings/{booking_id}", "POST /bookings/{booking_id}/cancellation",
    "POST /bookings/{booking_id}/check-in", "POST /bookings/{booking_id}/extras",
    "DELETE /bookings/{booking_id}/extras/{extra_id}", "POST /charges", "POST /payments",
    "POST /payments/{payment_id}/refunds", "POST /invoices", "POST /housekeeping/log",
]  # fmt: skip
READS = [name for name in NAMES if name not in WRITES]
BOOKING, CHARGE = "POST /bookings", "POST /charges"

Step = Callable[[Session, str], Session]
STEPS: dict[str, Step] = {
    "confirm": steps.confirm,
    "skip": lambda session, name: steps.skip(session, name, "not needed"),
    "not a write": lambda session, name: steps.not_a_write(session, name, "a search"),
    "a key": lambda session, name: steps.set_key(session, name, KeyPlace("header", "Once-Only"), source="the vendor"),
    "no key": lambda session, name: steps.set_key(session, name, None),
    "a field": lambda session, name: steps.add_field(session, name, "tenant.code"),
    "a query field": lambda session, name: steps.add_field(session, name, "query:tenant"),
    "a header field": lambda session, name: steps.add_field(session, name, "header:X-Tenant"),
    "call scope": lambda session, name: steps.set_scope(session, name, "call"),
    "arguments scope": lambda session, name: steps.set_scope(session, name, "arguments"),
    "keep": lambda session, name: steps.set_keep(session, name, Duration(60)),
    "reference": lambda session, name: steps.set_reference(session, name, Reference("their_number")),
    "refusal": lambda session, name: steps.set_failed(session, name, "$[?$.ok == false]"),
    "no probe": lambda session, name: steps.set_probe(session, name, None),
    "prose": lambda session, name: steps.set_prose(session, name, "Do it with care.\n"),
}


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_each_step_can_be_taken_back_and_done_again(hotel: Session, name: str, step: Step) -> None:
    changed = step(hotel, name)
    back = steps.undo(changed)
    assert back.entries == hotel.entries
    assert steps.redo(back).entries == changed.entries
    others = [one for one in NAMES if one != name]
    assert all(changed[one] is hotel[one] for one in others)


@pytest.mark.parametrize("name", NAMES)
def test_every_operation_has_a_mark_a_group_and_a_declaration(hotel: Session, name: str) -> None:
    entry = hotel[name]
    assert entry.mark is (Mark.TO_DO if name in WRITES else Mark.READ)
    assert entry.group in ("rooms", "guests", "bookings", "money", "housekeeping")
    assert entry.declaration is not None
    assert entry.level in (("keyed", "cached", "call only", "repeatable") if name in WRITES else ("",))


@pytest.mark.parametrize("name", WRITES)
def test_confirming_takes_the_status_off(hotel: Session, name: str) -> None:
    before, after = hotel[name], steps.confirm(hotel, name)[name]
    assert before.to_write is not None
    assert before.to_write.status == (None if before.harmless else "proposed")
    assert after.to_write == replace(before.to_write, status=None)
    assert after.mark is Mark.CONFIRMED
    assert after.unwritten


@pytest.mark.parametrize("name", WRITES)
def test_what_was_written_as_it_was_proposed_is_not_edited_the_next_day(hotel: Session, name: str) -> None:
    written = steps.confirm(hotel, name)[name].to_write
    assert written is not None
    again = steps.resume(hotel, None, {name: Written(operation=written, file="a.md")})[name]
    assert (again.mark, again.edited) == (Mark.WRITTEN, False)
    assert steps.set_keep(hotel, name, Duration(61))[name].edited is not hotel[name].harmless


@pytest.mark.parametrize("name", WRITES)
def test_what_is_confirmed_is_written_once(hotel: Session, name: str) -> None:
    session = steps.written(steps.confirm(hotel, name), {name: "some/file.md"})
    assert session[name].mark is Mark.WRITTEN
    assert session.unwritten == ()
    edited = steps.set_prose(session, name, "Mind the step.\n")
    assert edited[name].mark is Mark.CHANGED
    assert [entry.name for entry in edited.unwritten] == [name]


@pytest.mark.parametrize("name", WRITES)
def test_a_skipped_operation_is_passed_over_and_not_written(hotel: Session, name: str) -> None:
    session = steps.skip(hotel, name, "later")
    assert [one.api.name for one in steps.passed_over(session)] == [name]
    assert steps.subjects(session, frozenset({name})) == ()
    assert session[name].unwritten
    assert not steps.written(session, {}, [name])[name].unwritten
    assert steps.reopen(session, name)[name].mark is Mark.TO_DO


@pytest.mark.parametrize("name", WRITES)
def test_what_is_no_write_declares_nothing_of_one(hotel: Session, name: str) -> None:
    entry = steps.not_a_write(hotel, name)[name]
    declared = entry.declaration
    assert declared is not None
    assert not declared.is_write
    assert (declared.identity, declared.key, declared.probe, declared.keep, declared.money) == (
        (),
        None,
        None,
        None,
        None,
    )
    assert entry.mark is Mark.NO_WRITE


@pytest.mark.parametrize("name", WRITES)
def test_what_was_called_no_write_is_what_it_was_when_that_is_taken_back(hotel: Session, name: str) -> None:
    session = steps.not_a_write(steps.set_keep(hotel, name, Duration(61)), name)
    with pytest.raises(UsageError, match="changes nothing"):
        steps.set_keep(session, name, None)
    again = steps.is_a_write(session, name)[name].declaration
    assert again is not None
    assert again.is_write
    assert again.keep == Duration(61)
    assert steps.reopen(session, name)[name].declaration == steps.set_keep(hotel, name, Duration(61))[name].declaration


@pytest.mark.parametrize("name", READS)
def test_a_read_can_be_said_to_be_a_write(hotel: Session, name: str) -> None:
    session = steps.is_a_write(hotel, name)
    assert session[name].mark is Mark.TO_DO
    confirmed = steps.confirm(session, name)
    declared = confirmed[name].to_write
    assert declared is not None
    assert declared.is_write
    assert declared.status is None


@pytest.mark.parametrize(
    ("name", "field", "identity"),
    [
        (BOOKING, "guest_name", "room_id arrival departure"),
        (BOOKING, "guests", "room_id guest_name arrival departure guests?"),
        (BOOKING, "notes", "room_id guest_name arrival departure notes?"),
        (CHARGE, "description", "booking_id amount_pence description"),
        (CHARGE, "amount_pence", "booking_id"),
    ],
)
def test_a_field_is_put_in_or_taken_out(hotel: Session, name: str, field: str, identity: str) -> None:
    declared = steps.toggle_identity(hotel, name, field)[name].declaration
    assert declared is not None
    assert " ".join(map(str, declared.identity)) == identity


def test_a_field_may_be_missing_or_not(hotel: Session) -> None:
    session = steps.toggle_optional(hotel, BOOKING, "departure")
    declared = session[BOOKING].declaration
    assert declared is not None
    assert [str(path) for path in declared.identity][-1] == "departure?"
    again = steps.toggle_optional(session, BOOKING, "departure?")
    assert again[BOOKING].declaration == hotel[BOOKING].declaration


def test_a_field_that_the_document_does_not_show_is_filled_by_the_model(hotel: Session) -> None:
    declared = steps.add_field(hotel, BOOKING, "channel.code")[BOOKING].declaration
    assert declared is not None
    assert [str(path) for path in declared.body][-1] == "channel.code"
    assert [str(path) for path in declared.identity][-1] == "channel.code"
    query = steps.add_field(hotel, BOOKING, "query:tenant")[BOOKING].declaration
    assert query is not None
    assert query.query == ("tenant",)


@pytest.mark.parametrize("text", ["", "a..b", "items[", "a?b", 'b"'])
def test_what_is_no_field_name_changes_nothing(hotel: Session, text: str) -> None:
    with pytest.raises(UsageError):
        steps.add_field(hotel, BOOKING, text)


def test_a_key_of_the_vendors_page_takes_its_field_out_of_body_and_identity(hotel: Session) -> None:
    session = steps.set_key(hotel, BOOKING, KeyPlace("field", "guest_name"), source="https://example.org/keys")
    declared = session[BOOKING].declaration
    assert declared is not None
    assert "guest_name" not in map(str, (*declared.body, *declared.identity))
    assert session[BOOKING].level == "keyed"
    assert steps.subjects(session, frozenset({BOOKING}), unconfirmed=True)[0].key_source == "https://example.org/keys"
    assert steps.set_key(session, BOOKING, None)[BOOKING].key_source == ""


def test_a_reference_is_the_models_where_it_is_identity(hotel: Session) -> None:
    session = steps.set_reference(hotel, BOOKING, Reference("guest_name"))
    declared = session[BOOKING].declaration
    assert declared is not None
    assert "guest_name" in map(str, declared.body)
    out = steps.set_reference(steps.toggle_identity(hotel, BOOKING, "guest_name"), BOOKING, Reference("guest_name"))
    declared = out[BOOKING].declaration
    assert declared is not None
    assert "guest_name" not in map(str, declared.body)


def test_a_scope_takes_the_identity_out_and_a_field_takes_the_scope_out(hotel: Session) -> None:
    session = steps.set_scope(hotel, BOOKING, "arguments")
    declared = session[BOOKING].declaration
    assert declared is not None
    assert (declared.identity, declared.scope, session[BOOKING].level) == ((), "arguments", "cached")
    back = steps.toggle_identity(session, BOOKING, "room_id")[BOOKING].declaration
    assert back is not None
    assert (list(map(str, back.identity)), back.scope) == (["room_id"], None)
    with pytest.raises(UsageError):
        steps.set_scope(hotel, BOOKING, "day")


def test_a_declaration_that_contradicts_itself_is_refused(hotel: Session) -> None:
    with pytest.raises(UsageError):
        steps.set_probe(hotel, BOOKING, Probe(url="http://outturn-hollowbrook:8084/bookings", items="bookings["))


def test_all_of_high_confidence_are_one_step(hotel: Session) -> None:
    found = steps.confirmable(hotel)
    assert {entry.confidence for entry in found} == {"high"}
    assert all(entry.mark is Mark.TO_DO and entry.proposal and not entry.proposal.warnings for entry in found)
    session = steps.confirm_high(hotel)
    assert progress(session).confirmed == len(found)
    assert len(session.past) == 1
    assert steps.undo(session).entries == hotel.entries
    one = found[0].name
    some = steps.confirm_high(hotel, frozenset({one}))
    assert [entry.name for entry in some if entry.choice is Choice.CONFIRMED] == [one]


def test_a_part_takes_the_place_of_the_whole_and_the_whole_of_its_parts(hotel: Session) -> None:
    def identity(session: Session) -> list[str]:
        declared = session["POST /invoices"].declaration
        assert declared is not None
        return [path.name for path in declared.identity]

    session = steps.set_scope(hotel, "POST /invoices", "call")
    session = steps.toggle_identity(session, "POST /invoices", "bill_to")
    session = steps.toggle_identity(session, "POST /invoices", "bill_to.email")
    assert identity(session) == ["bill_to.email"]
    session = steps.toggle_identity(session, "POST /invoices", "lines[].amount_pence")
    assert identity(session) == ["bill_to.email", "lines[].amount_pence"]
    assert identity(steps.toggle_identity(session, "POST /invoices", "lines")) == ["bill_to.email", "lines"]


def test_what_only_replaces_is_written_without_an_identity(hotel: Session) -> None:
    name = "PUT /rooms/{room_id}/state"
    assert hotel[name].harmless
    declared = steps.confirm(hotel, name)[name].to_write
    assert declared is not None
    assert (declared.identity, declared.probe, declared.status, declared.write) == ((), None, None, None)
    recorded = steps.is_a_write(hotel, name)[name]
    assert (recorded.level, recorded.harmless) == ("cached", False)


def test_as_proposed_drops_what_the_author_changed(hotel: Session) -> None:
    session = steps.set_prose(steps.toggle_identity(steps.confirm(hotel, BOOKING), BOOKING, "notes"), BOOKING, "x")
    assert session[BOOKING].edited
    assert steps.as_proposed(session, BOOKING)[BOOKING] == hotel[BOOKING]


def test_a_step_after_undo_forgets_what_was_undone(hotel: Session) -> None:
    session = steps.undo(steps.confirm(hotel, BOOKING))
    session = steps.skip(session, CHARGE)
    assert session.can_redo == ""
    assert steps.redo(session) is session
    assert steps.undo(hotel) is hotel


def test_undo_keeps_what_came_meanwhile(document: object, hotel: Session) -> None:
    fresh = steps.begin(hotel.document)
    session = steps.skip(fresh, BOOKING)
    proposal = hotel[BOOKING].proposal
    assert proposal is not None
    session = steps.undo(steps.with_proposals(session, proposal))
    assert session[BOOKING].proposal is proposal
    assert session[BOOKING].choice is Choice.TO_DO


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_a_session_that_only_reads_changes_nothing(hotel: Session, step: Step) -> None:
    with pytest.raises(UsageError, match="only reads"):
        step(replace(hotel, read_only=True), BOOKING)


def test_before_the_proposal_there_is_nothing_to_confirm(hotel: Session) -> None:
    fresh = steps.begin(hotel.document)
    assert fresh[BOOKING].mark is Mark.PENDING
    assert len(fresh.pending) == len(NAMES)
    with pytest.raises(UsageError):
        steps.confirm(fresh, BOOKING)
    with pytest.raises(UsageError):
        steps.toggle_identity(fresh, BOOKING, "notes")


def test_a_server_is_asked_for_where_the_document_names_none(hotel: Session) -> None:
    nowhere = replace(
        hotel.document, servers=(), operations=tuple(replace(one, servers=()) for one in hotel.document.operations)
    )
    proposal = hotel[BOOKING].proposal
    assert proposal is not None
    session = steps.with_proposals(steps.begin(nowhere), replace(proposal, operation=nowhere.by_name[BOOKING]))
    assert "no server" in session[BOOKING].problem
    assert session[BOOKING].declaration is None
    found = steps.set_server(session, "https://hotel.example/v1/")[BOOKING]
    assert found.declaration is not None
    assert found.declaration.url == "https://hotel.example/v1/bookings"
    with pytest.raises(UsageError):
        steps.set_server(session, "hotel.example")


def test_the_layout_is_no_step(hotel: Session) -> None:
    session = steps.set_layout(hotel, Layout.SINGLE)
    assert (session.layout, session.past) == (Layout.SINGLE, ())


@pytest.mark.parametrize(
    ("search", "filters", "reads", "wanted"),
    [
        ("", (), False, WRITES),
        ("", (), True, NAMES),
        ("charge", (), False, [CHARGE]),
        ("GUEST post", (), False, ["POST /guests", "POST /guests/{guest_id}/messages", CHARGE,
                                    "POST /bookings/{booking_id}/check-in"]),
        ("", ("creates", "no probe"), False, ["POST /payments", "POST /payments/{payment_id}/refunds",
                                              "POST /guests/{guest_id}/messages",
                                              "POST /housekeeping/log"]),
        ("nothing like it", (), True, []),
        ("", ("drifted",), False, []),
    ],
)  # fmt: skip
def test_search_and_filters(
    hotel: Session, search: str, filters: tuple[str, ...], reads: bool, wanted: list[str]
) -> None:
    found = visible(hotel, search=search, filters=frozenset(filters), reads=reads)
    shown = [entry.name for _, entries in found for entry in entries]
    assert sorted(shown) == sorted(wanted)


def test_filters_go_by_what_is_declared_now(hotel: Session) -> None:
    def shown(session: Session, name: str) -> set[str]:
        return {entry.name for _, found in visible(session, filters=frozenset({name})) for entry in found}

    assert CHARGE not in shown(hotel, "no key")
    assert CHARGE in shown(steps.set_key(hotel, CHARGE, None), "no key")
    assert BOOKING in shown(hotel, "to do")
    assert BOOKING not in shown(steps.skip(hotel, BOOKING), "to do")
    assert BOOKING in shown(steps.set_probe(hotel, BOOKING, None), "no probe")
    assert all(hotel[name].confidence != "high" for name in shown(hotel, "unsure"))


def test_progress_counts(hotel: Session) -> None:
    session = steps.skip(steps.confirm(hotel, BOOKING), CHARGE)
    done = progress(steps.written(session, {BOOKING: "x.md"}))
    assert (done.writes, done.confirmed, done.skipped, done.written, done.to_do) == (15, 1, 1, 1, 13)
