"""The clock, a nonce and a signature differ from one attempt to the next.

The time of what happened (a usage event, a reading) is no clock of the request: two of them differ by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from wizard.infer.detector import Candidate, Detector, Subject
from wizard.infer.lexicon import Phrase, phrase, says, word_list
from wizard.infer.roles import against, speaks_for
from wizard.infer.things import about
from wizard.infer.units import units


def detect(subject: Subject) -> Iterator[Candidate]:
    what = about(subject.operation)
    happened = what.happening or (what.thing is not None and what.thing.name == "event")
    given = units(subject)
    called = any(unit.words in _CALLS and unit.level == 0 for unit in given)
    for unit in given:
        if called and unit.level == 0 and (unit.words == ("id",) or unit.words in _CALLS):
            yield against(unit, 10, says("nonce"), final=True, role="nonce")  # counts the calls of a connection
            continue
        if any(phrase(member.name)[-1:] == ("nonce",) for member in unit.members):
            yield against(unit, 10, says("nonce"), final=True, role="nonce")  # a handshake, made anew with its nonce
        elif happened and word_list("fields", "happened").match(unit.words):
            yield speaks_for(unit, 3, says("happened"), role="when")
        elif word_list("fields", "nonce").match(unit.words):
            own = unit.words == ("timestamp",) and unit.level > 0
            yield against(unit, 4 if own else 10, says("nonce"), final=not own, role="nonce")
        elif word_list("fields", "clock").match(unit.words) or _last_time(unit.words):
            yield against(unit, 10, says("clock"), final=True, role="clock")
        elif word_list("fields", "window").match(unit.words):
            yield against(unit, 10, says("window"), final=True, role="window")


def _last_time(words: Phrase) -> bool:
    """Whether it is when something happened last: `last_payment_at`, `modifiedDateTime`."""
    return len(words) > 1 and words[:1] in _KEPT and words[-1] in ("at", "on", "date", "time", "timestamp")


_CALLS = (("jsonrpc",), ("json", "rpc"))
_KEPT = (("last",), ("modified",), ("updated",), ("created",), ("deleted",))
DETECTOR = Detector(question="identity", detect=detect)
