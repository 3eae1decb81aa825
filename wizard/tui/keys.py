"""The line at the foot of a screen: the keys that do something now. It is one widget however many keys there are, so
that a screen opens at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.screen import Screen

_LAST = frozenset({"app.help", "help", "app.leave", "leave"})
"""Actions that stay where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A key with what it does."""

    key: str
    label: str
    says: str
    about: str
    action: str
    enabled: bool = True

    def text(self, tight: bool) -> tuple[str, str]:
        """The key and what it does, with the space around them."""
        return f" {self.label} ", self.says if tight else f"{self.says} "

    def width(self, tight: bool) -> int:
        return sum(map(cell_len, self.text(tight)))


def fitting(found: list[Shown], width: int) -> tuple[list[Shown], bool]:
    """Those for which there is room, in their order: help and the way out first, then from the left; and whether they
    stand close together."""
    tight = sum(one.width(False) for one in found) > width
    room = width - sum(one.width(tight) for one in found if one.action in _LAST)
    kept = []
    full = False
    for one in found:
        if one.action in _LAST:
            kept.append(one)
            continue
        full = full or one.width(tight) > room
        if not full:
            room -= one.width(tight)
            kept.append(one)
    return kept, tight


class Keys(Widget):
    """The keys of the screen that it stands on; a click presses one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"keys--key", "keys--off"}
    DEFAULT_CSS = """
    Keys {
        dock: bottom;
        height: 1;
        color: $footer-foreground;
        background: $footer-background;
        & > .keys--key { color: $footer-key-foreground; text-style: bold; }
        & > .keys--off { color: $muted; text-style: dim; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Shown] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self._changed(self.screen)

    def _changed(self, screen: Screen[Any]) -> None:
        if screen is not self.screen or not self.is_attached:
            return
        found: dict[str, Shown] = {}
        foot: tuple[str, ...] = getattr(screen, "FOOT", ())
        for key, active in screen.active_bindings.items():
            binding = active.binding
            if key == "enter" and getattr(screen, "SUBMITS", False):
                # The line that is filled in hands it on to the screen.
                binding = screen._bindings.key_to_bindings[key][0]
            named = binding.action in foot or not (foot and active.node is screen)
            if named and binding.show and binding.description and binding.action not in found:
                found[binding.action] = Shown(
                    binding.key, self.app.get_key_display(binding), binding.description,
                    active.tooltip or binding.tooltip, binding.action, active.enabled,
                )  # fmt: skip
        ordered = sorted(found.values(), key=lambda one: foot.index(one.action) if one.action in foot else len(foot))
        if ordered != self.found:
            self.found = ordered
            self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        segments = []
        shown, tight = fitting(self.found, self.size.width)
        for one in shown:
            said = base if one.enabled else base + self.get_component_rich_style("keys--off", partial=True)
            key = said + self.get_component_rich_style("keys--key", partial=True) if one.enabled else said
            label, says = one.text(tight)
            segments += [Segment(label, key), Segment(says, said)]
        return Strip(segments).crop_extend(0, self.size.width, base)

    def at(self, x: int) -> Shown | None:
        """What stands in a column."""
        shown, tight = fitting(self.found, self.size.width)
        for one in shown:
            if 0 <= x < one.width(tight):
                return one
            x -= one.width(tight)
        return None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        one = self.at(event.x)
        self.tooltip = (one.about or one.says) if one is not None else None

    def on_click(self, event: events.Click) -> None:
        one = self.at(event.x)
        if one is not None and one.enabled:
            self.app.simulate_key(one.key)
