"""A list of lines that draws only what is to be seen, so that a thousand operations cost no more than twenty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

LOOKS = ("muted", "strong", "good", "warn", "bad", "accent", "heading", "added", "removed")

Piece = tuple[str, str]
"""A text and its looks (names of LOOKS, parted by spaces)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line. Only a line with a key can be stepped on."""

    pieces: tuple[Piece, ...] = ()
    key: str = ""

    @classmethod
    def of(cls, text: str, look: str = "", key: str = "") -> Line:
        return cls(((text, look),), key)

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


def column(text: str, width: int) -> str:
    """The text cut, with an ellipsis, or filled up to a number of cells."""
    if cell_len(text) > width:
        return set_cell_size(text, max(width - 1, 0)) + ("…" if width else "")
    return set_cell_size(text, width)


def middle(text: str, width: int) -> str:
    """The text cut in its middle, or filled up to a number of cells: the end of a path tells it from its neighbours."""
    if cell_len(text) <= width or width < 8:
        return column(text, width)
    head = (width - 1) // 3
    return column(f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}", width)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, broken between words where there are any."""
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        indent = paragraph[: len(paragraph) - len(paragraph.lstrip(" "))]
        indent = indent if len(indent) < width // 2 else ""
        current = indent
        for word in paragraph.lstrip(" ").split(" "):
            longer = f"{current} {word}" if current != indent else indent + word
            if cell_len(longer) <= width or current == indent:
                current = longer
            else:
                lines.append(current)
                current = indent + word
            while cell_len(current) > width > 0:
                head = set_cell_size(current, width)
                lines.append(head)
                current = current[len(head.rstrip()) :]
        lines.append(current)
    return lines


Maker = Callable[[int], Sequence[Line]]
"""Gives the lines for a width in cells."""


class LineList(ScrollView, can_focus=True):
    """Lines with a cursor on those that have a key; without any it is a text to scroll."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"line--{look}" for look in LOOKS} | {"line--cursor"}
    DEFAULT_CSS = """
    LineList {
        background: $background;
        scrollbar-size-vertical: 1;
        /* Always there, and seen where it is of use: what comes and goes is laid out anew each time. */
        overflow: hidden scroll;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
        & > .line--muted { color: $muted; }
        & > .line--strong { text-style: bold; }
        & > .line--good { color: $text-success; }
        & > .line--warn { color: $text-warning; }
        & > .line--bad { color: $text-error; text-style: bold; }
        & > .line--accent { color: $text-accent; }
        & > .line--heading { color: $text-primary; text-style: bold; }
        & > .line--added { color: $text-success; }
        & > .line--removed { color: $text-error; }
        & > .line--cursor { background: $panel; }
        &:focus > .line--cursor { background: $cursor; color: $cursor-text; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1)", "Up", show=False),
        Binding("down", "step(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "edge(-1)", "First", show=False),
        Binding("end", "edge(1)", "Last", show=False),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands on another line."""

        list: LineList
        key: str

        @property
        def control(self) -> Widget:
            return self.list

    @dataclass
    class Chosen(Message):
        """A line was clicked that the cursor stood on already."""

        list: LineList
        key: str

        @property
        def control(self) -> Widget:
            return self.list

    @dataclass
    class Kept:
        """What was drawn last, for the next time."""

        width: int = -1
        lines: Sequence[Line] = field(default_factory=tuple)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._maker: Maker = lambda width: ()
        self._kept = LineList.Kept()
        self._places: dict[str, int] = {}
        self.cursor = ""

    # What is shown

    def show(self, maker: Maker, *, cursor: str | None = None, top: bool = False, width: int = 0) -> None:
        """Shows other lines. The cursor stays on its key, or goes to the nearest line that has one.

        `width` is what the list will be wide, in cells, where it is not laid out yet: then it is laid out only once.
        """
        at = self._places.get(self.cursor, 0)
        self._maker = maker
        if cursor is not None:
            self.cursor = cursor
        if self.size.width or width:
            self._make(at, self.size.width or width)
        if top:
            self.scroll_to(y=0, animate=False)

    def _make(self, at: int, width: int) -> None:
        lines = self._maker(width - 1)
        self._kept = LineList.Kept(width, lines)
        self._places = {line.key: index for index, line in enumerate(lines) if line.key}
        if self.cursor not in self._places:
            self._land(at)
        self.virtual_size = Size(width, len(lines))
        self.refresh()

    def _land(self, at: int) -> None:
        """Puts the cursor on the line with a key that is nearest to an index."""
        if not self._places:
            self.cursor = ""
            return
        self.cursor = min(self._places, key=lambda key: (abs(self._places[key] - at), self._places[key]))
        if self.is_attached:
            self.call_after_refresh(self.reveal)
            self.post_message(self.Moved(self, self.cursor))

    @property
    def lines(self) -> Sequence[Line]:
        return self._kept.lines

    def on_resize(self, event: events.Resize) -> None:
        if self.size.width != self._kept.width:
            self._make(self._places.get(self.cursor, 0), max(self.size.width, 1))
            self.call_after_refresh(self.reveal)

    # The cursor

    def move_to(self, key: str) -> None:
        """Puts the cursor on a line."""
        if key not in self._places or key == self.cursor:
            return
        before = self._places.get(self.cursor)
        self.cursor = key
        for index in (before, self._places[key]):
            if index is not None:
                self.refresh_lines(index - self.scroll_offset.y, 1)
        self.reveal()
        self.post_message(self.Moved(self, key))

    def refresh_lines(self, y_start: int, line_count: int = 1) -> None:
        self.refresh(Region(0, y_start, self.size.width, line_count))

    def reveal(self) -> None:
        """Scrolls the cursor's line into sight, all that stands above it where there is room."""
        index = self._places.get(self.cursor)
        if index is None:
            return
        top = index < self.size.height
        region = Region(0, 0 if top else index, 1, index + 1 if top else 1)
        self.scroll_to_region(region, animate=False, force=True)

    def _keys(self) -> list[str]:
        return list(self._places)

    def action_step(self, by: int) -> None:
        keys = self._keys()
        if not keys:
            self.scroll_relative(y=by, animate=False)
            return
        at = keys.index(self.cursor) + by if self.cursor in keys else 0
        if 0 <= at < len(keys):
            self.move_to(keys[at])
        elif at < 0:
            self.scroll_to(y=0, animate=False)
        else:
            self.scroll_end(animate=False)

    def action_page(self, by: int) -> None:
        keys = self._keys()
        page = max(self.size.height - 2, 1)
        if not keys:
            self.scroll_relative(y=by * page, animate=False)
            return
        wanted = self._places.get(self.cursor, 0) + by * page
        self.move_to(min(keys, key=lambda key: abs(self._places[key] - wanted)))

    def action_edge(self, side: int) -> None:
        keys = self._keys()
        if keys:
            self.move_to(keys[0 if side < 0 else -1])
        elif side < 0:
            self.scroll_home(animate=False)
        else:
            self.scroll_end(animate=False)

    def on_click(self, event: events.Click) -> None:
        index = event.y + self.scroll_offset.y
        if 0 <= index < len(self.lines) and (key := self.lines[index].key):
            if key == self.cursor and self.has_focus:
                self.post_message(self.Chosen(self, key))
            self.move_to(key)

    # Drawing

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        width = self.size.width
        base = self.rich_style
        if not 0 <= index < len(self.lines):
            return Strip.blank(width, base)
        line = self.lines[index]
        here = bool(line.key) and line.key == self.cursor
        over = self.get_component_rich_style("line--cursor", partial=True) if here else Style.null()
        base = base + over
        segments: list[Segment] = []
        if self._places:
            segments.append(Segment("▸" if here else " ", base))
        for text, looks in line.pieces:
            style = base
            for look in looks.split():
                style = style + self.get_component_rich_style(f"line--{look}", partial=True)
            if here and self.has_focus:
                # One colour on the cursor's ground, so that each word stays readable there.
                style = base + Style(bold=style.bold)
            segments.append(Segment(text, style))
        return Strip(segments).crop_extend(0, width, base)


class OneLine(LineList, can_focus=False):
    """One line in the looks of the lists, drawn with the colours of the moment."""

    DEFAULT_CSS = """
    OneLine { height: 1; scrollbar-size: 0 0; overflow: hidden; }
    """

    def tell(self, pieces: Iterable[Piece]) -> None:
        """Shows other pieces."""
        line = Line(tuple(pieces))
        self.show(lambda width: (line,))


def heading(text: str, more: Iterable[Piece] = ()) -> Line:
    """A line above others."""
    return Line(((text, "heading"), *more))


def saying(text: str, look: str = "") -> Maker:
    """A text as lines, in one look."""
    return lambda width: [Line.of(part, look) for part in wrapped(text, width)]
