"""What holds for every declaration: compared with itself it did not change, and a change keeps its fingerprint."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wizard.review.comparing import compare
from wizard.review.examples import another
from wizard.review.kind import Declared
from wizard.review.model import Grade, Harm, Review
from wizard.review.reviewing import review
from wizard.review.sides import SideSpec
from wizard.review.trees import FolderTree

sys.path.insert(0, str(Path(__file__).parent))
from change_cases import Case, cases, side

ROOT = Path(__file__).parents[2]
FIRING = [case for case in cases() if case.expect]

FIELDS = ("room_id", "guest_name", "arrival", "departure", "guests", "notes")
URLS = (
    "https://inn.example/v1/bookings",
    "https://inn.example/v1/stays",
    "https://inn.example/v1/rooms/{room}/bookings",
)
OPERATIONS = st.fixed_dictionaries(
    {
        "method": st.sampled_from(["POST", "PATCH", "DELETE", "PUT"]),
        "url": st.sampled_from(URLS),
        "body": st.just(list(FIELDS)),
    },
    optional={
        "identity": st.lists(
            st.sampled_from([*FIELDS, *(f"{name}?" for name in FIELDS)]),
            min_size=1,
            max_size=4,
            unique_by=lambda name: name.rstrip("?"),
        ),
        "key": st.sampled_from(
            [
                "header Idempotency-Key",
                {"in": "header", "name": "Idempotency-Key", "for": "24h", "quoted": True},
                "field dedupe",
                {"in": "query", "name": "request_id", "shape": "hex32", "remembers": "success"},
            ]
        ),
        "probe": st.sampled_from(
            [
                {
                    "url": "https://inn.example/v1/bookings?room_id={room_id}",
                    "items": "$.bookings[*]",
                    "absent": "empty",
                    "match": {"room_id": "room.id", "guest_name": "guest"},
                    "pages": "none",
                },
                {
                    "url": "https://inn.example/v1/bookings",
                    "items": "$.bookings[*]",
                    "match": ["arrival"],
                    "after": "1h",
                },
            ]
        ),
        "keep": st.sampled_from(["1h", "24h", "forever"]),
        "failed": st.just("$.error"),
        "money": st.just({"amount": "amount_pence", "currency": "GBP"}),
        "status": st.just("proposed"),
        "write": st.booleans(),
    },
)


def whole(operation: dict[str, Any]) -> dict[str, Any]:
    """A patch that leaves nothing of the base's own operation."""
    empty = dict.fromkeys(("identity", "key", "probe"))
    if "key" in operation and isinstance(operation["key"], dict):
        operation = {**operation, "key": dict(operation["key"])}
    return {"operation": {**empty, **operation}}


def patches(operation: dict[str, Any]) -> dict[str, Any]:
    patch = whole(operation)
    probe = patch["operation"].get("probe")
    if probe:
        # RFC 7396 merges mappings: what the base's probe has besides goes.
        patch["operation"]["probe"] = {
            **dict.fromkeys(("since", "pages", "absent")), "match": None, **probe,
        }  # fmt: skip
        if isinstance(probe.get("match"), dict):
            patch["operation"]["probe"]["match"] = {"arrival": None, **probe["match"]}
    return patch


@settings(deadline=None, max_examples=60)
@given(OPERATIONS)
def test_a_declaration_compared_with_itself_did_not_change(operation: dict[str, Any]) -> None:
    found = compare(side(patches(operation), "old"), side(patches(operation), "new", lines=3))
    assert found.changes == ()
    assert found.unchanged == 1


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(OPERATIONS, OPERATIONS)
def test_two_declarations_are_compared_whatever_they_are(before: dict[str, Any], after: dict[str, Any]) -> None:
    old, new = side(patches(before), "old"), side(patches(after), "new")
    found = compare(old, new)
    operations = old.declared[0].operation, new.declared[0].operation
    if _host_sees(operations[0]) == _host_sees(operations[1]):
        assert found.changes == ()
    elif any(one.is_write for one in operations):
        assert found.changes
    for change in found.changes:
        assert change.fingerprint
        assert change.grade is not Grade.BREAKS or change.harm is not Harm.NONE
        assert change.excerpts
    assert len({change.fingerprint for change in found.changes}) == len(found.changes)
    # Whatever makes two writes one, or one two, shows in its example.
    for change in found.changes:
        if change.kind in ("identity-narrower", "identity-wider") and change.example is not None:
            keys = change.example.keys
            if all(key.before and key.after for key in keys):
                same_before, same_after = keys[0].before == keys[1].before, keys[0].after == keys[1].after
                assert (same_before, same_after) == (
                    (False, True) if change.kind == "identity-narrower" else (True, False)
                )


def _host_sees(operation: Any) -> Any:
    """The declaration as far as it matters: the order of an identity does not, nor does a default that is said."""
    key, probe = operation.key, operation.probe
    return replace(
        operation,
        identity=tuple(sorted(operation.identity, key=str)),
        body=(),
        keep=operation.kept_for if operation.identity else None,
        write=operation.is_write,
        key=None if key is None else replace(key, remembered_for=key.memory),
        probe=None if probe is None else replace(probe, after=probe.wait),
    )


@pytest.mark.parametrize("case", FIRING, ids=lambda case: f"{case.kind}: {case.says}")
def test_a_fingerprint_stays_where_lines_move(case: Case) -> None:
    def marks(found: Review) -> list[str]:
        return [change.fingerprint for change in found.changes]

    before = marks(compare(side(case.before, "old"), side(case.after, "new")))
    assert before == marks(compare(side(case.before, "main", lines=4), side(case.after, "topic", lines=9)))
    assert len(set(before)) == len(before)


def test_a_fingerprint_tells_changes_apart() -> None:
    marks = [
        change.fingerprint
        for case in FIRING
        for change in compare(side(case.before, "old"), side(case.after, "new")).changes
        if change.kind in ("identity-narrower", "identity-wider", "probe-changed", "document-answer-lacks")
    ]
    assert len(set(marks)) > len(marks) // 2


@pytest.mark.parametrize("sample", ["hollowbrook", "legacy"])
def test_a_sample_compared_with_itself_did_not_change(sample: str) -> None:
    spec = SideSpec(text=str(ROOT / "samples" / sample))
    found = review(spec, spec)
    assert found.changes == ()
    assert found.unchanged > 0
    assert found.stale_approvals == ()


@given(st.one_of(st.text(max_size=20), st.integers(), st.booleans(), st.lists(st.integers(), max_size=3)))
def test_another_value_is_another_one(value: Any) -> None:
    assert another(value) != value or value == {}


def test_a_side_without_a_document_is_compared(tmp_path: Path) -> None:
    old = side({"document": None}, "old")
    declared = old.declared[0]
    assert isinstance(declared, Declared)
    assert declared.api is None
    assert isinstance(old.tree, FolderTree)
    assert compare(old, side({"document": None}, "new")).changes == ()
