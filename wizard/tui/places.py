"""Places of the document: evidence and fields with the lines around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from wizard.infer.model import Evidence
from wizard.session.fields import FieldRow
from wizard.spec.model import ApiDocument
from wizard.tui.lines import Line, Maker, wrapped

if TYPE_CHECKING:
    from wizard.tui.app import WizardApp

_AROUND = 14
_MOST = 120


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The document around a place."""

    at: str
    """A pointer, or the address of a page."""
    place: str = ""
    """File, line and column; empty where it stands on a page and not in the document."""
    lines: tuple[str, ...] = ()
    first: int = 0
    """The number of the first line; 0 where the lines are none of the file's."""
    here: int = 0
    """The number of the line that is meant."""


def excerpt(document: ApiDocument, at: str) -> Excerpt:
    """The document around a pointer; of what stands at an address only the address. It may read a large file."""
    if "#" not in at:
        return Excerpt(at)
    place = document.place(at)
    if place.position is not None and Path(place.name).is_file():
        here = place.position.line
        first = max(here - 4, 1)
        with open(place.name, encoding="utf-8", errors="replace") as file:
            lines = [line.rstrip("\n")[: _MOST * 2].expandtabs(2) for line in islice(file, first - 1, here + _AROUND)]
        return Excerpt(at, str(place), tuple(lines), first, here)
    import json

    shown = json.dumps(document.resolve(at), ensure_ascii=False, indent=2, default=str).splitlines()
    return Excerpt(at, str(place), (*shown[:_MOST], *(["…"] if len(shown) > _MOST else [])))


def excerpt_lines(found: Excerpt, width: int) -> list[Line]:
    """An excerpt with its place, for a width."""
    if not found.place:
        said = Line.of("It stands on this page, not in the document.", "muted")
        return [*(Line.of(part, "accent") for part in wrapped(found.at, width)), Line(), said]
    lines = [Line.of(found.place, "accent"), *(Line.of(part, "muted") for part in wrapped(found.at, width)), Line()]
    for number, text in enumerate(found.lines, found.first):
        if not found.first:
            lines.append(Line.of(text))
            continue
        here = number == found.here
        sign = (f"{'▸' if here else ' '}{number:6} ", "accent" if here else "muted")
        lines.append(Line((sign, (text, "strong" if here else ""))))
    return lines


def show_place(app: WizardApp, evidence: Sequence[Evidence], why: str = "") -> None:
    """Each piece of evidence with its place in the document."""
    session = app.session
    if session is None:
        return
    document = session.document

    def look_up() -> Maker:
        excerpts = [(one.says, excerpt(document, one.at)) for one in evidence]

        def lines(width: int) -> list[Line]:
            found = [Line.of(part) for part in wrapped(why, width)] if why else []
            for says, one in excerpts:
                found += [Line(), *(Line.of(part, "strong") for part in wrapped(says, width))]
                found += excerpt_lines(one, width)
            return found or [Line.of("There is no more to show of it.", "muted")]

        return lines

    app.tell_later("Where it stands", look_up)


def show_field(app: WizardApp, row: FieldRow) -> None:
    """A field with all that the document says of it."""
    session = app.session
    if session is None:
        return
    document = session.document

    def look_up() -> Maker:
        found = excerpt(document, row.pointer) if row.pointer else None

        def lines(width: int) -> list[Line]:
            about = [Line.of(part) for text in (row.meaning, row.why) if text for part in wrapped(text, width)]
            if found is None:
                return about or [Line.of("The document does not show it.", "muted")]
            return [*about, Line(), *excerpt_lines(found, width)]

        return lines

    app.tell_later(row.path, look_up)
