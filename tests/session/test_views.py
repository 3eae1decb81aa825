"""What the screens show of an operation: its fields, places for the key, examples, advice, the preview."""

from dataclasses import replace
from pathlib import Path

import pytest

from wizard.operation.model import KeyPlace, Scope
from wizard.session import steps
from wizard.session.advice import could_go_wrong
from wizard.session.choices import absence, evidence_of, key_choices, probe_of
from wizard.session.desk import Desk
from wizard.session.examples import derive, example_values
from wizard.session.fields import Part, field_rows
from wizard.session.state import Session
from wizard.spec.reader import read_bytes, read_document

BOOKING, CHARGE, LOG, INVOICE = "POST /bookings", "POST /charges", "POST /housekeeping/log", "POST /invoices"
HOTEL = Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml"
WRITES = [one.name for one in read_document(HOTEL).operations if one.method != "GET" and "search" not in one.path]


def test_the_fields_of_a_booking(hotel: Session) -> None:
    rows = {row.path: row for row in field_rows(hotel[BOOKING])}
    assert list(rows) == ["room_id", "guest_name", "arrival", "departure", "guests", "notes"]
    assert {path for path, row in rows.items() if row.part is Part.IN} == {
        "room_id",
        "guest_name",
        "arrival",
        "departure",
    }
    assert (rows["arrival"].kind, rows["arrival"].required, rows["guests"].required) == ("date", True, False)
    assert rows["notes"].why == "free text"
    assert rows["room_id"].why == "required in the request body"
    assert rows["room_id"].pointer.endswith("/properties/room_id")


def test_why_a_field_is_in_follows_the_author(hotel: Session) -> None:
    rows = {row.path: row for row in field_rows(steps.toggle_identity(hotel, BOOKING, "notes")[BOOKING])}
    assert (rows["notes"].part, rows["notes"].why) == (Part.OPTIONAL, "you put it in")
    rows = {row.path: row for row in field_rows(steps.toggle_identity(hotel, BOOKING, "arrival")[BOOKING])}
    assert (rows["arrival"].part, rows["arrival"].why) == (Part.OUT, "you took it out")


def test_the_path_the_key_and_what_lies_inside(hotel: Session) -> None:
    rows = {row.path: row for row in field_rows(hotel["POST /payments/{payment_id}/refunds"])}
    assert rows["payment_id"].part is Part.PATH
    assert rows["payment_id"].fixed
    assert {row.path: row.part for row in field_rows(hotel[CHARGE])}["idempotency_key"] is Part.HOST
    rows = {row.path: row for row in field_rows(hotel[INVOICE])}
    assert rows["reference"].part is Part.HOST
    session = steps.toggle_identity(steps.set_scope(hotel, INVOICE, "call"), INVOICE, "bill_to")
    rows = {row.path: row for row in field_rows(session[INVOICE])}
    assert rows["bill_to.name"].part is Part.WITHIN
    session = steps.toggle_identity(steps.set_scope(hotel, INVOICE, "call"), INVOICE, "lines[].amount_pence")
    rows = {row.path: row for row in field_rows(session[INVOICE])}
    assert rows["lines"].part is Part.HOLDS


def test_what_the_document_does_not_show_is_listed(hotel: Session) -> None:
    rows = {row.path: row for row in field_rows(steps.add_field(hotel, BOOKING, "tenant.code")[BOOKING])}
    assert (rows["tenant.code"].part, rows["tenant.code"].pointer) == (Part.IN, "")


@pytest.mark.parametrize("name", WRITES)
def test_every_write_has_rows_advice_and_evidence(hotel: Session, name: str) -> None:
    entry = hotel[name]
    assert all(row.path for row in field_rows(entry))
    assert bool(could_go_wrong(entry)) is not entry.harmless
    assert all(one.says and one.at for one in evidence_of(entry))


@pytest.mark.parametrize("name", WRITES)
def test_the_host_derives_a_key_from_the_examples(hotel: Session, name: str) -> None:
    entry = hotel[name]
    declared = entry.declaration
    assert declared is not None
    values = example_values(entry)
    found = derive(declared, values)
    assert found.problem == ""
    assert len(found.address) == 64
    assert bool(found.key) is (declared.key is not None)
    if found.scope is Scope.IDENTITY:
        inside = next(one for one in values if one.in_identity and one.is_text)
        others = [one for one in values if not one.in_identity and one.is_text]
        changed = tuple(replace(one, text="something else") if one is inside else one for one in values)
        assert derive(declared, changed).address != found.address
        for other in others:
            same = tuple(replace(one, text="something else") if one is other else one for one in values)
            assert derive(declared, same).address == found.address


def test_a_missing_identity_field_is_refused_as_the_host_does(hotel: Session) -> None:
    declared = hotel[BOOKING].declaration
    assert declared is not None
    values = tuple(replace(one, text="") if one.name == "arrival" else one for one in example_values(hotel[BOOKING]))
    assert "`arrival`" in derive(declared, values).problem


def test_example_values_are_the_documents(hotel: Session) -> None:
    values = {one.name: one for one in example_values(hotel[BOOKING])}
    assert (values["room_id"].text, values["guest_name"].text) == ("R-12", "Ada Byron")
    charge = {one.name: one for one in example_values(hotel[CHARGE])}
    assert (charge["amount_pence"].text, charge["amount_pence"].is_text) == ("1250", False)
    assert "idempotency_key" not in charge


def test_key_places(hotel: Session) -> None:
    (found,) = key_choices(hotel[CHARGE])
    assert (found.chosen, found.origin, found.key.name) == (True, "the document", "idempotency_key")
    session = steps.set_key(hotel, CHARGE, KeyPlace("header", "Once"), source="https://example.org")
    first, mine = key_choices(session[CHARGE])
    assert (first.chosen, mine.chosen, mine.origin, mine.source) == (False, True, "you", "https://example.org")
    assert key_choices(hotel["GET /rooms"]) == ()


KNOWN = b"""{"openapi": "3.0.0", "info": {"title": "Pay", "version": "1"},
"servers": [{"url": "https://api.stripe.com/v1"}], "paths": {"/charges": {"post": {"summary": "Create a charge",
"requestBody": {"content": {"application/json": {"schema": {"type": "object", "required": ["amount", "customer"],
"properties": {"amount": {"type": "integer"}, "customer": {"type": "string"}}}}}}, "responses": {"200":
{"description": "ok"}}}}}}"""


def test_a_key_that_is_known_and_not_declared_is_offered_with_its_page() -> None:
    from wizard.infer.propose import propose_document

    document = read_bytes(KNOWN, "pay.json")
    session = steps.with_proposals(steps.begin(document), *propose_document(document))
    (offered,) = key_choices(session[CHARGE])
    assert (offered.chosen, offered.origin) == (False, "known, not declared")
    assert offered.source.startswith("https://docs.stripe.com/")
    chosen = steps.set_key(session, CHARGE, offered.key, source=offered.source)
    assert key_choices(chosen[CHARGE])[0].chosen
    assert chosen[CHARGE].level == "keyed"


def test_what_could_go_wrong_is_in_the_words_of_the_matter(hotel: Session) -> None:
    said = could_go_wrong(hotel[CHARGE])[0]
    assert said == (
        "Two charges with the same booking_id and amount_pence within 24h become one, though both may be meant."
    )
    assert could_go_wrong(hotel["GET /rooms"]) == ()
    assert "Only the replay of one and the same call" in could_go_wrong(hotel[LOG])[0]
    optional = could_go_wrong(steps.toggle_identity(hotel, BOOKING, "notes")[BOOKING])
    assert "Requests without notes count as equal in it." in optional
    lost = could_go_wrong(steps.set_probe(hotel, BOOKING, None)[BOOKING])
    assert any("nobody can tell" in one for one in lost)
    assert "Two changes of a guest" in could_go_wrong(hotel["PATCH /guests/{guest_id}"])[0]


def test_what_absence_looks_like(hotel: Session) -> None:
    probe = probe_of(hotel[BOOKING])
    assert probe is not None
    assert "empty list" in absence(probe)
    assert "404" in absence(replace(probe, absent="404", items=None))
    assert "nothing proves" in absence(replace(probe, absent=None))


def test_the_preview_is_what_is_written(tmp_path: Path, hotel: Session) -> None:
    desk = Desk(out=tmp_path)
    shown = desk.preview(hotel, BOOKING)
    assert (shown.old, shown.problem, shown.remarks) == (None, "", ())
    session = steps.confirm(hotel, BOOKING)
    desk.write(session, desk.plan(session))
    assert (tmp_path / shown.path).read_text(encoding="utf-8") == shown.text
    assert desk.preview(session, BOOKING).diff == ()
    changed = desk.preview(steps.toggle_identity(session, BOOKING, "notes"), BOOKING)
    assert "+  identity: [room_id, guest_name, arrival, departure, 'notes?']" in changed.diff


def test_lint_speaks_in_the_preview(tmp_path: Path, hotel: Session) -> None:
    desk = Desk(out=tmp_path)
    session = steps.set_prose(hotel, CHARGE, "Generate a UUID and send it as `idempotency_key`.\n")
    found = desk.preview(session, CHARGE).remarks
    assert "prose-builds-key" in [remark.rule for remark in found]
    assert all(remark.line > 1 for remark in found if remark.rule == "prose-builds-key")


def test_no_preview_of_what_is_not_written(tmp_path: Path, hotel: Session) -> None:
    desk = Desk(out=tmp_path)
    assert "Skipped" in desk.preview(steps.skip(hotel, BOOKING), BOOKING).problem
    assert "Not a write" in desk.preview(steps.not_a_write(hotel, BOOKING), BOOKING).problem
    assert "No proposal" in desk.preview(steps.begin(hotel.document), BOOKING).problem
