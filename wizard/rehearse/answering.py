"""How a recipient words its answers: in the document's form, and checked against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote

from wizard.rehearse.arriving import Answer, Arrived, Headers
from wizard.rehearse.behaviour import Behaviour
from wizard.rehearse.facts import Facts, ReadFacts, Shown
from wizard.rehearse.records import Record, candidate, own_id
from wizard.rehearse.truth.examples import example_of, media_of
from wizard.rehearse.values import json_text, plain_text, put, without
from wizard.spec.model import ApiOperation


class Checking(Protocol):
    """What checks requests and answers of one operation (`wizard.spec.validate`)."""

    def request(self, method: str, url: str, headers: Headers, body: bytes | None) -> tuple[str, ...]: ...
    def answer(self, status: int, headers: Headers, body: bytes) -> tuple[str, ...]: ...


_JSON: Headers = (("Content-Type", "application/json"),)


@dataclass(slots=True)
class Answering:
    """Makes a recipient's answers."""

    facts: Facts
    """As the recipient behaves."""
    behaviour: Behaviour
    checkers: Callable[[ApiOperation], Checking] | None
    doubts: list[str] = field(default_factory=list)

    def id_of(self, record: Record) -> str:
        """The id that the recipient gave, as all its answers show it."""
        if self.facts.does in ("change", "delete", "upsert") and record.variables:
            return list(record.variables.values())[-1]
        answers = (self.facts.answer, *(read.shown for read in self.facts.reads))
        return plain_text(own_id(record, next((one for one in answers if one.own_id), self.facts.answer)))

    def shown(self, record: Record, shown: Shown) -> Any:
        """A record as an answer shows it."""
        body = self.facts.api.body if self.facts.api is not None else None
        sent = body.by_path if body is not None else {}
        return candidate(record, shown, sent, self.id_of(record), self.behaviour.time)

    def success(self, record: Record) -> Answer:
        """That a write was carried out."""
        shown = self.facts.answer
        if shown.base is None or shown.status == 204:
            return Answer(shown.status, (), b"")
        made = self.shown(record, shown)
        if shown.items is not None:
            made = put(shown.base, shown.items, [made])
        refusal = self.facts.refusal
        if refusal.in_success:
            made = without(made, refusal.member) if refusal.good is None else put(made, refusal.member, refusal.good)
        return self.checked(self.facts.api, Answer(shown.status, _typed(shown), json_text(made)))

    def refused(self, code: str) -> Answer:
        """That a write is not carried out."""
        refusal = self.facts.refusal
        if not refusal.in_success:
            return self.error(refusal.status, code)
        made = put(self.facts.answer.base or {}, refusal.member, refusal.bad)
        return self.checked(self.facts.api, Answer(refusal.status, _typed(self.facts.answer), json_text(made)))

    def error(self, status: int, code: str) -> Answer:
        """An error of a write."""
        if self.facts.refusal.in_success and status < 500:
            return self.refused(code)
        return self._error(self.facts.api, status, code)

    def missing(self, read: ReadFacts) -> Answer:
        """That there is nothing which a read asks for."""
        return self._error(read.shown.api, read.absent or 404, "not_found")

    def not_readable(self, read: ReadFacts, problem: str) -> Answer:
        """That a read cannot be answered as it was asked."""
        api = read.shown.api
        documented = [one.status for one in api.responses] if api is not None else []
        return self._error(api, next((int(one) for one in ("400", "422") if one in documented), 400), problem)

    def unknown(self, request: Arrived) -> Answer:
        """That there is no such place."""
        return self._error(None, 404, f"there is no {request.method} {request.path}")

    def one(self, record: Record, read: ReadFacts) -> Answer:
        """The one record that a read asks for."""
        shown = read.shown
        return self.checked(shown.api, Answer(200, _typed(shown), json_text(self.shown(record, shown))))

    def _error(self, api: ApiOperation | None, status: int, code: str) -> Answer:
        example = example_of(api, status) if api is not None else None
        if example is None:
            return Answer(status, _JSON, json_text({"code": code, "message": f"It was not done: {code}."}))
        typed: Headers = (("Content-Type", media_of(api, status)),) if api is not None else _JSON
        if isinstance(example, dict) and " " not in code:
            for name in ("code", "error"):
                if isinstance(example.get(name), str):
                    told = Answer(status, typed, json_text({**example, name: code}))
                    if not self._problems(api, told):
                        return told
        return self.checked(api, Answer(status, typed, json_text(example)))

    # Against the document --------------------------------------------------------------------------------------------

    def checked(self, api: ApiOperation | None, answer: Answer) -> Answer:
        """The answer; what the document would refuse about it goes to `doubts`."""
        for problem in self._problems(api, answer):
            said = f"{api.name if api is not None else ''}, {answer.status}: {problem}"
            if said not in self.doubts:
                self.doubts.append(said)
        return answer

    def _problems(self, api: ApiOperation | None, answer: Answer) -> tuple[str, ...]:
        if api is None or self.checkers is None or self.behaviour.breaks_document:
            return ()
        return self.checkers(api).answer(answer.status, answer.headers, answer.body)

    def problems(self, request: Arrived, shown: Shown) -> tuple[str, ...]:
        """What the document would refuse about a request, with what the caller's transport adds."""
        if request.unreadable:
            return (request.unreadable,)
        if shown.api is None or self.checkers is None:
            return ()
        headers, target = request.headers, request.target
        for place, name, value in shown.added:
            if place == "header" and not request.header(name):
                headers = (*headers, (name, value))
            elif place == "query" and request.parameter(name) is None:
                target += f"{'&' if '?' in target else '?'}{quote(name)}={quote(value)}"
        url = self.facts.origin + target
        return tuple(self.checkers(shown.api).request(request.method, url, headers, request.raw))


def _typed(shown: Shown) -> Headers:
    return (("Content-Type", shown.media_type),)
