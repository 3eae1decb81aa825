"""Real processes: killed at every point, halted past their lease, racing; and the database that goes away."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from signal import SIGSTOP
from typing import Any

import pytest

from wizard.host import experiment, runs
from wizard.host.faults import FaultyRecipient
from wizard.host.forks import SECRETS, Forks, Job
from wizard.host.host import Host
from wizard.host.http import HttpTransport
from wizard.host.record import Call, Record, State
from wizard.host.store import Store, open_store
from wizard.host.wire import Fault

BODY = experiment.BODY
LATER = 600.0
"""Seconds after which every lease of a lost worker is over."""


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    with Forks() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'records.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture
def space() -> str:
    return uuid.uuid4().hex


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


def recipient_for(declared: str, faults: tuple[Fault, ...] = ()) -> FaultyRecipient:
    key = "Idempotency-Key" if declared == "key" else ""
    return FaultyRecipient(faults, identity=experiment.IDENTITY, key_header=key)


def only(store: Store, space: str) -> Record:
    (found,) = store.find(space, "")
    return found


# Killed at every point


@pytest.mark.requirement(1, 3, 4, 14, 16, 20, 80, 96, 123)
@pytest.mark.parametrize("declared", experiment.DECLARATIONS)
def test_killed_at_every_point_and_asked_again_by_a_new_process(
    url: str, store: Store, forks: Forks, declared: str
) -> None:
    """The nth point is where the first process dies; a second, whose clock says that the lease is over, asks again."""
    endings: dict[str, int] = {}
    with recipient_for(declared) as recipient:
        mapping = experiment.declaration(recipient.url, declared)
        for nth in range(1, 100):
            space = uuid.uuid4().hex
            before = sum(recipient.commits.values())
            seen = len(recipient.writes)
            job = Job(store=url, operation=mapping, body={**BODY, "room_id": space}, call=(space, "s", "t", 0), point="*", nth=nth)  # fmt: skip  # noqa: E501
            lost = forks.run(job)
            again = forks.run(Job(store=url, operation=mapping, body=job.body, call=job.call, offset=LATER))
            commits = sum(recipient.commits.values()) - before
            assert commits <= 1, (nth, again)
            assert max(recipient.commits.values(), default=0) <= 1
            record = only(store, space)
            if record.state is State.COMPLETED:
                assert commits == 1, "completed means that it was committed"
                assert again.ending in ("done", "already done", "found")
            else:
                assert (record.state, again.ending) == (State.ATTEMPTED, "not observed")
                assert len(recipient.writes) - seen <= 1, "nothing goes out again without a key"
                assert "assume neither" in again.text
            assert record.request is not None
            assert record.first_send is not None
            endings[again.ending] = endings.get(again.ending, 0) + 1
            if not lost.killed:
                assert (lost.ending, lost.state) == ("done", "completed")
                assert lost.points == nth - 1
                break
        else:
            raise AssertionError("there is no end of points")
    assert lost.points >= 14
    expected = {"identity": {"done", "already done", "not observed"}, "key": {"done", "already done"},
                "probe": {"done", "already done", "found", "not observed"}}  # fmt: skip
    assert set(endings) <= expected[declared]
    assert declared != "key" or "not observed" not in endings, "a keyed write needs no person"


@pytest.mark.requirement(1)
def test_the_record_of_a_killed_sender_says_what_was_sent(url: str, store: Store, forks: Forks, space: str) -> None:
    with recipient_for("key") as recipient:
        mapping = experiment.declaration(recipient.url, "key")
        assert forks.run(Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point="answer")).killed
        assert sum(recipient.commits.values()) == 1
        record = only(store, space)
        assert record.state is State.ATTEMPTED
        assert record.request is not None
        assert (record.request.method, record.request.url) == ("POST", recipient.url)
        assert record.key == recipient.seen[0].header("Idempotency-Key")
        assert record.first_send is not None
        assert record.answer is None


@pytest.mark.requirement(3)
def test_a_terminated_sender_leaves_the_same_record(url: str, store: Store, forks: Forks, space: str) -> None:
    with recipient_for("identity") as recipient:
        mapping = experiment.declaration(recipient.url, "identity")
        job = Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point="answer", sign=15)
        assert forks.run(job).status == -15
        again = forks.run(Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), offset=LATER))
        assert again.ending == "not observed"
        assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(120, 123, 131)
def test_runs_killed_at_random_points_pay_once(url: str, store: Store, forks: Forks, space: str) -> None:
    """Real kills: each run is killed up to three times, then goes on to its end."""
    chance = random.Random(20260301)
    killed = 0
    with FaultyRecipient(identity=["n", "run"], key_header="Idempotency-Key") as recipient:
        for number in range(12):
            steps = "".join(
                f'  - {{name: s{step}, operation: {{method: POST, url: "{recipient.url}", body: [n, run], key: header'
                f" Idempotency-Key}}, arguments: {{body: {{n: {step}, run: {number}}}}}, cost: 0.10}}\n"
                for step in range(3)
            )
            plan = f"workflow: w\nversion: 1\nsteps:\n{steps}"
            call = (space, f"run_{number}", "", 0)
            for again in range(3):
                nth = chance.randint(1, 60)
                lost = forks.run(Job(store=url, plan=plan, call=call, point="*", nth=nth, offset=180.0 * again))
                killed += lost.killed
            last = forks.run(Job(store=url, plan=plan, call=call, offset=180.0 * 3))
            assert (last.ending, last.state) == ("COMPLETED", ""), last
            assert runs.spent(store, space, f"run_{number}") == Decimal("0.30")
        assert killed >= 15
        assert set(recipient.commits.values()) == {1}
        assert len(recipient.commits) == 36


# Halted past the lease


@pytest.mark.requirement(145)
@pytest.mark.parametrize("point", ["answer", "before settle"])
def test_halted_past_its_lease_taken_over_and_let_go_on(
    url: str, store: Store, forks: Forks, space: str, point: str
) -> None:
    """The first sender is halted with the answer in hand; a second takes over; the first goes on and reports late."""
    with recipient_for("identity", (Fault(status=409, commits=False),)) as recipient:
        mapping = experiment.declaration(recipient.url, "identity")
        first = forks.start(
            Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point=point, sign=SIGSTOP)
        )
        assert first.stopped()
        second = forks.run(Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t2", 0), offset=LATER))
        assert second.ending == "not observed"
        first.go_on()
        done = first.wait()
        assert done.ending == "refused", "nobody else has sent: the first send's own refusal releases it"
        assert only(store, space).state is State.ABSENT


@pytest.mark.requirement(145)
def test_a_release_under_an_old_fence_changes_nothing_and_an_answer_completes(
    url: str, store: Store, forks: Forks, space: str
) -> None:
    """Both are halted with what they saw in hand: the first with a refusal, the second with an answer cut off."""
    faults = (Fault(status=409, commits=False), Fault(cut_body=3))
    with recipient_for("key", faults) as recipient:
        mapping = experiment.declaration(recipient.url, "key")
        first = forks.start(
            Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point="before settle", sign=SIGSTOP)
        )
        assert first.stopped()
        second = forks.run(Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t2", 0), offset=60))
        assert second.ending == "not observed"
        assert only(store, space).fence == 2
        first.go_on()
        first.wait()
        record = only(store, space)
        assert record.state is State.ATTEMPTED, "a stale release is fenced out"
        assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(145)
def test_a_stale_answer_is_evidence(url: str, store: Store, forks: Forks, space: str) -> None:
    with recipient_for("key", (Fault(), Fault(cut=0))) as recipient:
        mapping = experiment.declaration(recipient.url, "key")
        first = forks.start(
            Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point="before settle", sign=SIGSTOP)
        )
        assert first.stopped()
        second = forks.run(Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t2", 0), offset=60))
        assert second.ending == "not observed"
        first.go_on()
        assert first.wait().state == "completed"
        record = only(store, space)
        assert (record.state, record.by) == (State.COMPLETED, "answer")
        assert sum(recipient.commits.values()) == 1


@pytest.mark.requirement(145)
def test_halted_before_its_first_byte_it_sends_nothing_when_it_goes_on(
    url: str, store: Store, forks: Forks, space: str
) -> None:
    with recipient_for("identity") as recipient:
        mapping = experiment.declaration(recipient.url, "identity")
        pace = (0.5, 0.2, 120)
        first = forks.start(
            Job(store=url, operation=mapping, body=BODY, call=(space, "s", "t", 0), point="connected", sign=SIGSTOP,
                pace=pace)
        )  # fmt: skip
        assert first.stopped()
        record = only(store, space)
        assert record.deadline is not None
        while datetime.now(UTC) < record.deadline:
            time.sleep(0.01)
        first.go_on()
        assert first.wait().ending == "not sent"
        assert not recipient.seen
        assert only(store, space).state is State.ABSENT


# Races


@pytest.mark.requirement(73, 144, 146)
@pytest.mark.parametrize("workers", [2, 8, 32])
@pytest.mark.parametrize("declared", ["identity", "key"])
def test_at_one_barrier_exactly_one_sends(
    url: str, store: Store, forks: Forks, space: str, workers: int, declared: str
) -> None:
    with recipient_for(declared) as recipient:
        mapping = experiment.declaration(recipient.url, declared)
        at = time.time() + 0.2 + workers / 40
        racing = [
            forks.start(Job(store=url, operation=mapping, body=BODY, call=(space, "s", f"t{worker}", 0), at=at))
            for worker in range(workers)
        ]
        endings = [fork.wait().ending for fork in racing]
        assert len(recipient.writes) == 1
        assert sum(recipient.commits.values()) == 1
    assert endings.count("done") == 1
    assert set(endings) <= {"done", "in progress", "already done"}


# The store goes away


@pytest.mark.requirement(80, 14)
def test_the_database_is_stopped_between_the_send_and_the_settle(own_postgres: Any, space: str) -> None:
    """A server of its own, stopped at once (as by a crash) while the answer is on its way, and started again."""
    stopped = threading.Event()

    def stop(_: object) -> None:
        if not stopped.is_set():
            own_postgres.crash()
            stopped.set()

    store = open_store(own_postgres.url)
    with FaultyRecipient(identity=experiment.IDENTITY, on_write=stop) as recipient:
        mapping = experiment.declaration(recipient.url, "identity")

        def clock() -> datetime:
            return datetime.now(UTC)

        host = Host(store=store, transport=HttpTransport(clock=clock), clock=clock, secrets=SECRETS)
        from wizard.host.calls import Asking
        from wizard.host.prepare import Arguments
        from wizard.operation.parsing import parse_operation

        operation, _ = parse_operation(mapping)
        assert operation is not None
        result = host.call(
            Asking("book", operation, Arguments(body=BODY)), at=Call(space, "s", "t", 0), lease=host.lease(space, "t")
        )
        assert not recipient.failures
        assert (str(result.ending), len(result.warnings)) == ("done", 1)
        assert result.answer is not None
        own_postgres.start()
        record = only(store, space)
        assert record.state is State.ATTEMPTED, "acknowledged before the crash, there after it"

        def later() -> datetime:
            return datetime.now(UTC) + timedelta(seconds=LATER)

        asker = Host(store=store, transport=HttpTransport(clock=later), clock=later, secrets=SECRETS)
        again = asker.call(
            Asking("book", operation, Arguments(body=BODY)), at=Call(space, "s", "t", 0), lease=asker.lease(space, "t")
        )
        assert str(again.ending) == "not observed"
        assert sum(recipient.commits.values()) == 1
    store.close()


@pytest.mark.requirement(80)
def test_a_store_that_others_hold_for_too_long_costs_a_warning_and_no_second_write(
    tmp_path: Path, forks: Forks, space: str
) -> None:
    """SQLite, held by another process from the send until after the settle has given up."""
    from fasteners import InterProcessLock

    from wizard.host.calls import Asking
    from wizard.host.prepare import Arguments
    from wizard.host.stores.sqlite import SqliteStore
    from wizard.operation.parsing import parse_operation

    path = tmp_path / "records.db"
    store = SqliteStore(path, wait=0.2)
    holder = InterProcessLock(f"{path}.lock")
    held = subprocess.Popen(
        [sys.executable, "-c", "import sys; from fasteners import InterProcessLock as L; l = L(sys.argv[1]);"
         " sys.stdin.readline(); l.acquire(); print('held', flush=True); sys.stdin.readline(); l.release()",
         f"{path}.lock"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert held.stdin is not None
    assert held.stdout is not None
    stdin, stdout = held.stdin, held.stdout

    def hold(_: object) -> None:
        stdin.write("\n")
        stdin.flush()
        assert stdout.readline() == "held\n"

    def clock() -> datetime:
        return datetime.now(UTC)

    with FaultyRecipient(identity=experiment.IDENTITY, on_write=hold) as recipient:
        operation, _ = parse_operation(experiment.declaration(recipient.url, "identity"))
        assert operation is not None
        host = Host(store=store, transport=HttpTransport(clock=clock), clock=clock, secrets=SECRETS)
        result = host.call(
            Asking("book", operation, Arguments(body=BODY)), at=Call(space, "s", "t", 0), lease=host.lease(space, "t")
        )
        assert not recipient.failures
        held.communicate("\n", timeout=20)
        assert holder.acquire(timeout=5)
        holder.release()
        assert (str(result.ending), len(result.warnings)) == ("done", 1)
        assert only(store, space).state is State.ATTEMPTED
        assert sum(recipient.commits.values()) == 1
    store.close()
