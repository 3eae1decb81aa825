"""Another value of the same kind: it surely differs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.rehearse.values import varied

VALUES = st.recursive(
    st.booleans() | st.integers() | st.text(min_size=1, max_size=5),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(st.text(max_size=3), inner, min_size=1),
    max_leaves=6,
)


@given(VALUES, st.integers(0, 5))
def test_it_differs_with_shapes_and_without(value: Any, number: int) -> None:
    assert varied(value, number) != value
    assert varied(value, number, None, {}) != value


@pytest.mark.parametrize(("value", "other"), [(["owner"], []), (["owner", "member"], ["owner"])])
def test_a_list_of_words_that_nothing_is_known_of_has_one_less(value: list[str], other: list[str]) -> None:
    assert varied(value, 0, None, {}, "roles") == other
