"""A simulated recipient: it takes requests, has what they made, answers reads, and keeps a ledger of what landed.

It has no sockets; `take` is one request, whole. All is deterministic: ids come from a counter, times from the clock.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol
from urllib.parse import quote

from wizard.operation.field_path import MISSING
from wizard.rehearse.arriving import Answer, Arrived, Headers, arrived, decoded
from wizard.rehearse.behaviour import AS_DOCUMENTED, Behaviour
from wizard.rehearse.bodies import example_request
from wizard.rehearse.facts import Facts, KeyFacts, ReadFacts, Shown
from wizard.rehearse.ledger import Landing, Ledger
from wizard.rehearse.listing import listed_answer, narrowed
from wizard.rehearse.records import Record, candidate, own_id, stored
from wizard.rehearse.truth.examples import example_of
from wizard.rehearse.truth.reads import path_pattern
from wizard.rehearse.values import json_text, plain_text, put, steps_of, varied, without
from wizard.spec.model import ApiOperation

WEEK = timedelta(days=7)


class Checking(Protocol):
    """What checks requests and answers of one operation (`wizard.spec.validate`)."""

    def request(self, method: str, url: str, headers: Headers, body: bytes | None) -> tuple[str, ...]: ...
    def answer(self, status: int, headers: Headers, body: bytes) -> tuple[str, ...]: ...


@dataclass(slots=True)
class _Kept:
    """What is remembered of a key."""

    since: datetime
    body: str
    answer: Answer | None = None
    """None: its first request is being worked on."""


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
        self.facts = self.behaviour.change(self.facts)
        self._lock = threading.RLock()
        self._keys: dict[str, _Kept] = {}
        self._numbers = 0
        self._path = path_pattern(self.facts.path)
        self._reads = sorted(
            ((path_pattern(read.path), read) for read in self.facts.reads), key=lambda one: one[1].path.count("{")
        )
        self._sent = self.facts.api.body.by_path if self.facts.api and self.facts.api.body else {}

    # What others call ------------------------------------------------------------------------------------------------

    def take(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] | Mapping[str, str] = (),
        body: bytes | None = None, *, commit: bool = True, instead: int = 0,
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
        return _problem(404, "not_found", f"there is no {request.method} {request.path}")

    def hold(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] | Mapping[str, str] = (),
        body: bytes | None = None,
    ) -> Held:  # fmt: skip
        """Begins to work on a write and keeps it so until `Held.take`: its key is in use."""
        request = self._as_write(arrived(method, target, headers, body))
        if request is None:
            raise ValueError(f"{method} {target} is not the operation's write")
        with self._lock:
            if key := self._key(request):
                self._keys.setdefault(key, _Kept(self.clock(), self._fingerprint(request)))
        return Held(self, request)

    def what(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] | Mapping[str, str] = (),
        body: bytes | None = None,
    ) -> str:  # fmt: skip
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
        self, count: int = 3, *, method: str = "", target: str = "", headers: Iterable[tuple[str, str]] = (),
        body: bytes | None = None,
    ) -> None:  # fmt: skip
        """Stores `count` records of other people, all different from one another and from the request given (else from
        an example), made within the last days."""
        like = self._like(method, target, headers, body)
        with self._lock:
            for number in range(count):
                other = self._varied(like, number)
                self._store(other, self.clock() - timedelta(hours=5 + 7 * number), others=True)

    def crowd(
        self, count: int, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes | None = None
    ) -> None:
        """Stores `count` records of other people which every filter that finds this request's finds too, and which
        stand before it in every list."""
        request = self._as_write(arrived(method, target, headers, body))
        if request is None or self.facts.does not in ("create", "upsert"):
            return
        filtered = {one.source for read in self.facts.reads for one in read.filters if ":" not in one.source}
        newest_first = any(read.newest_first for read in self.facts.reads)
        with self._lock:
            for number in range(count):
                other = self._varied(request, number, keep=filtered)
                for source in filtered:
                    value, steps = request.value(source), steps_of(source)
                    if value is not MISSING and steps and None not in steps:
                        other = replace(other, body=put(other.body, steps, value))
                span = timedelta(seconds=1 + number % 50) if newest_first else -timedelta(hours=5 + 7 * number)
                made = self._store(other, self.clock() + span, others=True)
                made.visible = made.listed = self.clock()

    def stock_equal(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes | None = None,
        *, before: timedelta = WEEK,
    ) -> None:  # fmt: skip
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
        problems = self._problems(request)
        key = self._key(request)
        with self._lock:
            known = self._remembered(key) if key else None
            if known is not None and (known.answer is not None or not held):
                return self._again(known, request, problems)
            self._begun(key, request)
            answer = self._carried_out(request, key, problems, commit=commit)
            if instead:
                answer = replace(self._error(instead, "failed"), landed=answer.landed, problems=problems)
            self._remember(key, answer, failed=not commit or bool(instead))
        return answer

    def _problems(self, request: Arrived) -> tuple[str, ...]:
        if request.unreadable:
            return (request.unreadable,)
        api = self.facts.api
        if api is None or self.checkers is None:
            return ()
        return _checked(self.checkers(api), request, self.facts.answer, self.facts.origin)

    def _carried_out(self, request: Arrived, key: str, problems: tuple[str, ...], *, commit: bool) -> Answer:
        facts = self.facts
        if problems:
            return replace(self._refused("invalid"), problems=problems)
        if not commit:
            return self._refused("refused")
        record: Record | None = None
        now = self.clock()
        if facts.does in ("change", "delete"):
            record = self._thing(request.variables)
            if record.gone:
                return self._error(facts.again or 404, "not_found")
            if facts.again is not None and record.done:
                return self._error(facts.again, "done_already")
        elif (status := self._is_taken(request)) is not None:
            return self._error(status, "exists_already")
        taken = self._new_elements(request, now)
        if taken is None and record is None and self.records:
            return self._success(self.records[-1], request)
        request = taken or request
        record = self._effect(record, request, now)
        id_text = self._id(record)
        self.ledger.landings.append(
            Landing(
                now + self.behaviour.commits_after, self._matter(request), request.method, request.target,
                request.headers, request.raw, key, id_text,
            )
        )  # fmt: skip
        return replace(self._success(record, request), landed=True)

    def _effect(self, record: Record | None, request: Arrived, now: datetime) -> Record:
        if self.facts.does == "upsert":
            record = self._at(request.variables)
        if record is None:
            return self._store(request, now)
        if self.facts.does == "delete":
            record.gone = True
        whole = request.method == "PUT"
        record.changed(stored(request.body, self.behaviour.text), now, whole=whole)
        record.query = {**record.query, **dict(request.query)}
        record.done = True
        return record

    def _store(self, request: Arrived, at: datetime, *, others: bool = False) -> Record:
        self._numbers += 1
        behaviour = self.behaviour
        visible = at + behaviour.commits_after
        body = stored(request.body, behaviour.text)
        if self.facts.reference is None and self.documented.reference is not None and body is not MISSING:
            body = without(body, steps_of(self.documented.reference.name))
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
            made = self.clock() - 30 * timedelta(days=1)
            found = Record(
                self._numbers, made, made, made, variables=dict(variables), thing=True, before=self.facts.before
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
        for status, fields in rules:
            own = [_stored_value(request, name, self.behaviour) for name in fields]
            if not own or any(value is MISSING for value in own):
                continue
            for record in self.records:
                if not record.gone and all(
                    _same(record.value(name), value) for name, value in zip(fields, own, strict=True)
                ):
                    return status
        return None

    # Answers ---------------------------------------------------------------------------------------------------------

    def _success(self, record: Record, request: Arrived) -> Answer:
        shown = self.facts.answer
        if shown.base is None or shown.status == 204:
            return Answer(shown.status, (), b"")
        made = candidate(record, shown, self._sent, self._id(record), self.behaviour.time)
        if shown.items is not None:
            made = put(shown.base, shown.items, [made])
        refusal = self.documented.refusal
        if refusal.in_success:
            made = (
                without(made, refusal.member) if refusal.good is None else put(made, refusal.member, refusal.good)
            )  # fmt: skip
        answer = Answer(shown.status, _typed(shown), json_text(made))
        self._doubt(self.facts.api, answer)
        return answer

    def _refused(self, code: str) -> Answer:
        refusal = self.facts.refusal
        if not refusal.in_success:
            return self._error(refusal.status, code)
        made = put(self.facts.answer.base or {}, refusal.member, refusal.bad)
        return Answer(refusal.status, _JSON, json_text(made))

    def _error(self, status: int, code: str) -> Answer:
        refusal = self.facts.refusal
        if refusal.in_success and status < 500:
            return self._refused(code)
        shown = example_of(self.facts.api, status) if self.facts.api is not None else None
        body = shown if shown is not None else {"code": code, "message": f"The request was not carried out: {code}."}
        answer = Answer(status, _JSON, json_text(body))
        if shown is not None:
            self._doubt(self.facts.api, answer)
        return answer

    def _doubt(self, api: ApiOperation | None, answer: Answer) -> None:
        if api is None or self.checkers is None or self.behaviour.breaks_document:
            return
        for problem in self.checkers(api).answer(answer.status, answer.headers, answer.body):
            said = f"{api.name}, {answer.status}: {problem}"
            if said not in self.doubts:
                self.doubts.append(said)

    def _id(self, record: Record) -> str:
        """The id that the recipient gave, as all its answers show it."""
        if self.facts.does in ("change", "delete", "upsert") and record.variables:
            return list(record.variables.values())[-1]
        answers = (self.facts.answer, *(read.shown for read in self.facts.reads))
        shown = next((one for one in answers if one.own_id), self.facts.answer)
        return plain_text(own_id(record, shown))

    # Keys ------------------------------------------------------------------------------------------------------------

    def _key(self, request: Arrived) -> str:
        """The key of a request; empty where none is honoured, or none came."""
        key = self.facts.key
        if key is None or key.per_element:
            return ""
        text = _key_text(key, request)
        return f"{text} {self._fingerprint(request)}" if text and self.behaviour.key_with_body else text

    def _remembered(self, key: str) -> _Kept | None:
        """What is remembered of a key.

        While its first request is being worked on and the document has no answer for that, nothing is: whichever is
        done first counts, and the other is answered with it.
        """
        facts = self.facts.key
        assert facts is not None
        known = self._keys.get(key)
        memory = facts.memory.delta
        if known is not None and memory is not None and self.clock() - known.since >= memory:
            del self._keys[key]
            return None
        working = known is not None and known.answer is None
        return None if working and facts.in_progress is None else known

    def _again(self, known: _Kept, request: Arrived, problems: tuple[str, ...]) -> Answer:
        key = self.facts.key
        assert key is not None
        if known.answer is None:
            return self._error(key.in_progress or 409, "in_progress")
        if known.body != self._fingerprint(request) and key.other_body is not None:
            return replace(self._error(key.other_body, "key_reused"), problems=problems)
        return replace(known.answer, landed=False, problems=problems)

    def _begun(self, key: str, request: Arrived) -> None:
        if key and key not in self._keys:
            self._keys[key] = _Kept(self.clock(), self._fingerprint(request))

    def _remember(self, key: str, answer: Answer, *, failed: bool) -> None:
        """Keeps what a key was answered with, or forgets that it was used."""
        facts = self.facts.key
        if not key or facts is None or key not in self._keys:
            return
        good = 200 <= answer.status < 300 and not answer.problems
        if (failed and self.behaviour.stores_errors) or (good and answer.landed and not failed):
            self._keys[key].answer = answer
        elif failed and answer.landed and facts.remembers == "all" and self.records:
            self._keys[key].answer = replace(self._success(self.records[-1], _NO_REQUEST), landed=False)
        elif facts.remembers == "all" and not failed and not answer.problems and not good:
            self._keys[key].answer = answer
        else:
            del self._keys[key]

    def _new_elements(self, request: Arrived, now: datetime) -> Arrived | None:
        """A request of several elements with keys of their own, without those that are known; itself where it has
        none; None where all are."""
        key = self.facts.key
        if key is None or not key.per_element:
            return request
        steps = steps_of(key.name)
        at = steps.index(None)
        holder, inner = steps[:at], steps[at + 1 :]
        elements = _find(request.body, holder)
        if not isinstance(elements, list):
            return request
        fresh = []
        for element in elements:
            text = plain_text(_find(element, inner))
            known = self._remembered(text) if text else None
            if known is None:
                fresh.append(element)
                if text:
                    self._keys[text] = _Kept(now, "", Answer(200, (), b""))
        if not fresh:
            return None
        return replace(request, body=put(request.body, holder, fresh)) if len(fresh) < len(elements) else request

    def _fingerprint(self, request: Arrived) -> str:
        key = self.facts.key
        body = request.body
        if key is not None and key.place == "field" and body is not MISSING:
            body = without(body, steps_of(key.name))
        shown = None if body is MISSING else body
        return json.dumps([request.method, request.path, shown], sort_keys=True, default=str)

    def _matter(self, request: Arrived) -> str:
        facts = self.documented
        names = facts.matter
        if facts.repeats or (not names and not facts.wording):
            names = tuple(dict.fromkeys((*names, *facts.unsure)))
        values = {name: None if (value := request.value(name)) is MISSING else value for name in names}
        return json.dumps([request.method, request.path, values], sort_keys=True, default=_as_text)

    # Reads -----------------------------------------------------------------------------------------------------------

    def _read(self, request: Arrived, read: ReadFacts) -> Answer:
        with self._lock:
            shown, api = read.shown, read.shown.api
            if api is not None and self.checkers is not None:
                problems = _checked(self.checkers(api), request, shown, self.facts.origin)
                if problems:
                    status = next((int(one.status) for one in api.responses if one.status in ("400", "422")), 400)
                    return replace(_problem(status, "invalid", problems[0]), problems=problems)
            self._known_by(request, read)
            found = list(self._found(request, read))
            if shown.is_list:
                answer = listed_answer(
                    request, read, found, lambda one: self._shown(one, read), self.behaviour.page_size,
                    self.facts.origin,
                )  # fmt: skip
            elif not found:
                return self._missing(read)
            else:
                answer = Answer(200, _typed(shown), json_text(self._shown(found[-1], read)))
            self._doubt(api, answer)
            return answer

    def _missing(self, read: ReadFacts) -> Answer:
        status = read.absent or 404
        shown = example_of(read.shown.api, status) if read.shown.api is not None else None
        if shown is None:
            return _problem(status, "not_found", "there is no such thing")
        return Answer(status, _JSON, json_text(shown))

    def _shown(self, record: Record, read: ReadFacts) -> Any:
        return candidate(record, read.shown, self._sent, self._id(record), self.behaviour.time)

    def _known_by(self, request: Arrived, read: ReadFacts) -> None:
        """Makes the thing that a read of it names: it was there before."""
        if self.facts.does not in ("change", "delete"):
            return
        own = {source[5:]: request.variables[name] for name, source in read.variables.items() if source[:5] == "path:"}
        names = [name for name, _ in _variables_of(self.facts.path)]
        if names and all(name in own for name in names):
            self._thing({name: own[name] for name in names})

    def _found(self, request: Arrived, read: ReadFacts) -> Iterator[Record]:
        now = self.clock()
        for record in self.records:
            seen = record.listed if read.shown.is_list else record.visible
            if (
                (record.gone and not self.behaviour.shows_deleted)
                or seen > now
                or not self._is_at(record, request, read)
            ):
                continue
            if narrowed(record, request, read.filters):
                yield record

    def _is_at(self, record: Record, request: Arrived, read: ReadFacts) -> bool:
        for name, source in read.variables.items():
            have = record.value(source) if source else self._id(record)
            if plain_text(have) != request.variables[name]:
                return False
        return True

    # Seeds -----------------------------------------------------------------------------------------------------------

    def _like(self, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes | None) -> Arrived:
        if target:
            found = self._as_write(arrived(method or self.facts.operation.method, target, headers, body))
            if found is not None:
                return found
        example = example_request(self.facts.operation, self.facts.api)
        return Arrived(
            self.facts.operation.method, self.facts.path, self.facts.path,
            tuple((name, plain_text(value)) for name, value in example.query.items()), (), None, example.body,
            variables={name: plain_text(value) for name, value in example.variables.items()},
        )  # fmt: skip

    def _varied(self, like: Arrived, number: int, keep: Container[str] = ()) -> Arrived:
        """Somebody else's request; the members named in `keep` are the same."""
        body = like.body
        creates = self.facts.does in ("create", "upsert")
        if isinstance(body, dict) and creates:
            others = varied(body, number, None, {path: one.shape for path, one in self._sent.items()})
            body = {name: body[name] if name in keep else value for name, value in others.items()}
        variables = dict(like.variables)
        if variables and (self.facts.does != "create" or self.facts.path.endswith("}")):
            last = list(variables)[-1]
            variables[last] = plain_text(varied(variables[last], number))
        query = tuple((name, plain_text(varied(value, number))) for name, value in like.query)
        return replace(like, body=body, variables=variables, query=query)


_JSON: Headers = (("Content-Type", "application/json"),)
_NO_REQUEST = Arrived("", "", "", (), (), None)


def _typed(shown: Shown) -> Headers:
    return (("Content-Type", shown.media_type),)


def _checked(checker: Checking, request: Arrived, shown: Shown, origin: str) -> tuple[str, ...]:
    """What the document would refuse about a request, with what the caller's transport adds."""
    headers, target = request.headers, request.target
    for place, name, value in shown.added:
        if place == "header" and not request.header(name):
            headers = (*headers, (name, value))
        elif place == "query" and request.parameter(name) is None:
            target += f"{'&' if '?' in target else '?'}{quote(name)}={quote(value)}"
    return tuple(checker.request(request.method, origin + target, headers, request.raw))


def _problem(status: int, code: str, message: str) -> Answer:
    return Answer(status, _JSON, json_text({"code": code, "message": message}))


def _filled(request: Arrived, path: str, texts: tuple[str, ...]) -> Arrived:
    names = [name for name, _ in _variables_of(path)]
    variables = {name: decoded(text) for name, text in zip(names, texts, strict=False)}
    return replace(request, variables=variables)


def _variables_of(path: str) -> Iterator[tuple[str, int]]:
    from wizard.operation.field_path import url_variables

    for at, name in enumerate(url_variables(path.partition("?")[0])):
        yield name, at


def _find(value: Any, steps: tuple[str | None, ...]) -> Any:
    from wizard.rehearse.values import find

    return find(value, steps)


def _key_text(key: KeyFacts, request: Arrived) -> str:
    if key.place == "header":
        return request.header(key.name)
    value = request.value(f"query:{key.name}" if key.place == "query" else key.name)
    return plain_text(value)


def _stored_value(request: Arrived, name: str, behaviour: Behaviour) -> Any:
    return stored(request.value(name), behaviour.text)


def _same(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, str) and isinstance(theirs, str):
        return mine.casefold() == theirs.casefold()
    return bool(mine == theirs)


def _as_text(value: Any) -> str:
    return "" if value is MISSING else str(value)
