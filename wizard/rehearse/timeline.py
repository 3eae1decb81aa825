"""A story as a picture: five lifelines, time running down, what passed between them, what broke, what landed.

The picture names no colours: `templates/rehearsal.css.jinja` gives them, once for all pictures of a page. Every shape
says without colour what it is: a lightning is a fault, a cross a kill, a striped bar an attempted record, a full one a
completed one, a number in a box what has landed so far, with two frames where it should not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from wizard.rehearse.model import Moment, StoryRun
from wizard.rehearse.placing import LANE_AT, LANE_STEP, LEFT, RIGHT, TOP, WIDTH, Label, Picture, Row, place
from wizard.rehearse.wording import span, spoken, told, way

_REPLIES = frozenset({"answer", "told"})
_STRAY = 5.0


def svg(run: StoryRun, *, style: str = "") -> str:
    """The timeline as one `<svg>`; with `style` (a style sheet) inside, where it stands alone."""
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
        *_words(picture),
        "</svg>",
    ]
    return "".join(parts)


def title(run: StoryRun) -> str:
    """`late-delivery, cached: passed`."""
    return f"{run.story}, {run.declared}: {run.verdict}"


def described(run: StoryRun) -> str:
    """The same account in words: each moment with its time and its place."""
    said = [f"{span(moment.at)}, {way(moment)}: {spoken(moment)}" for moment in run.moments]
    heard = f" The caller was told: {told(run)}." if run.told else ""
    return f"{'. '.join(said)}. Landed {run.landed} of {run.meant} meant.{heard}"


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
        f"M{_n(label.x)} {_n(label.y - 4)}h{_n(label.width)}"
        for row in picture.rows
        if row.shape != "clock"
        for label in row.labels
        if any(label.x - 2 < at + reach < label.x + label.width + 2 for at in LANE_AT.values() for reach in (0, 6))
    )
    if path:
        yield f'<path class="ground" d="{path}"/>'


def _bands(rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows:
        if row.shape == "clock":
            top, bottom = row.top, row.bottom
            slashes = "".join(f"M{_n(at - 4)} {_n(y + 2)}l8-4" for y in (top, bottom) for at in LANE_AT.values())
            yield (
                f'<rect class="gap" x="{_n(LEFT)}" y="{_n(top)}" width="{_n(RIGHT - LEFT)}" '
                f'height="{_n(bottom - top)}"/><path class="break" d="{slashes}"/>'
            )


def _shapes(rows: tuple[Row, ...]) -> Iterator[str]:
    """All lines of one look as one path, then what is filled."""
    paths = {"way": "", "back": "", "way bad": "", "back bad": "", "fault": "", "killed": "", "person": "", "dot": ""}
    boxes: list[str] = []
    for row in rows:
        if row.moment is None or row.shape == "clock":
            continue
        for look, path in _lines(row, row.moment):
            paths[look] += path
        if row.count is not None:
            boxes.append(_box(row, row.count))
    yield from (f'<path class="{look}" d="{path}"/>' for look, path in paths.items() if path)
    yield from boxes


def _lines(row: Row, moment: Moment) -> Iterator[tuple[str, str]]:
    """The strokes of a row, each with its look."""
    here, y = LANE_AT[moment.lane], row.y
    there = LANE_AT[moment.to or moment.lane]
    side = 1 if there > here else -1
    bad = " bad" if moment.bad else ""
    if there != here:
        reply = moment.kind in _REPLIES
        clear = 11 if row.count or row.shape == "person" else 2
        # An arrow that is lost breaks off on its way, where the lightning strikes.
        end = _strike(here, there) - side * _STRAY if row.shape == "lost" else there - side * clear
        yield ("back" if reply else "way") + bad, f"M{_n(here)} {_n(y)}H{_n(end)}"
        if row.shape != "lost":
            yield "way" + bad, f"M{_n(end - 5 * side)} {_n(y - 3.5)}l{_n(5 * side)} 3.5l{_n(-5 * side)} 3.5"
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


def _box(row: Row, count: Label) -> str:
    x, wide, y = count.x - 5, count.width + 10, row.y - 8
    frame = f'<rect class="landed" x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="16"/>'
    if not row.bad:
        return frame
    return frame + f'<rect class="twice" x="{_n(x - 3)}" y="{_n(y - 3)}" width="{_n(wide + 6)}" height="22"/>'


def _words(picture: Picture) -> Iterator[str]:
    yield from (_label(label, "head") for label in picture.heads)
    for row in picture.rows:
        if row.time is not None:
            yield _label(row.time, "at")
        if row.count is not None:
            yield _label(row.count, "count bad" if row.bad else "count")
        look = "bad" if row.bad else "jump" if row.shape == "clock" else ""
        detail = row.moment.detail if row.moment is not None else ""
        for label in row.labels:
            yield _label(label, look, detail)
    yield from (_label(label, "foot") for label in picture.feet)


def _label(label: Label, look: str = "", detail: str = "") -> str:
    plain = all(sign.isascii() for sign in label.text)
    # Letters of other fonts may be wider than a cell: they are pressed into the box that was kept for them.
    pressed = "" if plain else f' textLength="{_n(label.width)}" lengthAdjust="spacingAndGlyphs"'
    more = f"<title>{_text(detail)}</title>" if detail else ""
    kind = f' class="{look}"' if look else ""
    return f'<text{kind} x="{_n(label.x)}" y="{_n(label.y)}"{pressed}>{_text(label.text)}{more}</text>'


def _text(text: str) -> str:
    """Escaped for XML; what no XML may hold replaced."""
    clean = "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)
    return escape(clean, quote=True)


def _n(number: float) -> str:
    """A length, to a tenth."""
    return f"{number:.1f}".removesuffix(".0")
