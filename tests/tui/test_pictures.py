"""Pictures of the main screens at fixed sizes, compared by their bytes.

`REWRITE_GOLDEN=1 pytest tests/tui/test_pictures.py` draws them anew; look at them before you keep them. The proposals
are fixed here, so that a picture changes with the screens and not with what is proposed.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from wizard.infer.model import Confidence, Evidence, IdentityProposal, KeyProposal, Proposal
from wizard.spec.model import ApiDocument, ApiOperation
from wizard.tui.picture import picture

HERE = Path(__file__).parent / "pictures"
REWRITE = bool(os.environ.get("REWRITE_GOLDEN"))


def proposed(document: ApiDocument, operation: ApiOperation, shared: dict[str, Any]) -> Proposal:
    """A proposal that stays as it is, whatever the detectors learn."""
    if operation.method == "GET" or "search" in operation.path:
        return Proposal(operation=operation, write=False, kind="read", why="Reads and changes nothing.")
    required = [field for field in operation.fields if field.always and not field.composite]
    names = tuple(field.path for field in required if field.path not in ("idempotency_key", "description"))
    evidence = tuple(Evidence("required in the request body", field.required_at) for field in required)
    key = None
    if any(field.path == "idempotency_key" for field in operation.fields):
        at = next(field.pointer for field in operation.fields if field.path == "idempotency_key")
        key = KeyProposal(
            place="field", name="idempotency_key", remembers_for="24h", confidence=Confidence.HIGH, required=True,
            why="Its name says so.", evidence=(Evidence("its name says that it is an idempotency key", at),),
        )  # fmt: skip
    return Proposal(
        operation=operation, write=True, kind="create" if operation.method == "POST" else "update", key=key,
        identity=IdentityProposal(
            fields=names, confidence=Confidence.HIGH if names else Confidence.LOW, evidence=evidence,
            why="What must be there tells two apart." if names else "",
            left_out={"description": "free text", "notes": "free text"},
        ),
        why="It makes something.",
    )  # fmt: skip


SCREENS: dict[str, tuple[tuple[int, int], list[str]]] = {
    "list-80x24": ((80, 24), []),
    "list-160x48": ((160, 48), ["down", "down", "down", "down", "s", "up", "c", "enter"]),
    "list-light": ((80, 24), ["ctrl+t"]),
    "list-high-contrast": ((80, 24), ["ctrl+t", "ctrl+t"]),
    "search-80x24": ((80, 24), ["slash", *"bookings"]),
    "operation-80x24": ((80, 24), ["slash", *"charges", "enter", "enter", "down"]),
    "operation-160x48": ((160, 48), ["slash", *"charges", "enter", "enter", "4"]),
    "preview-80x24": ((80, 24), ["slash", *"charges", "enter", "enter", "p"]),
    "confirm-80x24": ((80, 24), ["slash", *"charges", "enter", "c"]),
    "help-80x24": ((80, 24), ["question_mark"]),
    "key-form-80x24": ((80, 24), ["slash", *"charges", "enter", "enter", "k"]),
    "probe-80x24": ((80, 24), ["slash", *"charges", "enter", "enter", "P"]),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_looks_as_it_did(sit, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    size, keys = SCREENS[name]
    monkeypatch.setattr("wizard.tui.reading.propose_operation", proposed)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = []

    async def journey(wizard) -> None:
        for key in keys:
            await wizard.press(key)
        wizard.app.clear_notifications()
        for field in wizard.app.screen.query("Input"):
            field.cursor_blink = False
        await wizard.settled()
        drawn.append(picture(wizard.app))

    sit(journey, size=size)
    file = HERE / f"{name}.svg"
    if REWRITE:
        HERE.mkdir(exist_ok=True)
        file.write_text(drawn[0], encoding="utf-8")
    assert drawn[0] == file.read_text(encoding="utf-8")


def test_the_pictures_are_of_these_screens() -> None:
    assert {file.stem for file in HERE.glob("*.svg")} == set(SCREENS)
