"""What a rehearsal is told of: an operation made ready, and the world that its stories share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wizard.host.faults import Clock
from wizard.host.filling import is_json
from wizard.host.forks import Forks
from wizard.host.outcome import Request
from wizard.host.prepare import Arguments
from wizard.host.store import Store
from wizard.operation.model import Operation, Scope
from wizard.rehearse.facts import Facts
from wizard.rehearse.schedule import Story
from wizard.rehearse.stage import Receiving
from wizard.spec.model import ApiDocument, ApiOperation

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""When every story begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An operation to be rehearsed."""

    name: str
    operation: Operation
    """As it is declared, without `status: proposed`."""
    skill: str
    """The file of its declaration, as it was given."""
    api: ApiOperation | None
    document: ApiDocument | None
    facts: Facts
    arguments: Arguments
    """An example request."""
    confirmed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Casting:
    """What a story's recipient is made from."""

    subject: Subject
    story: Story
    behaviour: str
    """A behaviour's name, empty for one as documented."""
    clock: Clock
    request: Request | None
    """The story's first request, as it goes out; None where the arguments make none."""
    strict: bool
    """What the document would refuse is refused. Under less of a declaration the host leaves out what only it can
    fill in."""


@dataclass(slots=True, kw_only=True)
class World:
    """What the stories of one run share: a store, processes to lose, a recipient for each story."""

    store: Store
    store_url: str
    recipient: Callable[[Casting], Receiving]
    """Makes a story's recipient."""
    forks: Forks | None = None
    began: Callable[[], datetime] = lambda: BEGAN
    """When a story begins."""
    arguments: Callable[[Subject, int], Arguments] = lambda subject, number: subject.arguments
    """The example request of the story with that number: another one each time, where what an earlier story made is
    still there."""
    prefix: str = "rehearsal"
    told: int = 0

    @property
    def outlives(self) -> bool:
        """Whether the store is there for other processes, too."""
        return self.forks is not None and not self.store_url.startswith("memory:")

    def workspace(self) -> str:
        """A workspace that no story has used."""
        self.told += 1
        return f"{self.prefix}-{self.told}"


def lacks(story: Story, subject: Subject, operation: Operation, world: World) -> str:
    """Why a story cannot be told of this operation, empty where it can. `operation` is what it is told with, the
    subject's own or less of it."""
    own, facts = subject.operation, subject.facts
    body = subject.arguments.body
    reasons = {
        "identity": (single(subject), "it has no identity, so two calls are two writes"),
        "key": (operation.key is not None, "it has no key"),
        "memory": (remembered(facts) is not None, "the recipient never forgets a key"),
        "probe": (own.probe is not None, "it has no probe"),
        "list": (own.probe is not None and own.probe.items is not None, "its probe asks for no list"),
        "wording": (bool(facts.wording), "nothing in it surely says the same in other words"),
        "matter": (bool(facts.matter), "no field of it surely tells two writes apart"),
        "order": (
            isinstance(body, dict) and len(body) > 1 and is_json(own.content),
            "its body is no JSON with two members",
        ),
        "process": (world.outlives, "the store lives in one process"),
        "crowd": (found_together(facts), "no two can be found by the same filter: the recipient refuses a second one"),
        "repeatable": (
            facts.does == "create" and facts.duplicate is None,
            "the recipient refuses an equal one, or changes something that is there",
        ),
    }
    return next((why for need, (met, why) in reasons.items() if need in story.needs and not met), "")


def single(subject: Subject) -> bool:
    """Whether two equal calls are one write: it is declared so, or the document surely means it."""
    if subject.operation.record_scope is not Scope.CALL:
        return True
    return bool(subject.facts.matter) and not subject.facts.repeats


def found_together(facts: Facts) -> bool:
    """Whether others' records can be found by the filter that finds ours: what is filtered by need not be unique."""
    filters = {one.source for read in facts.reads for one in read.filters}
    return facts.duplicate is None or not set(facts.duplicate.fields) <= filters


def remembered(facts: Facts) -> timedelta | None:
    return None if facts.key is None else facts.key.memory.delta
