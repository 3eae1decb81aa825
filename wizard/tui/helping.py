"""Help for what is on the screen: what it is, its signs, and every key that does something now."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from wizard.tui.lines import Line, Maker, heading, wrapped
from wizard.tui.look import BOX_WORDS, BOXES, MARKS, SIGNS


def help_lines(screen: Screen[Any]) -> Maker:
    """The help of a screen."""
    about = str(getattr(screen, "HELP", ""))
    name = type(screen).__name__
    keys: dict[str, tuple[list[str], str]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        said = str(binding.tooltip or "")
        if said and active.enabled:
            keys.setdefault(binding.action, ([], said))[0].append(screen.app.get_key_display(binding))

    def lines(width: int) -> list[Line]:
        found = [Line.of(part) for part in wrapped(about, width)]
        found += [Line(), heading("KEYS")]
        found.append(Line((("arrows        ", "accent"), ("move; page up, page down, home and end, too", ""))))
        found.append(Line((("tab           ", "accent"), ("goes to the next part of the screen", ""))))
        found.append(Line((("ctrl+p        ", "accent"), ("every action by its name", ""))))
        for shown, said in keys.values():
            label = " ".join(dict.fromkeys(shown))
            for index, part in enumerate(wrapped(said, max(width - 14, 10))):
                found.append(Line(((f"{label if not index else '':12}  ", "accent"), (part, ""))))
        if name == "OperationsScreen":
            found += [Line(), heading("SIGNS")]
            found += [
                Line(((f"{SIGNS[mark][0]} {mark:14}", SIGNS[mark][1]), (said, ""))) for mark, said in MARKS.items()
            ]
            found += [
                Line(),
                heading("LEVELS"),
                Line((("keyed        ", "good"), ("the recipient takes a key: it makes repeats one itself", ""))),
                Line((("cached       ", ""), ("it takes none: the host answers repeats from its record", ""))),
                Line((("repeatable   ", "good"), ("it only replaces: sent twice it leaves what one leaves", ""))),
                Line(
                    (("call only    ", "warn"), ("nothing tells two apart: only a replay of one call is covered", ""))
                ),
            ]
        if name == "OperationScreen":
            found += [Line(), heading("BOXES")]
            found += [Line(((f"{BOXES[part]}  ", "accent"), (said, ""))) for part, said in BOX_WORDS.items()]
        return found

    return lines
