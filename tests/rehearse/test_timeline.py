"""The pictures: where their words stand, that nothing is left out, and the bytes of a handful.

`REWRITE_GOLDEN=1 pytest tests/rehearse/test_timeline.py` draws the golden files anew; look at them in a browser.
"""

from __future__ import annotations

import os
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.rehearse.model import LANES, Moment, StoryRun
from wizard.rehearse.page import timeline_style
from wizard.rehearse.placing import LANE_AT, WIDTH, Picture, lines, place, width
from wizard.rehearse.timeline import described, svg

sys.path.insert(0, str(Path(__file__).parent))
import rehearsals

HERE = Path(__file__).with_name("timelines")
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))
SVG = "{http://www.w3.org/2000/svg}"
KINDS = (
    "call", "told", "claim", "send", "answer", "fault", "killed", "probe", "settle", "landed", "clock", "person", "note"
)  # fmt: skip
GOLDEN = (rehearsals.crash_and_probe, rehearsals.landed_twice, rehearsals.weak, rehearsals.two_workers,
          rehearsals.late_delivery, rehearsals.hostile)  # fmt: skip

words = st.text(max_size=80) | st.sampled_from(
    ["attempted", "completed", "absent", "landed: 1", "landed: 999999", "", "W" * 300, "予約" * 90, "a " * 200]
)
moments = st.lists(
    st.builds(
        Moment,
        lane=st.sampled_from(LANES),
        kind=st.sampled_from(KINDS),
        text=words,
        at=st.floats(0, 1e8),
        to=st.none() | st.sampled_from(LANES),
        detail=st.text(max_size=10),
        bad=st.booleans(),
    ),
    max_size=12,
)


def story(found: list[Moment]) -> StoryRun:
    return replace(rehearsals.weak(), moments=tuple(found))


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def boxes(picture: Picture) -> list[tuple[float, float, float, float]]:
    return [label.box for label in picture.labels() if label.text]


@given(moments)
def test_no_words_stand_upon_others(found: list[Moment]) -> None:
    picture = place(story(found))
    assert [pair for pair in combinations(boxes(picture), 2) if meet(*pair)] == []


@given(moments)
def test_all_words_stand_inside(found: list[Moment]) -> None:
    picture = place(story(found))
    for left, top, right, bottom in boxes(picture):
        assert 0 <= left < right <= WIDTH
        assert 0 <= top < bottom <= picture.height


@given(moments)
def test_each_moment_is_drawn_in_its_order(found: list[Moment]) -> None:
    picture = place(story(found))
    assert [row.moment for row in picture.rows if row.moment is not None] == found
    for above, below in zip(picture.rows, picture.rows[1:], strict=False):
        assert above.bottom < below.top
    assert all(row.labels for row in picture.rows)
    assert all(row.top <= row.y <= row.bottom for row in picture.rows)


@given(moments)
def test_the_records_bar_has_no_hole(found: list[Moment]) -> None:
    picture = place(story(found))
    for above, below in zip(picture.bars, picture.bars[1:], strict=False):
        assert above.bottom == below.top
        assert above.state != below.state
    if picture.bars:
        assert picture.bars[-1].bottom == picture.end


@given(moments)
@settings(max_examples=60)
def test_any_words_make_a_picture_that_a_reader_of_xml_takes(found: list[Moment]) -> None:
    told = story(found)
    root = ET.fromstring(svg(told, style="text { }"))
    assert svg(told) == svg(told)
    drawn = list(root.iter(f"{SVG}text"))
    assert len(drawn) == len(list(place(told).labels()))
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None


@given(st.text(max_size=300), st.floats(20, 400), st.integers(1, 4))
def test_lines_fit_and_lose_only_what_does_not(text: str, room: float, most: int) -> None:
    found = lines(text, room, most)
    assert 1 <= len(found) <= most
    assert all(width(line) <= room for line in found)
    whole = "".join(text.split())
    shown = "".join("".join(line.split()) for line in found)
    assert shown == whole or (shown.endswith("…") and whole.startswith(shown[:-1]))


@pytest.mark.parametrize("build", GOLDEN, ids=lambda build: build.__name__)
def test_a_pictures_bytes(build: object) -> None:
    text = svg(build(), style=timeline_style()) + "\n"  # type: ignore[operator]
    path = HERE / f"{build.__name__}.svg"  # type: ignore[attr-defined]
    if REWRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes()


def texts(run: StoryRun, look: str) -> list[str]:
    root = ET.fromstring(svg(run, style=" "))
    return [(text.text or "") for text in root.iter(f"{SVG}text") if look in text.get("class", "").split()]


def paths(run: StoryRun) -> set[str]:
    return {path.get("class", "") for path in ET.fromstring(svg(run, style=" ")).iter(f"{SVG}path")}


def test_a_kill_and_a_fault_are_told_by_shape_and_word() -> None:
    assert {"killed", "dead"} <= paths(rehearsals.crash_and_probe())
    assert "killed before the answer" in texts(rehearsals.crash_and_probe(), "bad")
    assert "fault" in paths(rehearsals.landed_twice())
    assert "fault: reset after the commit" in texts(rehearsals.landed_twice(), "bad")
    assert not {"killed", "dead", "fault"} & paths(rehearsals.two_workers())


def test_the_ledger_counts() -> None:
    assert texts(rehearsals.landed_twice(), "count") == ["1", "2"]
    assert texts(rehearsals.landed_twice(), "foot") == ["completed", "2 landed"]
    assert texts(rehearsals.weak(), "foot") == ["attempted", "1 landed"]
    assert texts(rehearsals.late_delivery(), "foot") == ["absent", "0 landed"]


def test_the_clock_is_said_to_jump() -> None:
    assert texts(rehearsals.landed_twice(), "jump") == ["+6 min, the lease runs out"]
    # The timeout of thirty seconds passes without a moment of its own.
    assert texts(rehearsals.late_delivery(), "jump") == ["+30 s", "+2 h, two hours", "+24 h, the next day"]


def test_the_record_is_a_bar() -> None:
    assert [bar.state for bar in place(rehearsals.crash_and_probe()).bars] == ["attempted", "completed"]
    assert [bar.state for bar in place(rehearsals.late_delivery()).bars] == ["attempted", ""]
    assert place(rehearsals.skipped()).bars == ()


def test_a_killed_host_is_gone_until_it_is_called_again() -> None:
    picture = place(rehearsals.crash_and_probe())
    ((lane, since, until),) = picture.dead
    rows = {id(row.moment): row for row in picture.rows}
    told = rehearsals.crash_and_probe().moments
    assert lane == "host"
    by_text = {row.moment.text: row for row in rows.values() if row.moment is not None}
    assert since == by_text["killed before the answer"].y
    assert until == by_text["create-booking, the same"].y
    assert len(told) == len([row for row in picture.rows if row.moment is not None])


def test_lanes_stand_as_they_are_named() -> None:
    assert [label.text for label in place(rehearsals.weak()).heads] == list(LANES)
    assert sorted(LANE_AT.values()) == list(LANE_AT.values())


def test_the_description_tells_the_same() -> None:
    said = described(rehearsals.landed_twice())
    assert said.startswith("0 s: caller to host: charge-payment-account; host to record: attempted; ")
    assert said.endswith("Landed 2 of 1 meant. The caller was told: outcome not observed and done.")
