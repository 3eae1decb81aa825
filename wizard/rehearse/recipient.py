"""A simulated recipient: it takes requests, has what they made, answers reads, and keeps a ledger of what landed.

It has no sockets; `take` is one request, whole. All is deterministic: ids come from a counter, times from the clock.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from wizard.host.exactjson import number_text
from wizard.operation.field_path import MISSING, url_variables
from wizard.rehearse.answering import Answering, Checking
from wizard.rehearse.arriving import Answer, Arrived, arrived, decoded
from wizard.rehearse.behaviour import AS_DOCUMENTED, Behaviour
from wizard.rehearse.facts import Facts, ReadFacts
from wizard.rehearse.ledger import Landing, Ledger
from wizard.rehearse.listing import listed_answer, narrowed
from wizard.rehearse.records import Record, stored
from wizard.rehearse.remembering import Kept, Memory
from wizard.rehearse.seeding import example_arrival, somebody_elses
from wizard.rehearse.truth.reads import path_pattern
from wizard.rehearse.values import plain_text, put, steps_of, without
from wizard.spec.model import ApiOperation

WEEK = timedelta(days=7)
_LONG_AGO = timedelta(days=30)

Given = Iterable[tuple[str, str]] | Mapping[str, str]
"""Headers, as pairs or by name."""


@dataclass(slots=True)
class Held:
    """A request that the recipient has begun to work on."""

    recipient: Recipient
    request: Arrived

    def take(self, *, commit: bool = True, instead: int = 0) -> Answer:
        """Goes on with it."""
        return self.recipient._written(self.request, commit=commit, instead=instead, held=True)


@dataclass
class Recipient:
    """The recipient of one operation."""

    facts: Facts
    """As it behaves; `documented` are those that it was made with."""
    clock: Callable[[], datetime]
    behaviour: Behaviour = AS_DOCUMENTED
    checkers: Callable[[ApiOperation], Checking] | None = None
    """Gives what checks an operation's requests and answers; None: nothing is checked."""
    ledger: Ledger = field(default_factory=Ledger)
    doubts: list[str] = field(default_factory=list)
    """What the document would refuse about this recipient's own answers: a fault of the simulation."""
    records: list[Record] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.documented = self.facts
        behaviour, self.facts = self.behaviour, self.behaviour.change(self.facts)
        self._lock = threading.RLock()
        self._keys = Memory(self.facts.key, self.clock, behaviour.key_with_body, behaviour.stores_errors)
        self._answers = Answering(self.facts, behaviour, self.checkers, self.doubts)
        self._numbers = 0
        self._path = path_pattern(self.facts.path)
        reads = [(path_pattern(read.path), read) for read in self.facts.reads]
        self._reads = sorted(reads, key=lambda one: one[1].path.count("{"))

    # What others call ------------------------------------------------------------------------------------------------

    def take(
        self, method: str, target: str, headers: Given = (), body: bytes | None = None, *, commit: bool = True,
        instead: int = 0,
    ) -> Answer:  # fmt: skip
        """Takes one request and answers it.

        `commit` False: it is refused before anything was done. `instead`: the recipient breaks on its way to the
        answer, and answers with this status; whether it had done its work by then is `commit`'s to say.
        """
        request = arrived(method, target, headers, body)
        if (write := self._as_write(request)) is not None:
            return self._written(write, commit=commit, instead=instead)
        if request.method in ("GET", "HEAD"):
            for pattern, read in self._reads:
                found = pattern.fullmatch(request.path)
                if found is not None:
                    return self._read(_filled(request, read.path, found.groups()), read)
        return self._answers.unknown(request)

    def hold(self, method: str, target: str, headers: Given = (), body: bytes | None = None) -> Held:
        """Begins to work on a write and keeps it so until `Held.take`: its key is in use."""
        request = self._as_write(arrived(method, target, headers, body))
        if request is None:
            raise ValueError(f"{method} {target} is not the operation's write")
        with self._lock:
            self._keys.begin(self._keys.text(request), request)
        return Held(self, request)

    def what(self, method: str, target: str, headers: Given = (), body: bytes | None = None) -> str:
        """What tells a write apart from others, as the ledger names it."""
        request = arrived(method, target, headers, body)
        return self._matter(self._as_write(request) or request)

    def exists(self, target: str) -> None:
        """Makes sure that the thing is there which a write with this target changes or takes away."""
        request = self._as_write(arrived(self.facts.operation.method, target, (), None))
        if request is not None and self.facts.does in ("change", "delete"):
            with self._lock:
                self._thing(request.variables)

    def stock(
        self, count: int = 3, *, method: str = "", target: str = "", headers: Given = (), body: bytes | None = None
    ) -> None:
        """Stores `count` records of other people, all different from one another and from the request given (else from
        an example), made within the last days."""
        given = self._as_write(arrived(method or self.facts.operation.method, target, headers, body))
        like = given if given is not None and target else example_arrival(self.facts)
        with self._lock:
            for number in range(count):
                other = somebody_elses(self.facts, like, number)
                self._store(other, self.clock() - timedelta(hours=5 + 7 * number), others=True)

    def crowd(self, count: int, method: str, target: str, headers: Given = (), body: bytes | None = None) -> None:
        """Stores `count` records of other people which every filter that finds this request's finds too, and which
        stand before it in every list."""
        request = self._as_write(arrived(method, target, headers, body))
        if request is None or self.facts.does not in ("create", "upsert"):
            return
        filtered = {one.source for read in self.facts.reads for one in read.filters if ":" not in one.source}
        newest_first = any(read.newest_first for read in self.facts.reads)
        with self._lock:
            for number in range(count):
                other = somebody_elses(self.facts, request, number, keep=filtered)
                for source in filtered:
                    value, steps = request.value(source), steps_of(source)
                    if value is not MISSING and steps and None not in steps:
                        other = replace(other, body=put(other.body, steps, value))
                span = timedelta(seconds=1 + number % 50) if newest_first else -timedelta(hours=5 + 7 * number)
                made = self._store(other, self.clock() + span, others=True)
                made.visible = made.listed = self.clock()

    def stock_equal(
        self, method: str, target: str, headers: Given = (), body: bytes | None = None, *, before: timedelta = WEEK
    ) -> None:
        """Stores an equal record that somebody else's request made a while ago, and that was changed since."""
        request = self._as_write(arrived(method, target, headers, body))
        if request is not None and self.facts.does in ("create", "upsert"):
            with self._lock:
                made = self._store(request, self.clock() - before, others=True)
                made.touched = self.clock() + timedelta(minutes=1)

    def landed(self, matter: str | None = None) -> int:
        """How often a write landed (`what` names it), or how many did in all."""
        return self.ledger.landed(matter)

    # Writes ----------------------------------------------------------------------------------------------------------

    def _as_write(self, request: Arrived) -> Arrived | None:
        found = self._path.fullmatch(request.path) if request.method == self.facts.operation.method else None
        return None if found is None else _filled(request, self.facts.path, found.groups())

    def _written(self, request: Arrived, *, commit: bool, instead: int, held: bool = False) -> Answer:
        problems = self._answers.problems(request, self.facts.answer)
        key = self._keys.text(request)
        with self._lock:
            known = self._keys.known(key) if key else None
            if known is not None and (known.answer is not None or not held):
                return replace(self._again(known, request), problems=problems)
            self._keys.begin(key, request)
            done = said = self._carried_out(request, key, problems, commit=commit)
            if instead:
                said = replace(self._answers.error(instead, "failed"), landed=done.landed)
            self._keys.end(key, done, said, failed=not commit or bool(instead))
        return replace(said, problems=problems)

    def _again(self, known: Kept, request: Arrived) -> Answer:
        """The answer to a key that is known."""
        key = self.facts.key
        if known.answer is None or key is None:
            return self._answers.error((key.in_progress if key else None) or 409, "in_progress")
        if known.body != self._keys.fingerprint(request) and key.other_body is not None:
            return self._answers.error(key.other_body, "key_reused")
        return replace(known.answer, landed=False)

    def _carried_out(self, request: Arrived, key: str, problems: tuple[str, ...], *, commit: bool) -> Answer:
        facts, answers = self.facts, self._answers
        if problems:
            return replace(answers.refused("invalid"), problems=problems)
        if not commit:
            return answers.refused("refused")
        record: Record | None = None
        if facts.does in ("change", "delete"):
            record = self._thing(request.variables)
            if record.gone:
                return answers.error(facts.again or 404, "not_found")
            if facts.again is not None and record.done:
                return answers.error(facts.again, "done_already")
        elif (status := self._is_taken(request)) is not None:
            return answers.error(status, "exists_already")
        fresh = self._keys.fresh(request)
        if fresh is None:
            return answers.success(record or self.records[-1])
        now = self.clock()
        record = self._effect(record, fresh, now)
        self.ledger.landings.append(
            Landing(
                now + self.behaviour.commits_after, self._matter(fresh), request.method, request.target,
                request.headers, request.raw, key, answers.id_of(record),
            )
        )  # fmt: skip
        return replace(answers.success(record), landed=True)

    def _effect(self, record: Record | None, request: Arrived, now: datetime) -> Record:
        if self.facts.does == "upsert":
            record = self._at(request.variables)
        if record is None:
            return self._store(request, now)
        record.gone = record.gone or self.facts.does == "delete"
        record.changed(stored(request.body, self.behaviour.text), now, whole=request.method == "PUT")
        record.query = {**record.query, **dict(request.query)}
        record.done = True
        return record

    def _store(self, request: Arrived, at: datetime, *, others: bool = False) -> Record:
        self._numbers += 1
        behaviour, reference = self.behaviour, self.documented.reference
        visible = at + behaviour.commits_after
        body = stored(request.body, behaviour.text)
        if self.facts.reference is None and reference is not None and body is not MISSING:
            body = without(body, steps_of(reference.name))
        made = Record(
            self._numbers, at, visible, visible + behaviour.list_after(self.documented), body, dict(request.query),
            dict(request.variables), others=others,
        )  # fmt: skip
        self.records.append(made)
        return made

    def _thing(self, variables: Mapping[str, str]) -> Record:
        """The thing that a path names: it was there before."""
        found = self._at(variables)
        if found is None:
            self._numbers += 1
            made = self.clock() - _LONG_AGO
            found = Record(
                self._numbers, made, made, made, variables=dict(variables), thing=True, given=self.facts.given
            )
            self.records.append(found)
        return found

    def _at(self, variables: Mapping[str, str]) -> Record | None:
        return next((one for one in self.records if dict(one.variables) == dict(variables)), None)

    def _is_taken(self, request: Arrived) -> int | None:
        """The status with which something that must be unique is refused; None where it is free."""
        facts = self.facts
        rules = [(facts.duplicate.status, facts.duplicate.fields)] if facts.duplicate else []
        if facts.reference is not None and facts.reference.unique:
            rules.append((409, (facts.reference.name,)))
        if self.behaviour.refuses_equal is not None:
            paths = tuple(f"path:{name}" for name in request.variables)
            rules.append((self.behaviour.refuses_equal, (*facts.matter, *paths)))
        there = [record for record in self.records if not record.gone]
        for status, fields in rules:
            own = {name: stored(request.value(name), self.behaviour.text) for name in fields}
            known = bool(own) and MISSING not in own.values()
            if known and any(all(_same(one.value(name), value) for name, value in own.items()) for one in there):
                return status
        return None

    def _matter(self, request: Arrived) -> str:
        facts = self.documented
        names = facts.matter
        if facts.repeats or (not names and not facts.wording):
            names = tuple(dict.fromkeys((*names, *facts.unsure)))
        values = {name: _plainly(request.value(name)) for name in names}
        return json.dumps([request.method, request.path, values], sort_keys=True)

    # Reads -----------------------------------------------------------------------------------------------------------

    def _read(self, request: Arrived, read: ReadFacts) -> Answer:
        with self._lock:
            problems = self._answers.problems(request, read.shown)
            if problems:
                return replace(self._answers.not_readable(read, problems[0]), problems=problems)
            self._known_by(request, read)
            found = list(self._found(request, read))
            if not read.shown.is_list:
                return self._answers.one(found[-1], read) if found else self._answers.missing(read)
            answer = listed_answer(
                request, read, found, lambda one: self._answers.shown(one, read.shown), self.behaviour.page_size,
                self.facts.origin,
            )  # fmt: skip
            return self._answers.checked(read.shown.api, answer)

    def _known_by(self, request: Arrived, read: ReadFacts) -> None:
        """Makes the thing that a read of it names: it was there before."""
        if self.facts.does not in ("change", "delete"):
            return
        own = {source[5:]: request.variables[name] for name, source in read.variables.items() if source[:5] == "path:"}
        names = url_variables(self.facts.path)
        if names and all(name in own for name in names):
            self._thing({name: own[name] for name in names})

    def _found(self, request: Arrived, read: ReadFacts) -> Iterator[Record]:
        now = self.clock()
        for record in self.records:
            since = record.listed if read.shown.is_list else record.visible
            there = since <= now and (not record.gone or self.behaviour.shows_deleted)
            if there and self._is_at(record, request, read) and narrowed(record, request, read.filters):
                yield record

    def _is_at(self, record: Record, request: Arrived, read: ReadFacts) -> bool:
        for name, source in read.variables.items():
            have = record.value(source) if source else self._answers.id_of(record)
            if plain_text(have) != request.variables[name]:
                return False
        return True


def _filled(request: Arrived, path: str, texts: tuple[str, ...]) -> Arrived:
    names = url_variables(path.partition("?")[0])
    return replace(request, variables={name: decoded(text) for name, text in zip(names, texts, strict=False)})


def _same(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, str) and isinstance(theirs, str):
        return mine.casefold() == theirs.casefold()
    return bool(mine == theirs)


def _plainly(value: Any) -> Any:
    """A value of which equal ones have one text: 1, 1.0 and 1e0 are the same."""
    if value is MISSING or value is None or isinstance(value, bool | str):
        return None if value is MISSING else value
    if isinstance(value, int | float | Decimal):
        return {"n": number_text(value)}
    if isinstance(value, list):
        return [_plainly(one) for one in value]
    return {"o": {name: _plainly(one) for name, one in value.items()}} if isinstance(value, dict) else str(value)
