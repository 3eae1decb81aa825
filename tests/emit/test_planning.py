"""Skills written and written again: what is ours follows, what somebody changed stays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from house import BOOKING, DECLARED, document, operation, raw, reading, subject

from wizard.emit.lock import FILE
from wizard.emit.model import Layout, PassedOver, Plan
from wizard.emit.writing import plan_into, write_plan
from wizard.errors import SkillError, UsageError
from wizard.operation.printing import print_operation
from wizard.skill.document import SkillDocument, parse_skill
from wizard.skill.editing import edit_frontmatter
from wizard.skill.files import read_text
from wizard.spec.reader import read_bytes
from wizard.yamltext.editing import REMOVED

SPEC = "house/operations/create-booking.md"
INDEX = "house/SKILL.md"


def emit(
    folder: Path, *, declared: dict[str, Any] | None = None, api: dict[str, Any] | None = None, **more: Any
) -> Plan:
    """Writes the booking, and the list if `both`."""
    found = document(**(api or {}))
    subjects = [subject(found, **(declared or {}))]
    if more.pop("both", False):
        subjects.append(reading(found))
    plan = plan_into(folder, found, subjects, **more)
    write_plan(folder, plan)
    return plan


def changed(plan: Plan) -> dict[str, str]:
    return {change.path: change.what for change in plan.changes if change.what != "unchanged"}


def skill(path: Path) -> SkillDocument:
    return parse_skill(read_text(path))


def edit(path: Path, **changes: Any) -> None:
    held = skill(path)
    path.write_bytes(edit_frontmatter(held, {("operation", name): value for name, value in changes.items()}).encode())


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("layout", "files"),
    [
        (Layout.FOLDER, [INDEX, SPEC, FILE]),
        (Layout.SINGLE, ["house-create-booking/SKILL.md", FILE]),
        (Layout.SPECS, ["create-booking.md", FILE]),
    ],
)
def test_each_layout_declares_the_operation(tmp_path: Path, layout: Layout, files: list[str]) -> None:
    plan = emit(tmp_path, layout=layout)
    assert sorted(changed(plan)) == sorted(files)
    declaring = [path for path in files if path not in (INDEX, FILE)]
    for path in declaring:
        held = skill(tmp_path / path)
        assert held.problems == ()
        assert held.operation == operation()
    assert changed(emit(tmp_path, layout=layout)) == {}
    assert changed(emit(tmp_path)) == {}, "the layout that is there is gone on with"


def test_another_layout_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    emit(tmp_path)
    with pytest.raises(UsageError, match="in the layout `folder`"):
        emit(tmp_path, layout=Layout.SPECS)


def test_a_new_proposal_replaces_an_old_one(tmp_path: Path) -> None:
    emit(tmp_path)
    plan = emit(tmp_path, declared={"identity": ["room_id"]})
    assert changed(plan) == {SPEC: "update", FILE: "update"}
    assert skill(tmp_path / SPEC).operation == operation(identity=["room_id"])


def test_prose_that_somebody_wrote_stays(tmp_path: Path) -> None:
    emit(tmp_path)
    replace(tmp_path / SPEC, "## Sending it", "Ask the desk first.\n\n## Sending it")
    replace(tmp_path / SPEC, "Use when a task", "Ours. Use when a task")
    before = (tmp_path / SPEC).read_text()
    emit(tmp_path, declared={"identity": ["room_id"]}, api={"description": "Another text."})
    assert (tmp_path / SPEC).read_text() == before.replace("identity: [room_id, arrival]", "identity: [room_id]")


def test_prose_of_ours_follows_the_document_where_only_the_frontmatter_was_changed(tmp_path: Path) -> None:
    emit(tmp_path)
    replace(tmp_path / SPEC, "name: create-booking", "name: create-booking  # ours\nlicense: MIT")
    emit(tmp_path, api={"description": "Another text."})
    text = (tmp_path / SPEC).read_text()
    assert "name: create-booking  # ours\nlicense: MIT\n" in text
    assert "> Another text." in text


def test_a_confirmed_declaration_is_not_made_a_proposed_one(tmp_path: Path) -> None:
    emit(tmp_path)
    edit(tmp_path / SPEC, status=REMOVED)
    plan = emit(tmp_path, declared={"identity": ["room_id"]}, force=True)
    assert skill(tmp_path / SPEC).operation == operation(status=None)
    assert plan.notes == (
        "POST /bookings: its declaration is confirmed and stays as it is; the proposal differs in `identity`",
    )
    assert "One write is one `room_id` and `arrival`." in (tmp_path / SPEC).read_text(), "its prose is what holds now"
    assert changed(emit(tmp_path, declared={"identity": ["room_id"]})) == {}


def test_a_declaration_that_somebody_changed_stays(tmp_path: Path) -> None:
    emit(tmp_path)
    edit(tmp_path / SPEC, identity=["arrival"], keep="5m")
    plan = emit(tmp_path)
    assert skill(tmp_path / SPEC).operation == operation(identity=["arrival"], keep="5m")
    assert "was changed by hand and stays as it is; the proposal differs in `identity`, `keep`" in plan.notes[0]


def test_what_a_person_confirms_is_written(tmp_path: Path) -> None:
    emit(tmp_path)
    emit(tmp_path, declared={"identity": ["room_id"], "status": None})
    assert skill(tmp_path / SPEC).operation == operation(identity=["room_id"], status=None)


def test_extensions_of_the_author_stay(tmp_path: Path) -> None:
    emit(tmp_path)
    edit(tmp_path / SPEC, **{"x-team": "desk"})
    emit(tmp_path, declared={"status": None})
    assert "x-team: desk" in (tmp_path / SPEC).read_text()


def test_files_that_are_not_ours_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / SPEC).parent.mkdir(parents=True)
    (tmp_path / SPEC).write_text("mine")
    with pytest.raises(
        SkillError, match=r"nothing was written.*create-booking\.md: it was not written by skill-wizard"
    ):
        emit(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["create-booking.md"]
    emit(tmp_path, force=True)
    assert skill(tmp_path / SPEC).operation == operation()


def test_an_index_that_is_not_ours_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / INDEX).write_text("mine")
    with pytest.raises(SkillError, match="it was not written by skill-wizard"):
        emit(tmp_path)


def test_a_file_that_says_the_same_becomes_ours(tmp_path: Path) -> None:
    emit(tmp_path)
    (tmp_path / FILE).unlink()
    assert changed(emit(tmp_path)) == {FILE: "create"}


def test_a_file_of_ours_that_can_no_longer_be_read(tmp_path: Path) -> None:
    emit(tmp_path)
    replace(tmp_path / SPEC, "description: Books", "description: note: Books")
    with pytest.raises(SkillError, match="the frontmatter cannot be edited"):
        emit(tmp_path, declared={"identity": ["room_id"]})
    emit(tmp_path, declared={"identity": ["room_id"]}, force=True)
    assert skill(tmp_path / SPEC).operation == operation(identity=["room_id"])


def test_a_lost_file_is_written_again(tmp_path: Path) -> None:
    emit(tmp_path)
    (tmp_path / SPEC).unlink()
    assert changed(emit(tmp_path))[SPEC] == "create"


def test_the_index_has_what_was_written_before(tmp_path: Path) -> None:
    emit(tmp_path, both=True)
    emit(tmp_path)
    text = (tmp_path / INDEX).read_text()
    assert "(operations/create-booking.md)" in text
    assert "(operations/list-bookings.md)" in text


def test_an_index_that_somebody_edited_gets_the_links_that_it_lacks(tmp_path: Path) -> None:
    emit(tmp_path)
    replace(tmp_path / INDEX, "# The House", "# Our house\n\nWelcome.")
    before = (tmp_path / INDEX).read_text()
    emit(tmp_path, both=True)
    link = "- [List bookings](operations/list-bookings.md): `GET /bookings`\n"
    assert (tmp_path / INDEX).read_text() == before + link


def test_a_large_api_has_an_index_of_groups(tmp_path: Path) -> None:
    made = raw()
    made["tags"] = [{"name": "Rooms & beds", "description": "Where they sleep."}, {"name": "rooms beds"}]
    for number in range(300):
        post = {**BOOKING, "operationId": f"book{number}", "tags": [made["tags"][number % 2]["name"]]}
        made["paths"][f"/room-{number}"] = {"post": post}
    found = read_bytes(json.dumps(made).encode(), "house.json")
    subjects = [
        subject(found, one.name, url=f"https://house.example{one.path}") for one in found.operations if one.body
    ]
    plan = plan_into(tmp_path, found, subjects)
    write_plan(tmp_path, plan)
    index = (tmp_path / INDEX).read_text()
    assert index.endswith(
        "- [Rooms & beds](groups/rooms-beds.md): 150 operations. Where they sleep.\n"
        "- [rooms beds](groups/rooms-beds-2.md): 150 operations.\n"
        "- [bookings](groups/bookings.md): 1 operation.\n"
    )
    group = tmp_path / "house" / "groups" / "rooms-beds.md"
    lines = [line for line in group.read_text().splitlines() if line.startswith("- ")]
    assert lines[0] == "- [Book a room](../operations/book0.md): `POST /room-0`"
    assert all((group.parent / line.split("](")[1].split(")")[0]).is_file() for line in lines)
    replace(group, lines[1] + "\n", "")
    write_plan(tmp_path, plan_into(tmp_path, found, subjects))
    assert group.read_text().endswith(f"{lines[-1]}\n{lines[1]}\n")


def test_without_tags_the_groups_are_those_of_the_paths(tmp_path: Path) -> None:
    made = raw()
    made["paths"] = {
        f"/api/v1/{part}/{number}": {"post": {**BOOKING, "operationId": "", "tags": []}}
        for part in ("rooms", "{id}/guests")
        for number in range(150)
    }
    found = read_bytes(json.dumps(made).encode(), "house.json")
    subjects = [subject(found, one.name, url=f"https://house.example{one.path}") for one in found.operations]
    plan = plan_into(tmp_path, found, subjects)
    groups = [change.path for change in plan.changes if "/groups/" in change.path]
    assert groups == ["house/groups/rooms.md", "house/groups/guests.md"]


def test_an_operation_that_left_the_document_is_said(tmp_path: Path) -> None:
    emit(tmp_path)
    found = document(path="/stays")
    plan = plan_into(tmp_path, found, [subject(found, "POST /stays", url="https://house.example/stays")])
    assert plan.notes == (f"POST /bookings is no longer in the document; `{SPEC}` stays as it is",)


def test_two_documents_share_a_folder(tmp_path: Path) -> None:
    emit(tmp_path)
    other = document(title="Other House")
    object.__setattr__(other, "source", "other.json")
    plan = plan_into(tmp_path, other, [subject(other)])
    assert sorted(changed(plan)) == [
        "other-house/SKILL.md",
        "other-house/operations/other-house-create-booking.md",
        FILE,
    ]
    write_plan(tmp_path, plan)
    assert changed(emit(tmp_path)) == {}


def test_what_was_passed_over_is_remembered(tmp_path: Path) -> None:
    found = document()
    gone = PassedOver(api=found.by_name["GET /bookings"], decision="skipped", reason="not ours")
    write_plan(tmp_path, plan_into(tmp_path, found, [subject(found)], passed_over=[gone]))
    emit(tmp_path)
    operations = json.loads((tmp_path / FILE).read_text())["documents"][0]["operations"]
    assert [(one["operation"], one["decision"], one.get("reason")) for one in operations] == [
        ("GET /bookings", "skipped", "not ours"),
        ("POST /bookings", "written", None),
    ]


def test_a_key_that_the_document_does_not_show_has_its_source_in_the_lock(tmp_path: Path) -> None:
    found = document()
    from dataclasses import replace as with_

    keyed = with_(subject(found, key="header Idempotency-Key"), key_source="https://house.example/docs/keys")
    write_plan(tmp_path, plan_into(tmp_path, found, [keyed]))
    (held,) = json.loads((tmp_path / FILE).read_text())["documents"][0]["operations"]
    assert held["key_source"] == "https://house.example/docs/keys"


def test_templates_can_be_replaced(tmp_path: Path) -> None:
    own = tmp_path / "templates"
    own.mkdir()
    (own / "operation.md.jinja").write_text("# Ours: {{ operation.title }}\n\n{% include 'parts/answers.md.jinja' %}\n")
    emit(tmp_path / "out", templates=own)
    text = (tmp_path / "out" / SPEC).read_text()
    assert text.endswith("---\n\n# Ours: Book a room\n\n- 201: Booked.\n- 409: The room is taken.\n")


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ operation.nothing }}", "the template cannot be filled in.*nothing"),
        ("{{ missing }}", "'missing' is undefined"),
        ("line\n{% if %}", r"operation\.md\.jinja:2: the template is wrong"),
        ("{{ operation.__class__.__mro__ }}", "the template cannot be filled in"),
        ("{{ 1 / 0 }}", "the template cannot be filled in"),
    ],
)
def test_a_template_that_is_wrong(tmp_path: Path, template: str, message: str) -> None:
    own = tmp_path / "templates"
    own.mkdir()
    (own / "operation.md.jinja").write_text(template)
    with pytest.raises(UsageError, match=message):
        emit(tmp_path / "out", templates=own)


def test_a_folder_of_templates_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        emit(tmp_path / "out", templates=tmp_path / "nowhere")


def prose(declared: dict[str, Any], **api: Any) -> str:
    found = document(**api)
    plan = plan_into(Path("nowhere"), found, [subject(found, **declared)])
    return next(change.new for change in plan.changes if change.path == SPEC)


def test_prose_never_tells_how_a_key_is_made() -> None:
    text = prose(
        {"key": "header Idempotency-Key", "status": None},
        description="Books a room. Generate a UUID and send it as Idempotency-Key. The price follows.",
    )
    assert "> Books a room. The price follows." in text
    assert "fills in `Idempotency-Key`; leave it out." in text
    assert "UUID" not in text


def test_prose_says_what_holds_now_and_not_what_is_proposed() -> None:
    assert "two calls make two" in prose({})
    assert "One write is one `room_id` and `arrival`." in prose({"status": None})
    assert "until a person has settled it" in prose({"status": None})
    probe = {"url": "https://house.example/bookings?room={room_id}", "items": "$[*]", "match": ["arrival"]}
    assert "The host finds out by itself" in prose({"status": None, "probe": probe})
    assert "two calls make two" in prose({"identity": None, "status": None})
    assert "same arguments in one session" in prose({"identity": None, "scope": "arguments", "status": None})


def test_every_write_says_what_the_host_may_say() -> None:
    text = prose({})
    for words in ("Already done:", "In progress:", "Sent, outcome not observed:", "assume neither".capitalize()):
        assert words in text


def test_declarations_print_as_they_were() -> None:
    assert print_operation(operation()) == DECLARED
