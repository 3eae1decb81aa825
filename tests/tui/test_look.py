"""Every text of every theme can be read on its ground."""

import pytest
from textual.color import Color
from textual.theme import Theme

from wizard.tui.look import THEMES

PAIRS = [
    ("foreground", "background"), ("foreground", "panel"), ("muted", "background"), ("muted", "surface"),
    ("muted", "panel"), ("accent", "panel"), ("cursor-text", "cursor"),
]  # fmt: skip


def colour(theme: Theme, name: str) -> Color:
    return Color.parse(theme.variables.get(name) or getattr(theme, name))


def light(colour: Color) -> float:
    """The relative luminance of WCAG 2."""
    parts = (value / 255 for value in colour.rgb)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_a_text_can_be_read(theme: Theme, text: str, ground: str) -> None:
    wanted = 7 if theme.name == "high contrast" else 4.5
    assert contrast(colour(theme, text), colour(theme, ground)) >= wanted


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_line_under_the_cursor_stands_out(theme: Theme) -> None:
    assert contrast(colour(theme, "cursor"), colour(theme, "background")) >= 1.9
