"""Where everything of a timeline stands: rows from the top down, labels whose boxes never meet.

All lengths are units of a picture `WIDTH` wide. Each moment has a row of its own, and its words stay inside of it, so
labels can only meet within a row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from wizard.rehearse.model import LANES, Lane, Moment, StoryRun
from wizard.rehearse.wording import span, spoken

WIDTH = 400.0
LEFT = 46.0
"""Where labels begin; the times stand left of it."""
RIGHT = 396.0
LANE_STEP = 76.0
LANE_AT: dict[Lane, float] = {lane: 66.0 + LANE_STEP * number for number, lane in enumerate(LANES)}
SIZE = 11.0
"""Of the letters, which are of one width: so their boxes are known without a font."""
SMALL = 9.0
LINE = 16.0
"""From line to line: more than the tallest letters that a font falls back on."""
TOP = 24.0
_LETTER = 0.605
_BESIDE = 12.0
_MOST_LINES = 3
_JUMP = 5.0
"""Seconds of the story's clock after which the gap is drawn, though no moment speaks of it."""

State = Literal["", "attempted", "completed"]
Shape = Literal["arrow", "lost", "landed", "fault", "killed", "person", "clock", "dot"]
_STATES: dict[str, State] = {
    "attempted": "attempted", "completed": "completed", "absent": "", "released": "", "lost": "", "gone": "",
}  # fmt: skip
_STATE = re.compile(rf"\b({'|'.join(_STATES)})\b")
_LANDED = re.compile(r"\blanded: (\d{1,6})\b")


class Label(NamedTuple):
    """Words in one line: `x` is their left end, `y` their base line."""

    x: float
    y: float
    width: float
    text: str
    size: float = SIZE

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, with what the tallest letters take."""
        return self.x, self.y - 1.06 * self.size, self.x + self.width, self.y + 0.39 * self.size


@dataclass(frozen=True, slots=True)
class Row:
    """One moment: its labels, its shape at height `y`, from lane to lane."""

    moment: Moment | None
    """None for time that passes without a moment."""
    shape: Shape
    top: float
    y: float
    bottom: float
    labels: tuple[Label, ...]
    time: Label | None = None
    count: Label | None = None
    """The ledger's number of landings, where one more landed."""

    @property
    def bad(self) -> bool:
        return self.moment is not None and self.moment.bad


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of the record's life in one state."""

    state: State
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A timeline, laid out."""

    heads: tuple[Label, ...]
    rows: tuple[Row, ...]
    feet: tuple[Label, ...]
    bars: tuple[Bar, ...]
    dead: tuple[tuple[Lane, float, float], ...]
    """Lanes whose process was killed, from when to when."""
    end: float
    """Where the lifelines end."""
    height: float

    def labels(self) -> Iterator[Label]:
        """All words of the picture."""
        yield from self.heads
        for row in self.rows:
            yield from row.labels
            yield from (label for label in (row.time, row.count) if label is not None)
        yield from self.feet


def width(text: str, size: float = SIZE) -> float:
    """How wide a text is at most; where letters are of another font, it is what they are pressed into."""
    return size * (_LETTER * len(text) if text.isascii() else sum(map(_em, text)))


def _em(sign: str) -> float:
    if sign.isascii():
        return _LETTER
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(sign) in "WF" else _LETTER


def lines(text: str, room: float, most: int = _MOST_LINES) -> list[str]:
    """A text in at most `most` lines no wider than `room`, broken at blanks where it can be; `…` for what is left."""
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}" if found[-1] else word
        if width(longer) <= room:
            found[-1] = longer
            continue
        if found[-1]:
            found.append("")
        for sign in word:
            if width(found[-1] + sign) > room:
                found.append("")
            found[-1] += sign
        if len(found) > most:
            break
    if len(found) > most:
        last = found[most - 1]
        while last and width(last + "…") > room:
            last = last[:-1]
        found = [*found[: most - 1], last + "…"]
    return found


def _shape(moment: Moment) -> Shape:
    across = moment.to is not None and moment.to != moment.lane
    match moment.kind:
        case "clock":
            return "clock"
        case "landed":
            return "landed"
        case "killed":
            return "killed"
        case "person":
            return "person"
        case "fault":
            return "lost" if across else "fault"
    return "arrow" if across else "dot"


def _centred(text: str, middle: float, y: float) -> Label:
    wide = width(text)
    return Label(max(LEFT, min(_whole(middle - wide / 2), RIGHT - wide)), y, wide, text)


def _whole(number: float) -> float:
    """Whole units: a page of a thousand pictures is a tenth smaller without the digits behind the point."""
    return float(int(number))


def _middle(moment: Moment) -> float:
    return (LANE_AT[moment.lane] + LANE_AT[moment.to or moment.lane]) / 2


def _above(texts: Sequence[str], middle: float, top: float) -> tuple[Label, ...]:
    return tuple(_centred(text, middle, top + 12 + LINE * number) for number, text in enumerate(texts))


def _beside(text: str, lane: Lane, top: float) -> Label | None:
    """The words right of a lane, else left of it, else nowhere."""
    wide, at = width(text), LANE_AT[lane]
    if at + _BESIDE + wide <= RIGHT:
        return Label(at + _BESIDE, top + 14, wide, text)
    if at - _BESIDE - wide >= LEFT:
        return Label(_whole(at - _BESIDE - wide), top + 14, wide, text)
    return None


def _row(moment: Moment, top: float, before: float, landed: int) -> Row:
    shape, text = _shape(moment), spoken(moment)
    if shape == "clock":
        return _gap(moment, top, moment.at - before)
    across = moment.to is not None and moment.to != moment.lane
    # A person is too tall, and a number may be too wide, to have words beside.
    if not across and shape not in ("person", "landed"):
        beside = _beside(text, moment.lane, top)
        if beside is not None:
            return Row(moment, shape, top, top + 10, top + 23, (beside,))
    texts = lines(text, RIGHT - LEFT)
    labels = _above(texts, _middle(moment), top)
    # What is taller than an arrow's head keeps clear of the words above it.
    drop = {"landed": 10.0, "person": 14.0, "killed": 10.0, "fault": 10.0, "lost": 8.0}.get(shape, 5.0)
    y = top + LINE * len(texts) + drop
    count = _count(landed, y) if shape == "landed" else None
    return Row(moment, shape, top, y, y + (13 if drop > 5 else 8), labels, count=count)


def _count(landed: int, y: float) -> Label:
    text = str(landed)
    wide = width(text)
    return Label(min(_whole(LANE_AT["ledger"] - wide / 2), RIGHT - wide - 6), y + 4, wide, text)


def _gap(moment: Moment | None, top: float, passed: float) -> Row:
    """The band that breaks all lifelines, with how much time passes and what it brings."""
    said = spoken(moment) if moment is not None else ""
    jump = f"+{span(passed)}" if passed > 0 else ""
    text = said if said.startswith("+") else ", ".join(part for part in (jump, said) if part)
    texts = lines(text or "time passes", RIGHT - LEFT - 16)
    labels = _above(texts, (LEFT + RIGHT) / 2, top + 4)
    bottom = top + 8 + LINE * len(texts)
    return Row(moment, "clock", top + 3, top + 3, bottom, labels)


def _timed(row: Row, at: float) -> Row:
    text = span(at)
    wide = width(text, SMALL)
    time = Label(_whole(LEFT - 4 - wide), row.y + 3, wide, text, SMALL)
    return Row(row.moment, row.shape, row.top, row.y, row.bottom, row.labels, time, row.count)


def place(run: StoryRun) -> Picture:
    """The layout of a story's timeline, in the order of its moments."""
    heads = tuple(Label(_whole(at - width(lane) / 2), 14, width(lane), lane) for lane, at in LANE_AT.items())
    rows: list[Row] = []
    y, before, landed, told = TOP + 4, 0.0, 0, ""
    for number, moment in enumerate(run.moments):
        after_jump = number > 0 and run.moments[number - 1].kind == "clock"
        if moment.kind != "clock" and not after_jump and moment.at - before >= _JUMP:
            rows.append(_gap(None, y, moment.at - before))
            y = rows[-1].bottom + 4
        if moment.kind == "landed":
            said = _LANDED.search(moment.text)
            landed = int(said[1]) if said else landed + 1
        row = _row(moment, y, before, landed)
        if moment.kind != "clock" and span(moment.at) != told:
            told = span(moment.at)
            row = _timed(row, moment.at)
        rows.append(row)
        y, before = row.bottom + 4, moment.at
    end = y + 4
    bars = tuple(_bars(rows, end))
    feet = _feet(bars, landed, end + 14) if rows else ()
    return Picture(heads, tuple(rows), feet, bars, tuple(_dead(rows, end)), end, end + (24 if feet else 4))


def _feet(bars: Sequence[Bar], landed: int, y: float) -> tuple[Label, ...]:
    state = (bars[-1].state if bars else "") or ("absent" if bars else "")
    said = [("record", state)] if state else []
    return tuple(_centred(text, LANE_AT[lane], y) for lane, text in [*said, ("ledger", f"{landed} landed")])  # type: ignore[index]


def _state(moment: Moment, state: State) -> State:
    if "record" not in (moment.lane, moment.to):
        return state
    said = _STATE.findall(moment.text)
    if said:
        return _STATES[said[-1]]
    return {"claim": state or "attempted", "settle": "completed"}.get(moment.kind, state)


def _bars(rows: Sequence[Row], end: float) -> Iterator[Bar]:
    """The record's states in their order, from the first time that it has one."""
    state: State = ""
    began: float | None = None
    for row in rows:
        if row.moment is None or (now := _state(row.moment, state)) == state:
            continue
        if began is not None:
            yield Bar(state, began, row.y)
        state, began = now, row.y
    if began is not None:
        yield Bar(state, began, end)


def _dead(rows: Sequence[Row], end: float) -> Iterator[tuple[Lane, float, float]]:
    """Where a lane's process is not there: from its kill until it does something or is called again."""
    killed: dict[Lane, float] = {}
    for row in rows:
        moment = row.moment
        if moment is None:
            continue
        if moment.kind == "killed":
            killed.setdefault(moment.lane, row.y)
            continue
        woken = (moment.lane, moment.to if moment.kind == "call" else None)
        for lane in [lane for lane in killed if lane in woken]:
            yield lane, killed.pop(lane), row.y
    for lane, since in killed.items():
        yield lane, since, end
