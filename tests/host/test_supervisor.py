"""Crashed runs are resumed, later and later, and at last no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wizard.host import runs
from wizard.host.faults import Clock, FaultyRecipient
from wizard.host.host import Host
from wizard.host.http import HttpTransport
from wizard.host.keys import Secret, Secrets
from wizard.host.loop import Loop
from wizard.host.outcome import Outcome, Request
from wizard.host.plan import Plan
from wizard.host.planfile import parse_plan
from wizard.host.runs import Reason, Run, RunState
from wizard.host.stores.memory import MemoryStore
from wizard.host.supervisor import Backoff, Supervisor
from wizard.source import Source


class Lost(BaseException):
    pass


def plan_of(url: str) -> Plan:
    return parse_plan(Source("plan.yaml", f"""\
workflow: w
version: 1
steps:
  - {{name: a, operation: {{method: POST, url: "{url}"}}}}
  - {{name: b, operation: {{method: POST, url: "{url}"}}}}
"""))  # fmt: skip


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recipient() -> Iterator[FaultyRecipient]:
    with FaultyRecipient() as running:
        yield running


@pytest.fixture
def host(clock: Clock) -> Host:
    return Host(
        store=MemoryStore(), transport=HttpTransport(clock=clock), clock=clock,
        secrets=Secrets(Secret("first", b"0123456789abcdef")),
    )  # fmt: skip


class Losing:
    def __init__(self, host: Host, sends: int) -> None:
        self.host, self.sends = host, sends

    def send(self, request: Request, deadline: Any) -> Outcome:
        if self.sends == 0:
            raise Lost
        self.sends -= 1
        return self.host.transport.send(request, deadline)


def crashed(host: Host, clock: Clock, plan: Plan, sends: int = 1) -> None:
    """A run whose worker is lost before a claim's send reaches anybody."""

    class NoClaim:
        def __getattr__(self, name: str) -> Any:
            if name == "claim" and losing.sends == 0:
                raise Lost
            return getattr(host.store, name)

    losing = Losing(host, sends)
    with pytest.raises(Lost):
        Loop(host=replace(host, transport=losing, store=NoClaim()), wait=clock.wait).run(plan, "r", workspace="acme")


def supervisor(host: Host, clock: Clock, plan: Plan | None, **more: Any) -> Supervisor:
    return Supervisor(
        loop=Loop(host=host, wait=clock.wait), plan_of=lambda run: plan, chance=lambda: 1.0, **more
    )  # fmt: skip


def stored(host: Host) -> Run:
    found = runs.read_run(host.store, "acme", "r")
    assert found is not None
    return found


@pytest.mark.requirement(148)
def test_a_crashed_run_is_resumed_after_a_while(host: Host, clock: Clock, recipient: FaultyRecipient) -> None:
    plan = plan_of(recipient.url)
    crashed(host, clock, plan)
    watching = supervisor(host, clock, plan)
    assert watching.tick("acme") == (), "its lease lives"
    clock.advance(timedelta(minutes=3))
    assert watching.tick("acme") == (), "found crashed: planned"
    assert stored(host).resume_at == clock() + timedelta(seconds=2)
    clock.advance(timedelta(seconds=1))
    assert watching.tick("acme") == ()
    clock.advance(timedelta(seconds=1))
    (done,) = watching.tick("acme")
    assert done.state is RunState.COMPLETED
    assert len(recipient.seen) == 2
    assert watching.tick("acme") == ()


@pytest.mark.requirement(148)
def test_resumes_come_later_and_later_and_end(host: Host, clock: Clock, recipient: FaultyRecipient) -> None:
    plan = plan_of(recipient.url)
    crashed(host, clock, plan, sends=0)

    class NoClaim:
        def __getattr__(self, name: str) -> Any:
            if name == "claim":
                from wizard.host.store import StoreError

                raise StoreError("gone")
            return getattr(host.store, name)

    watching = supervisor(replace(host, store=NoClaim()), clock, plan, backoff=Backoff(most=4))
    delays = []
    for _ in range(20):
        clock.advance(timedelta(minutes=5))
        before = clock()
        done = watching.tick("acme")
        resume_at = stored(host).resume_at
        if resume_at is not None:
            delays.append(resume_at - before)
            clock.wait(resume_at)
            done = watching.tick("acme")
        if done:
            break
    assert [delay.total_seconds() for delay in delays] == [2, 4, 8, 16, 32]
    halted = stored(host)
    assert (halted.state, halted.reason) == (RunState.HALTED, Reason.RESUMED_TOO_OFTEN)
    assert halted.detail == "4 resumes got no step done"
    assert watching.tick("acme") == ()
    assert not recipient.seen


@pytest.mark.requirement(148)
@pytest.mark.parametrize(
    "ending",
    [
        (RunState.PAUSED_FOR_APPROVAL, Reason.NO_APPROVER),
        (RunState.HALTED, Reason.STOPPED),
        (RunState.COMPLETED, None),
    ],
)
def test_it_leaves_alone_what_has_ended(
    host: Host, clock: Clock, recipient: FaultyRecipient, ending: tuple[RunState, Reason | None]
) -> None:
    plan = plan_of(recipient.url)
    ended = Run(
        workspace="acme", id="r", workflow="w", version="1", digest=plan.digest, steps=("a", "b"), state=ending[0],
        reason=ending[1], lease_until=clock(),
    )  # fmt: skip
    host.store.write([runs.run_document(ended)])
    before = stored(host)
    clock.advance(timedelta(days=1))
    assert supervisor(host, clock, plan).tick("acme") == ()
    assert stored(host) == before
    assert not recipient.seen


def test_a_run_whose_plan_is_gone_or_another_halts(host: Host, clock: Clock, recipient: FaultyRecipient) -> None:
    plan = plan_of(recipient.url)
    for given_plan, why in ((None, "its plan is gone"), (plan_of("http://elsewhere/x"), "begun with other steps")):
        crashed(host, clock, plan, sends=0)
        clock.advance(timedelta(minutes=5))
        watching = supervisor(host, clock, given_plan)
        watching.tick("acme")
        clock.advance(timedelta(minutes=5))
        (halted,) = watching.tick("acme")
        assert (halted.state, halted.reason) == (RunState.HALTED, Reason.RESUMED_TOO_OFTEN)
        assert why in halted.detail
        for kind in (runs.RUN, runs.TRACE):
            host.store.write([replace(one, body="") for one in host.store.documents("acme", kind)])


@pytest.mark.requirement(148)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_a_delay_is_bounded_and_spread(resumes: int, chance: float) -> None:
    backoff = Backoff()
    delay = backoff.delay(resumes, chance)
    whole = min(backoff.first * (1 << min(resumes, 40)), backoff.longest)
    assert whole / 2 <= delay <= whole
