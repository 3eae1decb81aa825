"""The loop as a picture of letters, with the names that the code has: `docs/loop.md` holds it, and a test compares."""

from __future__ import annotations

from wizard.host.runs import CRASHED, PAUSES, Mark, Reason, RunState

WIDTH = 24


def _box(text: str) -> list[str]:
    return [f"+{'-' * WIDTH}+", f"|{text.center(WIDTH)}|", f"+{'-' * WIDTH}+"]


def _beside(left: list[str], joint: str, right: list[str]) -> list[str]:
    middle = len(left) // 2
    pad = " " * len(joint)
    return [
        f"{one}{joint if index == middle else pad}{other}"
        for index, (one, other) in enumerate(zip(left, right, strict=True))
    ]


def _arrow(word: str) -> str:
    return f"  {f'-- {word} '.ljust(13, '-')}>  "


def diagram() -> str:
    """The loop, its checkpoint, its exits, and the edge from a crash back into it."""
    down = [" " * (WIDTH // 2) + "|", " " * (WIDTH // 2) + "v"]
    lines = [
        *_beside(_box(RunState.RUNNING), "  <- resume -----  ", _box(f"{CRASHED} (lease dead)")),
        *down,
        *_beside(_box("record completed?"), _arrow("yes"), _box(f"{Mark.REPLAYED}, free")),
        *down,
        *_beside(_box("within the cap?"), _arrow("no"), _box(RunState.HALTED)),
        *down,
        *_beside(_box("authorised?"), _arrow("no"), _box(RunState.PAUSED_FOR_APPROVAL)),
        *down,
        *_beside(_box("claim, send, settle"), _arrow("not seen"), _box(RunState.PAUSED_FOR_APPROVAL)),
        *down,
        *_beside(_box(f"{Mark.CHECKPOINT}: index + 1"), _arrow("last"), _box(RunState.COMPLETED)),
        *down,
        "    the next step, from the top",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def reasons() -> str:
    """The reasons of each end, as a table."""
    lines = ["| ends as | with one of these reasons |", "|---|---|"]
    paused = [f"`{reason}`" for reason in Reason if reason in PAUSES]
    halted = [f"`{reason}`" for reason in Reason if reason not in PAUSES]
    lines += [
        f"| {RunState.PAUSED_FOR_APPROVAL} | {', '.join(paused)} |",
        f"| {RunState.HALTED} | {', '.join(halted)} |",
    ]
    return "\n".join([*lines, f"| {RunState.COMPLETED} | none |"]) + "\n"
