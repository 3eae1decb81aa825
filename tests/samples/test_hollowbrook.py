"""Hollowbrook: a document as real houses publish them, and the skills that `emit` writes from it.

`UPDATE_GOLDEN=1 pytest tests/samples` writes the skills anew; read the difference like code.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from skills_ref import validate

from wizard.cli import main
from wizard.operation.model import Operation
from wizard.skill.document import parse_skill
from wizard.skill.files import read_text
from wizard.spec.reader import read_document

HOUSE = Path(__file__).parents[2] / "samples" / "hollowbrook"
SKILLS = HOUSE / "skills"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def emit(out: Path, *more: str) -> None:
    assert main(["emit", str(out.parent / "openapi.yaml"), "--all", "--out", str(out), *more]) == 0


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The skills as `emit` writes them now, beside a copy of the document."""
    shutil.copy(HOUSE / "openapi.yaml", tmp_path / "openapi.yaml")
    emit(tmp_path / "skills")
    return tmp_path / "skills"


def test_the_skills_are_what_emit_writes(written: Path) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        shutil.rmtree(SKILLS, ignore_errors=True)
        shutil.copytree(written, SKILLS)
    assert files(written) == files(SKILLS)


def test_writing_them_again_changes_nothing(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(written)
    capsys.readouterr()
    emit(written)
    assert files(written) == before
    assert capsys.readouterr().out == f"{len(before)} unchanged\n"


def test_the_document_is_whole() -> None:
    document = read_document(HOUSE / "openapi.yaml")
    assert document.problems == ()
    assert len(document.operations) >= 20
    assert all(operation.servers == ("http://outturn-hollowbrook:8084",) for operation in document.operations)


def declared(name: str) -> Operation:
    held = parse_skill(read_text(SKILLS / "hollowbrook" / "operations" / f"{name}.md"))
    assert held.problems == ()
    assert held.operation is not None
    return held.operation


def test_the_booking_takes_no_key_and_can_be_read_back() -> None:
    booking = declared("create-booking")
    assert booking.key is None
    assert [path.name for path in booking.identity] == ["room_id", "guest_name", "arrival", "departure"]
    assert booking.probe is not None
    assert booking.probe.url.startswith("http://outturn-hollowbrook:8084/bookings?room_id={room_id}&arrival={arrival}")
    assert booking.probe.items == "$.bookings[*]"
    assert booking.probe.absent == "empty"


def test_the_charge_takes_a_key_in_a_field() -> None:
    charge = declared("charge-payment-account")
    assert charge.key is not None
    assert (charge.key.place, charge.key.name, str(charge.key.remembered_for)) == ("field", "idempotency_key", "24h")
    assert "idempotency_key" not in [path.name for path in charge.body]


def test_the_payment_takes_a_header_and_the_invoice_stores_a_reference() -> None:
    payment = declared("take-payment")
    assert payment.key is not None
    assert (payment.key.place, payment.key.name) == ("header", "Idempotency-Key")
    invoice = declared("create-invoice")
    assert invoice.key is None
    assert invoice.reference is not None
    assert invoice.reference.name == "reference"


def test_a_log_line_is_recorded_by_the_call() -> None:
    line = declared("add-log-line")
    assert line.is_write
    assert line.identity == ()
    assert line.probe is None


def test_a_search_by_post_is_no_write() -> None:
    assert not declared("search-bookings").is_write
    assert not declared("search-availability").is_write


@pytest.mark.parametrize("layout", ["folder", "single", "specs"])
def test_the_validators_take_them(tmp_path: Path, layout: str) -> None:
    shutil.copy(HOUSE / "openapi.yaml", tmp_path / "openapi.yaml")
    emit(tmp_path / "skills", "--layout", layout)
    for path in (tmp_path / "skills").rglob("SKILL.md"):
        assert validate(path.parent) == []
    agnix = Path(sysconfig.get_path("scripts")) / ("agnix.exe" if sys.platform == "win32" else "agnix")
    done = subprocess.run([agnix, "--format", "json", "."], cwd=tmp_path / "skills", capture_output=True, text=True)
    assert json.loads(done.stdout)["summary"]["errors"] == 0
    assert done.returncode == 0
