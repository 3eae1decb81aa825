"""What is explored: the rules as functions that a mutant may replace, the assumptions, the declarations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from wizard.host import state
from wizard.host.outcome import Outcome
from wizard.host.record import Record
from wizard.host.state import Classified, Finding, Terms

TICK = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules as functions, and what the runner around them does. A mutant changes one of them."""

    decide: Callable[..., state.Action] = state.decide
    claim: Callable[..., Record] = state.claim
    resend: Callable[..., Record] = state.resend
    classify: Callable[[Outcome], Classified] = state.classify
    settle: Callable[..., tuple[Record, state.Told]] = state.settle
    settle_by_probe: Callable[..., tuple[Record, state.Told]] = state.settle_by_probe
    atomic_claim: bool = True
    """What was read is still so when the claim is stored."""
    claims_first: bool = True
    """The claim is stored before the request leaves."""
    checks_deadline: bool = True
    """Nothing leaves after the send's deadline."""
    closes_at_deadline: bool = True
    """At the deadline the connection is closed, so that `after` bounds what is on its way."""
    keeps_key: bool = True
    """A resend carries the key of the first send."""
    probe_error: Finding = Finding.CANNOT_TELL
    """What an error of the probe is taken for."""
    expires_attempted: bool = False
    """An attempted record is forgotten when it is old."""


@dataclass(frozen=True, slots=True)
class World:
    """What is assumed of everything that is not ours. A flag that is False shows what its assumption is needed for."""

    processes_in_time: bool = True
    checks_deadline: bool = True
    keeps_keys: bool = True
    reads_own_writes: bool = True
    keeps_records: bool = True
    shows_errors: bool = True
    """A recipient that remembers successes only forgets the key of a write that it did only after a 5xx that we wrote
    down, and with nothing else of ours on its way. A limit, not an assumption of the guarantee."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration to explore."""

    name: str
    terms: Terms
    memory: int = 0
    """Ticks that the recipient remembers a key."""
    keep: int | None = None
    """Ticks after which a completed record expires; None: never."""


RULES = Rules()
TRUE = World()
MEMORY = 3
_KEY = Terms(key_place="header K", memory=MEMORY * TICK, after=TICK)
_BOTH = Terms(key_place="header K", memory=MEMORY * TICK, probed=True, after=TICK)
_SUCCESS = Terms(key_place="header K", memory=MEMORY * TICK, remembers="success", after=TICK)

UNKEYED = Declared("neither key nor probe", Terms(after=TICK))
PROBED = Declared("a probe", Terms(probed=True, after=TICK))
KEYED = Declared("a key", _KEY, MEMORY)
BOTH = Declared("a key and a probe", _BOTH, MEMORY)
SUCCESS = Declared("a key, successes remembered", _SUCCESS, MEMORY)
EXPIRING = Declared("a probe, and answers that expire", Terms(probed=True, after=TICK), keep=1)

DECLARATIONS = (UNKEYED, PROBED, KEYED, BOTH, SUCCESS, EXPIRING)
