"""The loop: one step, a checkpoint, the next; resumed by the same lines; money counted once."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.host import approvals, runs, state
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.host import Host, LeaseHeldError
from wizard.host.http import HttpTransport
from wizard.host.keys import Secret, Secrets
from wizard.host.loop import Loop, RunLostError, RunRefusedError, held_id
from wizard.host.outcome import NeverSent, Outcome, Reply, Request
from wizard.host.plan import Plan
from wizard.host.planfile import parse_plan
from wizard.host.record import State
from wizard.host.runs import CRASHED, Mark, Reason, Run, RunState
from wizard.host.store import StoreError
from wizard.host.stores.memory import MemoryStore
from wizard.host.wire import Fault
from wizard.source import Source

SECRETS = Secrets(Secret("first", b"0123456789abcdef"))
TOKEN = "0123456789abcdef"


def triage(url: str, *, cap: str = "100.00", amount: str = "50.00", version: int = 1) -> Plan:
    return parse_plan(Source("plan.yaml", f"""\
workflow: ticket-triage
version: {version}
spend_cap: {{amount: {cap}, currency: USD}}
approvers: [ada]
steps:
  - name: draft_reply
    operation: {{method: POST, url: "{url}", body: [ticket, text]}}
    arguments: {{body: {{ticket: T-1, text: We are on it.}}}}
    cost: 0.02
  - name: issue_refund
    operation:
      method: POST
      url: "{url}"
      body: [ticket, amount_usd]
      money: {{amount: amount_usd, currency: USD}}
    arguments: {{body: {{ticket: T-1, amount_usd: {amount}}}}}
"""))  # fmt: skip


def steps(url: str, count: int) -> Plan:
    lines = [
        f'  - {{name: s{index}, operation: {{method: POST, url: "{url}", body: [n]}},'
        f" arguments: {{body: {{n: {index}}}}}, cost: 0.10}}"
        for index in range(count)
    ]
    return parse_plan(Source("plan.yaml", "workflow: w\nversion: 1\nsteps:\n" + "\n".join(lines)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recipient() -> Iterator[FaultyRecipient]:
    with FaultyRecipient(identity=["n", "ticket", "amount_usd", "text"]) as running:
        yield running


@pytest.fixture
def host(clock: Clock) -> Host:
    return Host(store=MemoryStore(), transport=HttpTransport(clock=clock), clock=clock, secrets=SECRETS)


@pytest.fixture
def loop(host: Host, clock: Clock) -> Loop:
    return Loop(host=host, wait=clock.wait)


def run(loop: Loop, plan: Plan, id: str = "run_001", **more: Any) -> Run:
    return loop.run(plan, id, workspace="acme", **more)


def approve(loop: Loop, id: str = "run_001", step: str = "issue_refund") -> None:
    store = loop.host.store
    approvals.approve(store, "acme", held_id(id, step), by="ada", token=TOKEN, now=loop.host.clock(), may=["ada"])


def marks(loop: Loop, id: str = "run_001") -> list[tuple[str, str]]:
    return [(line.mark.value, line.step) for line in runs.trace_of(loop.host.store, "acme", id)]


def spent(loop: Loop, id: str = "run_001") -> Decimal:
    return runs.spent(loop.host.store, "acme", id)


class Lost(BaseException):
    """The worker is gone."""


def crashing(loop: Loop, when: Callable[[str], bool]) -> Loop:
    """The same loop, whose worker is lost right before (`+claim`) or after (`-claim`) what `when` picks."""

    def pick(name: str) -> None:
        if when(name):
            raise Lost

    class Store_:
        def __getattr__(self, name: str) -> Any:
            method = getattr(loop.host.store, name)

            def watched(*args: Any, **more: Any) -> Any:
                if name in ("claim", "settle", "write", "mark_sending"):
                    pick(f"+{name}")
                given = method(*args, **more)
                if name in ("claim", "settle", "write", "mark_sending"):
                    pick(f"-{name}")
                return given

            return watched

    class Transport_:
        def send(self, request: Request, deadline: Any) -> Outcome:
            pick("+send")
            given = loop.host.transport.send(request, deadline)
            pick("-send")
            return given

    return replace(loop, host=replace(loop.host, store=Store_(), transport=Transport_()))


def lose(loop: Loop, plan: Plan, when: Callable[[str], bool], id: str = "run_001") -> bool:
    """Runs until the worker is lost there; False where it was not."""
    try:
        run(crashing(loop, when), plan, id)
    except Lost:
        return True
    return False


class Nth:
    """Picks the nth thing that happens."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __call__(self, name: str) -> bool:
        self.n -= 1
        return self.n == 0


# The demonstration


@pytest.mark.requirement(140, 137, 128)
def test_run_001(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url)
    paused = run(loop, plan)
    assert (paused.state, paused.reason, paused.next_step_index) == (
        RunState.PAUSED_FOR_APPROVAL, Reason.NO_APPROVER, 1,
    )  # fmt: skip
    assert spent(loop) == Decimal("0.02")
    approve(loop)
    done = run(loop, plan)
    assert (done.state, done.reason, done.next_step_index) == (RunState.COMPLETED, None, 2)
    assert spent(loop) == Decimal("50.02")
    assert sum(recipient.commits.values()) == 2
    before = len(recipient.seen)
    again = run(loop, plan, start="issue_refund")
    assert again.state is RunState.COMPLETED
    assert len(recipient.seen) == before
    assert spent(loop) == Decimal("50.02")
    replayed = [line for line in runs.trace_of(loop.host.store, "acme", "run_001") if line.mark is Mark.REPLAYED]
    assert [(line.step, line.cost, line.authorised_by) for line in replayed] == [("issue_refund", Decimal(0), "ada")]


@pytest.mark.requirement(128)
def test_applying_ten_times_applies_once(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = steps(recipient.url, 1)
    for _ in range(10):
        run(loop, plan, start="s0")
    assert marks(loop).count(("applied", "s0")) == 1
    assert marks(loop).count(("replayed", "s0")) == 9
    assert len(recipient.seen) == 1


# The two bugs


@pytest.mark.requirement(134, 151)
def test_bug_1_the_cap_counts_the_money_that_a_refund_moves(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url, cap="1.00", amount="50.00")
    halted = run(loop, plan)
    assert (halted.state, halted.reason) == (RunState.HALTED, Reason.SPEND_CAP_EXCEEDED)
    assert "issue_refund costs 50.00 USD, 0.02 are spent, the cap is 1.00" in halted.detail
    assert spent(loop) == Decimal("0.02")
    assert len(recipient.seen) == 1, "the refund was not sent"
    assert len(loop.host.store.find("acme", "")) == 1, "nor claimed"
    assert approvals.pending(loop.host.store, "acme") == (), "and nobody was asked"
    raised = run(loop, triage(recipient.url, cap="51.00", amount="50.00"))
    assert raised.reason is Reason.NO_APPROVER


@pytest.mark.requirement(136, 137, 151, 152)
def test_bug_2_a_replay_is_neither_authorised_nor_paid_again(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url, cap="50.02", amount="50.00")
    run(loop, plan)
    approve(loop)
    run(loop, plan)
    assert spent(loop) == Decimal("50.02"), "the cap is used up"

    class NoApprovals:
        def __getattr__(self, name: str) -> Any:
            method = getattr(loop.host.store, name)

            def watched(*args: Any, **more: Any) -> Any:
                if name == "document":
                    assert approvals.KIND not in args, "a replay asks nobody"
                return method(*args, **more)

            return watched

    again = run(replace(loop, host=replace(loop.host, store=NoApprovals())), plan, start="issue_refund")
    assert again.state is RunState.COMPLETED
    assert spent(loop) == Decimal("50.02")
    assert len(recipient.seen) == 2


@pytest.mark.requirement(138, 152)
def test_a_replay_leaves_a_mark_in_the_trace_and_nowhere_else(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url)
    run(loop, plan)
    approve(loop)
    run(loop, plan)

    def snapshot() -> dict[str, Any]:
        store = loop.host.store
        documents = {
            kind: store.documents("acme", kind) for kind in (runs.CHARGE, approvals.KIND, runs.STOP)
        }  # fmt: skip
        stored = runs.read_run(store, "acme", "run_001")
        assert stored is not None
        return {
            **documents, "records": store.find("acme", ""), "commits": dict(recipient.commits),
            "seen": len(recipient.seen), "run": replace(stored, fence=0, lease_until=None), "spent": spent(loop),
        }  # fmt: skip

    before, lines = snapshot(), marks(loop)
    run(loop, plan, start="draft_reply")
    assert snapshot() == before
    assert marks(loop)[len(lines) :] == [
        ("resumed", ""), ("replayed", "draft_reply"), ("replayed", "issue_refund"), ("completed", ""),
    ]  # fmt: skip


@pytest.mark.requirement(139)
def test_money_adds_up_exactly(loop: Loop, recipient: FaultyRecipient) -> None:
    run(loop, steps(recipient.url, 3))
    assert spent(loop) == Decimal("0.30")
    assert str(spent(loop)) == "0.30"


# Steps, checkpoints, keys


@pytest.mark.requirement(121)
def test_a_checkpoint_stands_before_the_next_claim(loop: Loop, recipient: FaultyRecipient) -> None:
    run(loop, steps(recipient.url, 3))
    each = [("authorised", "{}"), ("reserved", "{}"), ("applied", "{}"), ("checkpoint", "")]
    expected = [(mark, step.format(f"s{index}")) for index in range(3) for mark, step in each]
    assert marks(loop) == [("started", ""), *expected, ("completed", "")]


@pytest.mark.requirement(122)
def test_one_integer_is_all_the_progress(loop: Loop, recipient: FaultyRecipient) -> None:
    whole = [name for name in Run.__dataclass_fields__ if "index" in name or "step" in name]
    assert whole == ["steps", "next_step_index"]
    assert Run.__dataclass_fields__["next_step_index"].type == "int"


@pytest.mark.requirement(127)
def test_a_steps_key_is_the_run_and_the_step(loop: Loop, recipient: FaultyRecipient) -> None:
    run(loop, steps(recipient.url, 2))
    calls = {
        (record.call.session, record.call.turn, record.call.ordinal) for record in loop.host.store.find("acme", "")
    }
    assert calls == {("run_001", "s0", 0), ("run_001", "s1", 0)}
    run(loop, steps(recipient.url, 2), "run_002")
    assert sum(recipient.commits.values()) == 4
    with pytest.raises(Exception, match="no name for a run"):
        run(loop, steps(recipient.url, 2), "run:001")


@pytest.mark.requirement(129)
def test_a_flag_on_the_run_would_not_hold(loop: Loop, recipient: FaultyRecipient, clock: Clock) -> None:
    """Two attempts at one step, the first lost after its send: a run that was `started` says nothing about the step."""
    plan = steps(recipient.url, 1)
    assert lose(loop, plan, lambda name: name == "-send")
    stored = runs.read_run(loop.host.store, "acme", "run_001")
    assert stored is not None
    assert stored.state is RunState.RUNNING, "the flag would say: started, go on"
    clock.advance(timedelta(minutes=5))
    assert run(loop, plan).reason is Reason.OUTCOME_UNKNOWN
    assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(125, 124)
@pytest.mark.parametrize("index", range(5))
def test_it_starts_wherever_the_index_says(loop: Loop, recipient: FaultyRecipient, index: int) -> None:
    plan = steps(recipient.url, 4)
    begun = Run(
        workspace="acme", id="run_001", workflow="w", version="1", digest=plan.digest, next_step_index=index,
        steps=("s0", "s1", "s2", "s3"),
    )  # fmt: skip
    assert loop.host.store.write([runs.run_document(begun)])
    done = run(loop, plan)
    assert (done.state, done.next_step_index) == (RunState.COMPLETED, 4)
    assert [seen.value["n"] for seen in recipient.seen] == list(range(index, 4))


@pytest.mark.requirement(124)
def test_there_is_one_way_in(loop: Loop) -> None:
    public = [name for name in vars(Loop) if not name.startswith("_") and callable(getattr(Loop, name))]
    assert public == ["run"]


@pytest.mark.requirement(123)
def test_lost_between_settle_and_checkpoint_the_step_is_replayed_for_free(
    loop: Loop, recipient: FaultyRecipient, clock: Clock
) -> None:
    plan = steps(recipient.url, 2)
    assert lose(loop, plan, lambda name: name == "-settle")
    stored = runs.read_run(loop.host.store, "acme", "run_001")
    assert stored is not None
    assert stored.next_step_index == 0
    clock.advance(timedelta(minutes=5))
    assert run(loop, plan).state is RunState.COMPLETED
    assert marks(loop).count(("replayed", "s0")) == 1
    assert spent(loop) == Decimal("0.20")
    assert len(recipient.seen) == 2


# Ends


@pytest.mark.requirement(130, 132)
def test_a_run_says_why_it_did_not_complete() -> None:
    made: dict[str, Any] = {"workspace": "w", "id": "r", "workflow": "w", "version": "1", "digest": "", "steps": ("a",)}
    Run(**made)
    for bad in (
        {"state": RunState.HALTED},
        {"state": RunState.PAUSED_FOR_APPROVAL},
        {"state": RunState.COMPLETED, "reason": Reason.STOPPED},
        {"reason": Reason.STOPPED},
        {"state": RunState.HALTED, "reason": Reason.NO_APPROVER},
        {"state": RunState.PAUSED_FOR_APPROVAL, "reason": Reason.STOPPED},
        {"next_step_index": 2},
    ):
        with pytest.raises(ValueError, match=r"."):
            Run(**{**made, **bad})


@pytest.mark.requirement(131)
def test_a_dead_lease_looks_crashed_until_it_is_resumed(loop: Loop, recipient: FaultyRecipient, clock: Clock) -> None:
    plan = steps(recipient.url, 2)
    assert lose(loop, plan, lambda name: name == "+claim")

    def shown() -> str:
        stored = runs.read_run(loop.host.store, "acme", "run_001")
        assert stored is not None
        return stored.shown(clock())

    assert shown() == "RUNNING"
    clock.advance(timedelta(minutes=5))
    assert shown() == CRASHED
    run(loop, plan)
    assert shown() == "COMPLETED"


@pytest.mark.requirement(132, 133)
@pytest.mark.parametrize(
    ("fault", "ending"),
    [
        (Fault(status=422, commits=False), (RunState.HALTED, Reason.STEP_REFUSED)),
        (Fault(status=503), (RunState.PAUSED_FOR_APPROVAL, Reason.OUTCOME_UNKNOWN)),
        (Fault(cut=0), (RunState.PAUSED_FOR_APPROVAL, Reason.OUTCOME_UNKNOWN)),
        (Fault(cut_body=3), (RunState.PAUSED_FOR_APPROVAL, Reason.OUTCOME_UNKNOWN)),
        (Fault(status=202), (RunState.COMPLETED, None)),
    ],
)
def test_every_answer_ends_in_one_of_three(
    loop: Loop, recipient: FaultyRecipient, fault: Fault, ending: tuple[RunState, Reason | None]
) -> None:
    recipient.then(fault)
    done = run(loop, steps(recipient.url, 1))
    assert (done.state, done.reason) == ending
    if done.reason:
        assert done.detail
        assert runs.trace_of(loop.host.store, "acme", "run_001")[-1].detail.startswith(done.reason)


def exceptions() -> list[type[Exception]]:
    found: list[type[Exception]] = []
    todo: list[type[Exception]] = [Exception]
    while todo:
        for one in todo.pop().__subclasses__():
            if one.__module__ == "builtins" and one not in found and not issubclass(one, Warning):
                found.append(one)
                todo.append(one)
    return found


@pytest.mark.requirement(133)
def test_whatever_is_raised_in_a_step_has_a_reason(loop: Loop, recipient: FaultyRecipient) -> None:
    raised = 0
    for index, kind in enumerate(exceptions()):
        try:
            error = kind("it broke")
        except TypeError:
            continue

        class Raising:
            def send(self, request: Request, deadline: Any, error: Exception = error) -> Outcome:
                raise error

        raising = replace(loop, host=replace(loop.host, transport=Raising()))
        halted = run(raising, steps(recipient.url, 1), f"run_{index}")
        assert (halted.state, halted.reason) == (RunState.HALTED, Reason.STEP_ERROR), kind
        assert halted.detail.startswith(kind.__name__)
        raised += 1
    assert raised > 40


@pytest.mark.requirement(133)
def test_a_store_that_is_gone_leaves_a_crashed_run_that_resumes(
    loop: Loop, recipient: FaultyRecipient, clock: Clock
) -> None:
    class Gone:
        def __getattr__(self, name: str) -> Any:
            if name == "claim":
                raise StoreError("the database is gone")
            return getattr(loop.host.store, name)

    plan = steps(recipient.url, 1)
    with pytest.raises(StoreError):
        run(replace(loop, host=replace(loop.host, store=Gone())), plan)
    clock.advance(timedelta(minutes=5))
    stored = runs.read_run(loop.host.store, "acme", "run_001")
    assert stored is not None
    assert stored.shown(clock()) == CRASHED
    assert run(loop, plan).state is RunState.COMPLETED


def test_a_step_that_does_not_leave_is_tried_and_then_halts(loop: Loop, clock: Clock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    begun = clock()
    halted = run(loop, steps(f"http://127.0.0.1:{port}/x", 1))
    assert (halted.state, halted.reason) == (RunState.HALTED, Reason.STEP_NOT_SENT)
    assert marks(loop).count(("waited", "s0")) == 2
    assert clock() - begun == timedelta(seconds=3)
    assert spent(loop) == 0
    assert ("released", "s0") in marks(loop)


def test_a_transient_failure_is_retried_and_paid_once(loop: Loop, recipient: FaultyRecipient) -> None:
    class Flaky:
        left = 2

        def send(self, request: Request, deadline: Any) -> Outcome:
            if self.left:
                self.left -= 1
                return NeverSent("the connection was refused")
            return loop.host.transport.send(request, deadline)

    flaky = replace(loop, host=replace(loop.host, transport=Flaky()))
    assert run(flaky, steps(recipient.url, 1)).state is RunState.COMPLETED
    assert spent(loop) == Decimal("0.10")
    assert marks(loop).count(("reserved", "s0")) == 1
    assert len(recipient.seen) == 1


def test_a_refused_step_gives_its_money_back(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url)
    run(loop, plan)
    approve(loop)
    recipient.then(Fault(status=422, commits=False))
    halted = run(loop, plan)
    assert halted.reason is Reason.STEP_REFUSED
    assert spent(loop) == Decimal("0.02")
    assert run(loop, plan).state is RunState.COMPLETED
    assert spent(loop) == Decimal("50.02")


def test_a_step_that_somebody_is_at_work_on_is_waited_for(loop: Loop, recipient: FaultyRecipient, clock: Clock) -> None:
    plan = steps(recipient.url, 1)
    assert lose(loop, plan, lambda name: name == "-send")
    begun = clock()
    paused = run(loop, plan)
    assert paused.reason is Reason.OUTCOME_UNKNOWN
    assert clock() - begun == timedelta(seconds=40)
    assert ("waited", "s0") in marks(loop)


# A person settles, and the run goes on


@pytest.mark.requirement(114, 105, "T6", "T7")
def test_what_a_person_settles_the_run_goes_on_from(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url)
    run(loop, plan)
    approve(loop)
    recipient.then(Fault(status=503))
    assert run(loop, plan).reason is Reason.OUTCOME_UNKNOWN
    for _ in range(100):
        assert run(loop, plan).reason is Reason.OUTCOME_UNKNOWN
    assert len(recipient.seen) == 2
    (record,) = loop.host.store.attempted("acme")
    settled = state.settle_by_person(record, state.Decision.HAPPENED, "ada", "saw it", loop.host.clock())
    assert loop.host.store.settle(record, settled)
    assert run(loop, plan).state is RunState.COMPLETED
    assert spent(loop) == Decimal("50.02")
    assert len(recipient.seen) == 2


def test_what_a_person_says_did_not_happen_goes_out_once_more_under_the_same_money(
    loop: Loop, recipient: FaultyRecipient
) -> None:
    plan = triage(recipient.url)
    run(loop, plan)
    approve(loop)
    recipient.then(Fault(status=503, commits=False))
    assert run(loop, plan).reason is Reason.OUTCOME_UNKNOWN
    (record,) = loop.host.store.attempted("acme")
    settled = state.settle_by_person(record, state.Decision.DID_NOT, "ada", "not there", loop.host.clock())
    assert loop.host.store.settle(record, settled)
    assert run(loop, plan).state is RunState.COMPLETED
    assert spent(loop) == Decimal("50.02")
    assert max(recipient.commits.values()) == 1


def test_a_declined_step_halts(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = triage(recipient.url)
    run(loop, plan)
    approvals.decline(
        loop.host.store, "acme", "run_001:issue_refund", by="ada", now=loop.host.clock(), reason="too much"
    )
    halted = run(loop, plan)
    assert (halted.reason, halted.detail) == (Reason.DECLINED, "ada decided against issue_refund: too much")


# Stop


@pytest.mark.requirement(84)
@pytest.mark.parametrize("index", range(3))
def test_a_stop_lets_the_step_settle_and_begins_no_other(loop: Loop, recipient: FaultyRecipient, index: int) -> None:
    class Stopping:
        def send(self, request: Request, deadline: Any) -> Outcome:
            if request.body == b'{"n":%d}' % index:
                runs.request_stop(loop.host.store, "acme", "run_001", by="ada")
            return loop.host.transport.send(request, deadline)

    plan = steps(recipient.url, 4)
    stopped = run(replace(loop, host=replace(loop.host, transport=Stopping())), plan)
    assert (stopped.state, stopped.reason) == (RunState.HALTED, Reason.STOPPED)
    assert stopped.next_step_index == index + 1
    assert [seen.value["n"] for seen in recipient.seen] == list(range(index + 1))
    assert loop.host.store.attempted("acme") == ()
    assert run(loop, plan).state is RunState.COMPLETED
    assert len(recipient.seen) == 4


@pytest.mark.requirement(86)
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60))
def test_no_stop_strands_a_call(at: int) -> None:
    clock = Clock()

    class Answering:
        def send(self, request: Request, deadline: Any) -> Outcome:
            return Reply(201)

    host = Host(store=MemoryStore(), transport=Answering(), clock=clock, secrets=SECRETS)
    loop, nth = Loop(host=host, wait=clock.wait), Nth(at)

    def stop(name: str) -> bool:
        if nth(name):
            runs.request_stop(host.store, "acme", "run_001", by="ada")
        return False

    run(crashing(loop, stop), steps("http://h/x", 3))
    assert host.store.attempted("acme") == ()


# Workflows and versions


@pytest.mark.requirement(141, 142)
def test_another_version_or_other_steps_are_refused_and_nothing_changes(loop: Loop, recipient: FaultyRecipient) -> None:
    run(loop, triage(recipient.url))
    stored = loop.host.store.document("acme", runs.RUN, "run_001")
    for other, why in (
        (triage(recipient.url, version=2), "begun with version 1 of ticket-triage, the plan has version 2"),
        (triage(recipient.url, amount="51"), "begun with other steps than version 1 of ticket-triage has now"),
        (steps(recipient.url, 1), "of the workflow ticket-triage, the plan of w"),
    ):
        with pytest.raises(RunRefusedError, match=why):
            run(loop, other)
    assert loop.host.store.document("acme", runs.RUN, "run_001") == stored
    with pytest.raises(RunRefusedError, match="no step `x`"):
        run(loop, triage(recipient.url), start="x")
    assert run(loop, triage(recipient.url, cap="200")).state is RunState.PAUSED_FOR_APPROVAL


def test_a_later_step_cannot_be_begun_with(loop: Loop, recipient: FaultyRecipient) -> None:
    runs.request_stop(loop.host.store, "acme", "run_001", by="ada")
    run(loop, steps(recipient.url, 3))
    with pytest.raises(RunRefusedError, match="has not come to its step `s2` yet"):
        run(loop, steps(recipient.url, 3), start="s2")


# Two workers


@pytest.mark.requirement(87)
def test_a_run_that_is_handed_out_twice_is_one_workers(loop: Loop, recipient: FaultyRecipient) -> None:
    plan = steps(recipient.url, 2)
    second: list[BaseException] = []

    class Racing:
        def send(self, request: Request, deadline: Any) -> Outcome:
            with pytest.raises(LeaseHeldError) as held:
                run(loop, plan)
            second.append(held.value)
            return loop.host.transport.send(request, deadline)

    assert run(replace(loop, host=replace(loop.host, transport=Racing())), plan).state is RunState.COMPLETED
    assert len(second) == 2
    assert len(recipient.seen) == 2


@pytest.mark.requirement(87, 145)
def test_a_worker_that_was_overtaken_writes_nothing_more(loop: Loop, recipient: FaultyRecipient, clock: Clock) -> None:
    plan = steps(recipient.url, 2)

    class Overtaken:
        done = False

        def send(self, request: Request, deadline: Any) -> Outcome:
            seen = loop.host.transport.send(request, deadline)
            if not self.done:
                self.done = True
                clock.advance(timedelta(minutes=5))
                taken = run(loop, plan)
                assert taken.reason is Reason.OUTCOME_UNKNOWN
            return seen

    with pytest.raises(RunLostError):
        run(replace(loop, host=replace(loop.host, transport=Overtaken())), plan)
    assert len(recipient.seen) == 1
    (record,) = loop.host.store.find("acme", "")
    assert record.state is State.COMPLETED, "its answer was evidence all the same"
    assert run(loop, plan).state is RunState.COMPLETED
    assert len(recipient.seen) == 2


# Chaos


@pytest.mark.requirement(120)
def test_two_hundred_losses_over_fifty_runs_write_nothing_twice(loop: Loop, clock: Clock) -> None:
    chance = random.Random(20260301)
    with FaultyRecipient(identity=["n", "run"], key_header="Idempotency-Key") as recipient:
        lost = number = 0
        while lost < 200 or number < 50:
            number += 1
            plan = _keyed(recipient.url, number, keyed=number % 2 == 0)
            for _ in range(5):
                lost += lose(loop, plan, Nth(chance.randint(1, 30)), f"run_{number}")
                clock.advance(timedelta(minutes=3))
            final = run(loop, plan, f"run_{number}")
            assert final.state in (RunState.COMPLETED, RunState.PAUSED_FOR_APPROVAL), final
            if number % 2 == 0:
                assert final.state is RunState.COMPLETED
                assert spent(loop, f"run_{number}") == Decimal("0.30")
        assert set(recipient.commits.values()) == {1}


def _keyed(url: str, number: int, *, keyed: bool) -> Plan:
    key = ", key: header Idempotency-Key" if keyed else ""
    lines = [
        f'  - {{name: s{index}, operation: {{method: POST, url: "{url}", body: [n, run]{key}}},'
        f" arguments: {{body: {{n: {index}, run: {number}}}}}, cost: 0.10}}"
        for index in range(3)
    ]
    # Each run's declaration is its own, since the recipient's port is part of it.
    return parse_plan(Source("plan.yaml", f"workflow: w{keyed}\nversion: 1\nsteps:\n" + "\n".join(lines)))


def test_the_run_is_stored_as_it_was(host: Host) -> None:
    run_ = Run(
        workspace="acme", id="r", workflow="w", version="1", digest="d", steps=("a", "b"), next_step_index=1,
        state=RunState.HALTED, reason=Reason.STOPPED, detail="x", fence=3, lease_until=host.clock(), resumes=2,
        resume_at=host.clock(),
    )  # fmt: skip
    assert host.store.write([runs.run_document(run_)])
    assert runs.read_run(host.store, "acme", "r") == run_
    assert runs.list_runs(host.store, "acme") == (run_,)
