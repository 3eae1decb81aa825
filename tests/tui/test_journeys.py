"""Whole ways through the wizard, as somebody goes them with the keyboard or the mouse."""

import json
import os
import threading
from pathlib import Path

import pytest

from wizard.session.state import Mark
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.tui.screens.telling import Telling
from wizard.tui.screens.writing import Putting

BOOKING, CHARGE, SEARCH = "POST /bookings", "POST /charges", "POST /availability/search"
HOTEL = Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml"


def declared(file: Path):
    return parse_skill(Source(file.name, file.read_text(encoding="utf-8"))).operation


def skill(sit, name: str):
    return declared(sit.out / "hollowbrook" / "operations" / f"{name}.md")


async def open_by_search(wizard, words: str) -> None:
    await wizard.press("slash")
    await wizard.type(words)
    await wizard.press("enter", "enter")


def test_the_first_skill_takes_six_keys(sit) -> None:
    async def journey(wizard) -> None:
        keys = ["down", "enter", "c", "enter", "w", "enter"]
        assert len(keys) == 6
        await wizard.press(*keys)
        assert wizard.session["POST /guests"].mark is Mark.WRITTEN
        assert "--confirm createGuest" in " ".join(wizard.text().split())

    sit(journey)
    assert [str(path) for path in skill(sit, "create-guest").identity] == ["name", "email"]
    assert skill(sit, "create-guest").confirmed


def test_the_booking_and_the_charge_at_80_by_24(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        assert "A booking is its room, guest name, arrival and departure" in wizard.text()
        await wizard.press("c")
        assert "What could go wrong" in wizard.text()
        assert "Two bookings with the same room_id" in wizard.text()
        await wizard.press("enter", "escape", "escape")
        await open_by_search(wizard, "charges")
        assert "idempotency_key" in wizard.text()
        await wizard.press("c", "enter", "w")
        assert "All 2 that are decided" in wizard.text()
        await wizard.press("down", "enter")
        assert "create-booking.md" in wizard.text()
        await wizard.press("enter", "escape")

    sit(journey, size=(80, 24))
    booking, charge = skill(sit, "create-booking"), skill(sit, "charge-payment-account")
    assert [str(path) for path in booking.identity] == ["room_id", "guest_name", "arrival", "departure"]
    assert [str(path) for path in charge.identity] == ["booking_id", "amount_pence"]
    assert charge.key is not None
    assert (charge.key.place, charge.key.name) == ("field", "idempotency_key")
    assert booking.confirmed
    assert charge.confirmed


def test_after_one_is_written_w_writes_what_else_waits(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("c", "enter", "escape", "escape")
        await open_by_search(wizard, "charges")
        await wizard.press("c", "enter", "w", "enter", "enter", "escape")
        assert wizard.session[CHARGE].mark is Mark.WRITTEN
        assert wizard.session[BOOKING].unwritten
        await wizard.press("w")
        assert "create-booking.md" in wizard.text()
        await wizard.press("enter")
        assert not wizard.session.unwritten

    sit(journey, size=(80, 24))
    assert skill(sit, "create-booking").confirmed


def test_an_identity_is_corrected_and_taken_back(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "charges")
        await wizard.press("down", "down", "space")
        assert "you put it in" in wizard.text()
        assert "identity: [booking_id, amount_pence, description]" in wizard.lines("#text")
        await wizard.press("u")
        assert not wizard.session[CHARGE].edited
        await wizard.press("U")
        assert wizard.session[CHARGE].edited
        await wizard.press("o")
        assert "'description?'" in wizard.lines("#text")
        await wizard.press("d")
        assert not wizard.session[CHARGE].edited

    sit(journey, size=(160, 48))


def test_a_key_from_the_vendors_page(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("k")
        await wizard.type("Once-Only")
        await wizard.press("enter")
        assert "Say who promises it" in wizard.text()
        await wizard.press("tab")
        await wizard.type("https://hollowbrook.example/keys")
        await wizard.press("tab")
        await wizard.type("2 days")
        await wizard.press("enter")
        assert "whole number" in str(wizard.app.screen.query_one(".problem").content)
        await wizard.press(*["backspace"] * 6)
        await wizard.type("2d")
        await wizard.press("enter")
        assert wizard.session[BOOKING].level == "keyed"
        assert "header Once-Only" in wizard.lines("#sheet")
        assert "https://hollowbrook.example/keys" in wizard.lines("#sheet")
        await wizard.press("c", "enter", "w")
        await wizard.write()

    sit(journey, size=(160, 48))
    key = skill(sit, "create-booking").key
    assert (key.place, key.name, str(key.remembered_for)) == ("header", "Once-Only", "2d")
    assert "https://hollowbrook.example/keys" in (sit.out / "skill-wizard.lock.json").read_text(encoding="utf-8")


def test_the_key_follows_the_example_values(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "charges")
        await wizard.press("4")
        assert "= the same write" in wizard.text()
        wizard.app.screen.beside.take_focus()
        await wizard.pilot.pause()
        await wizard.press("end")
        await wizard.type("9")
        assert "≠ another write" in wizard.text()
        await wizard.press("backspace")
        assert "= the same write" in wizard.text()
        await wizard.press("tab", "tab")
        await wizard.type("and a tea")
        assert "= the same write" in wizard.text()

    sit(journey, size=(160, 48))


def test_the_next_day_all_is_as_it_was(sit) -> None:
    async def first(wizard) -> None:
        await wizard.press("c", "enter", "down", "s", "down", "x")
        await wizard.press("w")
        await wizard.write()
        await wizard.press("down", "c", "enter")
        assert [entry.name for entry in wizard.session.unwritten] == ["POST /guests/{guest_id}/messages"]
        await wizard.press("q")
        assert "Leave without writing?" in wizard.text()
        assert "POST /guests/{guest_id}/messages" in wizard.text()
        await wizard.press("l")

    async def second(wizard) -> None:
        marks = [entry.mark for entry in wizard.session if entry.mark not in (Mark.READ, Mark.TO_DO)]
        assert marks == [Mark.WRITTEN, Mark.SKIPPED, Mark.NO_WRITE, Mark.CONFIRMED]
        assert "1 decision of last time" in wizard.text()

    sit(first)
    sit(second)


def test_a_crash_loses_nothing(sit) -> None:
    async def first(wizard) -> None:
        await wizard.press("c", "enter")
        await wizard.pilot.pause(0.5)
        assert wizard.app.desk.drafts_file(wizard.session.document.source).exists()

    async def second(wizard) -> None:
        assert wizard.session["PUT /rooms/{room_id}/state"].mark is Mark.CONFIRMED

    sit(first)
    sit(second)


def test_the_document_changed(sit, tmp_path: Path) -> None:
    document = tmp_path / "hotel.yaml"
    text = HOTEL.read_text(encoding="utf-8")
    document.write_text(text, encoding="utf-8")

    async def first(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("c", "enter", "w")
        await wizard.write()

    async def second(wizard) -> None:
        assert wizard.session[BOOKING].mark is Mark.DRIFTED
        await wizard.press("n", "n", "n", "n", "n")
        await open_by_search(wizard, "post bookings book a room")
        assert "THE DOCUMENT CHANGED" in wizard.text()
        assert "`departure` is optional in the document now" in wizard.text()
        for _ in range(3):
            await wizard.press("down")
        await wizard.press("o")
        await wizard.press("c", "enter", "w")
        await wizard.write()
        assert wizard.session[BOOKING].mark is Mark.WRITTEN

    sit(first, document=str(document))
    old = "required: [room_id, guest_name, arrival, departure]"
    document.write_text(text.replace(old, old.replace(", departure", "")), encoding="utf-8")
    sit(second, document=str(document))
    assert [str(path) for path in skill(sit, "create-booking").identity][-1] == "departure?"


def test_all_of_high_confidence_after_a_look(sit) -> None:
    async def journey(wizard) -> None:
        await wizard.press("H")
        assert "of high confidence?" in wizard.text()
        await wizard.press("space", "enter")
        confirmed = [entry.name for entry in wizard.session if entry.mark is Mark.CONFIRMED]
        assert "POST /guests" not in confirmed
        assert confirmed
        await wizard.press("u")
        assert wizard.session.unwritten == ()

    sit(journey)


def test_a_read_that_writes_and_a_write_that_reads(sit) -> None:
    async def journey(wizard) -> None:
        assert "/availability/search" not in wizard.lines("#operations")
        await wizard.press("r")
        await wizard.press("slash")
        await wizard.type("availability")
        await wizard.press("enter", "x")
        assert wizard.session[SEARCH].mark is Mark.TO_DO
        await wizard.press("x")
        assert wizard.session[SEARCH].mark is Mark.NO_WRITE
        await wizard.press("u", "u")
        assert wizard.session[SEARCH].mark is Mark.READ

    sit(journey)


def test_a_field_that_the_document_does_not_show(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("a")
        await wizard.type("items[")
        await wizard.press("enter")
        assert "`[` is followed by `]`" in wizard.text()
        await wizard.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
        await wizard.type("channel")
        await wizard.press("enter")
        assert "channel" in wizard.lines("#sheet")
        assert "[room_id, guest_name, arrival, departure, channel]" in wizard.lines("#text")

    sit(journey, size=(160, 48))


def test_the_declaration_and_the_text_are_edited(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("e")
        area = wizard.app.screen.query_one("TextArea")
        area.text = area.text.replace("keep", "kept") + "kept: 2h\n"
        await wizard.press("ctrl+s")
        assert "kept" in wizard.app.screen.query_one(".problem").content
        area.text = area.text.replace("kept: 2h", "keep: 2h")
        await wizard.press("ctrl+s")
        assert str(wizard.session[BOOKING].declaration.keep) == "2h"
        await wizard.press("t")
        area = wizard.app.screen.query_one("TextArea")
        area.text = "Generate a UUID and send it as the Idempotency-Key.\n"
        await wizard.settled()
        await wizard.press("escape")
        assert "Escape again drops" in str(wizard.app.screen.query_one(".problem").content)
        await wizard.press("ctrl+s", "2")
        assert "prose-builds-key" in wizard.lines("#text")

    sit(journey, size=(160, 48))


def test_a_probe_is_made_in_a_form(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        form = wizard.session[BOOKING].declaration.probe
        await wizard.press("P", "down", "down", "down", "space")
        assert "[ ] guest_name" in wizard.lines("#lines")
        assert "✗ the probe does not compare `guest_name`" in wizard.lines("#lines")
        await wizard.press("escape")
        assert "Escape again drops" in wizard.text()
        await wizard.press("space")
        assert "[x] guest_name" in wizard.lines("#lines")
        assert "guest_name    with guest" in wizard.lines("#lines")
        await wizard.press("enter")
        assert "Where a record shows guest_name" in wizard.text()
        await wizard.press("end", "enter")
        await wizard.press(*["backspace"] * 5)
        await wizard.type("guest[")
        await wizard.press("enter")
        assert "is no field name" in str(wizard.app.screen.query_one(".problem").content)
        await wizard.press("backspace", *"_name", "enter")
        await wizard.press("home", "down", "end", "up", "up", "enter")  # pages
        await wizard.press("down", "enter")
        await wizard.press("down", "enter", "down", "enter")  # wait
        await wizard.press("ctrl+s")
        changed = wizard.session[BOOKING].declaration.probe
        assert dict(changed.match)["guest_name"] == "guest_name"
        assert (changed.pages, str(changed.after)) == ("link", "30s")
        assert changed.url == form.url
        await wizard.press("u")
        assert wizard.session[BOOKING].declaration.probe == form

    sit(journey, size=(80, 24))


def test_a_probe_that_cannot_be_asked_is_not_taken(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        await wizard.press("P", "enter", "end", "enter")
        field = wizard.app.screen.query_one("Input")
        field.value = "/bookings"
        await wizard.press("enter")
        assert "is not absolute" in str(wizard.app.screen.query_one(".problem").content)
        field.value = "https://hotel.example/bookings/{booking_id}"
        await wizard.press("enter")
        assert "GET /bookings/{booking_id}: Show a booking" in wizard.lines("#lines")
        assert "`booking_id`, which stood only in the answer that was lost" in " ".join(wizard.lines("#lines").split())
        await wizard.press("e")
        assert "probe:" in wizard.app.screen.query_one("TextArea").text

    sit(journey)


def test_a_write_without_a_probe_gets_one(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "post bookings book a room")
        sheet = wizard.app.screen.query_one("#sheet")
        sheet.move_to("probe")
        await wizard.press("space")
        assert wizard.session[BOOKING].declaration.probe is None
        await wizard.press("enter", "end", "enter")
        assert wizard.session[BOOKING].declaration.probe is not None

    sit(journey)


def test_what_is_typed_after_the_search_key_is_searched(sit) -> None:
    async def journey(wizard) -> None:
        await wizard.type("/charges")
        assert wizard.app.screen.search == "charges"
        assert "esc Clear" in wizard.text()
        await wizard.press("escape")
        assert "esc Clear" not in wizard.text()

    sit(journey)


def test_evidence_is_followed_to_its_place(sit) -> None:
    async def journey(wizard) -> None:
        await open_by_search(wizard, "charges")
        await wizard.press("enter")
        assert "openapi.yaml:" in wizard.text()
        assert "booking_id" in wizard.text()
        await wizard.press("escape", "end", "enter")
        assert "#/paths/~1charges" in wizard.text()

    sit(journey)


def test_the_vendors_offer_is_a_choice(sit, tmp_path: Path) -> None:
    document = tmp_path / "pay.json"
    document.write_text(
        """{"openapi": "3.0.0", "info": {"title": "Pay", "version": "1"}, "servers": [{"url": "https://api.stripe.com"}],
        "paths": {"/charges": {"post": {"summary": "Create a charge", "requestBody": {"content": {"application/json":
        {"schema": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "integer"}}}}}},
        "responses": {"200": {"description": "ok"}}}}}}""",
        encoding="utf-8",
    )

    async def journey(wizard) -> None:
        await wizard.press("enter")
        assert "known, not declared: https://docs.stripe.com" in wizard.lines("#sheet")
        await wizard.press("down", "space")
        assert wizard.session["POST /charges"].level == "keyed"
        assert wizard.session["POST /charges"].key_source.startswith("https://docs.stripe.com")

    sit(journey, document=str(document))


def test_a_broken_document_is_told_with_what_to_do(sit, tmp_path: Path) -> None:
    document = tmp_path / "broken.yaml"
    document.write_text("openapi: 3.0.0\npaths: [", encoding="utf-8")

    async def journey(wizard) -> None:
        assert "cannot be read" in wizard.text()
        assert "broken.yaml" in wizard.text()
        document.write_text(HOTEL.read_text(encoding="utf-8"), encoding="utf-8")
        await wizard.press("f5")
        assert len(wizard.session.entries) > 20

    sit(journey, document=str(document))


def test_a_folder_that_cannot_be_written(sit) -> None:
    sit.out.write_text("", encoding="utf-8")

    async def journey(wizard) -> None:
        await wizard.press("c", "enter", "w", "enter")
        assert "Nothing was written" in wizard.text()
        assert wizard.session.unwritten

    sit(journey)


@pytest.mark.parametrize("stops", [True, False])
def test_files_are_written_while_the_screen_lives_and_whoever_stops_it_writes_none(
    sit, stops: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = threading.Event()
    sync = os.fsync

    def slow(handle: int) -> None:
        assert disk.wait(60)
        sync(handle)

    async def journey(wizard) -> None:
        await wizard.press("H", "enter", "escape", "w")
        count = len(wizard.session.unwritten)
        assert count > 1
        await wizard.until(lambda: wizard.app.screen.writing is not None, "a plan")
        monkeypatch.setattr("wizard.skill.files.os.fsync", slow)
        wizard.app.simulate_key("enter")
        await wizard.until(lambda: isinstance(wizard.app.screen, Putting), "writing")
        await wizard.until(lambda: "0 of " in wizard.text(), "how far it is")
        if stops:
            # Whoever wants to leave stops it first.
            wizard.app.simulate_key("ctrl+q")
            await wizard.until(lambda: "Stopping" in wizard.text(), "the word of it")
        disk.set()
        await wizard.until(lambda: isinstance(wizard.app.screen, Telling), "what came of it")
        await wizard.settled()
        if stops:
            assert "You stopped it. All files are as they were." in wizard.text()
            assert len(wizard.session.unwritten) == count
        else:
            assert f"Written: {count} skills" in wizard.text()
            assert not wizard.session.unwritten

    sit(journey)
    assert sit.out.exists() is not stops


def test_what_is_a_refusal_is_chosen_changed_and_taken_out(sit, tmp_path: Path) -> None:
    file = tmp_path / "pay.json"
    answer = {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}
    sent = {"type": "object", "required": ["order"], "properties": {"order": {"type": "string"}}}
    charge = {
        "requestBody": {"content": {"application/json": {"schema": sent}}},
        "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": answer}}}},
    }
    made = {
        "openapi": "3.0.0", "info": {"title": "Pay", "version": "1"}, "servers": [{"url": "https://pay.example"}],
        "paths": {"/charges": {"post": charge}},
    }  # fmt: skip
    file.write_text(json.dumps(made), encoding="utf-8")

    async def journey(wizard) -> None:
        def failed():
            return wizard.session["POST /charges"].declaration.failed

        await wizard.press("enter")
        proposed = failed()
        assert proposed
        wizard.app.operation_screen.sheet.move_to("failed")
        await wizard.press("space")
        assert failed() is None
        await wizard.press("space")
        assert failed() == proposed
        await wizard.press("enter", *["backspace"] * len(proposed))
        await wizard.type("$[?$.error")
        await wizard.press("enter")
        assert failed() == proposed
        await wizard.type("]")
        await wizard.press("enter")
        assert failed() == "$[?$.error]"
        await wizard.press("u")
        assert failed() == proposed

    sit(journey, document=str(file))


def test_a_file_that_is_not_ours(sit) -> None:
    file = sit.out / "hollowbrook" / "operations" / "set-room-state.md"
    file.parent.mkdir(parents=True)
    file.write_text("mine\n", encoding="utf-8")

    async def journey(wizard) -> None:
        await wizard.press("c", "enter", "w")
        assert "would be lost" in wizard.text()
        await wizard.press("enter")
        assert "would be lost" in wizard.text()

    sit(journey)
    assert file.read_text(encoding="utf-8") == "mine\n"


def test_a_reviewer_only_looks(sit) -> None:
    async def journey(wizard) -> None:
        assert "read only" in wizard.text()
        await wizard.press("down", "enter", "space", "c", "w", "s", "x")
        assert wizard.session.past == ()
        await wizard.press("q")
        assert wizard.app._exit

    sit(journey, read_only=True)
    assert not sit.out.exists()


@pytest.mark.parametrize("size", [(80, 24), (160, 48), (40, 12)])
def test_help_and_every_action_are_at_hand(sit, size: tuple[int, int]) -> None:
    async def journey(wizard) -> None:
        await wizard.press("question_mark")
        assert "KEYS" in wizard.lines("#lines")
        assert "confirm all of high confidence" in " ".join(wizard.lines("#lines").split())
        await wizard.press("escape", "enter", "question_mark")
        assert "BOXES" in wizard.lines("#lines")
        await wizard.press("escape")
        titles = {command.title for command in wizard.app.get_system_commands(wizard.app.screen)}
        assert {
            "Confirm",
            "Skip",
            "Add a key",
            "Edit the text",
            "Undo",
            "Theme: light",
            "Quit",
            "As proposed",
        } <= titles

    sit(journey, size=size)


def test_themes_and_no_colour(sit, monkeypatch: pytest.MonkeyPatch) -> None:
    async def journey(wizard) -> None:
        seen = []
        for _ in range(3):
            await wizard.press("ctrl+t")
            seen.append(wizard.app.theme)
        assert seen == ["light", "high contrast", "dark"]
        assert "▸○ PUT" in wizard.text()

    sit(journey)
    monkeypatch.setenv("NO_COLOR", "1")
    sit(journey)


def test_everything_with_the_mouse(sit) -> None:
    async def journey(wizard) -> None:
        operations = wizard.app.screen.query_one("#operations")
        row = next(index for index, line in enumerate(operations.lines) if line.key == BOOKING)
        await wizard.pilot.click("#operations", offset=(10, row))
        await wizard.pilot.click("#operations", offset=(10, row))
        await wizard.settled()
        sheet = wizard.app.screen.query_one("#sheet")
        row = next(index for index, line in enumerate(sheet.lines) if line.key == "field:notes")
        await wizard.pilot.click("#sheet", offset=(6, row))
        await wizard.pilot.click("#sheet", offset=(6, row))
        await wizard.settled()
        assert "notes?" in map(str, wizard.session[BOOKING].declaration.identity)
        await wizard.pilot.click("#tabs", offset=(12, 0))
        assert wizard.app.screen.beside.tab == "lint"
        await wizard.pilot.click("Keys", offset=(2, 0))
        await wizard.settled()
        assert "What could go wrong" in wizard.text()

    sit(journey, size=(160, 48))


def test_the_window_may_change_its_size(sit) -> None:
    async def journey(wizard) -> None:
        await wizard.press("down", "enter")
        for size in ((160, 48), (80, 24), (30, 10), (120, 30)):
            await wizard.pilot.resize_terminal(*size)
            await wizard.settled()
        assert "IDENTITY" in wizard.text()
        await wizard.press("escape")
        assert "PUT" in wizard.text()

    sit(journey)


def test_filters_are_chosen_and_cleared(sit) -> None:
    async def journey(wizard) -> None:
        await wizard.press("f", "down", "space", "enter")
        assert "▣ creates" in wizard.text()
        assert "PATCH" not in wizard.lines("#operations")
        await wizard.press("slash")
        await wizard.type("zzz")
        assert "Nothing fits" in wizard.text()
        await wizard.press("escape")
        assert "PATCH" in wizard.lines("#operations")

    sit(journey)


def test_layout_and_server(sit) -> None:
    async def journey(wizard) -> None:
        await wizard.press("l", "down", "down", "enter")
        assert wizard.session.layout == "specs"
        await wizard.press("l", "end", "enter")
        await wizard.press(*["backspace"] * 10)
        await wizard.type("hotel")
        await wizard.press("enter")
        assert "is no address" in wizard.text()
        await wizard.press("c", "enter", "w")
        await wizard.write()

    sit(journey)
    assert (sit.out / "set-room-state.md").exists()


CORPUS = Path(os.environ.get("SKILL_WIZARD_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))


@pytest.mark.parametrize("name", ["github", "lago", "mastodon"])
def test_documents_of_other_kinds(sit, name: str) -> None:
    folder = CORPUS / "specs" / name
    found = sorted(path for path in folder.glob("*.*") if path.suffix in (".json", ".yaml", ".yml"))
    if not found:
        pytest.skip("the corpus is not there")

    async def journey(wizard) -> None:
        first = next(entry for entry in wizard.session if entry.mark is Mark.TO_DO and not entry.harmless)
        await wizard.press("n")
        await wizard.press("enter")
        for key in ("2", "3", "4", "1"):
            await wizard.press(key)
        await wizard.press("c", "enter", "escape", "question_mark", "escape")
        assert any(entry.mark is Mark.CONFIRMED for entry in wizard.session), first.name
        await wizard.press("w")
        await wizard.write()
        assert wizard.session.unwritten == ()

    sit(journey, document=str(found[0]), server="https://api.example.com")
    assert list(sit.out.rglob("*.md"))
