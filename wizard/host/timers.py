"""Timers, sleeps and the ends of turns. A job is handed out at least once: a worker that is lost leaves it open and
another takes it. What a job causes and that it is closed are one transaction, so it happens once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from wizard.host.store import Document, Store

TIMER, JOB, NOTE, TURN, SLEEP = "timer", "job", "note", "turn", "sleep"
"""The kinds of its documents."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that is handed out until it is closed."""

    workspace: str
    id: str
    what: str
    """`timer` or `turn`."""
    due: datetime
    session: str
    note: str = ""
    """What a timer says when it fires."""
    closed: bool = False
    stored: int = 0


def set_timer(store: Store, workspace: str, id: str, *, session: str, note: str, due: datetime) -> bool:
    """A timer that wakes a session at `due` with a note. False where the id is taken."""
    return store.write([_job(Job(workspace, id, TIMER, due, session, note))])


def open_turn(store: Store, workspace: str, id: str, *, session: str, due: datetime) -> bool:
    """A turn to be worked on, with its job. False where the id is taken."""
    return store.write([_turn(workspace, id, session, None, 0), _job(Job(workspace, id, TURN, due, session))])


def due_jobs(store: Store, workspace: str, now: datetime) -> tuple[Job, ...]:
    """The open jobs whose time has come, the longest due first."""
    jobs = (_read(found) for found in store.documents(workspace, JOB))
    return tuple(sorted((job for job in jobs if not job.closed and job.due <= now), key=lambda job: (job.due, job.id)))


def fire_timer(store: Store, job: Job, now: datetime) -> bool:
    """Fires a timer: the note, the turn that it wakes with that turn's job, and the closing of its own, all or none.
    False where another worker's firing was the one."""
    turn = f"woken-{job.id}"
    return store.write([
        Document(job.workspace, NOTE, job.id, json.dumps({"session": job.session, "note": job.note})),
        _turn(job.workspace, turn, job.session, None, 0),
        _job(Job(job.workspace, turn, TURN, now, job.session)),
        _job(_closed(job)),
    ])  # fmt: skip


def finish_turn(store: Store, job: Job, reply: str) -> bool:
    """Ends a turn: its final reply and the closing of its job, all or none. False where it was answered already."""
    found = store.document(job.workspace, TURN, job.id)
    if found is None or json.loads(found.body)["reply"] is not None:
        return False
    return store.write([_turn(job.workspace, job.id, job.session, reply, found.version), _job(_closed(job))])


def reply_of(store: Store, workspace: str, turn: str) -> str | None:
    """A turn's final reply; None where it has none yet."""
    found = store.document(workspace, TURN, turn)
    reply: str | None = None if found is None else json.loads(found.body)["reply"]
    return reply


def begin_sleep(store: Store, workspace: str, id: str) -> bool:
    """An item of the queue that sleeps. False where the id is taken."""
    return store.write([Document(workspace, SLEEP, id, json.dumps({"asleep": True}))])


def end_sleep(store: Store, workspace: str, id: str) -> bool:
    """Wakes it. True the first time, False ever after: ending a sleep is harmless to repeat."""
    found = store.document(workspace, SLEEP, id)
    if found is None or not json.loads(found.body)["asleep"]:
        return False
    return store.write([Document(workspace, SLEEP, id, json.dumps({"asleep": False}), found.version)])


def _closed(job: Job) -> Job:
    return Job(job.workspace, job.id, job.what, job.due, job.session, job.note, True, job.stored)


def _turn(workspace: str, id: str, session: str, reply: str | None, version: int) -> Document:
    return Document(workspace, TURN, id, json.dumps({"session": session, "reply": reply}), version)


def _job(job: Job) -> Document:
    body = {
        "what": job.what, "due": job.due.isoformat(), "session": job.session, "note": job.note, "closed": job.closed,
    }  # fmt: skip
    return Document(job.workspace, JOB, job.id, json.dumps(body), job.stored)


def _read(stored: Document) -> Job:
    body = json.loads(stored.body)
    return Job(
        stored.workspace, stored.id, body["what"], datetime.fromisoformat(body["due"]), body["session"], body["note"],
        body["closed"], stored.version,
    )  # fmt: skip
