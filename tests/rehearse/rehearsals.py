"""Rehearsals made by hand, of every kind that a format has to show."""

from __future__ import annotations

from typing import Any

from wizard.rehearse.model import (
    Created,
    Declared,
    Ended,
    Finding,
    Lane,
    Mend,
    Moment,
    OperationRehearsal,
    Rehearsal,
    StoryRun,
    Verdict,
)

HOSTILE = "</script><script>alert('1')</script>\x1b[31m\u202e \"&amp; <!-- ]]> {{ 7*7 }} 予約を二度送る ﷽"


def moment(at: float, lane: Lane, kind: str, text: str, to: Lane | None = None, **more: Any) -> Moment:
    return Moment(at=at, lane=lane, kind=kind, text=text, to=to, **more)


def run(story: str, declared: Declared, verdict: Verdict, ended: Ended | None, **more: Any) -> StoryRun:
    told = {
        "says": "The host sends, and the answer is lost.",
        "recipient": "as documented",
        "seed": 7,
        "seconds": 0.021,
    }
    return StoryRun(story=story, declared=declared, verdict=verdict, ended=ended, **{**told, **more})


def crash_and_probe() -> StoryRun:
    """A booking: the worker is killed after the send, another one reads back and finds it."""
    return run(
        "killed-after-send",
        Declared.CACHED,
        Verdict.PASSED,
        Ended.ONCE,
        says="The worker is killed when the request has left, before the answer; the model asks again.",
        meant=1,
        landed=1,
        told=("done",),
        moments=(
            moment(0.0, "caller", "call", "create-booking", "host", detail='{"room_id": "R-12", "guest": "Ada"}'),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.1, "host", "send", "POST /bookings", "recipient"),
            moment(0.1, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.1, "host", "killed", "killed before the answer", bad=True),
            moment(0.2, "recipient", "answer", "201, nobody reads it", "host"),
            moment(60.2, "caller", "clock", "the lease runs out, `after` passes"),
            moment(60.2, "caller", "call", "create-booking, the same", "host"),
            moment(60.2, "host", "probe", "GET /bookings?room_id=R-12&arrival=2026-11-14", "recipient"),
            moment(60.3, "recipient", "answer", "200, one booking matches", "host"),
            moment(60.3, "host", "settle", "completed", "record"),
            moment(60.3, "host", "told", "done", "caller", detail="The booking was made on 14 November at 10:31."),
        ),
    )


def unsettled(declared: Declared = Declared.UNDECLARED) -> StoryRun:
    return run(
        "killed-after-send",
        declared,
        Verdict.FAILED,
        Ended.WRONG,
        says="The worker is killed when the request has left, before the answer; the model asks again.",
        why="The write landed twice: nothing tied the second call to the first.",
        meant=1,
        landed=2,
        told=("done",),
        moments=(
            moment(0.0, "caller", "call", "create-booking", "host"),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.1, "host", "send", "POST /bookings", "recipient"),
            moment(0.1, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.1, "host", "killed", "killed before the answer", bad=True),
            moment(60.2, "caller", "clock", "the lease runs out"),
            moment(60.2, "caller", "call", "create-booking, the same", "host"),
            moment(60.2, "host", "claim", "attempted", "record"),
            moment(60.2, "host", "send", "POST /bookings", "recipient"),
            moment(60.3, "recipient", "landed", "landed: 2", "ledger", bad=True),
            moment(60.3, "recipient", "answer", "201", "host"),
            moment(60.3, "host", "settle", "completed", "record"),
            moment(60.3, "host", "told", "done", "caller"),
        ),
    )


def keyed_resent() -> StoryRun:
    """A charge: 503 behind which it was committed; sent again with the same key."""
    return run(
        "503-after-commit",
        Declared.KEYED,
        Verdict.PASSED,
        Ended.ONCE,
        says="The recipient commits the write and answers 503.",
        meant=1,
        landed=1,
        told=("outcome not observed", "done"),
        moments=(
            moment(0.0, "caller", "call", "charge-payment-account", "host"),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.0, "host", "send", "POST /charges, key 7f3a…", "recipient"),
            moment(0.1, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.1, "recipient", "answer", "503, committed", "host", bad=True),
            moment(0.1, "host", "told", "outcome not observed", "caller"),
            moment(30.1, "caller", "clock", "the lease runs out"),
            moment(30.1, "caller", "call", "charge-payment-account, again", "host"),
            moment(30.1, "host", "note", "inside `for`: the stored request, byte for byte"),
            moment(30.1, "host", "send", "POST /charges, key 7f3a…", "recipient"),
            moment(30.2, "recipient", "note", "knows the key, does nothing"),
            moment(30.2, "recipient", "answer", "201, replayed", "host"),
            moment(30.2, "host", "settle", "completed", "record"),
            moment(30.2, "host", "told", "done", "caller"),
        ),
    )


def landed_twice() -> StoryRun:
    """A recipient that ignores the key: two landings, and what would mend it."""
    return run(
        "reset-after-commit",
        Declared.KEYED,
        Verdict.FAILED,
        Ended.WRONG,
        says="The connection breaks after the recipient has committed; the host sends again.",
        why="The write landed twice: the recipient does not look at `Idempotency-Key`, and it was sent again with it.",
        recipient="key-ignored",
        seed=11,
        meant=1,
        landed=2,
        told=("outcome not observed", "done"),
        moments=(
            moment(0.0, "caller", "call", "charge-payment-account", "host"),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.0, "host", "send", "POST /charges, key 7f3a…", "recipient"),
            moment(0.2, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.2, "recipient", "fault", "reset after the commit", "host", bad=True),
            moment(0.2, "host", "told", "outcome not observed", "caller"),
            moment(360.2, "caller", "clock", "the lease runs out"),
            moment(360.2, "caller", "call", "charge-payment-account, again", "host"),
            moment(360.2, "host", "send", "POST /charges, key 7f3a…", "recipient"),
            moment(360.3, "recipient", "landed", "landed: 2", "ledger", bad=True, detail="two charges of 120.00 EUR"),
            moment(360.3, "recipient", "answer", "201", "host"),
            moment(360.3, "host", "settle", "completed", "record"),
            moment(360.3, "host", "told", "done", "caller"),
        ),
        mend=Mend(
            line="probe:\n  find: GET /charges?booking_id={booking_id}\n  match: [booking_id, amount, currency]",
            says="Reads back before it sends again, instead of trusting the key.",
            shown="With it the write landed once.",
            member="probe",
        ),
    )


def weak() -> StoryRun:
    return run(
        "page-hidden",
        Declared.CACHED,
        Verdict.WEAK,
        Ended.PERSON,
        says="The booking stands on the second page of the list that is read back.",
        why="The first page does not show it and does not say that it is the last, so a person was asked.",
        recipient="list-paged",
        seed=3,
        meant=1,
        landed=1,
        told=("outcome not observed", "a person has to look"),
        moments=(
            moment(0.0, "caller", "call", "create-booking", "host"),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.0, "host", "send", "POST /bookings", "recipient"),
            moment(0.1, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.1, "recipient", "fault", "cut off after 17 bytes", "host", bad=True),
            moment(400.0, "caller", "clock", "`after` passes"),
            moment(400.0, "host", "probe", "GET /bookings?room_id=R-12", "recipient"),
            moment(400.1, "recipient", "answer", "200, 20 of 21 bookings", "host", bad=True),
            moment(400.1, "host", "person", "asks: did it happen?", "caller", bad=True),
        ),
        mend=Mend(
            line="probe.pages: next",
            says="Follows the list to its last page.",
            shown="With it the write landed once, and nobody was asked.",
            member="probe.pages",
        ),
    )


def skipped() -> StoryRun:
    return run(
        "key-expired",
        Declared.CACHED,
        Verdict.SKIPPED,
        None,
        says="The recipient forgets the key before the host sends again.",
        why="The operation has no key.",
        seconds=0.0,
    )


def two_workers() -> StoryRun:
    return run(
        "two-workers",
        Declared.CACHED,
        Verdict.PASSED,
        Ended.ONCE,
        says="Two workers are told to make the same write at once.",
        meant=1,
        landed=1,
        told=("done", "in progress"),
        moments=(
            moment(0.0, "caller", "call", "first worker: create-booking", "host"),
            moment(0.0, "caller", "call", "second worker: create-booking", "host"),
            moment(0.0, "host", "claim", "attempted, by the first", "record"),
            moment(0.0, "record", "note", "the second finds it claimed", "host"),
            moment(0.0, "host", "told", "in progress", "caller"),
            moment(0.01, "host", "send", "POST /bookings", "recipient"),
            moment(0.02, "recipient", "landed", "landed: 1", "ledger"),
            moment(0.03, "recipient", "answer", "201", "host"),
            moment(0.03, "host", "settle", "completed", "record"),
            moment(0.03, "host", "told", "done", "caller"),
        ),
    )


def late_delivery() -> StoryRun:
    return run(
        "late-delivery",
        Declared.CACHED,
        Verdict.PASSED,
        Ended.REFUSED,
        says="The request is held on the way for two hours, and the probe looks before it arrives.",
        meant=1,
        landed=0,
        told=("refused",),
        moments=(
            moment(0.0, "caller", "call", "create-booking", "host"),
            moment(0.0, "host", "claim", "attempted", "record"),
            moment(0.0, "host", "send", "POST /bookings", "recipient"),
            moment(0.0, "recipient", "fault", "held on the way", bad=True),
            moment(30.0, "host", "note", "timed out"),
            moment(7230.0, "caller", "clock", "two hours"),
            moment(7230.0, "host", "probe", "GET /bookings", "recipient"),
            moment(7230.1, "recipient", "answer", "200, none", "host"),
            moment(7230.1, "host", "settle", "absent", "record"),
            moment(93630.1, "caller", "clock", "the next day"),
            moment(93630.1, "recipient", "note", "what was held arrives, and is refused"),
            moment(93630.1, "host", "told", "refused", "caller"),
        ),
    )


def hostile() -> StoryRun:
    return run(
        "garbage<script>",
        Declared.CACHED,
        Verdict.FAILED,
        Ended.WRONG,
        says=HOSTILE,
        why=HOSTILE,
        recipient=HOSTILE,
        meant=1,
        landed=0,
        told=(HOSTILE,),
        moments=(
            moment(0.0, "caller", "call", HOSTILE, "host", detail=HOSTILE),
            moment(0.0, "host", "claim", HOSTILE, "record"),
            moment(0.1, "host", "send", "POST /予約/二度送る/名前がとても長い操作/もっと長い", "recipient"),
            moment(0.1, "recipient", "fault", "e\u0301" * 200, "host", bad=True),
            moment(0.1, "ledger", "note", "﷽" * 40 + " नमस्ते दुनिया مرحبا بالعالم 👩‍👩‍👧‍👦"),
            moment(0.1, "host", "person", "\t\n" + "W" * 400, bad=True),
        ),
        mend=Mend(line=HOSTILE, says=HOSTILE, shown=HOSTILE, member=HOSTILE),
    )


def long_one() -> StoryRun:
    rounds: list[Moment] = []
    for round_ in range(12):
        at = round_ * 45.0
        rounds += [
            moment(at, "caller", "call", f"create-booking, round {round_ + 1}", "host"),
            moment(at, "host", "claim", "attempted", "record"),
            moment(at, "host", "send", "POST /bookings with a body of some length", "recipient"),
            moment(at + 0.2, "recipient", "fault", "503 before the commit", "host", bad=True),
            moment(at + 0.2, "host", "note", "waits, as the answer's Retry-After says, before it reads back"),
            moment(at + 45.0, "caller", "clock", "it waits"),
        ]
    return run(
        "503-many-times",
        Declared.CACHED,
        Verdict.PASSED,
        Ended.PERSON,
        says="The recipient is down for nine minutes.",
        meant=1,
        told=("outcome not observed",) * 12,
        moments=tuple(rounds),
    )


STORIES = (
    crash_and_probe, unsettled, keyed_resent, landed_twice, weak, skipped, two_workers, late_delivery, hostile, long_one
)  # fmt: skip


def booking() -> OperationRehearsal:
    return OperationRehearsal(
        name="create-booking",
        request="POST http://house.hollowbrook.test/bookings",
        skill="skills/hollowbrook/operations/create-booking.md",
        document="openapi.yaml",
        declared=Declared.CACHED,
        confirmed=True,
        runs=(
            crash_and_probe(),
            unsettled(),
            weak(),
            two_workers(),
            run(
                "two-workers", Declared.UNDECLARED, Verdict.FAILED, Ended.WRONG, meant=1, landed=2,
                says="Two workers are told to make the same write at once.",
                why="The write landed twice.",
                moments=(
                    moment(0.0, "caller", "call", "first worker: create-booking", "host"),
                    moment(0.0, "caller", "call", "second worker: create-booking", "host"),
                    moment(0.0, "host", "send", "POST /bookings", "recipient"),
                    moment(0.0, "host", "send", "POST /bookings", "recipient"),
                    moment(0.1, "recipient", "landed", "landed: 1", "ledger"),
                    moment(0.1, "recipient", "landed", "landed: 2", "ledger", bad=True),
                ),
            ),
            late_delivery(),
            run(
                "late-delivery", Declared.UNDECLARED, Verdict.WEAK, Ended.PERSON, meant=1, landed=1,
                says="The request is held on the way for two hours, and the probe looks before it arrives.",
                why="Nothing reads back, so a person was asked.",
            ),
            long_one(),
            skipped(),
        ),
        notes=("No document shows how long the list takes to show a booking; it was taken to show it at once.",),
    )  # fmt: skip


def charge() -> OperationRehearsal:
    return OperationRehearsal(
        name="charge-payment-account",
        request="POST http://payments.hollowbrook.test/charges",
        skill="skills/hollowbrook/operations/charge-payment-account.md",
        declared=Declared.KEYED,
        confirmed=False,
        runs=(
            keyed_resent(),
            run(
                "503-after-commit", Declared.CACHED, Verdict.WEAK, Ended.PERSON, meant=1, landed=1,
                says="The recipient commits the write and answers 503.",
                why="Without a key nothing tells whether it landed.",
                told=("outcome not observed", "a person has to look"),
                moments=(*keyed_resent().moments[:6], moment(0.2, "host", "person", "happened?", "caller", bad=True)),
            ),
            run(
                "503-after-commit", Declared.UNDECLARED, Verdict.FAILED, Ended.WRONG, meant=1, landed=2,
                says="The recipient commits the write and answers 503.",
                why="The write landed twice: the model sent it again.",
                told=("outcome not observed", "done"),
                moments=unsettled().moments,
            ),
            landed_twice(),
        ),
    )  # fmt: skip


def spoiled() -> OperationRehearsal:
    return OperationRehearsal(
        name="book<room>",
        request=f"POST http://h.test/{HOSTILE}",
        skill="skills/it's here.md",
        declared=Declared.CACHED,
        confirmed=True,
        runs=(hostile(),),
        findings=(
            Finding(
                message=f"the document would refuse the body that it shows as an example: {HOSTILE}",
                place="openapi.yaml:120:9",
                remedy="Mend the example, or the schema.",
            ),
        ),
        notes=(HOSTILE,),
    )


def all_kinds() -> Rehearsal:
    return Rehearsal(
        operations=(booking(), charge(), spoiled()),
        recipient="as documented",
        store="sqlite",
        seed=7,
        seconds=1.25,
        passed_over={"get-room": "it is a read", "<b>list</b>": HOSTILE},
        blocked={"add-note": "openapi.yaml has no POST http://house.hollowbrook.test/notes", "<i>it</i>": HOSTILE},
    )


def all_passed() -> Rehearsal:
    one = OperationRehearsal(
        name="create-booking",
        request="POST http://house.hollowbrook.test/bookings",
        skill="create-booking.md",
        declared=Declared.CACHED,
        confirmed=True,
        runs=(crash_and_probe(), unsettled(), two_workers()),
    )
    return Rehearsal(operations=(one,), recipient="as documented", store="memory", seconds=0.5)


def sandbox() -> Rehearsal:
    return Rehearsal(
        operations=all_passed().operations,
        recipient="https://sandbox.vendor.test/v1",
        store="memory",
        repeat=2,
        created=(Created(request="POST /bookings", answer="201 /bookings/b_17"),),
    )


def nothing() -> Rehearsal:
    return Rehearsal(operations=(), recipient="as documented", store="memory", passed_over={"get-room": "it is a read"})
