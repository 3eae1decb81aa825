"""Frozen values behave as frozen, slotted dataclasses do, and cost less to define."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.values import frozen, made, replace


@frozen(order=True)
class Ours:
    """Ours."""

    a: int
    b: str = "x"
    c: tuple[int, ...] = ()

    @property
    def twice(self) -> int:
        return 2 * self.a


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Theirs:
    """Theirs."""

    a: int
    b: str = "x"
    c: tuple[int, ...] = ()


@frozen(kw_only=True, slots=False)
class Named:
    a: int
    kept: dict[str, int] = made(factory=dict)


@frozen(eq=False)
class Single:
    a: int


ARGUMENTS = st.tuples(
    st.integers(-2, 2), st.sampled_from(["x", "y"]), st.lists(st.integers(0, 1), max_size=2).map(tuple)
)


@given(ARGUMENTS, ARGUMENTS)
def test_they_compare_as_dataclasses_do(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    ours, theirs = (Ours(*one), Ours(*other)), (Theirs(*one), Theirs(*other))
    assert (ours[0] == ours[1]) is (theirs[0] == theirs[1])
    assert (ours[0] < ours[1]) is (theirs[0] < theirs[1])
    assert (ours[0] <= ours[1]) is (theirs[0] <= theirs[1])
    assert (ours[0] > ours[1]) is (theirs[0] > theirs[1])
    assert (ours[0] >= ours[1]) is (theirs[0] >= theirs[1])
    assert hash(ours[0]) == hash(Ours(*one))
    assert repr(ours[0]).replace("Ours", "Theirs") == repr(theirs[0])


@given(ARGUMENTS)
def test_they_travel_and_change_as_dataclasses_do(arguments: tuple[Any, ...]) -> None:
    value = Ours(*arguments)
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value) == copy.copy(value)
    assert replace(value, a=7) == dataclasses.replace(value, a=7) == Ours(7, *arguments[1:])
    assert dataclasses.asdict(value) == dataclasses.asdict(Theirs(*arguments))
    assert [field.name for field in dataclasses.fields(value)] == ["a", "b", "c"]
    assert dataclasses.is_dataclass(value)
    assert value.twice == 2 * arguments[0]


def test_they_are_matched_by_place() -> None:
    match Ours(1, "y"):
        case Ours(a, b):
            assert (a, b) == (1, "y")
        case _:
            pytest.fail("it was not matched")


def test_defaults_that_are_made_are_not_shared() -> None:
    one, other = Named(a=1), Named(a=1)
    assert one == other
    one.kept["a"] = 1
    assert other.kept == {}
    assert Named(a=1, kept={"b": 2}).kept == {"b": 2}
    assert pickle.loads(pickle.dumps(one)) == one


def test_without_equality_a_value_equals_itself_only() -> None:
    value = Single(1)
    assert value in [value]
    assert value != Single(1)
    assert len({value, Single(1)}) == 2


@pytest.mark.parametrize("value", [Ours(1), Named(a=1)])
def test_nothing_of_them_changes(value: Any) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.a = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.a
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
        value.other = 2


@pytest.mark.parametrize(
    "wrong",
    [Ours, lambda: Ours(1, d=2), lambda: Ours(1, a=2), lambda: Named(1), lambda: replace(Ours(1), d=2)],
)
def test_wrong_arguments_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_values_of_other_classes_are_no_equals() -> None:
    assert Ours(1) != Theirs(1)
    with pytest.raises(TypeError):
        assert Ours(1) < Theirs(1)


def test_nothing_heavy_is_loaded_for_them() -> None:
    code = (
        "import sys, wizard.operation.model, wizard.yamltext.nodes, wizard.lint.model, wizard.skill.document\n"
        "from wizard.operation.model import Operation\n"
        "Operation(method='POST', url='https://example.com', status='proposed').effective()\n"
        "print(*sorted({'dataclasses', 'inspect'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
