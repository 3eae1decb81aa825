"""One sequence of everything that may happen, on all stores at once, under a clock that only the test moves: they give
the same results, and the records keep what they promise."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from wizard.host import state
from wizard.host.conformance import NOW, new_write, workspace
from wizard.host.outcome import GatewayRefusal, NeverSent, Reply, Silence
from wizard.host.record import Call, Lease, Record, State
from wizard.host.state import Decision, Finding, NotSettleable, ProbeAnswer, Terms
from wizard.host.store import Claim, Declaration, Document, Store, open_store
from wizard.host.stores.memory import MemoryStore

SECOND = timedelta(seconds=1)
TERMS = Terms(key_place="header Idempotency-Key", probed=True, after=20 * SECOND, memory=120 * SECOND)
ADDRESSES = ("a" * 64, "b" * 64, "c" * 64)
OUTCOMES = (
    Reply(201, (("Location", "/1"),), b'{"id": 1}'), Reply(202), Reply(422), Reply(409), Reply(503), Reply(408),
    Silence("reset"), NeverSent("refused"), GatewayRefusal("no"), Reply(200, complete=False),
)  # fmt: skip


class Stores(RuleBasedStateMachine):
    """The stores side by side. Every rule does one thing to each of them."""

    opens: Callable[[Path], list[Store]]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="wizard-stateful-"))
        self.stores = self.opens(self.folder)
        self.now = NOW
        self.space = workspace()
        self.lease: Lease | None = None
        self.old: list[Record] = []
        """Records as they were read earlier: what a worker that was stopped still holds."""

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        shutil.rmtree(self.folder)

    def each(self, does: Callable[[Store], Any]) -> Any:
        """Does the same to every store; the one result."""
        first, *others = [does(store) for store in self.stores]
        for other, store in zip(others, self.stores[1:], strict=True):
            assert other == first, f"{type(store).__name__} gives {other}, memory {first}"
        return first

    def records(self) -> tuple[Record, ...]:
        found: tuple[Record, ...] = self.each(lambda store: store.read(self.space, ADDRESSES))
        return found

    def one(self, index: int) -> Record | None:
        found = self.records()
        return found[index % len(found)] if found else None

    def settle(self, before: Record, after: Record) -> Record | None:
        kept: Record | None = self.each(lambda store: store.settle(before, after))
        self.old = [*self.old[-3:], before]
        return kept

    @initialize()
    def begin(self) -> None:
        self.acquire("w1", 50)

    @rule(seconds=st.sampled_from([1, 5, 20, 60, 3600]))
    def passes(self, seconds: int) -> None:
        self.now += seconds * SECOND

    @rule(holder=st.sampled_from(["w1", "w2"]), seconds=st.integers(-1, 90))
    def acquire(self, holder: str, seconds: int) -> None:
        until = self.now + seconds * SECOND
        got = self.each(lambda store: store.acquire(self.space, "turn", holder, until, self.now))
        self.lease = got or self.lease

    @precondition(lambda self: self.lease is not None)
    @rule(seconds=st.integers(1, 90))
    def renew(self, seconds: int) -> None:
        assert self.lease is not None
        lease = self.lease
        self.lease = self.each(lambda store: store.renew(lease, self.now + seconds * SECOND, self.now)) or lease

    @precondition(lambda self: self.lease is not None)
    @rule()
    def release(self) -> None:
        lease = self.lease
        assert lease is not None
        self.each(lambda store: store.release(lease))

    @precondition(lambda self: self.lease is not None)
    @rule(
        index=st.integers(0, 2), aside=st.booleans(), saw=st.booleans(), generation=st.integers(0, 2),
        declaration=st.sampled_from(["d1", "d1", "d1", "d2"]), keep=st.sampled_from([None, 0, 30]),
        amount=st.integers(0, 9),
    )  # fmt: skip
    def claim(
        self, index: int, aside: bool, saw: bool, generation: int, declaration: str, keep: int | None, amount: int
    ) -> None:
        assert self.lease is not None
        addresses = (ADDRESSES[index], *([ADDRESSES[(index + 1) % 3]] if aside else []))
        found = self.each(lambda store: store.read(self.space, addresses)) if saw else ()
        before = next((record for record in found if record.address == addresses[0]), None)
        new = new_write(
            self.space, addresses[0], generation=generation, declaration=declaration, keep=keep,
            call=Call(self.space, "s", "t", amount),
        )  # fmt: skip
        after = state.claim(before, new, "w", self.now + 10 * SECOND, self.now + 12 * SECOND, self.now)
        budget = self.each(lambda store: store.document(self.space, "budget", "b"))
        also = (replace(budget or Document(self.space, "budget", "b", ""), body=str(amount)),) if amount > 6 else ()
        made = Claim(
            after=after, before=before, addresses=addresses, under=self.lease, now=self.now, also=also,
            seen=tuple((record.address, record.version) for record in found),
        )  # fmt: skip
        self.each(lambda store: store.claim(made))

    @rule(index=st.integers(0, 2), outcome=st.sampled_from(OUTCOMES), behind=st.integers(0, 2))
    def reports(self, index: int, outcome: Any, behind: int) -> None:
        if record := self.one(index):
            after, _ = state.settle(record, state.classify(outcome), self.now, fence=record.fence - behind)
            assert self.settle(record, after) == after

    @precondition(lambda self: bool(self.old))
    @rule(outcome=st.sampled_from(OUTCOMES))
    def reports_on_what_it_read_long_ago(self, outcome: Any) -> None:
        stale = self.old[0]
        after, _ = state.settle(stale, state.classify(outcome), self.now, fence=stale.fence)
        assert self.each(lambda store: store.settle(stale, after)) is None

    @precondition(lambda self: self.lease is not None)
    @rule(index=st.integers(0, 2))
    def sends_again(self, index: int) -> None:
        record, lease = self.one(index), self.lease
        if record is not None and record.state is State.ATTEMPTED and lease is not None:
            after = state.resend(record, "w2", self.now + 10 * SECOND, self.now + 12 * SECOND, self.now)
            self.each(lambda store: store.mark_sending(record, after, lease, self.now))

    @rule(index=st.integers(0, 2), finding=st.sampled_from(Finding))
    def probes(self, index: int, finding: Finding) -> None:
        if record := self.one(index):
            answer = ProbeAnswer(finding, self.now, record.fence, "looked")
            after, _ = state.settle_by_probe(record, answer, TERMS, self.now)
            assert self.settle(record, after) == after

    @rule(index=st.integers(0, 2), decision=st.sampled_from(Decision))
    def decides(self, index: int, decision: Decision) -> None:
        if record := self.one(index):
            try:
                after = state.settle_by_person(record, decision, "Ada", "looked", self.now)
            except NotSettleable:
                return
            assert self.settle(record, after) == after

    @rule()
    def expires(self) -> None:
        over = self.each(lambda store: store.expired(self.space, self.now, 2))
        lines = [(record, state.expire(record, self.now)) for record in over]
        assert self.each(lambda store: store.settle_all(lines)) == len(over)
        self.old = [*self.old[-3:], *over]

    @rule(kind=st.sampled_from(["run", "timer"]), version=st.integers(0, 3), body=st.sampled_from(["", "1", "2"]))
    def writes(self, kind: str, version: int, body: str) -> None:
        pair = [Document(self.space, kind, "x", body, version), Document(self.space, "run", "y", body, version)]
        self.each(lambda store: store.write(pair))

    @rule(turn=st.integers(0, 2), to=st.sampled_from(["d1", "d2"]))
    def moves(self, turn: int, to: str) -> None:
        held = self.each(lambda store: store.declaration(self.space, "book"))
        live: tuple[Record, ...] = self.each(lambda store: store.live(self.space, "book", self.now))
        moved = [
            (
                old,
                replace(
                    old, address=ADDRESSES[(ADDRESSES.index(old.address) + turn) % 3], declaration=to,
                    version=old.version + 1,
                ),
            )
            for old in live
        ]  # fmt: skip
        after = Declaration(self.space, "book", to, self.now, ("d0",))
        self.each(lambda store: store.move(held, after, moved, self.now))
        self.old = []

    @invariant()
    def all_stores_say_the_same(self) -> None:
        for record in self.records():
            assert (record.by is None) is (record.state is State.ATTEMPTED)
            assert (record.answer is not None) is (record.state is State.COMPLETED)
        self.each(lambda store: store.attempted(self.space))
        self.each(lambda store: store.find(self.space, ""))
        self.each(lambda store: store.live(self.space, "book", self.now))
        self.each(lambda store: (store.documents(self.space, "run"), store.documents(self.space, "timer")))


@pytest.mark.requirement(13, 15, 69, 143, 145, 147)
def test_every_sequence_gives_the_same_on_every_store(postgres_url: str) -> None:
    def opens(self: Stores, folder: Path) -> list[Store]:
        return [MemoryStore(), open_store(f"sqlite:{folder / 'r.db'}"), open_store(postgres_url)]

    machine = type("AllStores", (Stores,), {"opens": opens})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
