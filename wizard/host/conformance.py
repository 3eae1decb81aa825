"""What every store must do, as checks that anybody can run on a store of their own.

    import pytest
    from wizard.host.conformance import CHECKS

    @pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
    def test_my_store(check, tmp_path):
        check(lambda: MyStore(tmp_path / "records"))

Each check gets a function that opens the store: all stores that it opens are the same store, as another worker of this
process sees it. A check raises AssertionError where the store is wrong. Each works in workspaces of its own, so one
database serves them all.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from wizard.host import state
from wizard.host.outcome import Reply, Request, Silence
from wizard.host.record import Call, Event, EventKind, Lease, Record, State
from wizard.host.state import Decision, NewWrite
from wizard.host.store import (
    Claim,
    Claimed,
    ClaimResult,
    Declaration,
    Document,
    DocumentConflict,
    Found,
    LeaseLost,
    OtherDeclaration,
    Store,
)  # fmt: skip
from wizard.operation.model import Scope

Open = Callable[[], Store]
NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def workspace() -> str:
    """A workspace that nobody else uses."""
    return f"conformance-{uuid.uuid4().hex}"


def new_write(space: str, address: str = "a" * 64, **changes: object) -> NewWrite:
    """Something to claim."""
    write = NewWrite(
        workspace=space, address=address, operation="book", declaration="d1", scope=Scope.IDENTITY, secret="first",
        call=Call(space, "session", "turn", 0), generation=0, key="0f0f", key_place="header Idempotency-Key",
        reference="", fingerprint="f1",
        request=Request("POST", "http://h/bookings", (("Accept", "*/*"),), b'{"a": "\xc3\xa9\\u0000"}'),
        given='{"variables":{},"query":{},"header":{},"body":{}}', keep=3600,
    )  # fmt: skip
    return replace(write, **changes)  # type: ignore[arg-type]


def lease_of(store: Store, space: str, name: str = "turn", holder: str = "worker") -> Lease:
    lease = store.acquire(space, name, holder, NOW + 3600 * SECOND, NOW)
    assert lease is not None, "a lease that nobody holds was not given"
    return lease


def claim(
    store: Store, lease: Lease, write: NewWrite, seen: Sequence[Record] = (), addresses: Sequence[str] = (),
    also: Sequence[Document] = (), now: datetime = NOW,
) -> ClaimResult:  # fmt: skip
    """Claims a write after seeing these records."""
    before = next((record for record in seen if record.address == write.address), None)
    after = state.claim(before, write, lease.holder, now + 30 * SECOND, now + 40 * SECOND, now)
    return store.claim(Claim(
        after=after, before=before, addresses=tuple(addresses) or (write.address,),
        seen=tuple((record.address, record.version) for record in seen), under=lease, now=now, also=tuple(also),
    ))  # fmt: skip


def claimed(result: ClaimResult) -> Record:
    assert isinstance(result, Claimed), f"the claim was not taken: {result}"
    return result.record


def completed(record: Record, now: datetime = NOW) -> Record:
    return state.settle(record, state.classify(Reply(201, (("X", "1"),), b'{"id": 7}')), now, fence=record.fence)[0]


def released(record: Record, now: datetime = NOW) -> Record:
    return state.settle(record, state.classify(Reply(422)), now, fence=record.fence)[0]


def check_a_claim_is_there_whole(open_store: Open) -> None:
    """What was claimed is read back as it was, by another store too, with its first event."""
    store, space = open_store(), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    for other in (store, open_store()):
        assert other.read(space, [record.address]) == (record,), "a claim was not read back as it was"
    assert [event.kind for event in record.events] == [EventKind.CLAIMED]


def check_every_field_comes_back(open_store: Open) -> None:
    """A completed record keeps its answer's bytes, its instants to the microsecond, and its events in order."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    first = claimed(claim(store, lease, new_write(space, reference="r", given='{"body":"\\u0000 é 𝒳"}', keep=None)))
    unseen, _ = state.settle(first, state.classify(Reply(503)), NOW + SECOND, fence=first.fence)
    assert store.settle(first, unseen) == unseen
    sending = state.resend(unseen, "w2", NOW + 9 * SECOND, NOW + 10 * SECOND, NOW + 2 * SECOND)
    assert store.mark_sending(unseen, sending, lease, NOW) == sending
    done = completed(sending, NOW + 3 * SECOND)
    assert store.settle(sending, done) == done
    assert open_store().read(space, [done.address]) == (done,), "a record changed on its way through the store"
    assert [event.kind for event in done.events] == [
        EventKind.CLAIMED, EventKind.SENT, EventKind.SENDING, EventKind.ANSWERED,
    ]  # fmt: skip


def check_one_claim_of_many(open_store: Open) -> None:
    """Of many workers that claim the same write at once exactly one gets it; the others find its record."""
    space, workers = workspace(), 8
    stores = [open_store() for _ in range(workers)]
    leases = [lease_of(stores[index], space, f"turn {index}", f"w{index}") for index in range(workers)]
    for number in range(5):
        results = at_once([
            partial(claim, stores[index], leases[index], new_write(space, f"{number:064d}"))
            for index in range(workers)
        ])  # fmt: skip
        winners = [result.record for result in results if isinstance(result, Claimed)]
        assert len(winners) == 1, f"{len(winners)} workers claimed the same write"
        losers = [result for result in results if not isinstance(result, Claimed)]
        assert all(isinstance(result, Found) and result.records == (winners[0],) for result in losers)


def check_old_and_new_secrets_meet(open_store: Open) -> None:
    """While a secret is replaced, workers that claim under different addresses of one write do not both get it."""
    space = workspace()
    stores = [open_store() for _ in range(6)]
    leases = [lease_of(store, space, f"turn {index}", f"w{index}") for index, store in enumerate(stores)]
    for number in range(10):
        old, new = f"a{number:063d}", f"b{number:063d}"
        results = at_once([
            partial(claim, store, lease, new_write(space, first), (), (first, second))
            for store, lease, (first, second) in zip(stores, leases, [(old, new), (new, old)] * 3, strict=True)
        ])  # fmt: skip
        winners = [result for result in results if isinstance(result, Claimed)]
        assert len(winners) == 1, f"{len(winners)} workers claimed one write under two secrets"


def check_a_claim_sees_all_its_addresses(open_store: Open) -> None:
    """A record under an older secret is found by a claim under the newer one; a line there is not in the way."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    old, new = "a" * 64, "b" * 64
    first = claimed(claim(store, lease, new_write(space, old)))
    assert claim(store, lease, new_write(space, new), (), (new, old)) == Found((first,))
    line = released(first)
    store.settle(first, line)
    assert claim(store, lease, new_write(space, new), (), (new, old)) == Found((line,)), (
        "an unseen line was passed over"
    )
    second = claimed(claim(store, lease, new_write(space, new, generation=1), (line,), (new, old)))
    assert store.read(space, [new, old]) == (second, line)


def check_a_claim_replaces_only_what_was_seen(open_store: Open) -> None:
    """A line is replaced by a claim that saw it as it is; its fence and events go on. Attempted is never replaced."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    first = claimed(claim(store, lease, new_write(space)))
    line = released(first)
    assert store.settle(first, line) == line
    assert claim(store, lease, new_write(space)) == Found((line,)), "a claim that saw nothing replaced a line"
    second = claimed(claim(store, lease, new_write(space, generation=1), (line,)))
    assert (second.fence, second.generation) == (line.fence + 1, 1)
    assert store.read(space, [line.address]) == (second,)
    stale = claim(store, lease, new_write(space, generation=1), (line,))
    assert stale == Found((second,)), "a claim replaced what it had not seen"
    forced = claim(store, lease, new_write(space, generation=2), (second,))
    assert forced == Found((second,)), "a claim replaced an attempted record"


def check_changes_need_the_version_they_saw(open_store: Open) -> None:
    """A change made from an older version does not take place."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    record = claimed(claim(store, lease, new_write(space)))
    done = completed(record)
    assert store.settle(record, done) == done
    assert store.settle(record, released(record)) is None, "an outdated release took place"
    sending = state.resend(record, "w", NOW, NOW, NOW)
    assert store.mark_sending(record, sending, lease, NOW) is None, "an outdated mark took place"
    assert store.read(space, [record.address]) == (done,)
    missing = replace(record, address="c" * 64)
    assert store.settle(missing, completed(missing)) is None, "a record that is not there was settled"


def check_one_change_of_many(open_store: Open) -> None:
    """Of changes made at once from the same version exactly one takes place."""
    space = workspace()
    stores = [open_store() for _ in range(6)]
    lease = lease_of(stores[0], space)
    for number in range(5):
        record = claimed(claim(stores[0], lease, new_write(space, f"{number:064d}")))
        results = at_once([
            partial(store.settle, record, completed(record) if index % 2 else released(record))
            for index, store in enumerate(stores)
        ])  # fmt: skip
        kept = [result for result in results if result is not None]
        assert len(kept) == 1, f"{len(kept)} of {len(stores)} changes from one version took place"
        assert stores[0].read(space, [record.address]) == (kept[0],)


def check_a_claim_needs_a_lease(open_store: Open) -> None:
    """Without a lease that is alive nothing is claimed or marked: not after its end, not when another has it."""
    store, space = open_store(), workspace()
    none = Lease(space, "turn", "nobody", 1, NOW + SECOND)
    assert claim(store, none, new_write(space)) == LeaseLost()
    lease = store.acquire(space, "turn", "w1", NOW + SECOND, NOW)
    assert lease is not None
    assert claim(store, lease, new_write(space), now=NOW + SECOND) == LeaseLost(), "a lease that is over let a claim in"
    forged = replace(lease, until=NOW + 99 * SECOND)
    assert claim(store, forged, new_write(space), now=NOW + 2 * SECOND) == LeaseLost(), "a forged end was believed"
    record = claimed(claim(store, lease, new_write(space)))
    taken = store.acquire(space, "turn", "w2", NOW + 99 * SECOND, NOW + SECOND)
    assert taken is not None
    assert claim(store, lease, new_write(space, "b" * 64)) == LeaseLost(), "a lease that another holds let a claim in"
    sending = state.resend(record, "w1", NOW, NOW, NOW)
    assert store.mark_sending(record, sending, lease, NOW) is None, "a record was marked without a lease"
    assert store.mark_sending(record, sending, taken, NOW) == sending
    elsewhere = lease_of(store, workspace())
    assert claim(store, elsewhere, new_write(space, "d" * 64)) == LeaseLost()


def check_leases_are_fenced(open_store: Open) -> None:
    """A lease is one holder's; each new holding has a higher fence; who lost it can neither renew nor release it."""
    store, space = open_store(), workspace()
    first = store.acquire(space, "run", "w1", NOW + 10 * SECOND, NOW)
    assert first is not None
    assert store.acquire(space, "run", "w2", NOW + 20 * SECOND, NOW + 9 * SECOND) is None
    assert store.acquire(workspace(), "run", "w2", NOW + SECOND, NOW) is not None, "leases of two workspaces met"
    renewed = store.renew(first, NOW + 15 * SECOND, NOW + 9 * SECOND)
    assert renewed == replace(first, until=NOW + 15 * SECOND)
    assert store.acquire(space, "run", "w2", NOW + 20 * SECOND, NOW + 14 * SECOND) is None
    second = store.acquire(space, "run", "w2", NOW + 30 * SECOND, NOW + 15 * SECOND)
    assert second is not None
    assert second.fence > first.fence
    assert store.renew(first, NOW + 99 * SECOND, NOW + 16 * SECOND) is None, "a lost lease was renewed"
    store.release(first)
    assert store.acquire(space, "run", "w3", NOW + 40 * SECOND, NOW + 16 * SECOND) is None, "a lost lease was released"
    store.release(second)
    assert store.renew(second, NOW + 40 * SECOND, NOW + 17 * SECOND) is None, "a released lease was renewed"
    third = store.acquire(space, "run", "w3", NOW + 40 * SECOND, NOW + 17 * SECOND)
    assert third is not None
    assert third.fence > second.fence, "a fence came twice"


def check_one_lease_of_many(open_store: Open) -> None:
    """Of many workers that want a lease at once one gets it."""
    space = workspace()
    stores = [open_store() for _ in range(8)]
    got = at_once([
        partial(store.acquire, space, "run", f"w{index}", NOW + SECOND, NOW)
        for index, store in enumerate(stores)
    ])  # fmt: skip
    assert sum(lease is not None for lease in got) == 1


def check_workspaces_never_meet(open_store: Open) -> None:
    """The same address in two workspaces is two records, and no call of one shows the other's."""
    store, one, two = open_store(), workspace(), workspace()
    mine = claimed(claim(store, lease_of(store, one), new_write(one)))
    theirs = claimed(claim(store, lease_of(store, two), new_write(two)))
    done = completed(theirs)
    assert store.settle(theirs, done) == done
    assert store.read(one, [mine.address]) == (mine,)
    assert store.attempted(one) == (mine,)
    assert store.attempted(two) == ()
    assert store.find(two, "") == (done,)
    assert store.expired(one, NOW + timedelta(days=9)) == ()
    assert store.live(one, "book", NOW) == (mine,)
    assert store.write([Document(one, "run", "r", "1")])
    assert store.documents(two, "run") == ()


def check_attempted_never_goes_by_itself(open_store: Open) -> None:
    """Ten years later an attempted record is still there, listed, and in no batch that expires."""
    store, space = open_store(), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    later = NOW + timedelta(days=3650)
    assert store.expired(space, later) == ()
    assert store.attempted(space) == (record,)
    assert store.live(space, "book", later) == (record,)


def check_who_settled_is_never_empty(open_store: Open) -> None:
    """A record cannot leave attempted without saying by whom, nor be attempted and settled."""
    store, space = open_store(), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    for wrong in (
        replace(completed(record), by=None), replace(released(record), by=None),
        replace(completed(record), by=""), replace(completed(record), by="person:"),
        replace(completed(record), by="somebody"), replace(completed(record), answer=None),
        replace(record, version=record.version + 1, by="answer"),
    ):  # fmt: skip
        try:
            kept = store.settle(record, wrong)
        except Exception:
            kept = None
        assert kept is None, f"a record was stored that is {wrong.state} by {wrong.by!r}"
    assert store.read(space, [record.address]) == (record,)


def check_a_person_is_kept(open_store: Open) -> None:
    """What a named person decided is stored with the name."""
    store, space = open_store(), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    later = NOW + timedelta(hours=1)
    settled = state.settle_by_person(record, Decision.HAPPENED, "Ines Müller", "seen in the list", later)
    assert store.settle(record, settled) == settled
    read = store.read(space, [record.address])[0]
    assert (read, read.by) == (settled, "person:Ines Müller")


def check_completed_records_expire_in_batches(open_store: Open) -> None:
    """Completed records whose time is over come in batches, earliest first; a line stays of each."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    for number in range(5):
        record = claimed(claim(store, lease, new_write(space, f"{number:064d}", keep=60 * (5 - number))))
        store.settle(record, completed(record))
    forever = claimed(claim(store, lease, new_write(space, "f" * 64, keep=None)))
    store.settle(forever, completed(forever))
    later = NOW + timedelta(days=1)
    assert store.expired(space, NOW + 59 * SECOND) == ()
    first = store.expired(space, later, limit=2)
    assert [record.address[-1] for record in first] == ["4", "3"]
    raced = state.release_by_person(first[0], "Ada", "", later)
    assert store.settle(first[0], raced) == raced
    assert store.settle_all([(record, state.expire(record, later)) for record in first]) == 1, (
        "a batch ran over a change"
    )
    while batch := store.expired(space, later, limit=2):
        assert store.settle_all([(record, state.expire(record, later)) for record in batch]) == len(batch)
    lines = store.find(space, "0")
    assert len(lines) == 5
    assert all(line.state is State.ABSENT and line.request is None and line.answer is None for line in lines)
    assert store.live(space, "book", later) == (completed(forever),)


def check_attempted_are_listed_oldest_first(open_store: Open) -> None:
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    for number in (2, 0, 1):
        claimed(claim(store, lease, new_write(space, f"{number:064d}"), now=NOW + number * SECOND))
    assert [record.address[-1] for record in store.attempted(space)] == ["0", "1", "2"]
    assert [record.address[-1] for record in store.attempted(space, limit=2)] == ["0", "1"]


def check_records_are_found_by_their_id(open_store: Open) -> None:
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    records = [
        claimed(claim(store, lease, new_write(space, address * 64), now=NOW + index * SECOND))
        for index, address in enumerate("ab0")
    ]
    assert store.find(space, records[0].id) == (records[0],)
    assert store.find(space, "c") == ()
    assert store.find(space, "") == tuple(reversed(records))
    assert store.find(space, "", limit=1) == (records[2],)


def check_another_declaration_is_refused(open_store: Open) -> None:
    """The first claim of an operation sets its declaration; a claim under another is refused and changes nothing."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    assert store.declaration(space, "book") is None
    lost = Lease(space, "none", "nobody", 1, NOW)
    assert claim(store, lost, new_write(space)) == LeaseLost()
    assert store.declaration(space, "book") is None, "a claim that was refused set a declaration"
    claimed(claim(store, lease, new_write(space)))
    declared = Declaration(space, "book", "d1", NOW)
    assert store.declaration(space, "book") == declared
    other = new_write(space, "b" * 64, declaration="d2")
    assert claim(store, lease, other) == OtherDeclaration(declared)
    assert store.read(space, [other.address]) == ()
    claimed(claim(store, lease, new_write(space, "b" * 64, declaration="d2", operation="cancel")))


def check_one_declaration_of_many(open_store: Open) -> None:
    """Of first claims of an operation under different declarations, made at once, those of one declaration stand."""
    space = workspace()
    stores = [open_store() for _ in range(6)]
    leases = [lease_of(store, space, f"turn {index}", f"w{index}") for index, store in enumerate(stores)]
    results = at_once([
        partial(claim, store, lease, new_write(space, f"{index:064d}", declaration=f"d{index % 2}"))
        for index, (store, lease) in enumerate(zip(stores, leases, strict=True))
    ])  # fmt: skip
    digests = {result.record.declaration for result in results if isinstance(result, Claimed)}
    assert len(digests) == 1, "an operation was claimed under two declarations"


def check_a_move_is_whole_or_not_at_all(open_store: Open) -> None:
    """Live records move with their events to new addresses, over lines, and only if all is as it was seen."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    one = claimed(claim(store, lease, new_write(space, "a" * 64)))
    two = claimed(claim(store, lease, new_write(space, "b" * 64)))
    three = claimed(claim(store, lease, new_write(space, "c" * 64)))
    line = released(three)
    store.settle(three, line)
    before = store.declaration(space, "book")
    after = Declaration(space, "book", "d2", NOW, ("d1",))
    event = Event(EventKind.MOVED, NOW)

    def moved(record: Record, address: str) -> tuple[Record, Record]:
        return record, replace(
            record, address=address, declaration="d2", version=record.version + 1, events=(*record.events, event)
        )

    swap = [moved(one, "b" * 64), moved(two, "c" * 64)]
    assert not store.move(before, after, swap[:1], NOW), "a move left a live record behind"
    assert not store.move(Declaration(space, "book", "d0", NOW), after, swap, NOW)
    collision = claimed(claim(store, lease, new_write(space, "e" * 64, operation="other")))
    assert not store.move(before, after, [moved(one, collision.address), swap[1]], NOW), "a move overwrote a record"
    assert store.read(space, ["a" * 64, "b" * 64, "c" * 64]) == (one, two, line), "a refused move changed something"
    assert store.move(before, after, swap, NOW)
    assert store.read(space, ["a" * 64, "b" * 64, "c" * 64]) == (swap[0][1], swap[1][1])
    assert store.declaration(space, "book") == after
    old = claim(store, lease, new_write(space, "d" * 64))
    assert old == OtherDeclaration(after), "the declaration before the move was still taken"


def check_claims_and_moves_do_not_cross(open_store: Open) -> None:
    """A record claimed while its operation moves is either moved or refused, never left under the old declaration."""
    space = workspace()
    stores = [open_store() for _ in range(4)]
    leases = [lease_of(store, space, f"turn {index}", f"w{index}") for index, store in enumerate(stores)]
    for round_number in range(6):
        name = f"op{round_number}"
        claimed(claim(stores[0], leases[0], new_write(space, f"{round_number:02d}{'0' * 62}", operation=name)))

        def mover(store: Store = stores[3], name: str = name) -> bool:
            held, live = store.declaration(space, name), store.live(space, name, NOW)
            moves = [
                (old, replace(old, address="9" + old.address[1:], declaration="d2", version=old.version + 1))
                for old in live
            ]
            return store.move(held, Declaration(space, name, "d2", NOW, ("d1",)), moves, NOW)

        claims: list[Callable[[], object]] = [
            partial(
                claim,
                stores[index],
                leases[index],
                new_write(space, f"{round_number:02d}{index + 1:062d}", operation=name),
            )
            for index in range(3)
        ]
        moved = at_once([*claims, mover])[-1]
        left = {record.declaration for record in stores[0].live(space, name, NOW)}
        held = stores[0].declaration(space, name)
        assert held is not None
        assert left == {held.digest}, f"records stand under {left}, the operation under {held.digest} ({moved=})"


def check_documents_change_together(open_store: Open) -> None:
    """Documents are written all or none, and only from the version that was read."""
    store, space = open_store(), workspace()
    one, two = Document(space, "run", "r1", '{"index": 0}'), Document(space, "timer", "r1", "{}")
    assert store.write([one, two])
    assert store.document(space, "run", "r1") == replace(one, version=1)
    assert not store.write([one]), "a document was made twice"
    assert not store.write([replace(one, body="")]), "a document that is there was taken for none"
    ahead = replace(one, version=1, body='{"index": 1}')
    assert not store.write([ahead, replace(two, version=7, body="x")])
    assert store.document(space, "run", "r1") == replace(one, version=1), "half of a write took place"
    assert store.write([ahead, replace(two, version=1, body="")])
    assert store.document(space, "run", "r1") == replace(ahead, version=2)
    assert store.document(space, "timer", "r1") is None
    assert store.write([Document(space, "run", "r2", "2"), Document(space, "run", "s", "3")])
    assert [document.id for document in store.documents(space, "run")] == ["r1", "r2", "s"]
    assert [document.id for document in store.documents(space, "run", "r")] == ["r1", "r2"]


def check_documents_go_with_records(open_store: Open) -> None:
    """What belongs to a claim or to settling is stored with it or not at all."""
    store, space = open_store(), workspace()
    lease = lease_of(store, space)
    budget = Document(space, "budget", "b", "10")
    record = claimed(claim(store, lease, new_write(space), also=[budget]))
    spent = replace(budget, version=1, body="9")
    again = claim(store, lease, new_write(space), also=[spent])
    assert again == Found((record,))
    assert store.document(space, "budget", "b") == replace(budget, version=1), "a refused claim reserved money"
    other = claim(store, lease, new_write(space, "b" * 64), also=[replace(budget, body="8")])
    assert other == DocumentConflict(replace(budget, body="8"))
    assert store.read(space, ["b" * 64]) == (), "a claim stood although its document had changed"
    done = completed(record)
    assert store.settle(record, done, [replace(spent, version=5)]) is None
    assert store.read(space, [record.address]) == (record,), "a record was settled although its document had changed"
    assert store.settle(record, done, [spent]) == done
    assert store.document(space, "budget", "b") == replace(spent, version=2)


def check_an_old_fence_is_seen(open_store: Open) -> None:
    """After another worker took over, the first one's release changes nothing and its answer completes the record."""
    for outcome, ends in (
        (Reply(409), State.ATTEMPTED),
        (Silence("reset"), State.ATTEMPTED),
        (Reply(201), State.COMPLETED),
    ):
        store, space = open_store(), workspace()
        lease = lease_of(store, space)
        first = claimed(claim(store, lease, new_write(space)))
        second = state.resend(first, "w2", NOW + 90 * SECOND, NOW + 99 * SECOND, NOW + 60 * SECOND)
        assert store.mark_sending(first, second, lease, NOW + 60 * SECOND) == second
        late, _ = state.settle(first, state.classify(outcome), NOW, fence=first.fence)
        assert store.settle(first, late) is None, "a change made before the takeover took place"
        again, _ = state.settle(second, state.classify(outcome), NOW, fence=first.fence)
        assert store.settle(second, again) == again
        read = store.read(space, [first.address])[0]
        assert read.state is ends, f"{outcome} under an old fence left the record {read.state}"
        assert read.events[-1].detail.endswith("under an old fence")


def at_once(calls: Sequence[Callable[[], object]]) -> list[object]:
    """Runs all of them in threads that begin together; the results in the order of the calls."""
    barrier = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)
    failures: list[BaseException] = []

    def run(index: int) -> None:
        try:
            barrier.wait()
            results[index] = calls[index]()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


CHECKS: dict[str, Callable[[Open], None]] = {
    name.removeprefix("check_").replace("_", " "): check
    for name, check in list(globals().items())
    if name.startswith("check_")
}
"""Every check by what it says, in their order."""


def run(open_store: Open) -> list[str]:
    """Runs all checks and gives a line for each that failed."""
    failed = []
    for name, check in CHECKS.items():
        try:
            check(open_store)
        except Exception as error:
            failed.append(f"{name}: {error}")
    return failed
