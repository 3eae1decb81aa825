"""Timers fire once, sleeps end once, turns are answered once."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from wizard.host import timers
from wizard.host.store import Document, Store, open_store
from wizard.host.stores.memory import MemoryStore

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOON = NOW + timedelta(minutes=5)


@pytest.fixture
def store() -> Store:
    return MemoryStore()


def note(store: Store) -> list[str]:
    return [json.loads(found.body)["note"] for found in store.documents("acme", timers.NOTE)]


@pytest.mark.requirement(88)
def test_a_timer_fires_once(store: Store) -> None:
    assert timers.set_timer(store, "acme", "t1", session="s1", note="call back", due=SOON)
    assert not timers.set_timer(store, "acme", "t1", session="s1", note="call back", due=SOON)
    assert timers.due_jobs(store, "acme", NOW) == ()
    (first,) = timers.due_jobs(store, "acme", SOON)
    (again,) = timers.due_jobs(store, "acme", SOON)
    assert timers.fire_timer(store, first, SOON)
    assert not timers.fire_timer(store, again, SOON), "handed out twice, fired once"
    assert note(store) == ["call back"]
    (woken,) = timers.due_jobs(store, "acme", SOON)
    assert (woken.what, woken.session) == (timers.TURN, "s1")


@pytest.mark.requirement(88)
def test_a_firing_is_one_write(store: Store) -> None:
    writes: list[list[str]] = []

    class Watching:
        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        def write(self, documents: Sequence[Document]) -> bool:
            writes.append(sorted(document.kind for document in documents))
            return store.write(documents)

    timers.set_timer(store, "acme", "t1", session="s1", note="call back", due=SOON)
    (job,) = timers.due_jobs(store, "acme", SOON)
    assert timers.fire_timer(Watching(), job, SOON)
    assert writes == [["job", "job", "note", "turn"]]


@pytest.mark.requirement(90)
def test_a_turn_is_answered_once(store: Store) -> None:
    assert timers.open_turn(store, "acme", "q1", session="s1", due=NOW)
    (first,) = timers.due_jobs(store, "acme", NOW)
    (again,) = timers.due_jobs(store, "acme", NOW)
    assert timers.reply_of(store, "acme", "q1") is None
    assert timers.finish_turn(store, first, "Done.")
    assert not timers.finish_turn(store, again, "Done twice.")
    assert timers.reply_of(store, "acme", "q1") == "Done."
    assert timers.due_jobs(store, "acme", SOON) == ()


@pytest.mark.requirement(88, 90)
@pytest.mark.parametrize("what", ["fire", "finish"])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_before_each_statement_all_of_it_is_there_or_nothing(
    kind: str, what: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:{tmp_path / 'jobs.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
    store = open_store(url)
    killed = 0
    for number in range(1, 60):
        space = uuid.uuid4().hex
        if what == "fire":
            timers.set_timer(store, space, "t1", session="s1", note="call back", due=NOW)
        else:
            timers.open_turn(store, space, "t1", session="s1", due=NOW)
        command = [sys.executable, Path(__file__).with_name("fire.py"), url, space, what, str(number)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        later = datetime.now(UTC)
        open_jobs = [job.id for job in timers.due_jobs(store, space, later + timedelta(days=2))]
        notes, woken = store.documents(space, timers.NOTE), timers.reply_of(store, space, "t1")
        before = (["t1"], 0, None)
        after = (["woken-t1"], 1, None) if what == "fire" else ([], 0, "Done.")
        assert (open_jobs, len(notes), woken) in (before, after), number
        if done.returncode == 0:
            assert done.stdout == "True\n"
            assert (open_jobs, len(notes), woken) == after
            break
        killed += 1
        if open_jobs == ["t1"]:
            (job,) = timers.due_jobs(store, space, later + timedelta(days=2))
            again = timers.fire_timer(store, job, later) if what == "fire" else timers.finish_turn(store, job, "Done.")
            assert again, "the firing after the reap is the only one"
    assert killed >= 4
    store.close()


@pytest.mark.requirement(89)
def test_a_sleep_ends_once(store: Store) -> None:
    assert timers.begin_sleep(store, "acme", "i1")
    assert [timers.end_sleep(store, "acme", "i1") for _ in range(3)] == [True, False, False]
    assert not timers.end_sleep(store, "acme", "nothing")
