"""A story as a picture: five lifelines, time running down, what passed between them, what broke, what landed.

The picture names no colours: `templates/rehearsal.css.jinja` gives them, once for all pictures of a page. Every shape
says without colour what it is: a lightning is a fault, a cross a kill, a striped bar an attempted record, a full one a
completed one, a number in a box what has landed so far, with two frames where it should not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from math import ceil

from wizard.rehearse.model import Moment, StoryRun
from wizard.rehearse.placing import LANE_AT, LANE_STEP, LEFT, RIGHT, TOP, WIDTH, Label, Picture, Row, place
from wizard.rehearse.wording import span, spoken, told, way

_REPLIES = frozenset({"answer", "told"})
_STRAY = 5.0
_TOLD = 160


def svg(run: StoryRun, *, style: str = "", details: bool = True) -> str:
    """The timeline as one `<svg>`; with `style` (a style sheet) inside, where it stands alone.

    `details`: what a pointer finds out more of a moment, in its first 160 letters.
    """
    picture = place(run)
    height = _n(picture.height)
    alone = f' xmlns="http://www.w3.org/2000/svg" width="{_n(WIDTH)}" height="{height}"' if style else ""
    parts = [
        f'<svg{alone} class="timeline" role="img" viewBox="0 0 {_n(WIDTH)} {height}">',
        f"<title>{_text(title(run))}</title><desc>{_text(described(run))}</desc>",
        f"<style>{style}</style>" if style else "",
        *_lifelines(picture),
        *_cleared(picture),
        *_bands(picture.rows),
        *_shapes(picture.rows),
        *_words(picture, details),
        "</svg>",
    ]
    return "".join(parts)


def title(run: StoryRun) -> str:
    """`late-delivery, cached: passed`."""
    return f"{run.story}, {run.declared}: {run.verdict}"


def described(run: StoryRun) -> str:
    """The same account in words: the moments with their places, each time said once."""
    said = [
        f"{time}: {'; '.join(f'{way(moment)}: {spoken(moment)}' for moment in alike)}"
        for time, alike in groupby(run.moments, key=lambda moment: span(moment.at))
    ]
    heard = f" The caller was told: {told(run)}." if run.told else ""
    return f"{'. '.join([*said, f'Landed {run.landed} of {run.meant} meant.'])}{heard}"


def _lifelines(picture: Picture) -> Iterator[str]:
    gone = {lane: [(top, bottom) for other, top, bottom in picture.dead if other == lane] for lane in LANE_AT}
    alive, dead = "", ""
    for lane, at in LANE_AT.items():
        y = TOP
        for top, bottom in gone[lane]:
            alive += f"M{_n(at)} {_n(y)}V{_n(top)}"
            dead += f"M{_n(at)} {_n(top)}V{_n(bottom)}"
            y = bottom
        if y < picture.end:
            alive += f"M{_n(at)} {_n(y)}V{_n(picture.end)}"
    yield f'<path class="life" d="{alive}"/>'
    if dead:
        yield f'<path class="dead" d="{dead}"/>'
    beside = LANE_AT["record"] + 6
    for state in ("attempted", "completed"):
        path = "".join(f"M{_n(beside)} {_n(bar.top)}V{_n(bar.bottom)}" for bar in picture.bars if bar.state == state)
        if path:
            yield f'<path class="{state}" d="{path}"/>'


def _cleared(picture: Picture) -> Iterator[str]:
    """The ground of the words that a lifeline would run through."""
    path = "".join(
        f"M{_n(label.x)} {_n(label.y - 4)}h{ceil(label.width)}"
        for row in picture.rows
        if row.shape != "clock"
        for label in row.labels
        if any(label.x - 2 < at + reach < label.x + label.width + 2 for at in LANE_AT.values() for reach in (0, 6))
    )
    if path:
        yield f'<path class="ground" d="{path}"/>'


def _bands(rows: tuple[Row, ...]) -> Iterator[str]:
    """Where time passes all lifelines are cut, with a stroke at each end: one line of dashes, one for each lane."""
    ground, strokes = "", ""
    for row in rows:
        if row.shape == "clock":
            ground += _frame(LEFT, row.top, RIGHT - LEFT, row.bottom - row.top)
            strokes += "".join(f"M{_n(LANE_AT['caller'] - 5)} {_n(y)}H{_n(RIGHT)}" for y in (row.top, row.bottom))
    if ground:
        yield f'<path class="gap" d="{ground}"/><path class="break" d="{strokes}"/>'


def _shapes(rows: tuple[Row, ...]) -> Iterator[str]:
    """All shapes of one look as one path."""
    paths = {
        "way": "",
        "back": "",
        "way bad": "",
        "back bad": "",
        "fault": "",
        "killed": "",
        "person": "",
        "dot": "",
        "landed": "",
        "twice": "",
    }
    for row in rows:
        if row.moment is None or row.shape == "clock":
            continue
        for look, path in _lines(row, row.moment):
            paths[look] += path
        if row.count is not None:
            box = row.count.x - 5, row.y - 8, row.count.width + 10, 16
            paths["landed"] += _frame(*box)
            if row.bad:
                paths["twice"] += _frame(box[0] - 3, box[1] - 3, box[2] + 6, box[3] + 6)
    yield from (f'<path class="{look}" d="{path}"/>' for look, path in paths.items() if path)


def _lines(row: Row, moment: Moment) -> Iterator[tuple[str, str]]:
    """The strokes of a row, each with its look."""
    here, y = LANE_AT[moment.lane], row.y
    there = LANE_AT[moment.to or moment.lane]
    side = 1 if there > here else -1
    bad = " bad" if moment.bad else ""
    if there != here:
        clear = 11 if row.count or row.shape == "person" else 2
        # An arrow that is lost breaks off on its way, where the lightning strikes.
        end = _strike(here, there) - side * _STRAY if row.shape == "lost" else there - side * clear
        back = moment.kind in _REPLIES
        line = f"M{_n(here)} {_n(y)}H{_n(end)}"
        if row.shape != "lost":
            # Both strokes of a head begin at its tip (`m0 0`), so that it looks the same where the line is dashed.
            line += f"{'m0 0' if back else ''}l{_n(-5 * side)}-4m{_n(5 * side)} 4l{_n(-5 * side)} 4"
        yield ("back" if back else "way") + bad, line
    match row.shape:
        case "lost":
            yield "fault", _lightning(_strike(here, there), y)
        case "fault":
            yield "fault", _lightning(here, y)
        case "killed":
            yield "killed", f"M{_n(here - 6)} {_n(y - 6)}l12 12m0-12l-12 12"
        case "person":
            head = f"M{_n(there - 3)} {_n(y - 5)}a3 3 0 1 1 6 0a3 3 0 1 1-6 0"
            yield "person", f"{head}M{_n(there - 6)} {_n(y + 8)}v-2a6 6 0 0 1 12 0v2z"
        case "dot":
            yield "dot", f"M{_n(here - 3)} {_n(y)}a3 3 0 1 1 6 0a3 3 0 1 1-6 0"


def _strike(here: float, there: float) -> float:
    """Where a message is lost: between two lanes, and never upon the record's."""
    return max(here, there) - LANE_STEP / 2


def _lightning(x: float, y: float) -> str:
    return f"M{_n(x + 2)} {_n(y - 9)}l-7 10h4l-2 8 8-11h-4l3-7z"


def _frame(x: float, y: float, wide: float, high: float) -> str:
    return f"M{_n(x)} {_n(y)}h{_n(wide)}v{_n(high)}h{_n(-wide)}z"


def _words(picture: Picture, details: bool) -> Iterator[str]:
    yield from (_label(label, "head") for label in picture.heads)
    for row in picture.rows:
        if row.time is not None:
            yield _label(row.time, "at")
        if row.count is not None:
            yield _label(row.count, "count bad" if row.bad else "count")
        look = "bad" if row.bad else "jump" if row.shape == "clock" else ""
        detail = _short(row.moment.detail) if details and row.moment is not None else ""
        for label in row.labels:
            yield _label(label, look, detail)
    yield from (_label(label, "foot") for label in picture.feet)


def _label(label: Label, look: str = "", detail: str = "") -> str:
    # Letters of other fonts may be wider than a cell: they are pressed into the box that was kept for them.
    pressed = "" if label.text.isascii() else f' textLength="{_n(label.width)}" lengthAdjust="spacingAndGlyphs"'
    more = f"<title>{_text(detail)}</title>" if detail else ""
    kind = f' class="{look}"' if look else ""
    return f'<text{kind} x="{_n(label.x)}" y="{_n(label.y)}"{pressed}>{_text(label.text)}{more}</text>'


def _short(text: str) -> str:
    return text if len(text) <= _TOLD else text[: _TOLD - 1] + "…"


def _text(text: str) -> str:
    """Escaped for XML; what no XML may hold replaced."""
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)
    return escape(text, quote=True)


def _n(number: float) -> str:
    """A length, to a tenth."""
    return f"{number:.1f}".removesuffix(".0")
