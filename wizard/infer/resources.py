"""An index over a document: its paths taken apart, its GETs found by path and by what they are about, their answers.

Made once for a document and kept in `Subject.shared`; answers are looked at when somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

from wizard.infer.answers import Answer, read_answer
from wizard.infer.detector import Subject
from wizard.infer.naming import root
from wizard.infer.probe_words import joined, word_set
from wizard.infer.route import Route, parse_path
from wizard.spec.model import ApiDocument, ApiOperation

_GLUED = re.compile(r"\w\{")
"""A variable glued to a word (`/orders{cursor}`) is a piece of a query and no id."""


@dataclass
class Resources:
    """The index of one document."""

    document: ApiDocument
    routes: Mapping[str, Route] = field(default_factory=dict)
    """`POST /bookings` to its route."""
    reads: tuple[Route, ...] = ()
    """GETs that do not write by their name."""
    by_form: Mapping[tuple[str, ...], tuple[Route, ...]] = field(default_factory=dict)
    by_parent: Mapping[tuple[str, ...], tuple[Route, ...]] = field(default_factory=dict)
    """A path's form without its last part to the reads one step below it."""
    by_subject: Mapping[str, tuple[Route, ...]] = field(default_factory=dict)
    """The root of a word to the reads whose last literals have it."""
    answers: dict[str, Answer | None] = field(default_factory=dict)

    @cached_property
    def _things(self) -> frozenset[str]:
        return frozenset(
            part.stems[-1]
            for route in self.routes.values()
            for part, after in zip_longest(route.parts, route.parts[1:])
            if part.stems and not part.variable and (part.is_plural or (after is not None and after.variable))
        )

    @cached_property
    def _variables(self) -> frozenset[str]:
        return frozenset(joined(name) for route in self.routes.values() for name in route.variables)

    def has_things_called(self, word: str) -> bool:
        """Whether a path has things of that name (singular): `/requests`, `/request/{id}`."""
        return word in self._things

    def is_given_in_paths(self, name: str) -> bool:
        """Whether a path has a variable of that name (its words, joined by `_`)."""
        return name in self._variables

    def route(self, operation: ApiOperation) -> Route:
        return self.routes.get(operation.name) or Route(operation, parse_path(operation.path))

    def reads_at(self, form: Iterable[str]) -> tuple[Route, ...]:
        """The reads whose path has this form."""
        return self.by_form.get(tuple(form), ())

    def reads_about(self, words: Iterable[str]) -> Iterator[Route]:
        """The reads about any of these words, each once."""
        seen: set[str] = set()
        for word in words:
            for route in self.by_subject.get(root(word), ()):
                if route.operation.name not in seen:
                    seen.add(route.operation.name)
                    yield route

    def answer(self, route: Route) -> Answer | None:
        """What a read answers with, None where the document does not say."""
        name = route.operation.name
        if name not in self.answers:
            self.answers[name] = read_answer(route.operation, route.subjects, ends_in_variable=route.ends_in_variable)
        return self.answers[name]


def resources(subject: Subject) -> Resources:
    """The index of the subject's document, made once."""
    if "resources" not in subject.shared:
        subject.shared["resources"] = index_document(subject.document)
    found: Resources = subject.shared["resources"]
    return found


def index_document(document: ApiDocument) -> Resources:
    """Takes every path apart and files the reads."""
    routes: dict[str, Route] = {}
    by_form: dict[tuple[str, ...], list[Route]] = {}
    by_parent: dict[tuple[str, ...], list[Route]] = {}
    by_subject: dict[str, list[Route]] = {}
    reads: list[Route] = []
    for operation in document.operations:
        route = Route(operation, parse_path(operation.path))
        routes.setdefault(operation.name, route)
        if operation.method != "GET" or _writes(route) or _GLUED.search(operation.path) or _answers_later(operation):
            continue
        reads.append(route)
        by_form.setdefault(route.form, []).append(route)
        by_parent.setdefault(route.form[:-1], []).append(route)
        for word in dict.fromkeys(root(word) for part in route.literals[-2:] for word in part.stems):
            by_subject.setdefault(word, []).append(route)
    return Resources(
        document,
        routes,
        tuple(reads),
        {form: tuple(found) for form, found in by_form.items()},
        {form: tuple(found) for form, found in by_parent.items()},
        {word: tuple(found) for word, found in by_subject.items()},
    )


def _answers_later(operation: ApiOperation) -> bool:
    """A GET that is accepted with 202 and never answers itself: the answer comes as a call of the recipient's."""
    good = [one.status for one in operation.responses if one.status.startswith("2")]
    return bool(good) and all(status == "202" for status in good)


def _writes(route: Route) -> bool:
    """A GET whose last literal begins with a writing verb and has one object (`make_payment`, not `PayRuns`)."""
    if not route.literals:
        return False
    last = route.literals[-1]
    return len(last.stems) > 1 and last.stems[0] in word_set("path", "writing") and not last.is_plural
