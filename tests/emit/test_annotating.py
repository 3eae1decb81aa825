"""Extensions written into a document and as an overlay, and read back as the same declarations."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from house import file, operation, raw, read
from hypothesis import given
from hypothesis import strategies as st

from wizard.cli import main
from wizard.emit.annotating import annotated_text, extensions_of, is_ours, json_path, overlay, print_overlay
from wizard.emit.model import Subject
from wizard.errors import DocumentError
from wizard.spec.extensions import declared
from wizard.spec.model import ApiDocument

DOCUMENT = """\
# The house's own interface.
openapi: 3.1.0
info: {title: The House, version: '1'}  # one
servers:
    - url: https://house.example/v1
paths:
    /bookings:
        # How stays begin.
        post:
            operationId: createBooking   # ours
            requestBody:
                content: {application/json: {schema: {type: object, properties: {room_id: {type: string}}}}}
            responses:
                201: {description: Booked.}

            # At the end.
        get:
            responses: {'200': {description: All.}}
    "/stays/{id}":
        delete: {responses: {'204': {description: Gone.}}}
"""
PROBE = {
    "url": "https://house.example/v1/bookings?room={room_id}",
    "items": "$.bookings[*]",
    "match": {"arrival": "from.day"},
    "absent": "empty",
}


def declaring(document: ApiDocument, *names: str, **members: Any) -> list[Subject]:
    """The named operations with one declaration each, its URL their own."""
    found = []
    for name in names or ("POST /bookings",):
        api = document.by_name[name]
        own = {"method": api.method, "url": api.servers[0].rstrip("/") + api.path, "body": None, **members}
        found.append(Subject(api=api, operation=operation(**own)))
    return found


def edited(path: Path, subjects: list[Subject], document: ApiDocument, syntax: Any = "yaml") -> str:
    return annotated_text(path.read_bytes().decode(), syntax, document, subjects, str(path))


def reads_back(path: Path, subjects: list[Subject]) -> None:
    """The document at `path` declares what `subjects` do."""
    document = read(path)
    for subject in subjects:
        api = document.by_name[subject.api.name]
        found = declared(api, document)
        assert found is not None
        assert found.problems == ()
        assert found.operation is not None
        assert extensions_of(found.operation, api) == extensions_of(subject.operation, subject.api)
        for member in ("identity", "key", "reference", "probe", "write", "scope", "keep", "failed", "status"):
            assert getattr(found.operation, member) == getattr(subject.operation, member)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "bom"])
def test_a_document_keeps_its_bytes(tmp_path: Path, newline: str, mark: str) -> None:
    path = file(tmp_path, mark + DOCUMENT.replace("\n", newline))
    document = read(path)
    subjects = declaring(document, key="header Idempotency-Key", probe=PROBE)
    text = edited(path, subjects, document)
    inserted = newline.join(
        [
            "            x-outturn-identity: [room_id, arrival]",
            "            x-outturn-key: header Idempotency-Key",
            "            x-outturn-probe:",
            "                url: /bookings?room={room_id}",
            "                items: $.bookings[*]",
            "                match: {arrival: from.day}",
            "                absent: empty",
            "            x-outturn-status: proposed",
            "",
        ]
    )
    before = (mark + DOCUMENT).replace("\n", newline)
    line = f"201: {{description: Booked.}}{newline}"
    assert text == before.replace(line, line + inserted)
    path.write_bytes(text.encode())
    reads_back(path, subjects)
    assert edited(path, declaring(read(path), key="header Idempotency-Key", probe=PROBE), read(path)) == text


def test_what_changed_is_changed_and_what_is_gone_goes(tmp_path: Path) -> None:
    path = file(tmp_path, DOCUMENT)
    document = read(path)
    first = edited(path, declaring(document, key="header K"), document)
    path.write_bytes(first.encode())
    document = read(path)
    second = edited(path, declaring(document, identity=["room_id"], status=None), document)
    assert second == first.replace("[room_id, arrival]", "[room_id]").replace(
        "            x-outturn-key: header K\n", ""
    ).replace("            x-outturn-status: proposed\n", "")


def test_an_operation_in_brackets(tmp_path: Path) -> None:
    path = file(tmp_path, DOCUMENT)
    document = read(path)
    subjects = declaring(document, "DELETE /stays/{id}", identity=None)
    text = edited(path, subjects, document)
    assert "delete: {responses: {'204': {description: Gone.}}, x-outturn-status: proposed}\n" in text
    path.write_bytes(text.encode())
    reads_back(path, subjects)


@pytest.mark.parametrize("indent", [None, 2, "\t"], ids=["one line", "two", "tab"])
def test_json_keeps_its_layout(tmp_path: Path, indent: int | str | None) -> None:
    path = file(tmp_path, json.dumps(raw(), indent=indent, ensure_ascii=False), "house.json")
    document = read(path)
    subjects = declaring(document, probe={**PROBE, "url": "https://house.example/bookings"})
    text = edited(path, subjects, document, "json")
    expected = raw()
    expected["paths"]["/bookings"]["post"].update(extensions_of(subjects[0].operation, subjects[0].api))
    assert json.loads(text) == expected
    if indent is not None:
        assert text == json.dumps(expected, indent=indent, ensure_ascii=False)
    path.write_bytes(text.encode())
    reads_back(path, subjects)


def test_an_operation_that_is_an_alias_is_left_alone(tmp_path: Path) -> None:
    text = DOCUMENT.replace("        get:\n", "        put: &put\n").replace(
        '    "/stays/{id}":\n', "    /again:\n        put: *put\n"
    )
    path = file(tmp_path, text)
    document = read(path)
    with pytest.raises(DocumentError, match=r"in a form that cannot be edited.*--overlay"):
        edited(path, declaring(document, "PUT /again", identity=None, write=True), document)


@pytest.fixture
def two_files(tmp_path: Path) -> tuple[Path, Path]:
    root = file(
        tmp_path,
        "openapi: 3.1.0\ninfo: {title: X, version: '1'}\nservers: [{url: 'https://house.example'}]\n"
        "paths:\n  /bookings: {$ref: bookings.yaml}\n",
    )
    schema = "schema: {type: object, required: [room_id], properties: {room_id: {type: string}}}"
    operations = (
        "post:\n  responses: {'201': {description: Booked.}}\n  requestBody:\n    content:\n      application/json:\n"
    )
    return root, file(tmp_path, f"{operations}        {schema}\n", "bookings.yaml")


def test_a_document_of_several_files_is_edited_where_its_operations_stand(
    two_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root, other = two_files
    before = root.read_bytes(), other.read_text()
    assert main(["annotate", str(root), "--in-place"]) == 0
    assert root.read_bytes() == before[0]
    assert other.read_text().startswith(before[1] + "  x-outturn-")
    assert f"update  {other.as_posix()}" in capsys.readouterr().out
    assert main(["annotate", str(root), "--in-place"]) == 0
    assert capsys.readouterr().out == "nothing to change\n"


def test_an_overlay_says_what_it_cannot_reach(two_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", str(two_files[0])]) == 0
    said = capsys.readouterr()
    assert "POST /bookings is left out: its path stands in another place" in said.err
    assert "actions: []" in said.out


# Overlays


def applied(tool: str, document: Path, made: Path, out: Path) -> None:
    scripts = Path(sysconfig.get_path("scripts"))
    name = scripts / (f"{tool}.exe" if sys.platform == "win32" else tool)
    subprocess.run([name, "validate", made], check=True, capture_output=True)
    subprocess.run([name, "overlay", document, made, "-o", out], check=True, capture_output=True)


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_public_tool_applies_the_overlay(tmp_path: Path, ending: str) -> None:
    path = file(tmp_path, DOCUMENT)
    document = read(path)
    subjects = declaring(document, probe=PROBE) + declaring(document, "DELETE /stays/{id}", identity=None)
    made, left_out = overlay(document, subjects, extends="openapi.yaml")
    assert left_out == []
    held = file(tmp_path, print_overlay(made, as_json=ending == "json"), f"overlay.{ending}")
    applied("oas-patch", path, held, tmp_path / "out.yaml")
    reads_back(tmp_path / "out.yaml", subjects)


def test_a_public_tool_replaces_what_the_document_says(tmp_path: Path) -> None:
    path = file(tmp_path, DOCUMENT)
    first = declaring(read(path), key="header K")
    path.write_bytes(edited(path, first, read(path)).encode())
    document = read(path)
    second = declaring(document, identity=["arrival"])
    made, _ = overlay(document, second)
    assert [sorted(action) for action in made["actions"]] == [
        ["remove", "target"],
        ["remove", "target"],
        ["target", "update"],
    ]
    held = file(tmp_path, print_overlay(made, as_json=False), "overlay.yaml")
    applied("oas-patch", path, held, tmp_path / "out.yaml")
    reads_back(tmp_path / "out.yaml", second)


def test_nothing_to_say_is_an_overlay_without_actions(tmp_path: Path) -> None:
    path = file(tmp_path, DOCUMENT)
    path.write_bytes(edited(path, declaring(read(path)), read(path)).encode())
    document = read(path)
    assert overlay(document, declaring(document))[0]["actions"] == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=10), max_size=3))
def test_paths_select_what_they_name(names: list[str]) -> None:
    from jsonpath import JSONPathEnvironment

    value: Any = "here"
    for name in reversed(names):
        value = {name: value, "other": 1} if name != "other" else {name: value}
    assert JSONPathEnvironment(strict=True).findall(json_path(names), value) == ["here"] if names else True


# The command


def test_the_overlay_goes_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, json.dumps(raw()), "house.json")
    before = path.read_bytes()
    assert main(["annotate", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("overlay: '1.0.0'\n")
    assert "  - target: $.paths['/bookings'].post\n    update:\n      x-outturn-identity: [room_id, arrival]\n" in out
    assert path.read_bytes() == before
    assert is_ours(out)


def test_an_overlay_of_somebody_else_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, json.dumps(raw()), "house.json")
    other = file(tmp_path, "overlay: 1.0.0\ninfo: {}\nactions: []\n", "o.yaml")
    assert main(["annotate", str(path), "--overlay", str(other)]) == 2
    assert "was not written by skill-wizard" in capsys.readouterr().err
    assert main(["annotate", str(path), "--overlay", str(other), "--force"]) == 0
    assert main(["annotate", str(path), "--overlay", str(other)]) == 0
    assert "extends: house.json" in other.read_text()
    assert capsys.readouterr().out.endswith("nothing to change\n")


def test_a_difference_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file(tmp_path, DOCUMENT)
    assert main(["annotate", str(path), "--in-place", "--diff"]) == 0
    assert "\n+            x-outturn-" in capsys.readouterr().out
    assert path.read_text() == DOCUMENT


def test_only_a_file_can_be_edited_in_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "house.json"
    path.write_bytes(json.dumps(raw()).encode("utf-16"))
    assert main(["annotate", str(path), "--in-place"]) == 2
    assert "only UTF-8 can be edited" in capsys.readouterr().err
