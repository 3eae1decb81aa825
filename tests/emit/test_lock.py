"""The lock: the same for the same, and read as it was written."""

from __future__ import annotations

import pytest
from house import document, raw
from hypothesis import given
from hypothesis import strategies as st

from wizard.emit.digests import of_declaration, of_operation, of_value
from wizard.emit.lock import Lock, LockedDocument, LockedFile, LockedOperation, print_lock, read_lock
from wizard.errors import SkillError
from wizard.operation.parsing import parse_operation
from wizard.spec.reader import read_bytes

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
decisions = st.sampled_from(["written", "skipped"])
operations = st.builds(
    LockedOperation, operation=texts, operation_id=st.just("") | texts, decision=decisions,
    name=texts, file=texts, source=texts, reason=st.just("") | texts,
)  # fmt: skip
files = st.builds(LockedFile, path=texts, text=texts, prose=st.just("") | texts)
held = st.builds(
    LockedDocument, source=texts, title=texts, operations=st.lists(operations, max_size=3).map(tuple),
    files=st.lists(files, max_size=3).map(tuple),
)  # fmt: skip
locks = st.lists(held, max_size=3, unique_by=lambda one: one.source).map(lambda found: Lock(documents=tuple(found)))


@given(locks)
def test_a_lock_is_read_as_it_was_written(lock: Lock) -> None:
    text = print_lock(lock)
    assert print_lock(read_lock(text, "lock")) == text
    assert {one.source for one in read_lock(text, "lock").documents} == {one.source for one in lock.documents}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no lock"),
        ("[]", "no list of `documents`"),
        ('{"version": 2, "documents": []}', "this lock has version 2, and we know 1"),
        ('{"version": 1, "documents": [1]}', "something in it has another form"),
        ('{"version": 1, "documents": [{"source": 5}]}', "something in it has another form"),
        ('{"version": 1, "documents": [{"operations": [{}]}]}', "something in it has another form"),
    ],
)
def test_what_is_no_lock(text: str, message: str) -> None:
    with pytest.raises(SkillError, match=message):
        read_lock(text, "skill-wizard.lock.json")


def digest(made: dict[str, object]) -> str:
    import json

    found = read_bytes(json.dumps(made).encode(), "x")
    return of_operation(found.by_name["POST /bookings"], found)


def test_the_digest_of_an_operation_follows_what_it_refers_to() -> None:
    one = raw()
    schema = {"$ref": "#/components/schemas/Booking"}
    one["paths"]["/bookings"]["post"] = {
        **one["paths"]["/bookings"]["post"],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
    }
    one["components"] = {
        "schemas": {
            "Booking": {"properties": {"room": {"$ref": "#/components/schemas/Room"}}},
            "Room": {"type": "object", "properties": {"again": {"$ref": "#/components/schemas/Room"}}},
            "Other": {},
        }
    }
    before = digest(one)
    assert digest(one) == before
    one["components"]["schemas"]["Other"] = {"type": "string"}
    assert digest(one) == before
    one["components"]["schemas"]["Room"]["type"] = "string"
    assert digest(one) != before


def test_a_confirmation_does_not_change_the_digest_of_a_declaration() -> None:
    mapping = {"method": "POST", "url": "https://house.example/bookings", "identity": ["a"]}
    one, _ = parse_operation(mapping)
    other, _ = parse_operation({**mapping, "status": "proposed"})
    assert one is not None
    assert other is not None
    assert of_declaration(one) == of_declaration(other)
    assert of_value({"a": 1, "b": 2}) == of_value({"b": 2, "a": 1})
    assert document().problems == ()
