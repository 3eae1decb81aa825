"""How things look: the themes, and a sign and a word for each mark, so that colour is never the only sign."""

from __future__ import annotations

from textual.theme import Theme

from wizard.session.fields import Part
from wizard.session.state import Mark

THEMES = (
    Theme(
        name="dark", primary="#7aa2f7", secondary="#4c6a8f", accent="#e0af68", warning="#e0af68", error="#f7768e",
        success="#9ece6a", foreground="#d5d9e8", background="#15171e", surface="#1b1e27", panel="#262a36", dark=True,
        variables={"muted": "#939bb2", "cursor": "#4c6a8f", "cursor-text": "#ffffff"},
    ),
    Theme(
        name="light", primary="#1f5fbf", secondary="#7c93b2", accent="#8a5a00", warning="#8a5a00", error="#b3261e",
        success="#2e6b12", foreground="#1d222b", background="#fbfbf8", surface="#f1f1ec", panel="#e2e2da", dark=False,
        variables={"muted": "#5c6370", "cursor": "#1f5fbf", "cursor-text": "#ffffff"},
    ),
    Theme(
        name="high contrast", primary="#ffff00", secondary="#ffffff", accent="#00ffff", warning="#ffff00",
        error="#ff8080", success="#80ff80", foreground="#ffffff", background="#000000", surface="#000000",
        panel="#202020", dark=True, text_alpha=1.0,
        variables={"muted": "#e0e0e0", "cursor": "#ffff00", "cursor-text": "#000000"},
    ),
)  # fmt: skip

SIGNS = {
    Mark.PENDING: ("…", "muted"),
    Mark.READ: ("·", "muted"),
    Mark.TO_DO: ("○", "strong"),
    Mark.CONFIRMED: ("◐", "accent"),
    Mark.WRITTEN: ("●", "good"),
    Mark.SKIPPED: ("–", "muted"),
    Mark.NO_WRITE: ("∅", "muted"),
    Mark.CHANGED: ("◑", "warn"),
    Mark.DRIFTED: ("!", "bad"),
}
"""A mark's sign and its look."""

MARKS = {
    Mark.PENDING: "not looked at yet; the proposal is on its way",
    Mark.READ: "changes nothing",
    Mark.TO_DO: "to be decided by you",
    Mark.CONFIRMED: "confirmed, and not written yet",
    Mark.WRITTEN: "confirmed, and so it stands in its skill",
    Mark.SKIPPED: "no skill wanted",
    Mark.NO_WRITE: "you say that it changes nothing",
    Mark.CHANGED: "its skill holds something else than what you confirmed",
    Mark.DRIFTED: "the document changed since the skill was written",
}

BOXES = {
    Part.IN: "[x]",
    Part.OPTIONAL: "[?]",
    Part.WITHIN: "[+]",
    Part.HOLDS: "[-]",
    Part.OUT: "[ ]",
    Part.PATH: " / ",
    Part.HOST: " = ",
}

BOX_WORDS = {
    Part.IN: "part of the identity",
    Part.OPTIONAL: "part of the identity, and a request may lack it",
    Part.WITHIN: "inside a field of the identity",
    Part.HOLDS: "holds a field of the identity",
    Part.OUT: "not part of the identity",
    Part.PATH: "in the path, so part of every key",
    Part.HOST: "filled in by the host",
}

CONFIDENCE = {"high": ("high", "good"), "medium": ("medium", "warn"), "low": ("low", "bad")}
