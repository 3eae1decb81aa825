"""The person's side: `skill-wizard records` and `skill-wizard run` as somebody types them."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.cli import main
from wizard.cli.commands import _host
from wizard.host import people, runs
from wizard.host.calls import Asking, Result
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.host import Host
from wizard.host.http import HttpTransport
from wizard.host.keys import Secret, Secrets
from wizard.host.planfile import parse_plan
from wizard.host.prepare import Arguments
from wizard.host.record import Call, Record
from wizard.host.runs import Run
from wizard.host.state import Decision
from wizard.host.store import Store, open_store
from wizard.host.wire import Fault
from wizard.operation.parsing import parse_operation
from wizard.source import Source

BODY = {"room_id": "r1", "guest_name": "Ada"}
BY = ["--by", "Ada Lovelace", "--reason", "seen in the house's book"]


class Desk:
    """A store with writes in it, and the command over it."""

    def __init__(self, url: str, recipient: FaultyRecipient, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
        self.url, self.recipient, self.clock, self.capsys = url, recipient, clock, capsys
        self.store: Store = open_store(url)
        self.host = Host(
            store=self.store, transport=HttpTransport(clock=clock), clock=clock,
            secrets=Secrets(Secret("first", b"0123456789abcdef")),
        )  # fmt: skip

    def write(self, turn: str = "t1", body: Any = BODY, name: str = "book_room", **declared: Any) -> Result:
        operation, problems = parse_operation({
            "method": "POST", "url": self.recipient.url, "body": ["room_id", "guest_name"],
            "identity": ["room_id", "guest_name"], **declared,
        })  # fmt: skip
        assert operation is not None
        assert not problems
        at = Call("default", "s1", turn, 0)
        lease = self.host.lease("default", turn)
        return self.host.call(Asking(name, operation, Arguments(body=body)), at=at, lease=lease)

    def record(self) -> Record:
        (found,) = self.store.find("default", "")
        return found

    def say(self, *words: str, code: int = 0) -> str:
        assert main(["records", *words, "--store", self.url]) == code
        captured = self.capsys.readouterr()
        return captured.out if code != 2 else captured.err


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(datetime(2026, 3, 1, 14, 5, 9, tzinfo=UTC))
    monkeypatch.setattr(_host, "now", clock)
    for module in ("records", "run"):
        monkeypatch.setattr(f"wizard.cli.commands.{module}.now", clock)
    return clock


@pytest.fixture
def desk(tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    with FaultyRecipient(identity=["room_id"], key_header="Idempotency-Key") as recipient:
        desk = Desk(f"sqlite:{tmp_path / 'records.db'}", recipient, clock, capsys)
        yield desk
        desk.store.close()


@pytest.mark.requirement(38)
def test_list_shows_what_waits_for_a_person(desk: Desk) -> None:
    assert desk.say("list") == "No write waits for a person in the workspace `default`.\n"
    desk.recipient.then(Fault(status=503), Fault(cut=0))
    desk.write()
    desk.write("t2", {**BODY, "room_id": "r2"}, name="pay", key="header Idempotency-Key")
    first = next(record for record in desk.store.attempted("default") if not record.key)
    assert desk.say("list", code=1) == (
        "RECORD        STATE             OPERATION  SENT FIRST               SENDS  LAST KNOWN\n"
        f"{first.id}  attempted, waits  book_room  2026-03-01 14:05:09 UTC  1      sent: status 503\n"
        "1 more is attempted and may still settle without one: --all\n"
    )
    assert desk.say("list", "--all", code=1).count("attempted") == 2
    listed = json.loads(desk.say("list", "--format", "json", code=1))
    assert listed["version"] == 1
    assert [(one["record"], one["waits"], one["sends"]) for one in listed["records"]] == [(first.id, True, 1)]


@pytest.mark.requirement(38)
def test_a_keyed_or_probed_one_waits_only_when_both_have_failed(desk: Desk) -> None:
    probe = {"url": desk.recipient.url + "?room_id={room_id}", "match": ["guest_name"], "items": "$.nothing[*]"}
    desk.recipient.then(Fault(cut=0), Fault(cut=0))
    desk.write(key="header Idempotency-Key", probe=probe)
    assert desk.say("list").startswith("No write waits for a person in the workspace `default`.\n1 more is attempted")
    desk.clock.advance(timedelta(minutes=1))
    desk.write("t2", key="header Idempotency-Key", probe=probe)
    assert "attempted, waits" in desk.say("list", code=1)


@pytest.mark.requirement(118)
def test_show_tells_what_was_sent_and_everything_since(desk: Desk) -> None:
    desk.recipient.then(Fault(status=503))
    desk.write(key="header Idempotency-Key")
    record = desk.record()
    assert desk.say("show", record.id[:4]) == (
        f"record         {record.id}\n"
        "state          attempted\n"
        "operation      book_room\n"
        "asked by       session s1, turn t1, call 0\n"
        "sent first     2026-03-01 14:05:09 UTC\n"
        "sends          1\n"
        f"key            {record.key}  (header Idempotency-Key)\n"
        "\n"
        f"  POST {desk.recipient.url}\n"
        f"  Idempotency-Key: {record.key}\n"
        "  Content-Type: application/json\n"
        '  {"room_id":"r1","guest_name":"Ada"}\n'
        "\n"
        "  what happened\n"
        f"  2026-03-01 14:05:09 UTC  claimed   generation 0  ({record.events[0].by})\n"
        f"  2026-03-01 14:05:09 UTC  sent      status 503  ({record.events[1].by})\n"
    )
    shown = json.loads(desk.say("show", record.id, "--format", "json"))
    assert shown["request"]["body"] == '{"room_id":"r1","guest_name":"Ada"}'
    assert [event["kind"] for event in shown["events"]] == ["claimed", "sent"]


@pytest.mark.requirement(15, 113)
def test_settle_it_happened(desk: Desk) -> None:
    desk.recipient.then(Fault(status=503))
    desk.write()
    name = desk.record().id
    said = desk.say("settle", name, "--it-happened", *BY)
    assert said == f"{name} is completed now, by Ada Lovelace. Repeats are told that it was done.\n"
    assert desk.record().by == "person:Ada Lovelace"
    assert "decided   happened: seen in the house's book  (person:Ada Lovelace)" in desk.say("show", name)
    repeated = desk.write("t2")
    assert repeated.replayed
    assert "Ada Lovelace looked and settled that it happened" in repeated.text
    assert len(desk.recipient.seen) == 1


def test_settle_it_did_not_waits_until_nothing_can_arrive_any_more(desk: Desk) -> None:
    desk.recipient.then(Fault(after_bytes=20, resets=True))
    desk.write()
    name = desk.record().id
    error = desk.say("settle", name, "--it-did-not", *BY, code=2)
    assert error == (
        f"skill-wizard: error: the last send of {name} may still be carried out until 2026-03-01 14:10:39 UTC."
        " Look again then; or add --even-so if you know that it cannot.\n"
    )
    desk.clock.advance(timedelta(minutes=6))
    said = desk.say("settle", name, "--it-did-not", *BY)
    assert said == f"{name} is absent now, by Ada Lovelace. The next call of it sends it.\n"
    assert desk.write("t2").text == "Done: the recipient answered with status 201."
    assert sum(desk.recipient.commits.values()) == 1


def test_settle_it_did_not_even_so(desk: Desk) -> None:
    desk.recipient.then(Fault(after_bytes=20, resets=True))
    desk.write()
    desk.say("settle", desk.record().id, "--it-did-not", "--even-so", *BY)
    assert desk.record().state == "absent"


@pytest.mark.requirement(117)
def test_send_again_sends_once_because_a_person_says_so(desk: Desk) -> None:
    desk.recipient.then(Fault(after_bytes=20, resets=True))
    desk.write()
    name = desk.record().id
    said = desk.say("settle", name, "--send-again", *BY)
    assert said == f"Done: the recipient answered with status 201.\n{name} is completed.\n"
    assert sum(desk.recipient.commits.values()) == 1
    kinds = [event.kind for event in desk.record().events]
    assert kinds == ["claimed", "sent", "decided", "sending", "answered"]


def test_send_again_that_is_not_seen_answered_stays_attempted(desk: Desk) -> None:
    desk.recipient.then(Fault(status=503), Fault(status=409, commits=False))
    desk.write()
    said = desk.say("settle", desk.record().id, "--send-again", *BY, code=1)
    assert "its outcome was not observed" in said
    assert desk.record().state == "attempted"


def test_credentials_go_out_and_are_not_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_TOKEN", "Bearer s3cret")
    desk.recipient.then(Fault(status=503))
    desk.write()
    desk.say("settle", desk.record().id, "--send-again", *BY, "--credential", "Authorization=HOUSE_TOKEN")
    assert desk.recipient.seen[-1].header("Authorization") == "Bearer s3cret"
    assert "s3cret" not in desk.say("show", desk.record().id, "--format", "json")
    error = desk.say("settle", "x", "--send-again", *BY, "--credential", "Authorization=NO_SUCH", code=2)
    assert "no record begins with `x`" in error


def test_probe_asks_the_recipient(desk: Desk) -> None:
    probe = {"url": desk.recipient.url + "?room_id={room_id}", "match": ["guest_name"], "items": "$.bookings[*]"}
    desk.recipient.then(Fault(cut=0))
    desk.write(probe=probe)
    name = desk.record().id
    assert desk.say("probe", name) == f"there: it was found\n{name} is completed.\n"
    assert "last probe     there: it was found" in desk.say("show", name)
    assert "only an attempted one is asked after" in desk.say("probe", name, code=2)


def test_what_declares_no_probe_cannot_be_asked(desk: Desk) -> None:
    desk.recipient.then(Fault(cut=0))
    desk.write()
    assert "`book_room` declares no probe. Look at the recipient, then settle it." in desk.say(
        "probe", desk.record().id, code=2
    )


def test_release_lets_a_completed_one_be_made_anew(desk: Desk) -> None:
    desk.write()
    name = desk.record().id
    assert desk.say("release", name, *BY) == (
        f"{name} is released, by Ada Lovelace. The next call of it makes the write anew.\n"
    )
    assert desk.write("t2").text == "Done: the recipient answered with status 201."
    assert desk.record().generation == 1
    assert sum(desk.recipient.commits.values()) == 2


@pytest.mark.requirement(13, 69)
def test_sweep_forgets_completed_ones_past_their_time_and_no_attempted_one(desk: Desk) -> None:
    desk.recipient.then(Fault(), Fault(), Fault(status=503))
    for number in range(3):
        desk.write(f"t{number}", {**BODY, "room_id": f"r{number}"})
    assert desk.say("sweep") == "0 completed records expired.\n"
    desk.clock.advance(timedelta(days=3650))
    assert desk.say("sweep") == "2 completed records expired.\n"
    assert desk.say("sweep") == "0 completed records expired.\n"
    kept = {record.state: record for record in desk.store.find("default", "")}
    assert kept["absent"].request is None
    assert kept["absent"].answer is None
    assert kept["attempted"].request is not None


def test_what_cannot_be_settled_says_why(desk: Desk) -> None:
    desk.write()
    name = desk.record().id
    assert "only an attempted one waits for a person" in desk.say("settle", name, "--it-happened", *BY, code=2)
    assert "no record begins with `zz`" in desk.say("show", "zz", code=2)
    desk.write("t2", {**BODY, "room_id": "r2"})
    assert "several records begin with" not in desk.say("show", name)
    assert "no record begins with ``" in desk.say("show", "", code=2)


@pytest.mark.requirement(113)
@pytest.mark.parametrize(
    "words", [["--it-happened"], ["--it-happened", "--by", "Ada"], BY, ["--it-happened", "--it-did-not", *BY]]
)
def test_a_settling_names_a_way_a_person_and_a_reason(desk: Desk, words: list[str]) -> None:
    assert main(["records", "settle", "x", *words, "--store", desk.url]) == 2


@pytest.mark.requirement(113)
def test_a_name_of_blanks_is_none(desk: Desk) -> None:
    desk.recipient.then(Fault(status=503))
    desk.write()
    error = desk.say("settle", desk.record().id, "--it-happened", "--by", " ", "--reason", "x", code=2)
    assert "a decision needs the name of the person who makes it" in error


def test_in_progress_cannot_be_settled(desk: Desk) -> None:
    class Lost(BaseException):
        pass

    class Losing:
        def send(self, *_: object) -> Any:
            raise Lost

    desk.host = replace(desk.host, transport=Losing())
    with pytest.raises(Lost):
        desk.write()
    assert "is in progress until" in desk.say("settle", desk.record().id, "--it-happened", *BY, code=2)


def test_bodies_of_all_kinds_can_be_shown(desk: Desk) -> None:
    desk.recipient.then(Fault(body=b"\xff\x1b[31m", headers=(("Content-Type", "x/y"),)))
    desk.write()
    shown = desk.say("show", desk.record().id)
    assert "\x1b" not in shown
    assert "\\xff\\x1b[31m" in shown


@pytest.mark.requirement(115)
def test_settling_needs_no_schema_of_its_own(desk: Desk, tmp_path: Path) -> None:
    def schema() -> list[Any]:
        with closing(sqlite3.connect(tmp_path / "records.db")) as database:
            return database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()

    desk.recipient.then(Fault(status=503))
    desk.write()
    before = schema()
    desk.say("settle", desk.record().id, "--it-happened", *BY)
    desk.say("release", desk.record().id, *BY)
    desk.say("list", "--all")
    assert schema() == before


@pytest.mark.requirement(114)
def test_a_person_a_flow_and_a_reconciler_settle_by_one_entry(desk: Desk) -> None:
    for number, name in enumerate(("Ada", "flow: house desk", "reconciler of the house's ledger")):
        desk.recipient.then(Fault(status=503))
        desk.write(f"t{number}", {**BODY, "room_id": f"x{number}"})
        (record,) = desk.store.attempted("default")
        settled = people.settle(desk.store, record, Decision.HAPPENED, by=name, reason="checked", clock=desk.clock)
        assert (settled.state, settled.by) == ("completed", f"person:{name}")


# run


PLAN = """\
workflow: w
version: 1
steps:
  - {name: a, operation: {method: POST, url: "URL"}, approval: true}
"""


def run(desk: Desk, tmp_path: Path, *words: str, code: int = 0) -> str:
    (tmp_path / "plan.yaml").write_text(PLAN.replace("URL", desk.recipient.url))
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", desk.url, *words]) == code
    captured = desk.capsys.readouterr()
    return captured.out if code != 2 else captured.err


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILL_WIZARD_SECRET", "one:0123456789abcdef")


@pytest.mark.usefixtures("secret")
def test_run_pauses_and_is_approved(desk: Desk, tmp_path: Path) -> None:
    printed = run(desk, tmp_path, code=1)
    assert printed.endswith(
        "\nw: PAUSED_FOR_APPROVAL, no_approver. Spent: 0.\na waits for somebody's yes, as w:a\n"
        "Say yes with --approve a --by NAME, or no with --decline a --by NAME.\n"
    )
    printed = run(desk, tmp_path, "--approve", "a", "--by", "Ada")
    assert "w: COMPLETED. Spent: 0.\n" in printed
    assert run(desk, tmp_path, "--approve", "a", "--by", "Ada").endswith("w: COMPLETED. Spent: 0.\n")
    assert run(desk, tmp_path, "--show") == printed
    assert len(desk.recipient.seen) == 1


@pytest.mark.usefixtures("secret")
def test_run_is_declined_and_stopped(desk: Desk, tmp_path: Path) -> None:
    run(desk, tmp_path, code=1)
    assert run(desk, tmp_path, "--decline", "a", "--by", "Ada") == "Ada decided against a.\n"
    assert "w: HALTED, declined" in run(desk, tmp_path, code=1)
    assert run(desk, tmp_path, "--run", "w2", "--stop", "--by", "Ada") == "The run w2 stops before its next step.\n"
    assert "w2: HALTED, stopped" in run(desk, tmp_path, "--run", "w2", code=1)
    assert not desk.recipient.seen


@pytest.mark.usefixtures("secret")
@pytest.mark.requirement(12, 105)
def test_a_run_whose_step_was_not_seen_answered_goes_on_once_it_is_settled(desk: Desk, tmp_path: Path) -> None:
    run(desk, tmp_path, code=1)
    desk.recipient.then(Fault(status=502))
    printed = run(desk, tmp_path, "--approve", "a", "--by", "Ada", code=1)
    name = desk.record().id
    assert "w: PAUSED_FOR_APPROVAL, outcome_unknown" in printed
    assert f"Settle it with: skill-wizard records settle {name}" in printed
    assert printed.endswith("--by NAME --reason TEXT.\nThen run the plan again; it goes on from there.\n")
    desk.say("settle", name, "--it-happened", *BY)
    assert "w: COMPLETED" in run(desk, tmp_path)
    assert len(desk.recipient.seen) == 1


@pytest.mark.usefixtures("secret")
@pytest.mark.requirement(3)
def test_a_run_that_is_interrupted_says_what_it_leaves(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(desk, tmp_path, code=1)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(HttpTransport, "send", interrupted)
        words = ["run", str(tmp_path / "plan.yaml"), "--store", desk.url, "--approve", "a", "--by", "Ada"]
        assert main(words) == 130
    said = desk.capsys.readouterr().err
    assert said.startswith("The run w was interrupted. A request that was on its way may have been carried out;")
    assert desk.record().state == "attempted"


def test_run_needs_a_secret_a_plan_and_a_store(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SKILL_WIZARD_SECRET", raising=False)
    assert "SKILL_WIZARD_SECRET is not set. Set SKILL_WIZARD_SECRET to a name and a text" in run(desk, tmp_path, code=2)
    for given, said in (("nameless", "a secret without a name"), ("a:short", "at least 16 bytes")):
        monkeypatch.setenv("SKILL_WIZARD_SECRET", given)
        assert said in run(desk, tmp_path, code=2)
    assert main(["run", str(tmp_path / "no.yaml"), "--store", desk.url]) == 2
    assert "no.yaml" in desk.capsys.readouterr().err
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", "redis://x"]) == 2
    assert "`redis://x` is no store" in desk.capsys.readouterr().err
    (tmp_path / "plan.yaml").write_text("workflow: w\n")
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", desk.url]) == 2
    errors = desk.capsys.readouterr().err
    assert f"{tmp_path}/plan.yaml:1:1: `steps` is a list of at least one step" in errors
    assert f"{tmp_path}/plan.yaml:1:1: `version`, of the workflow, is missing" in errors


def test_who_only_looks_makes_no_store(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped path must not read as a store in which nothing waits."""
    (tmp_path / "plan.yaml").write_text(PLAN.replace("URL", desk.recipient.url))
    url = f"sqlite:{tmp_path / 'recrods.db'}"
    for words in (
        ["records", "list"], ["records", "show", "abc"], ["records", "sweep"],
        ["run", str(tmp_path / "plan.yaml"), "--show"],
        ["run", str(tmp_path / "plan.yaml"), "--approve", "a", "--by", "Ada"],
    ):  # fmt: skip
        assert main([*words, "--store", url]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err) == (
            "", f"skill-wizard: error: there is no store at `{url}`. Check where it is; `run` makes one.\n",
        )  # fmt: skip
    assert not (tmp_path / "recrods.db").exists()


@pytest.mark.usefixtures("secret")
def test_with_another_secret_nothing_is_run(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(desk, tmp_path, code=1)
    run(desk, tmp_path, "--approve", "a", "--by", "Ada")
    for given, said in (
        ("one:fedcba9876543210", "the secret `one` is not the one that the records of `default` were made with"),
        ("two:fedcba9876543210", "were made with the secret `one`, and SKILL_WIZARD_SECRET does not hold it"),
    ):
        monkeypatch.setenv("SKILL_WIZARD_SECRET", given)
        assert said in run(desk, tmp_path, "--from", "a", code=2)
    monkeypatch.setenv("SKILL_WIZARD_SECRET", "two:fedcba9876543210 one:0123456789abcdef")
    assert "replayed" in run(desk, tmp_path, "--from", "a")
    assert len(desk.recipient.seen) == 1


@pytest.mark.usefixtures("secret")
def test_a_plan_whose_declaration_was_left_is_taken_back_on_purpose(desk: Desk, tmp_path: Path) -> None:
    run(desk, tmp_path, code=1)
    run(desk, tmp_path, "--approve", "a", "--by", "Ada")
    plan = tmp_path / "plan.yaml"
    for text, url in (("another", f"{desk.recipient.url}?v=2"), ("back", desk.recipient.url)):
        plan.write_text(PLAN.replace("URL", url))
        words = ["run", str(plan), "--store", desk.url, "--run", text]
        main(words)
        desk.capsys.readouterr()
        code = main([*words, "--approve", "a", "--by", "Ada"])
        said = desk.capsys.readouterr().out
    assert code == 1
    assert "back: HALTED, declaration_changed" in said
    assert said.endswith("If this plan is the right one all the same, add --back.\n")
    assert main([*words, "--back"]) == 0
    assert "back: COMPLETED" in desk.capsys.readouterr().out


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresqll://ada:s3cret@h/db", "`postgresqll://…@h/db` is no store"),
        ("postgresql://ada:s3cret@[h/db", "`postgresql://…@[h/db` cannot be read as a URL"),
    ],
)
def test_a_stores_url_that_is_none_is_told_without_its_password(
    url: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["records", "list", "--store", url]) == 2
    errors = capsys.readouterr().err
    assert said in errors
    assert "s3cret" not in errors


@pytest.mark.parametrize("words", [["records", "list", "--workspace"], ["records", "show", "abc", "--workspace"]])
def test_a_name_that_is_no_text_is_told(desk: Desk, words: list[str]) -> None:
    assert main([*words, "w\udcff", "--store", desk.url]) == 2
    assert r"'w\udcff' is not UTF-8" in desk.capsys.readouterr().err


@pytest.mark.usefixtures("secret")
def test_a_steps_operation_may_stand_in_a_file_of_its_own(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "book.md").write_text(
        f"---\nname: book\ndescription: Books.\noperation:\n  method: POST\n  url: {desk.recipient.url}\n---\nText.\n"
    )
    (tmp_path / "plan.yaml").write_text("workflow: w\nversion: 1\nsteps:\n  - {name: a, operation: book.md}\n")
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", desk.url]) == 0
    assert desk.record().operation == "book"
    (tmp_path / "plan.yaml").write_text("workflow: w\nversion: 1\nsteps:\n  - {name: a, operation: no.md}\n")
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", desk.url]) == 2
    assert "plan.yaml:4:26: `no.md` cannot be read" in desk.capsys.readouterr().err


@pytest.mark.usefixtures("secret")
@pytest.mark.requirement(148)
def test_watch_resumes_what_crashed_until_it_is_interrupted(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PLAN.replace("URL", desk.recipient.url).replace(", approval: true", "")
    (tmp_path / "plan.yaml").write_text(text)
    plan = parse_plan(Source("plan.yaml", text))
    crashed = {"workspace": "default", "version": "1", "steps": ("a",), "lease_until": desk.clock()}
    ours = Run(id="ours", workflow="w", digest=plan.digest, **crashed)  # type: ignore[arg-type]
    others = Run(id="others", workflow="v", digest="", **crashed)  # type: ignore[arg-type]
    assert desk.store.write([runs.run_document(ours), runs.run_document(others)])
    seconds = 0

    def sleep(_: float) -> None:
        nonlocal seconds
        seconds += 1
        desk.clock.advance(timedelta(seconds=1))
        if seconds == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    assert main(["run", str(tmp_path / "plan.yaml"), "--store", desk.url, "--watch"]) == 130
    assert desk.capsys.readouterr().out.endswith("ours: COMPLETED. Spent: 0.\n")
    assert len(desk.recipient.seen) == 1
    assert runs.read_run(desk.store, "default", "others") == others
