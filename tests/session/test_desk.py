"""The disk: what is written is taken up again, drafts are kept, and nothing of anybody's is lost."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from wizard.emit.model import Layout
from wizard.errors import SkillError, UsageError
from wizard.infer.propose import propose_document
from wizard.operation.model import KeyPlace
from wizard.session import steps
from wizard.session.desk import Desk, equivalent, reread
from wizard.session.drafts import print_drafts, read_drafts
from wizard.session.drift import what_changed
from wizard.session.state import Choice, Mark, Session
from wizard.skill.document import parse_skill
from wizard.source import Source
from wizard.spec.model import ApiDocument
from wizard.spec.reader import read_document

BOOKING, CHARGE, LOG, SEARCH = "POST /bookings", "POST /charges", "POST /housekeeping/log", "POST /availability/search"
FILE = "hollowbrook/operations/create-booking.md"
HOTEL = Path(__file__).resolve().parents[2] / "samples" / "hollowbrook" / "openapi.yaml"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(out=tmp_path / "skills", state=tmp_path / "state")


def save(desk: Desk, session: Session) -> Session:
    return desk.write(session, desk.plan(session))


def come_back(desk: Desk, document: ApiDocument) -> Session:
    """The next day: another process, the same folders."""
    fresh = steps.begin(document)
    found = Desk(out=desk.out, state=desk.state).open(fresh)
    return steps.with_proposals(found.session, *propose_document(document))


def changed(tmp_path: Path, *edits: tuple[str, str]) -> ApiDocument:
    """Hollowbrook as its people changed it; the document keeps its name."""
    text = HOTEL.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    other = tmp_path / "openapi.yaml"
    other.write_text(text, encoding="utf-8")
    return replace(read_document(other), source=str(HOTEL))


def test_what_is_written_is_confirmed_the_next_day(desk: Desk, hotel: Session) -> None:
    session = steps.confirm(steps.toggle_identity(hotel, BOOKING, "guests"), BOOKING)
    session = steps.skip(steps.confirm(session, CHARGE), LOG, "told apart by their text")
    session = steps.not_a_write(session, "POST /guests/{guest_id}/messages", "a preview")
    done = save(desk, session)
    assert done.unwritten == ()
    later = come_back(desk, hotel.document)
    assert later.unwritten == ()
    for entry in done:
        again = later[entry.name]
        assert (again.mark, again.to_write, again.reason) == (entry.mark, entry.to_write, entry.reason)
    text = (desk.out / FILE).read_text(encoding="utf-8")
    assert "identity: [room_id, guest_name, arrival, departure, 'guests?']" in text
    assert "status:" not in text


def test_writing_again_changes_nothing(desk: Desk, hotel: Session) -> None:
    save(desk, steps.confirm(hotel, BOOKING))
    before = {path: path.read_bytes() for path in desk.out.rglob("*") if path.is_file()}
    later = come_back(desk, hotel.document)
    writing = Desk(out=desk.out).plan(later, [BOOKING])
    assert writing.changes == 0
    assert {path: path.read_bytes() for path in desk.out.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("layout", list(Layout))
def test_each_layout_is_taken_up(desk: Desk, hotel: Session, layout: Layout) -> None:
    save(desk, steps.confirm(steps.set_layout(hotel, layout), BOOKING))
    later = come_back(desk, hotel.document)
    assert later.layout is layout
    assert later[BOOKING].mark is Mark.WRITTEN


def test_another_layout_in_the_same_folder_is_refused(desk: Desk, hotel: Session) -> None:
    session = save(desk, steps.confirm(hotel, BOOKING))
    with pytest.raises(UsageError, match="layout"):
        desk.plan(steps.confirm(steps.set_layout(session, Layout.SPECS), CHARGE))


def test_one_is_written_and_the_other_waits(desk: Desk, hotel: Session) -> None:
    session = steps.confirm(steps.confirm(hotel, BOOKING), CHARGE)
    session = desk.write(session, desk.plan(session, [CHARGE]))
    assert [entry.name for entry in session.unwritten] == [BOOKING]
    assert not (desk.out / FILE).exists()


def test_drafts_survive_a_crash_and_go_when_all_is_written(desk: Desk, hotel: Session) -> None:
    session = steps.confirm(steps.set_prose(hotel, BOOKING, "Book it.\n"), BOOKING)
    desk.save_drafts(session)
    file = desk.drafts_file(hotel.document.source)
    assert file is not None
    assert file.exists()
    later = come_back(desk, hotel.document)
    assert (later[BOOKING].mark, later[BOOKING].prose) == (Mark.CONFIRMED, "Book it.\n")
    save(desk, later)
    assert not file.exists()
    assert (desk.out / FILE).read_text(encoding="utf-8").endswith("---\n\nBook it.\n")


def test_the_authors_text_stays_when_the_declaration_changes(desk: Desk, hotel: Session) -> None:
    save(desk, steps.confirm(steps.set_prose(hotel, BOOKING, "Book it.\n"), BOOKING))
    later = come_back(desk, hotel.document)
    save(desk, steps.toggle_identity(later, BOOKING, "notes"))
    text = (desk.out / FILE).read_text(encoding="utf-8")
    assert "notes?" in text
    assert text.endswith("---\n\nBook it.\n")


def test_drafts_of_another_folder_are_others(desk: Desk, hotel: Session, tmp_path: Path) -> None:
    desk.save_drafts(steps.skip(hotel, BOOKING))
    other = Desk(out=tmp_path / "elsewhere", state=desk.state)
    assert come_back(other, hotel.document)[BOOKING].mark is Mark.TO_DO


def test_broken_drafts_are_told_and_left_alone(desk: Desk, hotel: Session) -> None:
    file = desk.drafts_file(hotel.document.source)
    assert file is not None
    file.parent.mkdir(parents=True)
    file.write_text("{", encoding="utf-8")
    opened = desk.open(steps.begin(hotel.document))
    assert "cannot be read" in opened.notes[0]
    assert str(file) in opened.notes[0]
    assert file.read_text(encoding="utf-8") == "{"


@pytest.mark.parametrize(
    "text", ["[]", '{"version": 2, "drafts": {}}', '{"version": 1}', '{"version": 1, "drafts": {"POST /bookings": {}}}']
)
def test_what_is_no_draft_is_an_error(hotel: Session, text: str) -> None:
    with pytest.raises(SkillError):
        read_drafts(text, hotel, "drafts.json")


def test_drafts_are_the_same_text_for_the_same_work(hotel: Session) -> None:
    session = steps.skip(steps.confirm(hotel, BOOKING), CHARGE)
    assert print_drafts(session) == print_drafts(steps.redo(steps.undo(session)))
    assert '"drafts": {}' in print_drafts(hotel)


def test_a_file_that_is_not_ours_is_not_overwritten(desk: Desk, hotel: Session) -> None:
    file = desk.out / FILE
    file.parent.mkdir(parents=True)
    file.write_text("mine\n", encoding="utf-8")
    session = steps.confirm(hotel, BOOKING)
    writing = desk.plan(session)
    assert writing.plan.refused
    with pytest.raises(SkillError, match="overwrite"):
        desk.write(session, writing)
    assert file.read_text(encoding="utf-8") == "mine\n"
    assert "would be overwritten" in desk.preview(session, BOOKING).problem


def test_a_file_that_changes_under_us_stops_the_writing(desk: Desk, hotel: Session) -> None:
    session = save(desk, steps.confirm(hotel, BOOKING))
    session = steps.toggle_identity(session, BOOKING, "notes")
    writing = desk.plan(session)
    file = desk.out / FILE
    text = file.read_text(encoding="utf-8").replace("# Book a room", "# Book a good room")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SkillError, match="changed while"):
        desk.write(session, writing)
    assert file.read_text(encoding="utf-8") == text
    again = desk.plan(session)
    assert again.moved == (FILE,)
    desk.write(session, again)
    assert "# Book a good room" in file.read_text(encoding="utf-8")
    assert "notes?" in file.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, hotel: Session) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    desk = Desk(out=tmp_path / "file" / "skills")
    session = steps.confirm(hotel, BOOKING)
    with pytest.raises(SkillError, match="cannot be written"):
        desk.write(session, desk.plan(session))


def test_reading_only_writes_nothing(desk: Desk, hotel: Session) -> None:
    session = replace(steps.confirm(hotel, BOOKING), read_only=True)
    with pytest.raises(SkillError, match="only reads"):
        desk.write(session, desk.plan(session))
    desk.save_drafts(session)
    assert list(desk.out.parent.iterdir()) == []


def test_a_skill_that_somebody_edited_is_taken_as_it_stands(desk: Desk, hotel: Session) -> None:
    save(desk, steps.confirm(hotel, BOOKING))
    file = desk.out / FILE
    text = file.read_text(encoding="utf-8").replace(", departure]\n  probe", "]\n  probe")
    file.write_text(text, encoding="utf-8")
    declared = come_back(desk, hotel.document)[BOOKING].declaration
    assert declared is not None
    assert [str(path) for path in declared.identity] == ["room_id", "guest_name", "arrival"]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.unlink(), "no longer there"),
        (lambda file: file.write_text("# Hello\n"), "no longer declares"),
    ],
)
def test_a_skill_that_is_gone_is_told(desk: Desk, hotel: Session, damage: Callable[[Path], object], said: str) -> None:
    save(desk, steps.confirm(hotel, BOOKING))
    damage(desk.out / FILE)
    opened = Desk(out=desk.out).open(steps.begin(hotel.document))
    assert said in opened.notes[0]
    assert opened.session[BOOKING].written is None


def test_a_proposed_skill_is_still_to_do(desk: Desk, hotel: Session) -> None:
    save(desk, steps.confirm(hotel, BOOKING))
    file = desk.out / FILE
    file.write_text(
        file.read_text(encoding="utf-8").replace("  body:", "  status: proposed\n  body:"), encoding="utf-8"
    )
    assert come_back(desk, hotel.document)[BOOKING].mark is Mark.TO_DO


def test_a_document_that_changed_is_told_and_confirmed_again(desk: Desk, hotel: Session, tmp_path: Path) -> None:
    save(desk, steps.confirm(steps.confirm(hotel, BOOKING), CHARGE))
    other = changed(tmp_path, ("The first night.", "The very first night."))
    later = come_back(desk, other)
    assert later[BOOKING].mark is Mark.DRIFTED
    assert "still there" in what_changed(later[BOOKING], other)[0]
    assert later.unwritten == ()
    again = steps.confirm(later, BOOKING)
    assert again[BOOKING].mark is Mark.CHANGED
    assert [entry.name for entry in again.unwritten] == [BOOKING]
    desk.save_drafts(again)
    assert come_back(desk, other)[BOOKING].mark is Mark.CHANGED
    save(desk, again)
    assert come_back(desk, other)[BOOKING].mark is Mark.WRITTEN


def test_what_a_change_of_the_document_takes_away_is_said(desk: Desk, hotel: Session, tmp_path: Path) -> None:
    session = steps.confirm(steps.confirm(hotel, BOOKING), CHARGE)
    save(desk, session)
    text = HOTEL.read_text(encoding="utf-8")
    start = text.index("    NewBooking:")
    booking = text[start : start + 200]
    new = booking.replace(
        "required: [room_id, guest_name, arrival, departure]", "required: [room_id, guest_name, guests]", 1
    )
    start = text.index("operationId: chargePaymentAccount")
    charge = text[start : start + 1500]
    gone = charge.replace("idempotency_key:", "other_key:", 1).replace(", idempotency_key]", "]", 1)
    other = changed(tmp_path, (booking, new), (charge, gone))
    later = come_back(desk, other)
    said = " ".join(what_changed(later[BOOKING], other))
    assert "`arrival` is optional in the document now." in said
    assert "`guests` is required now" not in said
    said = " ".join(what_changed(later[CHARGE], other))
    assert "no longer shows the key's place, the field `idempotency_key`" in said


def test_an_operation_that_is_gone_is_told(desk: Desk, hotel: Session, tmp_path: Path) -> None:
    save(desk, steps.confirm(hotel, CHARGE))
    other = changed(tmp_path, ("  /charges:", "  /fees:"))
    opened = desk.open(steps.begin(other))
    assert any("The document has no `POST /charges` any more" in note for note in opened.notes)


def test_reading_the_document_again_keeps_the_work(desk: Desk, hotel: Session, tmp_path: Path) -> None:
    session = steps.skip(steps.confirm(steps.toggle_identity(hotel, BOOKING, "notes"), BOOKING), CHARGE)
    other = changed(tmp_path, ("The first night.", "The very first night."))
    again = reread(desk, session, other).session
    assert (again[BOOKING].choice, again[CHARGE].choice) == (Choice.CONFIRMED, Choice.SKIPPED)
    assert again[BOOKING].declaration == session[BOOKING].declaration
    assert len(again.pending) == len(again.entries)


def test_the_equivalent_command_names_what_was_decided(hotel: Session, tmp_path: Path) -> None:
    session = steps.skip(steps.confirm(hotel, BOOKING), LOG)
    said = equivalent(session, [BOOKING, LOG], Path("my skills"), None)
    assert said.endswith("--out 'my skills' --confirm createBooking --skip addLogLine")
    assert "--decisions x.json" in equivalent(session, [BOOKING], Path("skills"), Path("x.json"))
    assert "--layout specs" in equivalent(steps.set_layout(session, Layout.SPECS), [BOOKING], Path("s"), None)


def test_the_key_of_a_page_keeps_its_source_in_the_lock(desk: Desk, hotel: Session) -> None:
    session = steps.set_key(hotel, BOOKING, KeyPlace("header", "Once"), source="https://example.org/once")
    save(desk, steps.confirm(session, BOOKING))
    later = come_back(desk, hotel.document)
    assert later[BOOKING].key_source == "https://example.org/once"
    found = parse_skill(Source(FILE, (desk.out / FILE).read_text(encoding="utf-8"))).operation
    assert found is not None
    assert found.key == KeyPlace("header", "Once")
