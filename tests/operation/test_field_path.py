from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.operation.field_path import MISSING, FieldPath, FieldPathError, Segment

NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(["a.b", "items[]", "x?", 'say "hi"', "back\\slash", "$body"])
SEGMENTS = st.builds(Segment, NAMES, st.integers(0, 2))
BODY_PATHS = st.builds(
    lambda segments, optional: FieldPath("body", tuple(segments), optional),
    st.lists(SEGMENTS, min_size=0, max_size=4),
    st.booleans(),
)
PARAMETER_PATHS = st.builds(
    lambda place, name, optional: FieldPath(place, (Segment(name),), optional),
    st.sampled_from(["query", "header"]),
    NAMES,
    st.booleans(),
)


@given(BODY_PATHS | PARAMETER_PATHS)
def test_a_printed_path_reads_back_as_the_same_path(path: FieldPath) -> None:
    assert FieldPath.parse(str(path)) == path


def read(text: str) -> FieldPath | int:
    """The path, or the offset at which reading it stopped."""
    try:
        return FieldPath.parse(text)
    except FieldPathError as error:
        return error.offset


@given(st.text(max_size=20))
def test_any_text_is_a_path_or_says_where_it_is_not(text: str) -> None:
    found = read(text)
    if isinstance(found, int):
        assert 0 <= found <= len(text)
    else:
        assert FieldPath.parse(str(found)) == found


@pytest.mark.parametrize(
    ("text", "segments", "optional"),
    [
        ("departure?", (Segment("departure"),), True),
        ("customer.email", (Segment("customer"), Segment("email")), False),
        ("items[].sku", (Segment("items", 1), Segment("sku")), False),
        ('"a.b".c', (Segment("a.b"), Segment("c")), False),
        (r'"say \"hi\" \\ "', (Segment('say "hi" \\ '),), False),
        ("$body", (), False),
        ("$body?", (), True),
        ('"$body"', (Segment("$body"),), False),
        ("prefs/permissionLevel", (Segment("prefs/permissionLevel"),), False),
        ("rows[][].x", (Segment("rows", 2), Segment("x")), False),
    ],
)
def test_body_paths(text: str, segments: tuple[Segment, ...], optional: bool) -> None:
    assert FieldPath.parse(text) == FieldPath("body", segments, optional)


def test_a_query_name_is_taken_as_it_is() -> None:
    assert FieldPath.parse("query:coupon_code[]?") == FieldPath("query", (Segment("coupon_code[]"),), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("a..b", "missing"),
        ("a[0]", "followed by `]`"),
        ("a?b", "at the end only"),
        ("a:b", "cannot stand here"),
        ('"open', "does not end"),
        ("query:", "names no parameter"),
        ("a.", "missing"),
    ],
)
def test_what_is_no_path_says_why(text: str, message: str) -> None:
    with pytest.raises(FieldPathError, match=message):
        FieldPath.parse(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a.b", 1),
        ("a.c", None),
        ("a.d", MISSING),
        ("rows[].sku", ["x", MISSING]),
        ("rows[]", [{"sku": "x"}, {}]),
        ("rows", [{"sku": "x"}, {}]),
        ("none[].sku", []),
        ("a[].b", MISSING),
        ("$body", {"a": {"b": 1, "c": None}, "rows": [{"sku": "x"}, {}], "none": []}),
    ],
)
def test_the_value_at_a_path(text: str, value: object) -> None:
    body = {"a": {"b": 1, "c": None}, "rows": [{"sku": "x"}, {}], "none": []}
    assert FieldPath.parse(text).get(body) == value


@pytest.mark.parametrize(
    ("whole", "part", "covers"),
    [
        ("amount", "amount.value", True),
        ("amount", "amount", True),
        ("amount.value", "amount", False),
        ("items", "items[].sku", True),
        ("items[]", "items[].sku", True),
        ("items[].sku", "items[]", False),
        ("amount", "amounts", False),
        ("$body", "a.b", True),
        ("query:a", "a", False),
    ],
)
def test_a_whole_covers_its_parts(whole: str, part: str, covers: bool) -> None:
    assert FieldPath.parse(whole).covers(FieldPath.parse(part)) is covers
