"""What is seen to be the same without being read: never otherwise than a look at everything says."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from wizard.review.comparing import compare
from wizard.review.kind import Pair
from wizard.review.sameness import Sameness
from wizard.review.sides import Side

sys.path.insert(0, str(Path(__file__).parent))
from change_cases import Case, base, cases, side

OF_DOCUMENTS = [
    case for case in cases() if case.before is not None and case.after is not None
    and {name: case.before.get(name) for name in ("operation", "name", "prose")}
    == {name: case.after.get(name) for name in ("operation", "name", "prose")}
]  # fmt: skip


def both(before: Any, after: Any) -> tuple[Side, Side]:
    """Both sides, with one skill that was read once."""
    old, new = side(before, "old"), side(after, "new")
    (kept,), (declared,) = old.declared, new.declared
    return old, replace(new, skills=old.skills, declared=(replace(declared, skill=kept.skill),))


def same(before: Any, after: Any) -> bool:
    old, new = both(before, after)
    return Sameness().same(Pair(before=old.declared[0], after=new.declared[0]))


@pytest.mark.parametrize("case", OF_DOCUMENTS, ids=lambda case: f"{case.kind}: {case.says}")
def test_nothing_is_passed_over_that_a_kind_sees(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = both(case.before, case.after)
    quick = compare(*sides)
    monkeypatch.setattr(Sameness, "same", lambda self, pair: False)
    assert quick == compare(*sides)


def test_there_are_cases_that_differ_in_their_documents_only() -> None:
    assert sum(bool(case.expect) for case in OF_DOCUMENTS) > 20


ELSEWHERE = {"document": {"paths": {"/rooms": {"get": {"responses": {"200": {"description": "All rooms."}}}}}}}
NAMED = {"components": {"schemas": {"Note": {"type": "string"}, "Rest": {"type": "object"}}}}
BY_NAME = {"document": NAMED, "body": {"properties": {"notes": {"$ref": "#/components/schemas/Note"}}}}


def with_note(**schema: Any) -> dict[str, Any]:
    return {**BY_NAME, "document": {"components": {"schemas": {**NAMED["components"]["schemas"], **schema}}}}


@pytest.mark.parametrize(
    ("before", "after", "plain"),
    [
        ({}, {}, True),
        ({}, ELSEWHERE, True),
        ({}, {"document": {"info": {"version": "99"}}}, True),
        ({}, {"document": {"info": {"description": "Keys are kept for an hour."}}}, False),
        ({}, {"document": {"servers": [{"url": "https://other.example"}]}}, False),
        ({}, {"post": {"description": "Books it."}}, False),
        ({}, {"get": {"description": "Lists them."}}, False),
        ({}, {"document": {"paths": {"/bookings": {"parameters": [{"in": "query", "name": "x"}]}}}}, False),
        (BY_NAME, BY_NAME, True),
        (BY_NAME, with_note(Rest={"type": "array"}), True),
        (BY_NAME, with_note(Note={"type": "integer"}), False),
        (BY_NAME, with_note(Note={"anyOf": [{"$ref": "#/components/schemas/Rest"}]}), False),
        ({}, {"document": None}, False),
    ],
)
def test_only_what_an_operation_leads_to_is_looked_at(before: Any, after: Any, plain: bool) -> None:
    assert base()["operation"]["probe"]
    assert same(before, after) is plain


def test_a_schema_that_others_inherit_from_is_left_to_a_look_at_everything() -> None:
    inherited = with_note(Note={"discriminator": {"propertyName": "kind"}})
    assert not same(inherited, inherited)


def test_what_leads_in_a_circle_ends() -> None:
    circle = with_note(Note={"properties": {"next": {"$ref": "#/components/schemas/Note"}}})
    assert same(circle, circle)
