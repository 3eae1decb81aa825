"""An index over a document: its paths taken apart, its GETs found by path and by what they are about, their answers.

Made once for a document and kept in `Subject.shared`; answers are looked at when somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from wizard.infer.answers import Answer, read_answer
from wizard.infer.detector import Subject
from wizard.infer.naming import root, stems
from wizard.infer.probe_words import joined, probe_words, word_set
from wizard.spec.model import ApiDocument, ApiOperation


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a path between slashes, colons and the like: a literal, or a variable."""

    text: str
    """A literal as written, or the variable's name."""
    variable: bool = False

    @property
    def stems(self) -> tuple[str, ...]:
        return stems(self.text)

    @property
    def form(self) -> str:
        """What two paths have in common where they mean the same place."""
        return "{}" if self.variable else "_".join(stems(self.text)) or self.text


@dataclass(frozen=True)
class Route:
    """An operation and its path taken apart."""

    operation: ApiOperation
    parts: tuple[Part, ...]

    @cached_property
    def form(self) -> tuple[str, ...]:
        return tuple(part.form for part in self.parts)

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(part.text for part in self.parts if part.variable)

    @cached_property
    def literals(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if not part.variable)

    @property
    def ends_in_variable(self) -> bool:
        return bool(self.parts) and self.parts[-1].variable

    @cached_property
    def subjects(self) -> tuple[str, ...]:
        """What the path is about: the words of its last literal without verbs, then of the one before."""
        verbs = word_set("path", "verbs")
        for part in reversed(self.literals):
            nouns = tuple(word for word in part.stems if word not in verbs)
            while len(nouns) > 1 and nouns[-1] in word_set("path", "shown"):
                nouns = nouns[:-1]
            if nouns:
                return nouns
        return ()

    def holder(self, index: int) -> str:
        """The form of the literal before the part at `index`, empty where there is none."""
        return next((part.form for part in reversed(self.parts[:index]) if not part.variable), "")


_TOKEN = re.compile(r"\{([^{}]*)\}|([^{}]+)")
_EDGES = "('\":;=,)!"


@lru_cache(maxsize=8192)
def parse_path(path: str) -> tuple[Part, ...]:
    """A path's parts: `/a/{b}.json` and `/a('{b}')` are `a`, `{b}`; `/a/{b}:cancel` is `a`, `{b}`, `cancel`."""
    suffixes = tuple(probe_words()["path"]["suffixes"])
    parts: list[Part] = []
    for segment in path.split("?", maxsplit=1)[0].split("/"):
        for variable, literal in _TOKEN.findall(segment):
            if variable:
                parts.append(Part(variable, variable=True))
                continue
            text = next((literal[: -len(end)] for end in suffixes if literal.endswith(end)), literal)
            for piece in text.split(":"):
                bare = _after_equals(piece.strip(_EDGES).removeprefix("#"))
                if any(letter.isalnum() for letter in bare):
                    parts.append(Part(bare))
    return tuple(parts)


def _after_equals(text: str) -> str:
    """`Action=GetQueueUrl` is `GetQueueUrl`, `X-Target=Service_2014.CreateService` is `CreateService`."""
    value = text.rpartition("=")[2]
    return value.rpartition(".")[2] if value != text else text


@dataclass
class Resources:
    """The index of one document."""

    document: ApiDocument
    routes: Mapping[str, Route] = field(default_factory=dict)
    """`POST /bookings` to its route."""
    reads: tuple[Route, ...] = ()
    """GETs that do not write by their name."""
    by_form: Mapping[tuple[str, ...], tuple[Route, ...]] = field(default_factory=dict)
    by_subject: Mapping[str, tuple[Route, ...]] = field(default_factory=dict)
    """The root of a word to the reads whose last literals have it."""
    answers: dict[str, Answer | None] = field(default_factory=dict)

    @cached_property
    def _things(self) -> frozenset[str]:
        return frozenset(word for route in self.routes.values() for part in route.literals for word in part.stems[-1:])

    @cached_property
    def _variables(self) -> frozenset[str]:
        return frozenset(joined(name) for route in self.routes.values() for name in route.variables)

    def has_things_called(self, word: str) -> bool:
        """Whether a literal of any path ends in that word (singular)."""
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
    by_subject: dict[str, list[Route]] = {}
    reads: list[Route] = []
    for operation in document.operations:
        route = Route(operation, parse_path(operation.path))
        routes.setdefault(operation.name, route)
        if operation.method != "GET" or _writes(route):
            continue
        reads.append(route)
        by_form.setdefault(route.form, []).append(route)
        for word in dict.fromkeys(root(word) for part in route.literals[-2:] for word in part.stems):
            by_subject.setdefault(word, []).append(route)
    return Resources(
        document,
        routes,
        tuple(reads),
        {form: tuple(found) for form, found in by_form.items()},
        {word: tuple(found) for word, found in by_subject.items()},
    )


def _writes(route: Route) -> bool:
    """A GET whose last literal begins with a writing verb and has an object (`make_payment`)."""
    if not route.literals:
        return False
    last = route.literals[-1].stems
    return len(last) > 1 and last[0] in word_set("path", "writing")
