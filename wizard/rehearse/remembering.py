"""The recipient's memory of idempotency keys: what came under each, what it was answered, and for how long."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from wizard.operation.field_path import MISSING
from wizard.rehearse.arriving import Answer, Arrived
from wizard.rehearse.facts import KeyFacts
from wizard.rehearse.values import find, plain_text, put, steps_of, without


@dataclass(slots=True)
class Kept:
    """What is remembered of a key."""

    since: datetime
    body: str
    """A fingerprint of what came with it first."""
    answer: Answer | None = None
    """None: its first request is being worked on."""


@dataclass(slots=True)
class Memory:
    """All keys that are remembered. `key` None: none is honoured."""

    key: KeyFacts | None
    clock: Callable[[], datetime]
    with_body: bool = False
    """A key counts together with its body."""
    stores_errors: bool = False
    kept: dict[str, Kept] = field(default_factory=dict)

    def text(self, request: Arrived) -> str:
        """The key of a request; empty where none is honoured, none came, or each element has its own."""
        if self.key is None or self.key.per_element:
            return ""
        if self.key.place == "header":
            text = request.header(self.key.name)
        else:
            name = f"query:{self.key.name}" if self.key.place == "query" else self.key.name
            text = plain_text(request.value(name))
        return f"{text} {self.fingerprint(request)}" if text and self.with_body else text

    def known(self, text: str) -> Kept | None:
        """What is remembered of a key.

        While its first request is being worked on and the document has no answer for that, nothing is: whichever is
        done first counts, and the other is answered with it.
        """
        known = self.kept.get(text)
        if self.key is None or known is None:
            return None
        memory = self.key.memory.delta
        if memory is not None and self.clock() - known.since >= memory:
            del self.kept[text]
            return None
        return None if known.answer is None and self.key.in_progress is None else known

    def begin(self, text: str, request: Arrived) -> None:
        """Marks a key as being worked on, unless it is known."""
        if text and text not in self.kept:
            self.kept[text] = Kept(self.clock(), self.fingerprint(request))

    def end(self, text: str, done: Answer, said: Answer, *, failed: bool) -> None:
        """Keeps what a key is answered with from now on, or forgets that it was used.

        `done` is what came of the request, `said` what it was answered; they differ where the recipient broke between.
        """
        if self.key is None or text not in self.kept:
            return
        remembers_all = self.key.remembers == "all"
        refused = not done.landed and not failed and not done.problems
        if failed and self.stores_errors:
            answer: Answer | None = said
        elif done.landed and (not failed or remembers_all):
            answer = done
        else:
            answer = done if refused and remembers_all else None
        if answer is None:
            del self.kept[text]
        else:
            self.kept[text].answer = answer

    def fresh(self, request: Arrived) -> Arrived | None:
        """A request whose elements have keys of their own, without those elements that are known; itself where there
        are none; None where all are known."""
        if self.key is None or not self.key.per_element:
            return request
        steps = steps_of(self.key.name)
        at = steps.index(None)
        elements = find(request.body, steps[:at])
        if not isinstance(elements, list):
            return request
        new = []
        for element in elements:
            text = plain_text(find(element, steps[at + 1 :]))
            if not text or self.known(text) is None:
                new.append(element)
                if text:
                    self.kept[text] = Kept(self.clock(), "", Answer(200, (), b""))
        if not new:
            return None
        return replace(request, body=put(request.body, steps[:at], new)) if len(new) < len(elements) else request

    def fingerprint(self, request: Arrived) -> str:
        """What came with a key, as one text."""
        body = request.body
        if self.key is not None and self.key.place == "field" and body is not MISSING:
            body = without(body, steps_of(self.key.name))
        return json.dumps(
            [request.method, request.path, None if body is MISSING else body], sort_keys=True, default=str
        )
