"""A real sandbox of a vendor in the place of the simulated recipient: what arrives on the wire is passed on to it, or
held back where the fault says that nothing was done, and its answer is given back, or lost.

What really landed cannot be looked up there. Each 2xx to a write counts as a landing, unless its answer names the same
thing as an earlier one did: so a recipient that honours a key, and answers again what it answered first, counts once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn
from urllib.parse import urlsplit

from wizard.host.http import Credentials, HttpTransport, header
from wizard.host.outcome import Reply, Request
from wizard.host.prepare import Arguments
from wizard.operation.field_path import FieldPath
from wizard.rehearse.bodies import another
from wizard.rehearse.facts import Facts
from wizard.rehearse.model import Created
from wizard.rehearse.recipient import Recipient
from wizard.rehearse.schedule import Story
from wizard.rehearse.stage import Headers
from wizard.rehearse.subject import Subject

_OWN = frozenset({"host", "connection", "content-length", "accept-encoding", "user-agent", "transfer-encoding"})
_VALUES = 12
"""So many values are tried of one field."""
_PATIENCE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Passed:
    """What the sandbox answered."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    landed: bool = False


@dataclass(slots=True)
class Sandbox:
    """Passes requests on to `base`, whose path stands before theirs."""

    base: str
    facts: Facts
    credentials: Callable[[Request], Credentials]
    created: list[Created] = field(default_factory=list)
    untaken: str = ""
    """What the last write that was not taken came to: `401`, or why there was no answer."""
    _known: set[str] = field(default_factory=set)

    @property
    def useless(self) -> str:
        """Why nothing is proven by what happened here: no write of ours was ever taken. Empty where one was, or none
        was passed on."""
        if self.created or not self.untaken:
            return ""
        return f"{self.base} took none of its writes; the last one came to: {self.untaken}"

    def take(
        self, method: str, target: str, headers: Headers, body: bytes | None, *, commit: bool = True, instead: int = 0
    ) -> Passed:
        """Passes one request on; with `commit` false nothing is passed on."""
        passed = self._passed(method, target, headers, body, commit=commit)
        return replace(passed, status=instead, headers=(), body=b"{}") if instead else passed

    def hold(self, method: str, target: str, headers: Headers, body: bytes | None) -> NoReturn:
        raise NotImplementedError("a real recipient cannot be halted; `can_tell` leaves such stories out")

    def what(self, method: str, target: str, headers: Headers, body: bytes | None) -> Hashable:
        return Recipient(self.facts, lambda: datetime.now(UTC)).what(method, target, headers, body)

    def _passed(
        self, method: str, target: str, headers: Headers, body: bytes | None, *, commit: bool
    ) -> Passed:  # fmt: skip
        if not commit:
            return Passed(503, (), b'{"message": "held back"}')
        kept = tuple((name, value) for name, value in headers if name.lower() not in _OWN)
        request = Request(method, self.base.rstrip("/") + self._own_path(target), kept, body)
        now = datetime.now(UTC)
        transport = HttpTransport(clock=lambda: datetime.now(UTC), credentials=self.credentials)
        outcome = transport.send(request, now + _PATIENCE)
        if not isinstance(outcome, Reply):
            self.untaken = outcome.why
            return Passed(502, (), json.dumps({"message": outcome.why}).encode())
        answered = tuple(
            (name, value) for name, value in outcome.headers
            if name.lower() not in _OWN | {"content-encoding", "keep-alive", "set-cookie"}
        )  # fmt: skip
        writes = method not in ("GET", "HEAD")
        if writes and not 200 <= outcome.status < 300:
            said = " ".join(outcome.body[:200].decode("utf-8", "replace").split())
            self.untaken = f"{outcome.status} {said}".strip()
        landed = writes and 200 <= outcome.status < 300 and self._is_new(request, outcome)
        return Passed(outcome.status, answered, outcome.body, landed)

    def _own_path(self, target: str) -> str:
        """The request's path behind the sandbox's own: what the declared server has before it is in both."""
        base = urlsplit(self.base).path.rstrip("/")
        return target[len(base) :] if base and target.startswith(f"{base}/") else target

    def _is_new(self, request: Request, reply: Reply) -> bool:
        name = _named(self.facts, reply)
        line = f"{request.method} {request.url.partition('?')[0]}"
        self.created.append(Created(request=line, answer=f"{reply.status} {name}".strip()))
        if not name:
            return True
        if name in self._known:
            return False
        self._known.add(name)
        return True


def distinct(subject: Subject, number: int) -> Arguments:
    """An example request that no other number has: in its names and texts, its days, its numbers; what it speaks of is
    there as before. Where nothing can be varied it is the same each time."""
    shapes = subject.api.body.by_path if subject.api is not None and subject.api.body is not None else {}
    free = [name for name in subject.facts.matter if ":" not in name and not _names_another(name)]
    dates = [name for name in free if name in shapes and shapes[name].shape.format in ("date", "date-time")]
    # A stay keeps its length: days are moved together.
    groups = [[name] for name in free if name not in dates] + ([dates] if dates else [])
    found = subject.arguments
    for group in groups:
        number, digit = divmod(number, _VALUES)
        for name in group:
            path = FieldPath.parse(name)
            changed = another(found, path, subject.operation, subject.api, nth=digit) if digit else None
            found = changed or found
    return found


def _names_another(name: str) -> bool:
    """Whether a field names a thing that has to be there: `room_id`, `customer.uuid`."""
    last = name.rpartition(".")[2].lower()
    return last.endswith(("id", "ids", "uuid", "code", "ref", "reference", "[]"))


def can_tell(story: Story) -> str:
    """Why a story cannot be told against a real recipient, empty where it can."""
    if story.behaviour or story.last or story.others:
        return "it needs a recipient that can be set up"
    if any(play.late is not None or play.twice for play in story.faults):
        return "it needs a recipient whose time can be moved"
    if "memory" in story.needs or any(step.meant for step in story.steps):
        return "it needs a recipient whose time can be moved"
    return ""


def _named(facts: Facts, reply: Reply) -> str:
    """What an answer names its thing by: its address, or its id; empty where it names none."""
    location = header(reply.headers, "Location")
    if location:
        return location
    try:
        value = json.loads(reply.body)
    except ValueError:
        return ""
    found: Any = value
    for step in facts.answer.own_id.split(".") if facts.answer.own_id else ("id",):
        found = found.get(step) if isinstance(found, Mapping) else None
    return "" if found is None or isinstance(found, dict | list) else str(found)
