"""An operation brought under a changed declaration (FORMAT 3): its live records move to the addresses that the new one
derives, so that nothing they remember is forgotten.

Stored keys and bytes stay as they are. A record whose address cannot be derived holds the whole operation: no call of
it is claimed until a person has settled or released that record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from wizard.errors import WizardError
from wizard.host.keys import Secrets, declaration_digest
from wizard.host.prepare import prepare, stored_arguments
from wizard.host.record import Event, EventKind, Record, State
from wizard.host.state import expired
from wizard.host.store import Declaration, Store, StoreError
from wizard.operation.model import Operation


@dataclass(frozen=True, slots=True)
class Plan:
    """What a move would do."""

    moves: tuple[tuple[Record, Record], ...]
    """Each live record as it stands and as it would."""
    stuck: tuple[tuple[Record, str], ...] = ()
    """The records that cannot be moved, each with why not; where there are any, nothing moves."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The operation stands under the new declaration now."""

    declaration: Declaration
    count: int
    """How many records have another address now."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Records hold the operation until somebody settles or releases them."""

    stuck: tuple[tuple[Record, str], ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The store has left this declaration for a newer one: whoever brings it works from an old file."""

    declaration: Declaration


def plan_move(
    live: Sequence[Record], name: str, operation: Operation, secrets: Secrets, now: datetime,
    standing: Sequence[Record] = (),
) -> Plan:  # fmt: skip
    """Derives the new address of every live record of an operation. Pure.

    `standing` are records that stand at the new addresses already; a live one of another operation is in the way, a
    line is taken over with its generation.
    """
    digest = declaration_digest(operation)
    moves: list[tuple[Record, Record]] = []
    stuck: list[tuple[Record, str]] = []
    for record in live:
        secret = secrets.named(record.secret)
        if secret is None:
            stuck.append((record, f"its secret `{record.secret}` is not among those that we were given"))
            continue
        try:
            prepared = prepare(name, operation, record.call, stored_arguments(record), Secrets(secret))
        except WizardError as error:
            stuck.append((record, f"its stored request makes none of the new declaration: {error.message}"))
            continue
        event = Event(EventKind.MOVED, now, detail=f"from declaration {record.declaration[:12]} to {digest[:12]}")
        moves.append((record, replace(
            record, address=prepared.addresses[0], declaration=digest, scope=prepared.operation.record_scope,
            version=record.version + 1, events=(*record.events, event),
        )))  # fmt: skip
    counts = Counter(new.address for _, new in moves)
    others = {record.address: record for record in standing if record.address not in {old.address for old in live}}
    placed: list[tuple[Record, Record]] = []
    for old, new in moves:
        other = others.get(new.address)
        if counts[new.address] > 1:
            stuck.append((old, "under the new declaration it is the same write as another one"))
        elif other is not None and other.state is not State.ABSENT and not expired(other, now):
            stuck.append((old, f"under the new declaration it is the same write as {other.id} of `{other.operation}`"))
        else:
            # A line's generations are used up, and who once sent under it must not settle what takes its place.
            generation, fence = (other.generation, other.fence) if other else (0, 0)
            placed.append((old, replace(new, generation=max(new.generation, generation), fence=new.fence + fence)))
    return Plan(tuple(placed), tuple(stuck))


def move(
    store: Store, workspace: str, name: str, operation: Operation, secrets: Secrets, now: datetime,
    *, back: bool = False,
) -> Moved | HeldBack | Replaced:  # fmt: skip
    """Brings an operation under this declaration. `back`: also to one that it had before.

    Raises StoreError where others keep changing the records meanwhile.
    """
    digest = declaration_digest(operation)
    for _ in range(20):
        held = store.declaration(workspace, name)
        if held is not None and held.digest == digest:
            return Moved(held, 0)
        if held is not None and digest in held.replaced and not back:
            return Replaced(held)
        live = store.live(workspace, name, now)
        plan = plan_move(live, name, operation, secrets, now)
        standing = store.read(workspace, [new.address for _, new in plan.moves])
        plan = plan_move(live, name, operation, secrets, now, standing)
        if plan.stuck:
            return HeldBack(plan.stuck)
        past = tuple(one for one in (*held.replaced, held.digest) if one != digest) if held else ()
        after = Declaration(workspace, name, digest, now, past)
        if store.move(held, after, plan.moves, now):
            return Moved(after, sum(old.address != new.address for old, new in plan.moves))
    raise StoreError(f"the records of `{name}` are changed faster than they can be moved", remedy="Try again.")
