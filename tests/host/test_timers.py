"""Timers fire once, sleeps end once, turns are answered once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from wizard.host import timers
from wizard.host.store import Document, Store
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


@pytest.mark.requirement(89)
def test_a_sleep_ends_once(store: Store) -> None:
    assert timers.begin_sleep(store, "acme", "i1")
    assert [timers.end_sleep(store, "acme", "i1") for _ in range(3)] == [True, False, False]
    assert not timers.end_sleep(store, "acme", "nothing")
