"""Every kind of change, on cases that fire and cases that do not."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pytest

from wizard.review.comparing import compare
from wizard.review.kind import kind_names, load_kinds
from wizard.review.model import Grade, Harm
from wizard.review.wording import declared_lines

sys.path.insert(0, str(Path(__file__).parent))
from change_cases import CASES, Case, cases, side

ALL = list(cases())


@pytest.mark.parametrize("case", ALL, ids=[f"{case.kind}: {case.says}" for case in ALL])
def test_a_change(case: Case) -> None:
    review = compare(side(case.before, "old"), side(case.after, "new"))
    found = [one for one in review.changes if one.kind == case.kind]
    assert [one.subject for one in found] == [one.get("subject", "") for one in case.expect]
    for change, expected in zip(found, case.expect, strict=True):
        assert str(change.grade) == expected["grade"]
        assert str(change.harm) == expected["harm"]
        assert change.title == expected["title"]
        for part in [expected["effect"]] if isinstance(expected.get("effect"), str) else expected.get("effect", []):
            assert part in change.effect
        if "keys" in expected:
            assert change.example is not None
            before = len({one.before for one in change.example.keys if one.before})
            after = len({one.after for one in change.example.keys if one.after})
            assert (before, after) == tuple(expected["keys"])
    assert sorted({one.kind for one in review.changes} - {case.kind}) == sorted(case.also)


def test_every_kind_has_a_case_that_fires_and_one_that_does_not() -> None:
    fires: defaultdict[str, set[bool]] = defaultdict(set)
    for case in ALL:
        fires[case.kind].add(bool(case.expect))
    assert {kind: fires[kind] for kind in kind_names()} == {kind: {True, False} for kind in kind_names()}
    assert {file.stem for file in CASES.glob("*.yml")} == set(kind_names())


def test_a_kind_is_called_like_its_module_and_explains_itself() -> None:
    for name, kind in load_kinds().items():
        assert kind.name == name
        assert kind.summary
        assert not kind.summary.endswith(".")
        assert len(kind.why.strip()) > 40


@pytest.mark.parametrize("case", [case for case in ALL if case.expect], ids=lambda case: f"{case.kind}: {case.says}")
def test_what_is_said_can_be_read(case: Case) -> None:
    for change in compare(side(case.before, "old"), side(case.after, "new")).changes:
        assert change.title.endswith(".")
        assert change.effect.endswith(".")
        assert not change.remedy or change.remedy.endswith(".")
        assert "  " not in change.effect
        assert ".." not in change.effect.replace("`", "").replace("...", "")
        assert "None" not in change.title + change.effect + change.remedy
        assert change.effect[0].isupper() or change.effect[0] == "`"
        assert change.grade is not Grade.BREAKS or change.harm is not Harm.NONE
        assert change.grade is not Grade.SAFE or change.harm is Harm.NONE
        assert change.excerpts or case.after is None or case.before is None


@pytest.mark.parametrize(
    "case",
    [case for case in ALL if case.expect and case.kind in ("identity-narrower", "identity-wider")],
    ids=lambda case: f"{case.kind}: {case.says}",
)
def test_an_identity_that_stands_in_lines_is_shown_whole_on_both_sides(case: Case) -> None:
    """An element of the one beside all of the other would read as if all of the other had come."""
    for change in compare(side(case.before, "old"), side(case.after, "new")).changes:
        if change.kind == case.kind:
            told = [line for lines in declared_lines(change) for line in lines]
            assert [line.partition("[")[0] for line in told] == ["identity: ", "identity: "]


def test_an_example_shows_of_a_list_what_tells_two_writes_apart() -> None:
    lines = {"type": "array", "items": {"type": "object", "properties": {
        "sku": {"type": "string"}, "units": {"type": "integer"}, "text": {"type": "string"},
    }}}  # fmt: skip
    body = {"properties": {"lines": lines}, "example": {"lines": [{"sku": "A", "units": 2, "text": "long"}]}}
    both = [
        {"body": body, "operation": {"body": ["lines"], "identity": identity}}
        for identity in (["lines[].sku", "lines[].units"], ["lines[].sku"])
    ]
    (change,) = [one for one in compare(side(both[0], "old"), side(both[1], "new")).changes if one.example]
    assert change.example is not None
    assert {one.request.replace("3", "2") for one in change.example.keys} == {'{"lines": [{"sku": "A", "units": 2}]}'}
