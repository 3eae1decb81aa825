"""Drift of the document is told in the words of a review."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wizard.operation.model import Operation
from wizard.session.drift import gone, what_changed
from wizard.session.state import Entry, Session, Written
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_bytes

BOOKING, CHARGE = "POST /bookings", "POST /charges"


def changed(document: ApiDocument, *edits: tuple[str, str]) -> ApiDocument:
    """The document with a text of it replaced."""
    with open(document.source, encoding="utf-8") as file:
        text = file.read()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return read_bytes(text.encode(), "openapi.yaml")


def entry(hotel: Session, name: str, document: ApiDocument, operation: Operation | None = None) -> Entry:
    """The entry of an operation that was written before, over a newer document."""
    old = hotel[name]
    written = operation or old.declaration
    assert written is not None
    file = "hollowbrook/operations/x.md"
    return replace(
        old,
        api=document.by_name[name],
        written=Written(operation=replace(written, status=None), file=file, drifted=True),
    )


def test_what_is_as_it_was_says_nothing(hotel: Session, document: ApiDocument) -> None:
    assert what_changed(hotel[BOOKING], document) == ()
    drifted = entry(hotel, BOOKING, document)
    assert what_changed(drifted, document) == (
        "The document says something else of this operation; all that the declaration uses is still there.",
    )
    assert drifted.written is not None
    assert what_changed(replace(drifted, written=replace(drifted.written, drifted=False)), document) == ()


@pytest.mark.parametrize(
    ("name", "edits", "says"),
    [
        (BOOKING, [("        - name: arrival\n          in: query\n", "        - name: day\n          in: query\n")],
         "The probe asks by `arrival`, which its GET no longer takes."),
        (BOOKING, [("room_id, guest_name, arrival, departure]", "room_id, guest_name, departure]")],
         "`arrival` is optional in the document now."),
        (CHARGE, [("idempotency_key", "dedupe_key")],
         "The document no longer shows the key's place, the field `idempotency_key`."),
    ],
)  # fmt: skip
def test_what_the_document_took_away(
    hotel: Session, document: ApiDocument, name: str, edits: list[tuple[str, str]], says: str
) -> None:
    other = changed(document, *edits)
    assert says in what_changed(entry(hotel, name, other), other)


def test_a_key_that_never_was_in_the_document_is_not_missed(hotel: Session, document: ApiDocument) -> None:
    other = changed(document, ("idempotency_key", "dedupe_key"))
    said = what_changed(replace(entry(hotel, CHARGE, other), key_source="the vendor's page"), other)
    assert not any("no longer shows" in one for one in said)


def test_another_address_is_named(hotel: Session, document: ApiDocument) -> None:
    old = hotel[BOOKING].declaration
    assert old is not None
    written = replace(old, url=old.url.replace("/bookings", "/v0/bookings"))
    said = what_changed(entry(hotel, BOOKING, document, written), document)
    assert said[0] == f"The write goes to another URL: `{old.url}`."


def test_an_operation_that_is_gone(document: ApiDocument) -> None:
    held = {BOOKING: "operations/create-booking.md", "POST /fees": "operations/fee.md"}
    assert gone(held, document) == ("The document has no `POST /fees` any more; `operations/fee.md` stays",)
