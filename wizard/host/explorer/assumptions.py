"""The five assumptions of the guarantee, each with the double write that its absence allows; and a limit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wizard.host.explorer.model import Model
from wizard.host.explorer.walk import Broken, walk
from wizard.host.explorer.world import KEYED, PROBED, RULES, SUCCESS, TRUE, UNKEYED, Declared, World


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that we cannot bring about, and count on."""

    name: str
    text: str
    world: World
    """The world without it."""
    declared: Declared
    """A declaration under which its absence shows."""


ASSUMPTIONS = (
    Assumption(
        "in time", "a request that was not processed within `after` of its send's deadline never is",
        replace(TRUE, processes_in_time=False), PROBED,
    ),
    Assumption(
        "own deadline", "a worker checks its own deadline right before the first byte",
        replace(TRUE, checks_deadline=False), PROBED,
    ),
    Assumption(
        "key memory", "the recipient keeps keys as long as declared", replace(TRUE, keeps_keys=False), KEYED,
    ),
    Assumption(
        "own writes", "a probe reads its recipient's own writes", replace(TRUE, reads_own_writes=False), PROBED,
    ),
    Assumption(
        "store", "the store keeps what it acknowledged", replace(TRUE, keeps_records=False), UNKEYED,
    ),
)  # fmt: skip

LIMIT = Assumption(
    "successes only",
    "a recipient that remembers successes only does not do a write, answer 5xx and forget its key, where that answer is"
    " lost or another send of ours is still on its way",
    replace(TRUE, shows_errors=False),
    SUCCESS,
)


def double_write(assumption: Assumption) -> Broken | None:
    """The shortest way to a second commit in the world without the assumption; None where there is none."""
    model = Model(assumption.declared, RULES, assumption.world, person=False)
    return walk(model, frozenset({"I1"})).broken
