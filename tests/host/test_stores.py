"""The stores: what all of them must do, and what each of them is."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from wizard.errors import UsageError
from wizard.host import conformance, state
from wizard.host.conformance import CHECKS, NOW, claim, claimed, completed, lease_of, new_write, workspace
from wizard.host.record import Record, State
from wizard.host.store import Claimed, Found, Store, StoreBusyError, StoreError, open_store
from wizard.host.stores import _sql, memory
from wizard.host.stores._filesystem import kind_at, network_kinds, read_mountinfo
from wizard.host.stores.memory import MemoryStore
from wizard.host.stores.sqlite import SqliteStore

Open = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def open_it(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same store again and again."""
    with contextlib.ExitStack() as opened:
        if request.param == "memory":
            one = MemoryStore()
            yield lambda: one
            return
        url = f"sqlite:{tmp_path / 'records.db'}"
        if request.param == "postgresql":
            url = request.getfixturevalue("postgres_url")

        def opens() -> Store:
            store = open_store(url)
            opened.callback(store.close)
            return store

        yield opens


@pytest.mark.requirement(8, 13, 15, 68, 69, 73, 93, 114, 143, 144, 145, 146, 147)
@pytest.mark.parametrize("check", CHECKS.values(), ids=list(CHECKS))
def test_every_store_conforms(check: Callable[[Open], None], open_it: Open) -> None:
    check(open_it)


@pytest.mark.requirement(143, 147)
def test_a_store_has_few_functions_and_the_one_of_memory_says_what_it_is() -> None:
    asked = [name for name in vars(Store) if not name.startswith("_")]
    core = {"claim", "mark_sending", "settle", "read", "attempted", "acquire", "renew", "release"}
    assert core <= set(asked)
    assert memory.ONE_PROCESS
    # A record's way leads through six of them: nothing else makes or settles one.
    assert {name for name in asked if "ettle" in name or "claim" in name or "mark" in name} == {
        "claim", "mark_sending", "settle", "settle_all",
    }  # fmt: skip


def test_a_wrong_store_is_found_out() -> None:
    class Forgetful(MemoryStore):
        def settle(self, before: Record, after: Record, also: Any = ()) -> Record | None:
            return after

    class Careless(MemoryStore):
        def _unchanged(self, before: Record) -> bool:
            return True

    assert conformance.run(MemoryStore) != [], "stores that are not the same store"
    one = MemoryStore()
    assert conformance.run(lambda: one) == []
    for wrong in (Forgetful(), Careless()):
        failed = conformance.run(lambda wrong=wrong: wrong)
        assert any("version" in line or "one change of many" in line for line in failed)


def test_stores_are_found_by_their_folder_and_opened_by_url(tmp_path: Path) -> None:
    for url in ("mysql://h/x", "records.db", "sqlite:", "sqlite://host/x", "sqlite::memory:"):
        with pytest.raises(UsageError):
            open_store(url)
    store = open_store(f"sqlite:///{tmp_path / 'a%20b.db'}")
    assert isinstance(store, SqliteStore)
    assert store.path == tmp_path / "a b.db"
    store.close()


# SQL


@pytest.mark.requirement(68)
def test_every_statement_names_its_workspace() -> None:
    statements = {name: text for name, text in vars(_sql).items() if name.isupper() and isinstance(text, str)}
    statements |= {f"claim {n} {m}": _sql.claim(n, m) for n in (1, 2) for m in (0, 1, 2)}
    fragments = {"LIVE", "_SET"}
    assert len(statements) > 20
    for name, text in statements.items():
        if name in fragments:
            continue
        for table in re.finditer(
            r"(?:FROM|UPDATE|INTO) (invocations|invocation_events|leases|declarations|documents)", text
        ):
            rest = text[table.end() :]
            named = "workspace = @workspace" in rest or (
                table[0].startswith("INTO") and "(workspace, " in rest and "@workspace" in rest
            )
            assert named, f"{name} touches {table[1]} without a workspace"


@pytest.mark.requirement(8, 15, 93)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_schema_refuses_what_cannot_be(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:{tmp_path / 'r.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    store, space = open_store(url), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    table, events = ("invocations", "invocation_events") if kind == "sqlite" else (
        "skill_wizard.invocations", "skill_wizard.invocation_events",
    )  # fmt: skip
    mine = f"WHERE workspace = '{space}'"
    for wrong in (
        f"UPDATE {table} SET state = 'unknown' {mine}",
        f"UPDATE {table} SET state = 'absent' {mine}",
        f"UPDATE {table} SET state = 'completed', answer_status = 200, settled_at = 1 {mine}",
        f"UPDATE {table} SET state = 'absent', settled_by = 'timer' {mine}",
        f"UPDATE {table} SET state = 'absent', settled_by = 'person:' {mine}",
        f"UPDATE {table} SET settled_by = 'answer' {mine}",
        f"DELETE FROM {table} {mine}",
        f"UPDATE {events} SET detail = 'x' {mine}",
        f"DELETE FROM {events} {mine}",
    ):
        with pytest.raises(Exception, match=r"(?i)check|constraint|only ever added|never deleted"):
            _run(kind, url, wrong)
    assert store.read(space, [record.address]) == (record,)
    store.close()


def _run(kind: str, url: str, statement: str) -> list[Any]:
    if kind == "sqlite":
        connection = sqlite3.connect(url.removeprefix("sqlite:"))
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.rollback()
            connection.close()
    import psycopg

    with psycopg.connect(url) as connected:
        cursor = connected.execute(statement.encode())
        rows = cursor.fetchall() if cursor.description else []
        connected.rollback()
    return rows


@pytest.mark.requirement(94)
def test_claim_and_settle_touch_one_partition(postgres_url: str) -> None:
    from wizard.host.stores import postgresql

    store = postgresql.PostgresqlStore(postgres_url)
    space = workspace()
    lease = lease_of(store, space)
    seen: list[tuple[str, dict[str, Any]]] = []
    keep = postgresql.PostgresqlStore.change

    def watched(self: Any, execute: Any, statement: str, values: Any, events: Any, first: int) -> bool:
        def explain(text: str, named: Any) -> Any:
            plan = execute(f"EXPLAIN {text}", named)
            seen.append((statement.split(maxsplit=1)[0], {"plan": "\n".join(row["QUERY PLAN"] for row in plan)}))
            return execute(text, named)

        return keep(self, explain, statement, values, events, first)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(postgresql.PostgresqlStore, "change", watched)
        record = claimed(claim(store, lease, new_write(space, "b" * 64), (), ("b" * 64, "a" * 64)))
        done = completed(record)
        assert store.settle(record, done) == done
    assert [what for what, _ in seen] == ["INSERT", "UPDATE"]
    for _, plan in seen:
        for parent in ("invocations", "invocation_events", "leases", "declarations"):
            parts = set(re.findall(rf"\bon {parent}_(\d+)\b", plan["plan"]))
            assert len(parts) <= 1, f"{len(parts)} partitions of {parent} in\n{plan['plan']}"
        assert re.search(r"\binvocations_\d+\b|on invocations\b", plan["plan"])
    partitions = _run("postgresql", postgres_url, "SELECT partattrs::text, partstrat FROM pg_partitioned_table")
    assert len(partitions) == 5
    assert {strategy for _, strategy in partitions} == {"h"}
    keys = _run(
        "postgresql", postgres_url,
        "SELECT DISTINCT a.attname FROM pg_partitioned_table p JOIN pg_attribute a"
        " ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]",
    )  # fmt: skip
    assert keys == [("workspace",)]
    store.close()


@pytest.mark.requirement(115)
def test_the_schema_holds_nothing_for_one_kind_of_resolver(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "r.db").close()
    connection = sqlite3.connect(tmp_path / "r.db")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    assert tables == {"invocations", "invocation_events", "leases", "declarations", "documents"}


# SQLite


def test_sqlite_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "r.db")
    with store.reading() as transaction:
        assert transaction.execute("PRAGMA journal_mode", {})[0][0] == "wal"
        assert transaction.execute("PRAGMA synchronous", {})[0][0] == 2
    store.close()


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted = list(read_mountinfo(
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
        "30 22 0:40 / /mnt/share\\040one rw - nfs4 server:/x rw\n"
        "31 22 0:41 / /mnt/share\\040one/local rw master:2 - tmpfs tmpfs rw\n"
        "broken line\n"
    ))  # fmt: skip
    assert [kind for _, kind in mounted] == ["ext4", "nfs4", "tmpfs"]
    assert kind_at(PurePosixPath("/mnt/share one/a/b"), mounted) == "nfs4"
    assert kind_at(PurePosixPath("/mnt/share one/local/x"), mounted) == "tmpfs"
    assert kind_at(PurePosixPath("/mnt/share one more"), mounted) == "ext4"
    assert {"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"} <= network_kinds()
    assert "tmpfs" not in network_kinds()
    monkeypatch.setattr("wizard.host.stores._filesystem.mounts", lambda: [(str(tmp_path), "nfs4")])
    with pytest.raises(StoreError, match=r"network file system \(nfs4\)"):
        SqliteStore(tmp_path / "r.db")


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    text, other, newer = tmp_path / "text", tmp_path / "other", tmp_path / "newer"
    text.write_text("not a database, but long enough to look at" * 50)
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (x)")
        connection.commit()
    SqliteStore(newer).close()
    with contextlib.closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    for path, said in (
        (text, "not a database"), (other, "a database of something else"), (newer, "schema 99"),
        (tmp_path / "no" / "r.db", "no such folder"), (tmp_path, "unable to open"),
    ):  # fmt: skip
        with pytest.raises(StoreError, match=said):
            SqliteStore(path)
    assert text.read_text().startswith("not a database")


@pytest.mark.requirement(80)
def test_a_store_that_others_hold_says_so(tmp_path: Path) -> None:
    store, space = SqliteStore(tmp_path / "r.db", wait=0.05), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    holder = SqliteStore(tmp_path / "r.db")
    with holder.writing(), pytest.raises(StoreBusyError, match="held the store"):
        store.settle(record, completed(record))
    assert store.read(space, [record.address]) == (record,), "an answer that was not stored leaves it attempted"
    with contextlib.closing(sqlite3.connect(tmp_path / "r.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError):
            store.settle(record, completed(record))
        other.execute("ROLLBACK")
    assert store.settle(record, completed(record)) == completed(record)
    for one in (store, holder):
        one.close()


def test_a_lock_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "r.db")
    (tmp_path / "r.db.lock").unlink()
    (tmp_path / "r.db.lock").mkdir()
    with pytest.raises(StoreError, match="the lock file cannot be used"):
        store.acquire("w", "n", "h", NOW, NOW)
    store.close()


def test_a_store_may_be_used_across_a_fork(tmp_path: Path) -> None:
    store, space = SqliteStore(tmp_path / "r.db"), workspace()
    lease = lease_of(store, space)
    process = os.fork()
    if process == 0:
        made = isinstance(claim(store, lease, new_write(space, "c" * 64)), Claimed)
        os._exit(0 if made else 1)
    assert os.waitpid(process, 0)[1] == 0
    assert isinstance(claim(store, lease, new_write(space, "c" * 64)), Found)
    store.close()


# PostgreSQL


@pytest.mark.requirement(14, 80)
def test_postgresql_stopped_between_send_and_settle(own_postgres: Any) -> None:
    store, space = open_store(own_postgres.url), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    own_postgres.crash()
    with pytest.raises(StoreError, match="PostgreSQL"):
        store.settle(record, completed(record))
    own_postgres.start()
    assert store.read(space, [record.address]) == (record,), "what was acknowledged is kept"
    assert store.settle(record, completed(record)) == completed(record)
    store.close()


def test_a_database_that_is_not_there_is_an_error_of_the_store() -> None:
    with pytest.raises(StoreError, match=r"PostgreSQL: .*(failed|refused)"):
        open_store("postgresql://nobody@127.0.0.1:1/none")


def test_a_newer_database_is_refused(own_postgres: Any) -> None:
    import psycopg

    open_store(own_postgres.url).close()
    with psycopg.connect(own_postgres.url) as connection:
        connection.execute("UPDATE skill_wizard.schema_version SET version = 99")
    with pytest.raises(StoreError, match="schema 99"):
        open_store(own_postgres.url)


def test_locks_that_others_hold_are_waited_for_a_while(postgres_url: str) -> None:
    import psycopg

    from wizard.host.stores.postgresql import PostgresqlStore

    store, space = PostgresqlStore(postgres_url, wait=0.1), workspace()
    record = claimed(claim(store, lease_of(store, space), new_write(space)))
    with psycopg.connect(postgres_url) as other:
        other.execute("SELECT 1 FROM skill_wizard.invocations WHERE workspace = %s FOR UPDATE", [space])
        with pytest.raises(StoreBusyError, match="held the record"):
            store.settle(record, completed(record))
        other.rollback()
    assert store.settle(record, completed(record)) == completed(record)
    store.close()


# Processes


def _claims(url: str, space: str, number: int, ready: Any, go: Any, results: Any) -> None:
    store = open_store(url)
    lease = store.acquire(space, f"turn {number}", f"p{number}", NOW + timedelta(hours=1), NOW)
    assert lease is not None
    ready.put(number)
    go.wait()
    won = [isinstance(claim(store, lease, new_write(space, f"{round_:064d}")), Claimed) for round_ in range(20)]
    results.put((number, won))
    store.close()


@pytest.mark.requirement(73, 144, 146)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_of_eight_processes_at_one_barrier_one_claims(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:{tmp_path / 'r.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    open_store(url).close()
    space, workers = workspace(), 8
    made = multiprocessing.get_context("spawn")
    ready, go, results = made.Queue(), made.Event(), made.Queue()
    processes = [
        made.Process(target=_claims, args=(url, space, number, ready, go, results)) for number in range(workers)
    ]
    for process in processes:
        process.start()
    for _ in processes:
        ready.get(timeout=60)
    go.set()
    won = [results.get(timeout=60)[1] for _ in processes]
    for process in processes:
        process.join(timeout=60)
    assert [sum(one[round_] for one in won) for round_ in range(20)] == [1] * 20


DIES = """
import os, sys
from wizard.host.conformance import *
from wizard.host.store import open_store
url, space, where = sys.argv[1:]
store = open_store(url)
lease = lease_of(store, space)
if where == "before":
    os.kill(os.getpid(), 9)
record = claimed(claim(store, lease, new_write(space)))
if where == "inside":
    with store.writing() as transaction:
        store._update(transaction.execute, record, completed(record))
        os.kill(os.getpid(), 9)
if where == "after":
    store.settle(record, completed(record))
os.kill(os.getpid(), 9)
"""


@pytest.mark.requirement(4, 14, 146)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize(
    ("where", "ends"),
    [("before", None), ("claimed", State.ATTEMPTED), ("inside", State.ATTEMPTED), ("after", State.COMPLETED)],
)
def test_what_a_killed_process_leaves_is_what_it_stored(
    kind: str, where: str, ends: State | None, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:{tmp_path / 'r.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    space = workspace()
    done = subprocess.run([sys.executable, "-c", DIES, url, space, where], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    store = open_store(url)
    found = store.find(space, "")
    assert [record.state for record in found] == ([] if ends is None else [ends])
    if ends is State.ATTEMPTED:
        settled = completed(found[0])
        assert store.settle(found[0], settled) == settled, "the dead process's locks are gone"
    store.close()


def test_no_writer_starves(tmp_path: Path) -> None:
    """While six writers write without a pause, nobody is overtaken for long."""
    stores = [SqliteStore(tmp_path / "r.db") for _ in range(6)]
    space, done, overtaken = workspace(), [0] * 6, [0] * 6

    def write(index: int) -> None:
        while min(done) < 40:
            before = sum(done) - done[index]
            stores[index].acquire(space, f"n{index}", "h", NOW, NOW)
            overtaken[index] = max(overtaken[index], sum(done) - done[index] - before)
            done[index] += 1

    threads = [threading.Thread(target=write, args=(index,)) for index in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close()
    assert max(overtaken) < 400, f"writes of each {done}, the longest wait in writes of others {overtaken}"


@pytest.mark.requirement(2)
def test_a_claim_is_seen_by_others_before_it_is_given(open_it: Open) -> None:
    one, other, space = open_it(), open_it(), workspace()
    lease = lease_of(one, space)
    for number in range(100):
        record = claimed(claim(one, lease, new_write(space, f"{number:064d}")))
        assert other.read(space, [record.address]) == (record,)


@pytest.mark.requirement(13)
def test_ten_years_of_housekeeping_leave_attempted_alone(open_it: Open) -> None:
    store, space = open_it(), workspace()
    lease = lease_of(store, space)
    waiting = claimed(claim(store, lease, new_write(space, "a" * 64)))
    done = claimed(claim(store, lease, new_write(space, "b" * 64)))
    assert store.settle(done, completed(done))
    for year in range(1, 11):
        now = NOW + timedelta(days=365 * year)
        for record in store.expired(space, now):
            store.settle(record, state.expire(record, now))
    assert store.read(space, ["a" * 64]) == (waiting,)
    assert store.read(space, ["b" * 64])[0].state is State.ABSENT
    assert replace(waiting, version=waiting.version) == waiting
