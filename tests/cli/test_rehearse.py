"""The command `rehearse` as somebody calls it: what it prints, what it leaves, how it ends."""

import io
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from wizard.cli.running import main
from wizard.host.wire import HONEST, Answering, Fault, Seen, Wire
from wizard.lint.matching import operation_of
from wizard.rehearse.facts import facts_of
from wizard.rehearse.recipient import Recipient
from wizard.skill.document import parse_skill
from wizard.skill.files import read_text
from wizard.spec.reader import read_document

SAMPLES = Path(__file__).parents[2] / "samples"
BOOKING = SAMPLES / "hollowbrook" / "skills" / "hollowbrook" / "operations" / "create-booking.md"
WRONG = SAMPLES / "wrong"
QUICK = ["--only", "plain", "--only", "503-after-commit"]


def test_a_declaration_that_holds_is_told_and_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rehearse", str(BOOKING), *QUICK]) == 0
    out = capsys.readouterr().out
    assert "passed: create-booking" in out
    assert "undeclared  cached" in out


def test_a_double_write_exits_with_1_and_says_what_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    called = [
        "rehearse",
        str(WRONG / "declarations" / "key-is-a-trace-id.md"),
        "--document",
        str(WRONG / "openapi.yaml"),
    ]
    assert main([*called, *QUICK, "--no-compare"]) == 1
    out = capsys.readouterr().out
    assert "landed twice" in out
    assert "key: {in: header, name: Idempotency-Key, for: 24h}" in out


@pytest.mark.parametrize("name", ["json", "junit"])
def test_other_formats_go_to_stdout_alone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rehearse", str(BOOKING), *QUICK, "--format", name, "--no-compare"]) == 0
    out = capsys.readouterr().out
    if name == "json":
        told = json.loads(out)
        assert [story["story"] for story in told["operations"][0]["stories"]] == ["plain", "503-after-commit"]
    else:
        assert out.startswith("<?xml")


def test_a_report_is_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "made" / "page.html"
    assert main(["rehearse", str(BOOKING), *QUICK, "--report", str(page)]) == 0
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "create-booking" in text
    assert "<svg" in text


def test_each_seed_is_told_where_a_story_is_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    called = ["rehearse", str(BOOKING), "--only", "truncate-after-commit", "--repeat", "3", "--seed", "5"]
    assert main([*called, "--no-compare", "--format", "json"]) == 0
    stories = json.loads(capsys.readouterr().out)["operations"][0]["stories"]
    assert [story["seed"] for story in stories] == [5, 6, 7]


def test_stories_and_recipients_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rehearse", "--stories"]) == 0
    assert "killed-after-send" in capsys.readouterr().out
    assert main(["rehearse", "--recipients"]) == 0
    assert "key-ignored" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "no skill is named"),
        ([str(BOOKING), "--only", "plian"], 2, "Did you mean `plain`?"),
        ([str(BOOKING), "--recipient", "key-ignord"], 2, "Did you mean `key-ignored`?"),
        ([str(BOOKING), "--format", "xml"], 2, "there is no format `xml`"),
        ([str(BOOKING), "--operation", "create-bookin"], 2, "There are create-booking"),
        (["nowhere"], 2, "there is no such file or folder"),
        ([str(BOOKING), "--document", "nowhere.yaml"], 2, "nowhere.yaml"),
        ([str(BOOKING), "--store", "mongodb://x"], 2, "is no store"),
        ([str(BOOKING.parent / "get-booking.md")], 3, "get-booking: it is a read"),
        ([str(BOOKING.parent / "get-booking.md")], 3, "no write is declared there"),
        ([str(BOOKING.parent / "set-room-state.md")], 3, "a PUT replaces, and may be repeated"),
        ([str(BOOKING), "--against", "http://127.0.0.1:9"], 2, "nobody is there to be asked"),
        ([str(BOOKING), "--against", "http://127.0.0.1:9", "--yes"], 2, "nothing answers at http://127.0.0.1:9"),
        ([str(BOOKING), "--against", "sandbox", "--yes"], 2, "`--against sandbox` is no address"),
        ([str(BOOKING), "--against", "http://[::1", "--yes"], 2, "is no address"),
        ([str(BOOKING), "--credential", "Authorization=HOME"], 2, "`--credential` is for a real recipient"),
        ([str(BOOKING), "--repeat", "many"], 2, "`many` is no whole number"),
        ([str(BOOKING), "--jobs", "0"], 2, "0 is less than 1"),
        ([str(BOOKING), "--seed", "x"], 2, "`x` is no whole number"),
        ([str(BOOKING), "--report", str(SAMPLES)], 2, "no report can be written there: it is a folder"),
        ([str(BOOKING), "--report", "/dev/null/page.html"], 2, "no report can be written there"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["rehearse", *words]) == code
    assert said in capsys.readouterr().err


def test_what_cannot_be_read_or_is_not_in_the_document_is_no_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipeline that proves nothing of a declaration must not be green."""
    text = BOOKING.read_text("utf-8")
    (tmp_path / "unended.md").write_text(text.replace("  identity: [", "  identity: [["), "utf-8")
    (tmp_path / "half.md").write_text(text.replace("  probe:", "  key: {in: nowhere}\n  probe:"), "utf-8")
    (tmp_path / "other.md").write_text(text.replace("/bookings\n", "/reservations\n"), "utf-8")
    (tmp_path / "good.md").write_text(text.replace("create-booking", "good"), "utf-8")
    called = ["rehearse", str(tmp_path), "--document", str(SAMPLES / "hollowbrook" / "openapi.yaml"), *QUICK]
    assert main([*called, "--no-compare"]) == 1
    out = capsys.readouterr().out
    assert "passed: good" in out
    assert out.count("could not be rehearsed: ") == 3
    assert "3 declarations could not be rehearsed." in " ".join(out.split())
    assert main([*called, "--no-compare", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["failed"]
    assert len(told["blocked"]) == 3
    assert main([*called, "--no-compare", "--format", "junit"]) == 1
    assert capsys.readouterr().out.count('type="blocked"') == 3


def test_a_report_that_cannot_be_written_after_all_loses_no_result(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wizard.cli.commands.rehearse._writable", lambda path: None)
    assert main(["rehearse", str(BOOKING), *QUICK, "--no-compare", "--report", "/dev/null/page.html"]) == 2
    told = capsys.readouterr()
    assert "passed: create-booking" in told.out
    assert "/dev/null/page.html" in told.err


def test_the_store_in_memory_tells_what_needs_no_other_process(capsys: pytest.CaptureFixture[str]) -> None:
    called = ["rehearse", str(BOOKING), *QUICK, "--only", "killed-after-send", "--store", "memory:", "--no-compare"]
    assert main([*called, "--format", "json"]) == 0
    told = {one["story"]: one for one in json.loads(capsys.readouterr().out)["operations"][0]["stories"]}
    assert told["503-after-commit"]["verdict"] == "passed"
    assert (told["killed-after-send"]["verdict"], told["killed-after-send"]["why"]) == (
        "skipped", "the store lives in one process",
    )  # fmt: skip


def test_it_is_told_on_postgresql_with_real_kills(postgres_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    stories = [word for name in ("killed-after-send", "two-workers", "503-after-commit") for word in ("--only", name)]
    for _ in range(2):
        # What an earlier rehearsal left in the store is of no matter.
        assert (
            main(["rehearse", str(BOOKING), *stories, "--store", postgres_url, "--no-compare", "--format", "json"]) == 0
        )
        told = json.loads(capsys.readouterr().out)
        assert told["store"] == "postgresql"
        assert {one["verdict"] for one in told["operations"][0]["stories"]} == {"passed"}


def test_as_a_process_it_needs_no_skill_of_ours_beside_it(tmp_path: Path) -> None:
    """A single skill, and its document near it."""
    skill = tmp_path / "charge-payment-account.md"
    shutil.copy(BOOKING.parent / skill.name, skill)
    shutil.copy(SAMPLES / "hollowbrook" / "openapi.yaml", tmp_path / "openapi.yaml")
    done = subprocess.run(
        [sys.executable, "-m", "wizard", "rehearse", skill.name, "--only", "killed-after-answer", "--jobs", "2"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "undeclared  cached  keyed" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["charge-payment-account.md", "openapi.yaml"]


# Against a real recipient --------------------------------------------------------------------------------------------


@contextmanager
def sandbox() -> Iterator[tuple[str, Recipient, list[Seen]]]:
    """A recipient that somebody else runs, on a socket of its own."""
    document = read_document(str(SAMPLES / "hollowbrook" / "openapi.yaml"))
    operation = parse_skill(read_text(BOOKING)).operation
    assert operation is not None
    recipient = Recipient(
        facts_of(operation, operation_of(document, operation), document), clock=lambda: datetime.now(UTC)
    )
    seen: list[Seen] = []
    lock = threading.Lock()

    def serve(request: Seen, fault: Fault) -> Answering:
        with lock:
            seen.append(request)
            taken = recipient.take(request.method, request.target, request.headers, request.body or None)
        return Answering(taken.status, taken.headers, taken.body)

    with Wire(lambda reads: HONEST, serve) as wire:
        yield f"http://127.0.0.1:{wire.port}", recipient, seen


def test_against_a_sandbox_it_says_what_it_created(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOUSE_TOKEN", "Bearer of-the-house")
    with sandbox() as (url, recipient, seen):
        called = ["rehearse", str(BOOKING), "--against", url, "--yes", "--credential", "Authorization=HOUSE_TOKEN"]
        names = (
            "plain",
            "reset-after-commit",
            "503-before-commit",
            "key-expired",
            "equal-last-week",
            "killed-after-send",
        )
        only = [word for name in names for word in ("--only", name)]
        code = main([*called, *only, "--format", "json"])
    told = json.loads(capsys.readouterr().out)
    stories = {one["story"]: one for one in told["operations"][0]["stories"]}
    assert code == 0, stories
    assert set(stories) == {"plain", "reset-after-commit", "503-before-commit", "killed-after-send"}
    assert all(story["landed"] == 1 for story in stories.values())
    assert told["recipient"] == url
    assert len(told["created"]) == len(stories) == recipient.landed()
    assert all(one["answer"].startswith("201 ") for one in told["created"])
    assert {request.header("Authorization") for request in seen} == {"Bearer of-the-house"}
    assert "of-the-house" not in json.dumps(told)


def test_a_sandbox_that_takes_nothing_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def serve(request: Seen, fault: Fault) -> Answering:
        return Answering(500, (), b'{"code": "out_of_order"}')

    with Wire(lambda reads: HONEST, serve) as wire:
        url = f"http://127.0.0.1:{wire.port}"
        assert main(["rehearse", str(BOOKING), "--against", url, "--yes", *QUICK, "--format", "json"]) == 1
    (blocked,) = json.loads(capsys.readouterr().out)["blocked"]
    assert blocked["name"] == "create-booking"
    assert blocked["why"] == f'{url} took none of its writes; the last one came to: 500 {{"code": "out_of_order"}}'


def test_two_declarations_of_one_name_have_a_sandbox_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the one has created there says nothing of the other."""
    charge = (BOOKING.parent / "charge-payment-account.md").read_text("utf-8")
    (tmp_path / "booking.md").write_text(BOOKING.read_text("utf-8"), "utf-8")
    (tmp_path / "charge.md").write_text(charge.replace("charge-payment-account", "create-booking", 1), "utf-8")
    document = str(SAMPLES / "hollowbrook" / "openapi.yaml")
    made: list[bytes] = []

    def serve(request: Seen, fault: Fault) -> Answering:
        if not request.target.startswith("/bookings"):
            return Answering(403, (), b"{}")
        made.append(request.body)
        return Answering(201, (), json.dumps({"id": f"bk_{len(made)}"}).encode())

    with Wire(lambda reads: HONEST, serve) as wire:
        called = ["rehearse", str(tmp_path), "--document", document, "--against", f"http://127.0.0.1:{wire.port}"]
        assert main([*called, "--yes", "--only", "plain", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    booking = told["operations"][0]
    assert (booking["skill"], booking["verdict"]) == (str(tmp_path / "booking.md"), "passed")
    assert [one["name"] for one in told["blocked"]] == [f"create-booking ({tmp_path / 'charge.md'})"]
    assert len(told["created"]) == 1


def test_each_story_makes_something_else_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise a probe would find what an earlier story has made."""
    with sandbox() as (url, _, seen):
        called = ["rehearse", str(BOOKING), "--against", url, "--yes", "--format", "json"]
        assert main([*called, "--only", "plain", "--only", "asked-twice", "--only", "refuse"]) == 0
        bodies = [json.loads(request.body) for request in seen if not request.reads]
    assert len({json.dumps(body, sort_keys=True) for body in bodies}) == 3


def test_a_no_is_a_no(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return "n\n"

    monkeypatch.setattr("sys.stdin", Terminal())
    with sandbox() as (url, _, seen):
        assert main(["rehearse", str(BOOKING), "--against", url, *QUICK]) == 2
        assert not seen
    assert "What it creates there stays there." in capsys.readouterr().err
