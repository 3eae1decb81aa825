"""The exploration: what holds, what must be found, and that the page and the command say so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.cli.exits import Exit
from wizard.host import state, tables
from wizard.host.explorer import prove as proving
from wizard.host.explorer.assumptions import ASSUMPTIONS, LIMIT
from wizard.host.explorer.model import CLAIMED, Flight, Here, Model, Worker, swapped
from wizard.host.explorer.mutants import MUTANTS, explore
from wizard.host.explorer.prove import Proof, prove
from wizard.host.explorer.walk import INVARIANTS, walk
from wizard.host.explorer.world import BOTH, DECLARATIONS, EXPIRING, KEYED, PROBED, RULES, SUCCESS, UNKEYED
from wizard.host.keys import Secret, Secrets
from wizard.host.outcome import GatewayRefusal, Reply, Silence
from wizard.host.prepare import Arguments, prepare
from wizard.host.record import Call, State
from wizard.host.state import Finding, ProbeAnswer, Repeat, Send, Terms
from wizard.operation.parsing import parse_operation

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guarantee.md"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def proof() -> Proof:
    return prove()


# What holds


@pytest.mark.requirement(10, 12, 13, "T1", "T3", "T4", "T5")
def test_no_invariant_breaks_in_any_state_that_can_be_reached(proof: Proof) -> None:
    assert [(declared.name, walked.broken) for declared, walked in proof.walks] == [
        (declared.name, None) for declared in DECLARATIONS
    ]
    assert proof.states > 100_000
    assert proof.holds


def test_the_walk_sees_everything_that_it_should() -> None:
    """Every kind of step is taken somewhere, and records reach every state in every way."""
    said: set[str] = set()
    ends: set[tuple[State, str | None]] = set()
    for declared in (PROBED, KEYED, SUCCESS, EXPIRING):
        model = Model(declared)
        start = Here(0)
        seen, ahead = {start}, [start]
        while ahead and len(seen) < 6000:
            here = ahead.pop(0)
            record = model.record(here)
            if record is not None:
                ends.add((record.state, record.by))
            for step in model.steps(here):
                said.add(re.sub(r"\d+", "#", step.said))
                if step.there not in seen:
                    seen.add(step.there)
                    ahead.append(step.there)
    for words in (
        "{} claims it", "{} sends", "{} is killed", "{} cannot connect", "the gateway refuses what {} sends",
        "{} finds its deadline over and sends nothing", "{} sees its connection break", "a request is lost",
        "the recipient commits and answers {} #", "the recipient commits and answers {} #, its body cut off",
        "the recipient commits and answers nobody", "the recipient changes nothing and answers {} #",
        "the recipient knows the key and answers {} #", "{} marks it sending again", "{} begins a probe",
        "{}'s probe reads: there", "{}'s probe reads: not there", "{}'s probe fails", "{} settles: answered",
        "{} settles: refused", "{} settles: not sent", "{} settles: unobserved", "{} settles by its probe: completed",
        "the store does not take what {} settles", "a person looks and says: it happened",
        "a person looks and says: it did not happen", "the completed record expires", "a tick passes",
        "the recipient forgets the key of what it answered #xx", "{} is answered from the record", "{} is refused",
    ):  # fmt: skip
        assert words in said, f"nobody ever does: {words}"
    assert ends >= {
        (State.ATTEMPTED, None), (State.COMPLETED, "answer"), (State.COMPLETED, "probe"),
        (State.COMPLETED, "person:Ada"),
        (State.ABSENT, "answer"), (State.ABSENT, "probe"), (State.ABSENT, "person:Ada"),
    }  # fmt: skip


def test_workers_that_are_swapped_are_the_same_state() -> None:
    here = Here(3, Worker(CLAIMED), Worker(), (Flight(1, 0, 0), Flight(2, -1, 0), Flight(2, 1, 0)))
    assert swapped(here) == Here(3, Worker(), Worker(CLAIMED), (Flight(1, 1, 0), Flight(2, -1, 0), Flight(2, 0, 0)))
    assert swapped(swapped(here)) == here
    whole = walk(Model(PROBED))
    unmerged: set[Here] = set()
    ahead = [Here(0)]
    model = Model(PROBED)
    while ahead:
        here = ahead.pop()
        if here not in unmerged:
            unmerged.add(here)
            ahead += [step.there for step in model.steps(here)]
    assert whole.states <= len(unmerged) <= 2 * whole.states


@pytest.mark.parametrize("sends", [1, 2])
def test_whose_refusal_it_is_makes_no_difference_to_a_record(sends: int) -> None:
    """The walk takes the gateway's refusal and the recipient's for one."""
    record = replace(_claimed(), sends=sends)
    refusals = (state.classify(Reply(422)), state.classify(GatewayRefusal("no")))
    after = [state.settle(record, refused, NOW, fence=1)[0] for refused in refusals]
    assert replace(after[0], events=()) == replace(after[1], events=())


# What must be found


@pytest.mark.requirement(12, 33, 129, 134, 145)
def test_every_mutant_is_found(proof: Proof) -> None:
    assert [mutant.name for mutant, broken in proof.mutants if broken is None] == []
    named = {mutant.name for mutant in MUTANTS}
    assert named >= {
        "non-atomic claim", "5xx releases", "broken connection releases", "cut body releases",
        "4xx on a resend releases",
        "settle without fence", "probe without waiting", "probe error is absence", "sending after the own deadline",
        "resend past the recipient's memory", "no bound on requests in flight", "lease expiry sends again", "run flag",
    }  # fmt: skip


def test_a_mutant_that_breaks_nothing_survives_and_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = replace(MUTANTS[0], name="idle", rules=RULES, patched=None)
    assert explore(idle) is None
    monkeypatch.setattr(proving, "MUTANTS", (idle,))
    monkeypatch.setattr(proving, "DECLARATIONS", (UNKEYED,))
    monkeypatch.setattr(proving, "ASSUMPTIONS", ASSUMPTIONS[:1])
    assert not prove().holds


def test_the_rules_are_whole_again_after_a_mutant() -> None:
    functions = {name: getattr(state, name) for name in ("releases", "absence_counts", "may_resend")}
    for mutant in MUTANTS:
        if mutant.patched:
            explore(mutant)
    assert {name: getattr(state, name) for name in functions} == functions


def test_every_assumption_is_needed(proof: Proof) -> None:
    assert len(proof.assumptions) == 5
    for assumption, broken in (*proof.assumptions, proof.limit):
        assert broken is not None, f"no double write without: {assumption.text}"
        assert broken.invariant == "I1"
        assert sum("commits" in step for step in broken.trace) == 2


def test_a_shortest_trace_is_shortest() -> None:
    """The walk goes breadth first: nothing shorter breaks an invariant."""
    for mutant in MUTANTS[:4]:
        broken = explore(mutant)
        assert broken is not None
        model = Model(mutant.declared, mutant.rules, person=False)
        seen, ahead = {Here(0)}, [Here(0)]
        for _ in range(len(broken.trace) - 1):
            following = []
            for here in ahead:
                for step in model.steps(here):
                    from wizard.host.explorer.walk import broken as breaks

                    assert not breaks(model, here, step)
                    if step.there not in seen:
                        seen.add(step.there)
                        following.append(step.there)
            ahead = following


SAME_EVERYWHERE = """
import json, sys
from wizard.host.explorer.model import Model
from wizard.host.explorer.mutants import MUTANTS, explore
from wizard.host.explorer.walk import walk
from wizard.host.explorer.world import PROBED
walked = walk(Model(PROBED))
print(json.dumps([walked.states, walked.steps, [explore(mutant).trace for mutant in MUTANTS]]))
"""


def test_the_walk_is_the_same_in_every_process() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", SAME_EVERYWHERE], capture_output=True, text=True, env={"PYTHONHASHSEED": seed},
            cwd=ROOT, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1] != ""


# The command


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command over one declaration."""
    monkeypatch.setattr(proving, "DECLARATIONS", (UNKEYED,))


def test_the_command_prints_what_holds(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    from wizard.cli import main

    assert main(["prove"]) == Exit.CLEAN
    said = capsys.readouterr()
    assert said.err == ""
    for words in (
        "I1  the write is committed at most once", "neither key nor probe", "all hold",
        f"Mutants: {len(MUTANTS)} of {len(MUTANTS)} found", "lease expiry sends again: I3, 6 steps",
        "the rule: an attempt whose lease is over is not absent", "     1 A claims it",
        *(assumption.text for assumption in (*ASSUMPTIONS, LIMIT)),
    ):  # fmt: skip
        assert " ".join(words.split()) in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines())) <= 80
    assert re.search(r"^313 states, \d+ mutants, \d+\.\d s of one processor$", said.out, re.MULTILINE)


def test_the_command_prints_json(small: None, capsys: pytest.CaptureFixture[str]) -> None:
    from wizard.cli import main

    assert main(["prove", "--format", "json"]) == Exit.CLEAN
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["holds"], data["states"]) == (1, True, 313)
    assert len(data["mutants"]) == len(MUTANTS)
    assert data["assumptions"][4]["without_it"]["trace"][-1] == "the recipient commits and answers B 201"


def test_a_broken_rule_is_a_finding(
    small: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from wizard.cli import main

    flawed = replace(RULES, classify=MUTANTS[1].rules.classify)
    monkeypatch.setattr(proving, "Model", lambda declared: Model(declared, flawed))
    monkeypatch.setattr(proving, "MUTANTS", (replace(MUTANTS[0], rules=RULES, patched=None),))
    assert main(["prove"]) == Exit.FINDINGS
    said = capsys.readouterr().out
    assert "I3 breaks" in said
    assert "SURVIVES" in said
    assert "A settles: refused" in said


# The page


@pytest.mark.requirement(81, "T2")
def test_the_page_holds_what_the_code_makes(proof: Proof) -> None:
    page = PAGE.read_text(encoding="utf-8")
    made = tables.blocks(proof)
    assert tables.filled(page, made) == page, "run `python -m wizard.host.tables docs/guarantee.md`"
    assert set(re.findall(r"<!-- made: (\w+) -->", page)) == set(made)
    assert all(f"- **{name}** {text}" in page for name, text in INVARIANTS.items())


def test_a_part_of_the_page_is_replaced_and_nothing_else() -> None:
    page = "a\n<!-- made: x -->\nold\nlines\n<!-- end -->\nb\n<!-- made: y -->\n<!-- end -->\nc"
    assert tables.filled(page, {"x": "new", "y": "too"}) == (
        "a\n<!-- made: x -->\nnew\n<!-- end -->\nb\n<!-- made: y -->\ntoo\n<!-- end -->\nc"
    )


def test_every_test_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))
    there = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(named) > 20
    assert named <= there, f"the page names {sorted(named - there)}"


@pytest.mark.requirement(27)
def test_nobody_else_promises_what_nobody_can_have() -> None:
    for file in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "templates").rglob("*"),
        *ROOT.glob("samples/**/*.md"),
    ]:
        if file != PAGE and file.is_file():
            assert "exactly once" not in file.read_text(encoding="utf-8").lower(), file


@pytest.mark.requirement(11)
def test_unknown_is_never_the_state_of_a_record() -> None:
    for file in (ROOT / "wizard" / "host").rglob("*"):
        if file.suffix in (".py", ".sql", ".toml"):
            text = file.read_text(encoding="utf-8")
            assert not re.search(r"State\.UNKNOWN|state\s*(=|is|==|IN)\s*\(?['\"]unknown", text), file
    assert "unknown" not in {one.value for one in State}


# Limits that the page names


def test_a_clock_that_runs_ahead_counts_absence_too_early() -> None:
    terms = Terms(probed=True)
    record = _claimed()
    ahead = record.deadline + terms.after  # type: ignore[operator]
    answer = ProbeAnswer(Finding.NOT_THERE, ahead, record.fence)
    assert state.settle_by_probe(record, answer, terms, ahead)[0].state is State.ABSENT
    really = ahead - timedelta(minutes=5)
    assert really == record.deadline, "by a clock five minutes behind it could still be on its way"


def test_a_worker_that_does_not_know_the_new_secret_claims_again() -> None:
    old, new = Secret("old", b"1" * 32), Secret("new", b"2" * 32)
    knows = _prepared(Secrets(new, (old,))).addresses
    does_not = _prepared(Secrets(old)).addresses
    told_before = _prepared(Secrets(old, (new,))).addresses
    assert knows[0] not in does_not, "the record under the new secret is out of its sight"
    assert knows[0] in told_before, "where it was told first, it is not"


def test_a_renamed_operation_with_another_identity_forgets() -> None:
    done = state.settle(_claimed(), state.classify(Reply(201)), NOW, fence=1)[0]
    at = {done.address: done}

    def found(identity: list[str]) -> Any:
        made = _prepared(Secrets(Secret("k", b"1" * 32)), identity)
        record = state.choose([at[address] for address in made.addresses if address in at], NOW)
        return state.decide(record, Terms(), made.asked(record, MINUTE), NOW)

    assert isinstance(found(["a"]), Repeat), "the name alone is no part of an address"
    assert isinstance(found(["a", "b"]), Send)


def _prepared(secrets: Secrets, identity: list[str] | None = None) -> Any:
    operation, _ = parse_operation({"method": "POST", "url": "http://h/x", "identity": identity or ["a"]})
    assert operation is not None
    return prepare("op", operation, Call("w", "s", "t", 0), Arguments(body={"a": 1, "b": 2}), secrets)


def _claimed() -> Any:
    new = _prepared(Secrets(Secret("k", b"1" * 32))).new_write(0)
    record = state.claim(None, new, "w", NOW + MINUTE, NOW + MINUTE, NOW)
    assert state.settle(record, state.classify(Silence("x")), NOW, fence=1)[0].state is State.ATTEMPTED
    return record


def test_the_declarations_cover_every_means() -> None:
    means = {(bool(one.terms.key_place), one.terms.probed) for one in (UNKEYED, PROBED, KEYED, BOTH)}
    assert means == {(False, False), (False, True), (True, False), (True, True)}
