"""How a story is judged, case by case and for whatever may happen."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.host.calls import APPLIED, Plain
from wizard.host.state import Telling
from wizard.rehearse.model import Ended
from wizard.rehearse.verdict import DENIED, Meant, Told, judge

ONE = (Meant(what="a"),)
TWO = (Meant(what="a"), Meant(what="b", differs="departure"))
AGAIN = (Meant(what="a"), Meant(what="a", differs="24 h later"))


def told(ending: Telling | Plain, landed: int = 1, meant: int = 0, **more: object) -> Told:
    return Told(meant=meant, ending=ending, landed=landed, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("meant", "landed", "said", "ended", "fault"),
    [
        (ONE, {"a": 1}, [told(Telling.DONE)], Ended.ONCE, ""),
        (ONE, {"a": 1}, [told(Telling.NOT_OBSERVED), told(Telling.FOUND)], Ended.ONCE, ""),
        (ONE, {"a": 1}, [told(Telling.ACCEPTED), told(Telling.ALREADY_DONE)], Ended.ONCE, ""),
        (ONE, {"a": 2}, [told(Telling.DONE), told(Telling.DONE, 2)], Ended.WRONG, "twice"),
        (ONE, {"a": 2}, [told(Telling.NOT_OBSERVED), told(Telling.NOT_OBSERVED, 2)], Ended.WRONG, "twice"),
        (ONE, {}, [told(Telling.DONE, 0)], Ended.WRONG, "claimed"),
        (ONE, {"a": 1}, [told(Telling.FOUND, 0), told(Telling.DONE)], Ended.WRONG, "claimed"),
        (ONE, {"a": 1}, [told(Telling.NOT_THERE)], Ended.WRONG, "denied"),
        (ONE, {"a": 1}, [told(Telling.REFUSED, 0)], Ended.WRONG, "denied"),
        (ONE, {}, [told(Telling.REFUSED, 0)], Ended.WRONG, "never"),
        (ONE, {}, [told(Plain.INVALID, 0)], Ended.WRONG, "never"),
        (ONE, {"a": 1}, [told(Telling.NOT_SENT, 0), told(Telling.DONE)], Ended.ONCE, ""),
        (ONE, {"a": 1}, [told(Telling.NOT_OBSERVED)], Ended.PERSON, ""),
        (ONE, {}, [told(Telling.NOT_OBSERVED, 0)], Ended.PERSON, ""),
        (ONE, {"a": 1}, [told(Telling.IN_PROGRESS)], Ended.PERSON, ""),
        (ONE, {}, [], Ended.PERSON, ""),
        (ONE, {"a": 1}, [told(Plain.WAITING, 0), told(Telling.DONE)], Ended.ONCE, ""),
        (ONE, {"a": 1, "x": 1}, [told(Telling.DONE)], Ended.WRONG, "stray"),
        (TWO, {"a": 1, "b": 1}, [told(Telling.DONE), told(Telling.DONE, 1, 1)], Ended.ONCE, ""),
        (TWO, {"a": 1}, [told(Telling.DONE), told(Telling.ALREADY_DONE, 0, 1)], Ended.WRONG, "swallowed"),
        (TWO, {"a": 1}, [told(Telling.DONE), told(Telling.REFUSED, 0, 1)], Ended.ONCE, ""),
        (TWO, {"a": 2}, [told(Telling.DONE), told(Telling.REFUSED, 0, 1)], Ended.WRONG, "twice"),
        (AGAIN, {"a": 2}, [told(Telling.DONE), told(Telling.DONE, 2, 1)], Ended.ONCE, ""),
        (AGAIN, {"a": 1}, [told(Telling.DONE), told(Telling.ALREADY_DONE, 1, 1)], Ended.WRONG, "swallowed"),
        (AGAIN, {"a": 1}, [told(Telling.DONE), told(Telling.REFUSED, 1, 1)], Ended.ONCE, ""),
        (AGAIN, {"a": 3}, [told(Telling.DONE), told(Telling.DONE, 3, 1)], Ended.WRONG, "twice"),
    ],
)
def test_a_story_is_judged(
    meant: tuple[Meant, ...], landed: dict[str, int], said: list[Told], ended: Ended, fault: str
) -> None:
    found = judge(meant, landed, said)
    assert (found.ended, found.fault) == (ended, fault)
    assert bool(found.why) is (ended in (Ended.WRONG, Ended.PERSON))


def test_what_was_swallowed_is_named_by_its_field() -> None:
    found = judge(TWO, {"a": 1}, [told(Telling.DONE), told(Telling.ALREADY_DONE, 0, 1)])
    assert found.field == "departure"
    assert "departure" in found.why


def test_why_it_never_lands_is_said_with_the_status() -> None:
    assert judge(ONE, {}, [told(Telling.REFUSED, 0, status=422)]).why.endswith("`refused`: 422.")


ENDINGS = st.sampled_from([*Telling, *Plain])
TOLD = st.lists(st.builds(told, ENDINGS, st.integers(0, 3), st.integers(0, 1)), max_size=5)


@given(TOLD, st.dictionaries(st.sampled_from(["a", "b", "x"]), st.integers(1, 3)), st.sampled_from([TWO, AGAIN]))
def test_whatever_happens_no_double_write_passes(
    said: list[Told], landed: dict[str, int], meant: tuple[Meant, ...]
) -> None:
    found = judge(meant, landed, said)
    wanted = Counter(one.what for one in meant)
    if any(count > wanted[what] for what, count in landed.items()):
        assert found.ended is Ended.WRONG
    if any(one.ending in APPLIED and one.landed == 0 for one in said):
        assert found.ended is Ended.WRONG
    if found.ended is Ended.ONCE:
        assert any(one.ending in APPLIED or one.ending in DENIED for one in said)
